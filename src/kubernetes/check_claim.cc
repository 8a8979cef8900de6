#include "kubernetes/check_claim.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>

#include "base/strings.h"
#include "kubernetes/device_selector.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::size_t kMostLooked = 200;  // requests, selectors and the like of one object
// Source: kubernetes/api:resource/v1/types.go (1.37), DeviceRequestsMaxSize and its neighbours.
constexpr std::size_t kMostRequests = 32;
constexpr std::size_t kMostAlternatives = 8;

std::size_t looked_at(const Node& list) { return list.is_sequence() ? std::min(list.size(), kMostLooked) : 0; }

std::optional<std::int64_t> plain_number(const Node& node) {
  if (!node.is_scalar() || node.style() != ScalarStyle::Plain) return std::nullopt;
  return yaml_int(node.text());
}

/// Sizes by which GPUs are called, in GiB.
bool is_called_by(std::string_view amount) {
  constexpr std::array<std::string_view, 12> kSizes{"16Gi", "24Gi", "32Gi", "40Gi",  "48Gi",  "64Gi",
                                                    "80Gi", "94Gi", "96Gi", "141Gi", "180Gi", "192Gi"};
  return std::ranges::find(kSizes, amount) != kSizes.end();
}

class ClaimCheck {
 public:
  ClaimCheck(bool flat, std::vector<Finding>& findings) : flat_(flat), findings_(findings) {}

  void selectors(const Node& list, std::string_view device_class) {
    for (std::size_t i = 0; i < looked_at(list); ++i) {
      const Node expression = list.item(i)["cel"]["expression"];
      if (expression.is_scalar() && !expression.text().empty()) selector(expression, device_class);
    }
  }

  void devices(const Node& devices) {
    const Node requests = devices["requests"];
    open_ = requests.exists() && (!requests.is_sequence() || looked_at(requests) < requests.size());
    if (requests.is_sequence() && requests.size() > kMostRequests)
      refuse(requests, "a claim has at most 32 requests, and this one " + std::to_string(requests.size()));
    for (std::size_t i = 0; i < looked_at(requests); ++i) request(requests.item(i));
    const Node constraints = devices["constraints"];
    for (std::size_t i = 0; i < looked_at(constraints); ++i) constraint(constraints.item(i), requests);
    const Node configs = devices["config"];
    for (std::size_t i = 0; i < looked_at(configs); ++i) names_of_requests(configs.item(i)["requests"]);
  }

 private:
  void report(std::string_view rule, const Node& at, std::string message, std::string_view field) {
    findings_.push_back(problem(rule, at.where(), std::move(message)));
    findings_.back().field = field;
    findings_.back().about = About::Whole;
  }
  void refuse(const Node& at, std::string message) {
    report("device-request-refused", at, std::move(message), "requests");
  }

  void selector(const Node& expression, std::string_view device_class) {
    const std::optional<DeviceSelector> read = read_device_selector(expression.text());
    if (!read) return;
    if (!read->refused.empty())
      return report("device-selector-refused", expression, "the selector does not compile: " + read->refused,
                    "expression");
    if (!read->fails.empty()) report("device-selector-fails", expression, read->fails, "expression");
    for (const DeviceRead& one : read->reads) attribute(one, expression, device_class);
    for (const std::string& amount : read->above) {
      if (!is_called_by(amount)) continue;
      report("device-memory-boundary", expression,
             "the selector leaves out a device that has exactly " + in_ticks(amount) + " of memory", "expression");
    }
  }

  void attribute(const DeviceRead& read, const Node& expression, std::string_view device_class) {
    const std::optional<PublishedAs> known = published(read.capacity, read.domain, read.name, device_class);
    if (!known || read.guarded || known->how == Published::Always) return;
    const std::string what = std::string(read.capacity ? "the capacity " : "the attribute ") + in_ticks(read.name);
    if (known->how == Published::Sometimes) {
      return report(
          "device-selector-fails", expression,
          what + " of " + in_ticks(read.domain) + " is not there on every device, and is read without a question",
          "expression");
    }
    unknown_attribute(what, read.domain, *known, expression, device_class);
  }

  void unknown_attribute(const std::string& what, std::string_view domain, const PublishedAs& known, const Node& at,
                         std::string_view device_class) {
    const bool of_class = known.how == Published::Elsewhere && !device_class.empty();
    std::string message = "the driver " + in_ticks(domain) + " does not publish " + what;
    if (of_class) message += " for devices of the class " + in_ticks(device_class);
    if (!known.hint.empty()) message += "; " + known.hint;
    report("device-attribute-unknown", at, std::move(message), "expression");
  }

