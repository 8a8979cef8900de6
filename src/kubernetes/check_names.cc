#include "kubernetes/check_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/strings.h"
#include "gang/manifest.h"
#include "kubernetes/check_fields.h"
#include "kubernetes/field_table.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

constexpr std::size_t kMostPorts = 1000;
constexpr std::size_t kMostLabels = 1000;

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/// Kinds whose names are those of DNS. Roles may have others, and so may what OpenShift's own API servers keep.
bool has_dns_name(std::string_view api_version, std::string_view kind) {
  constexpr std::array<std::string_view, 8> kOperators{"argoproj.io",     "kubevirt.io", "fluxcd.io", "coreos.com",
                                                       "cert-manager.io", "keda.sh",     "istio.io",  "knative.dev"};
  const std::string_view group = api_group(api_version);
  if (group == "rbac.authorization.k8s.io" || group == "kustomize.config.k8s.io" || group == "config.kueue.x-k8s.io")
    return false;
  const FieldTable& table = FieldTable::shipped();
  if (table.find(api_version, kind) != nullptr || !table.versions_of(group, kind).empty()) return true;
  return std::ranges::any_of(kOperators, [&](std::string_view one) {
    return group == one || (group.ends_with(one) && group[group.size() - one.size() - 1] == '.');
  });
}

/// A word such as NAME or USER between dashes is there to be replaced.
bool has_word_to_replace(std::string_view name) {
  for (std::size_t at = 0; at < name.size();) {
    std::size_t end = at;
    while (end < name.size() && (is_small(name[end]) || is_capital(name[end]) || is_digit(name[end]))) ++end;
    const std::string_view word = name.substr(at, end - at);
    if (word == "X" || word == "N" || word.starts_with("XX")) return true;
    if (word.size() > 3 && std::ranges::all_of(word, is_capital)) return true;
    at = end + 1;
  }
  for (const std::string_view part : split(name, '-')) {
    if (is_screaming(part)) return true;  // JOB_ID
  }
  const std::string low = to_lower(name);
  return contains(low, "your") || contains(low, "replace") || contains(low, "placeholder") || contains(low, "todo");
}

/// Kinds of which operators refuse a name that is no label of RFC 1035, for Services are called after them. Sources:
/// kubeflow/trainer:pkg/webhooks/pytorch/pytorchjob_webhook.go (1.9), and those beside it;
/// kubeflow/mpi-operator:pkg/apis/kubeflow/validation/validation.go (0.6), validateMPIJobName;
/// kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go (0.12);
/// kubernetes-sigs/lws:pkg/webhooks/leaderworkerset_webhook.go (0.9);
/// ray-project/kuberay:ray-operator/controllers/ray/utils/validation.go (1.6).
bool begins_with_letter(std::string_view api_version, std::string_view kind) {
  const auto is_one_of = [&](auto... kinds) { return ((kind == kinds) || ...); };
  const std::string_view group = api_group(api_version);
  if (group == "kubeflow.org")
    return is_one_of("PyTorchJob", "TFJob", "XGBoostJob", "PaddleJob", "JAXJob") ||
           (kind == "MPIJob" && api_version.ends_with("/v2beta1"));
  if (group == "ray.io") return is_one_of("RayCluster", "RayJob", "RayService");
  return (group == "jobset.x-k8s.io" && kind == "JobSet") ||
         (group == "leaderworkerset.x-k8s.io" && kind == "LeaderWorkerSet");
}

/// Why a name is none, where it is written out; empty: it is one, or somebody makes one of it.
std::string wrong_in_name(std::string_view name, bool label, bool letter_first) {
  if (is_placeholder(name) || is_screaming(name) || has_word_to_replace(name)) return {};
  bool capital = false;
  bool underscore = false;
  bool point = false;
  bool small = false;
  for (const char c : name) {
    capital = capital || is_capital(c);
    underscore = underscore || c == '_';
    point = point || c == '.';
    small = small || is_small(c);
    if (!is_small(c) && !is_capital(c) && !is_digit(c) && c != '-' && c != '.' && c != '_') return {};
  }
  if (!small) return {};
  if (capital) return "it has capital letters";
  if (underscore) return "it has a `_`";
  if ((label || letter_first) && point) return "it has a `.`";
  return letter_first && is_digit(name.front()) ? "it begins with a digit" : "";
}

/// Of a name, or of what it begins with where `generateName` has the rest made.
void check_name(const Node& name, std::string_view api_version, std::string_view kind, std::vector<Finding>& findings) {
  if (!name.is_scalar()) return;
  const std::string wrong =
      wrong_in_name(name.text(), kind == "Service" || kind == "Namespace", begins_with_letter(api_version, kind));
  if (wrong.empty()) return;
  findings.push_back(problem("object-name-invalid", name.where(),
                             "`" + std::string(name.text()) + "` is no name of a " + std::string(kind) + ": " + wrong));
  findings.back().field = "name";
  findings.back().about = About::Whole;
}