  /// What a request asks for: in itself before v1beta2.
  Node asked_by(const Node& request) const {
    const Node exactly = request["exactly"];
    return flat_ && !exactly.exists() ? request : exactly;
  }

  void request(const Node& request) {
    open_ = open_ || !request.is_mapping() || request["<<"].exists() || is_unsaid(request["name"]);
    if (!request.is_mapping() || request["<<"].exists()) return;
    const Node name = request["name"];
    if (!is_unsaid(name) && !names_.insert(std::string(name.text())).second)
      refuse(name, "two requests are called " + in_ticks(name.text()));
    const Node exactly = asked_by(request);
    const Node alternatives = request["firstAvailable"];
    const bool asks = flat_ ? request["deviceClassName"].exists() : exactly.exists();
    // Of the form of another API version field-unknown speaks.
    const bool misplaced = request[flat_ ? "exactly" : "deviceClassName"].exists();
    if (!misplaced && !asks && (!alternatives.exists() || alternatives.size() == 0)) {
      refuse(name.exists() ? name : request, flat_ ? "a request names neither `deviceClassName` nor `firstAvailable`"
                                                   : "a request has neither `exactly` nor `firstAvailable`");
    }
    if (asks && alternatives.size() > 0)
      refuse(alternatives, flat_ ? "a request has `deviceClassName` and `firstAvailable`, and may have one of them"
                                 : "a request has `exactly` and `firstAvailable`, and may have one of them");
    if (exactly.is_mapping()) ask(exactly);
    if (alternatives.is_sequence() && alternatives.size() > kMostAlternatives)
      refuse(alternatives, "a request has at most 8 alternatives, and this one " + std::to_string(alternatives.size()));
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < looked_at(alternatives); ++i) {
      const Node one = alternatives.item(i);
      ask(one);
      open_ = open_ || is_unsaid(one["name"]);
      if (is_unsaid(one["name"])) continue;
      if (!seen.insert(one["name"].text()).second)
        refuse(one["name"], "two alternatives are called " + in_ticks(one["name"].text()));
      names_.insert(std::string(name.text()) + "/" + std::string(one["name"].text()));
    }
  }

  void ask(const Node& asked) {
    const Node count = asked["count"];
    const std::optional<std::int64_t> wanted = plain_number(count);
    if (wanted && *wanted < 0) refuse(count, "`count` is below zero");
    if (wanted && *wanted > 0 && asked["allocationMode"].text() == "All")
      refuse(count, "`count` stands beside `allocationMode: All`, which takes all devices of a node");
    selectors(asked["selectors"], asked["deviceClassName"].text());
  }

  void names_of_requests(const Node& list) {
    if (open_) return;
    for (std::size_t i = 0; i < looked_at(list); ++i) {
      const Node name = list.item(i);
      if (is_unsaid(name) || names_.contains(name.text())) continue;
      refuse(name, "the claim has no request " + in_ticks(name.text()));
    }
  }

  /// Devices and the one class of the requests that a constraint is for; no number where it is not written.
  struct Meant {
    std::optional<std::int64_t> devices = 0;
    std::string device_class;
    bool classes_differ = false;
  };

  Meant meant(const Node& wanted, const Node& requests) const {
    Meant out;
    for (std::size_t i = 0; i < looked_at(requests); ++i) {
      const Node request = requests.item(i);
      bool named = looked_at(wanted) == 0;
      for (std::size_t w = 0; w < looked_at(wanted); ++w)
        named = named || wanted.item(w).text() == request["name"].text();
      if (!named) continue;
      const Node asked = asked_by(request);
      const Node device_class = asked["deviceClassName"];
      const Node count = asked["count"];
      const bool exact = !asked["allocationMode"].exists() || asked["allocationMode"].text() == "ExactCount";
      const std::optional<std::int64_t> given = count.exists() ? plain_number(count) : std::optional<std::int64_t>(1);
      if (!exact || !given || !out.devices || *given > 1000 || *given < 0) {
        out.devices.reset();
      } else {
        *out.devices += *given;
      }
      if (out.device_class.empty()) out.device_class = device_class.text();
      out.classes_differ = out.classes_differ || device_class.text().empty() || out.device_class != device_class.text();
    }
    return out;
  }

  void constraint(const Node& constraint, const Node& requests) {
    if (!constraint.is_mapping() || constraint["<<"].exists()) return;
    names_of_requests(constraint["requests"]);
    const Node match = constraint["matchAttribute"];
    const Node distinct = constraint["distinctAttribute"];
    const Node name = match.exists() ? match : distinct;
    if (!name.exists() && constraint.size() <= (constraint["requests"].exists() ? 1 : 0))
      return refuse(constraint, "a constraint has neither `matchAttribute` nor `distinctAttribute`");
    if (is_unsaid(name) || name.text().empty()) return;
    const std::size_t slash = name.text().find('/');
    if (slash == std::string_view::npos) {
      return refuse(name, in_ticks(name.text()) + " has no domain; an attribute of a constraint is written " +
                              "`gpu.nvidia.com/" + std::string(name.text()) + "`");
    }
    const Meant asked = meant(constraint["requests"], requests);
    if (asked.classes_differ) return;
    const std::string_view domain = name.text().substr(0, slash);
    const std::string_view attribute = name.text().substr(slash + 1);
    const std::optional<PublishedAs> known = published(false, domain, attribute, asked.device_class);
    if (known && (known->how == Published::Never || known->how == Published::Elsewhere))
      return unknown_attribute("the attribute " + in_ticks(attribute), domain, *known, name, asked.device_class);
    if (match.exists() && asked.devices.value_or(0) > 1) match_of_many(name, asked);
  }

  void match_of_many(const Node& name, const Meant& asked) {
    const bool whole = asked.device_class == "gpu.nvidia.com";
    if (name.text() == "gpu.nvidia.com/uuid" || (whole && name.text() == "resource.kubernetes.io/pciBusID")) {
      return report("device-match-impossible", name,
                    "no two devices share " + in_ticks(name.text()) + ", and the requests ask for " +
                        std::to_string(*asked.devices),
                    "matchAttribute");
    }
    if (whole && name.text() == "resource.kubernetes.io/pcieRoot") {
      report("device-match-pcie-root", name,
             "the requests ask for " + std::to_string(*asked.devices) + " GPUs below one PCIe root", "matchAttribute");
    }
  }

  bool flat_;  ///< v1alpha3 and v1beta1: no `exactly`
  std::vector<Finding>& findings_;
  std::set<std::string, std::less<>> names_;  ///< of requests and alternatives
  bool open_ = false;                         ///< there may be more of them
};

/// Of a template or claim that a pod lists.
void check_entry(const Node& entry, std::vector<Finding>& findings) {
  const bool claim = entry["resourceClaimName"].exists();
  const bool by_template = entry["resourceClaimTemplateName"].exists();
  std::string wrong;
  if (claim && by_template)
    wrong = "a claim of the pod names a ResourceClaim and a ResourceClaimTemplate, and may name one of them";
  if (entry.size() == 1 && entry["name"].exists())
    wrong = "a claim of the pod names neither a ResourceClaim nor a ResourceClaimTemplate";
  if (wrong.empty()) return;
  findings.push_back(
      problem("pod-claim-refused", entry["name"].exists() ? entry["name"].where() : entry.where(), wrong));
  findings.back().field = "resourceClaims";
  findings.back().about = About::Whole;
}

}  // namespace

void check_claim(const Node& object, std::string_view api_version, std::string_view kind,
                 std::vector<Finding>& findings) {
  const std::string_view version = api_version.substr(api_version.find('/') + 1);
  ClaimCheck check(version == "v1beta1" || version == "v1alpha3", findings);
  const Node spec = object["spec"];
  if (kind == "DeviceClass") {
    const std::string_view name = object["metadata"]["name"].text();
    check.selectors(spec["selectors"], name.ends_with("nvidia.com") ? name : "");
  }
  if (kind == "ResourceClaim") check.devices(spec["devices"]);
  if (kind == "ResourceClaimTemplate") check.devices(spec["spec"]["devices"]);
}

void check_pod_claims(const Node& pod, std::vector<Finding>& findings) {
  const Node claims = pod["resourceClaims"];
  if (claims.exists() && !claims.is_sequence() && !claims.is_null()) return;
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < looked_at(claims); ++i) {
    const Node entry = claims.item(i);
    if (!entry.is_mapping() || entry["<<"].exists() || is_unsaid(entry["name"])) return;
    check_entry(entry, findings);
    names.insert(entry["name"].text());
  }
  for (const std::string_view list : {"initContainers", "containers"}) {
    const Node containers = pod[list];
    for (std::size_t c = 0; c < looked_at(containers); ++c) {
      const Node used = containers.item(c)["resources"]["claims"];
      for (std::size_t i = 0; i < looked_at(used); ++i) {
        const Node name = used.item(i)["name"];
        if (is_unsaid(name) || names.contains(name.text())) continue;
        findings.push_back(problem("pod-claim-refused", name.where(),
                                   "a container uses the claim " + in_ticks(name.text()) +
                                       ", which is none of the `resourceClaims` of its pod"));
        findings.back().field = "claims";
        findings.back().about = About::Whole;
      }
    }
  }
}

}  // namespace muster