/// What a JobSet calls its Jobs and pods after itself is a label of DNS, too.
/// Source: kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go (0.12), podNameTooLongErrorMsg.
void check_made_names(const Node& object, std::vector<Finding>& findings) {
  constexpr std::size_t kLongest = 63;
  const Node name = object["metadata"]["name"];
  const Node jobs = object["spec"]["replicatedJobs"];
  if (!name.is_scalar() || is_placeholder(name.text())) return;
  const auto last_of = [](const Node& count) {
    const std::optional<std::int64_t> number = count.is_scalar() ? parse_int(count.text()) : std::nullopt;
    return std::to_string(number && *number > 0 ? *number - 1 : 0);
  };
  for (std::size_t i = 0; jobs.is_sequence() && i < jobs.size(); ++i) {
    const Node job = jobs.item(i)["name"];
    if (!job.is_scalar() || is_placeholder(job.text())) continue;
    const Node spec = jobs.item(i)["template"]["spec"];
    std::string made =
        std::string(name.text()) + "-" + std::string(job.text()) + "-" + last_of(jobs.item(i)["replicas"]);
    const bool pods = spec["completions"].is_scalar() && spec["completionMode"].text() != "NonIndexed";
    if (pods) made += "-" + last_of(spec["completions"]) + "-abcde";
    if (made.size() <= kLongest) continue;
    findings.push_back(problem("object-name-invalid", name.where(),
                               in_ticks(name.text()) + " is too long for a JobSet: " + (pods ? "pods" : "Jobs") +
                                   " are called like " + in_ticks(made) + ", which has " + std::to_string(made.size()) +
                                   " characters, and may have 63"));
    findings.back().field = "name";
    findings.back().about = About::Whole;
    return;
  }
}

void check_both_names(const Node& metadata, std::vector<Finding>& findings) {
  const Node name = metadata["name"];
  const Node prefix = metadata["generateName"];
  if (!name.is_scalar() || name.text().empty() || !prefix.is_scalar() || prefix.text().empty()) return;
  findings.push_back(
      problem("object-name-beside-prefix", prefix.where(),
              "`generateName` stands beside `name`, and the object is called `" + std::string(name.text()) + "`"));
  findings.back().field = "generateName";
  findings.back().about = About::Object;
}

/// Two ports of one name. What is merged or filled in may be another.
void check_port_names_twice(const Node& ports, const std::string& whose, std::vector<Finding>& findings) {
  std::map<std::string_view, Node> seen;
  for (std::size_t i = 0; ports.is_sequence() && i < std::min(ports.size(), kMostPorts); ++i) {
    const Node name = ports.item(i)["name"];
    if (!name.is_scalar() || name.text().empty() || is_placeholder(name.text())) continue;
    const auto [first, fresh] = seen.emplace(name.text(), name);
    if (fresh) continue;
    findings.push_back(problem("port-name-twice", name.where(),
                               "two ports of " + whose + " are called `" + std::string(name.text()) + "`"));
    findings.back().field = "name";
    findings.back().related.push_back({first->second.where(), "the first of them"});
    findings.back().about = About::Object;
    return;
  }
}

}  // namespace

void check_names(const Node& object, std::string_view api_version, std::string_view kind,
                 std::vector<Finding>& findings) {
  if (object["sops"].is_mapping() || !has_dns_name(api_version, kind)) return;
  check_name(object["metadata"]["name"], api_version, kind, findings);
  if (!object["metadata"]["name"].exists()) check_name(object["metadata"]["generateName"], api_version, kind, findings);
  if (kind == "JobSet" && api_version.starts_with("jobset.x-k8s.io/")) check_made_names(object, findings);
  // What was read out of a cluster has both.
  if (!object["metadata"]["uid"].exists()) check_both_names(object["metadata"], findings);
  if (kind == "Service" && api_version == "v1")
    check_port_names_twice(object["spec"]["ports"], "the Service", findings);
}

// Other letters that a label does not have mostly stand in what is to be filled in.
void check_node_labels(const Node& selector, std::vector<Finding>& findings) {
  for (std::size_t i = 0; selector.is_mapping() && i < std::min(selector.size(), kMostLabels); ++i) {
    const Node value = selector.value(i);
    const std::string_view text = value.text();
    const bool pattern = value.is_scalar() && text.find_first_of("*,;|") != text.npos &&
                         text.find_first_of("{}<>$@# ") == text.npos && !has_word_to_replace(text);
    if (!pattern || is_placeholder(text)) continue;
    findings.push_back(
        problem("object-label-invalid", value.where(),
                "`" + std::string(text) + "` is no value of a label: nothing in it is a pattern or a list"));
    findings.back().field = selector.key(i).text();
    findings.back().about = About::Whole;
    return;
  }
}

void check_pod_ports(const Node& pod, std::vector<Finding>& findings) {
  std::map<std::pair<std::string_view, std::string_view>, std::pair<Node, std::size_t>> seen;  // by port and protocol
  const Node containers = pod["containers"];
  bool said = false;
  for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c) {
    const Node ports = containers.item(c)["ports"];
    check_port_names_twice(ports, "container `" + std::string(containers.item(c)["name"].text()) + "`", findings);
    for (std::size_t i = 0; ports.is_sequence() && i < std::min(ports.size(), kMostPorts); ++i) {
      const Node port = ports.item(i)["containerPort"];
      const Node protocol = ports.item(i)["protocol"];
      if (!port.is_scalar() || port.text().empty() || is_placeholder(port.text())) continue;
      const std::string_view over = protocol.text().empty() ? "TCP" : protocol.text();
      const auto [first, fresh] = seen.emplace(std::pair(port.text(), over), std::pair(port, c));
      if (fresh || first->second.second == c || said) continue;
      said = true;
      findings.push_back(problem("container-port-twice", port.where(),
                                 "containers `" + std::string(containers.item(first->second.second)["name"].text()) +
                                     "` and `" + std::string(containers.item(c)["name"].text()) +
                                     "` of one pod listen on port " + std::string(port.text())));
      findings.back().field = "containerPort";
      findings.back().related.push_back({first->second.first.where(), "the first of them"});
      findings.back().about = About::Object;
    }
  }
}

}  // namespace muster
