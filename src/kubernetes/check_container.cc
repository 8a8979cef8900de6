#include "kubernetes/check_container.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/strings.h"
#include "gang/pod_template.h"
#include "model/device_variables.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::size_t kMaxItems = 1000;
constexpr std::size_t kMostNcclWords = 200;  // of one container

bool is_open(std::string_view text) {
  return is_placeholder(text) || text.find_first_of("$<>{}%") != text.npos || contains(text, "...");
}

/// A word in capitals is there to be replaced: REGISTRY/image.
bool has_blank(std::string_view reference) {
  for (const std::string_view part : split(reference, '/')) {
    const std::string_view name = part.substr(0, part.find_first_of(":@"));
    if (name.size() > 1 && name.find_first_of("abcdefghijklmnopqrstuvwxyz") == name.npos &&
        name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != name.npos)
      return true;
  }
  const std::string low = to_lower(reference);
  return contains(low, "your") || contains(low, "replace") || contains(low, "placeholder") || contains(low, "todo");
}

/// Why a reference is none; empty: it is one. Source: distribution/reference:regexp.go and
/// normalize.go, splitDockerDomain (0.6).
std::string wrong_in(std::string_view reference) {
  if (contains(reference, "//")) return "it has an empty part between two slashes";
  if (reference.ends_with('/') || reference.ends_with(':')) return "it ends too early";
  const std::size_t slash = reference.find('/');
  const std::string_view first = reference.substr(0, slash);
  const bool host =
      slash != reference.npos && (contains(first, ".") || contains(first, ":") || first == "localhost" ||
                                  std::ranges::any_of(first, [](char c) { return c >= 'A' && c <= 'Z'; }));
  std::string_view path = host ? reference.substr(slash + 1) : reference;
  constexpr std::string_view kDigest = "@sha256:";
  constexpr std::size_t kDigestSize = 64;
  if (const std::size_t digest = path.find(kDigest); digest != path.npos) {
    const std::string_view hex = path.substr(digest + kDigest.size());
    // `abc123`, `000...`: to be filled in.
    if (hex.size() != kDigestSize && hex.size() >= kDigestSize / 2 &&
        hex.find_first_not_of("0123456789abcdef") == hex.npos && hex.find_first_not_of(hex.front()) != hex.npos)
      return "its digest has " + count_of(hex.size(), "digit") + ", and one of sha256 has 64";
  }
  path = path.substr(0, path.find('@'));
  const std::size_t colon = path.rfind(':');
  const std::size_t last = path.rfind('/');
  if (colon != path.npos && (last == path.npos || colon > last)) path = path.substr(0, colon);
  if (contains(path, ":")) return "it has more than one `:`";
  if (path.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != path.npos)
    return "the name of a repository is in small letters";
  return {};
}

void check_image(const Node& image, std::vector<Finding>& findings) {
  if (!image.is_scalar()) return;
  const std::string_view text = image.text();
  // `:` and `:v1` are what a chart makes of a repository that its users name.
  if (text.empty() || text.front() == ':') return;
  const std::string wrong = wrong_in(text);  // first: nearly all are right
  if (wrong.empty() || is_open(text) || has_blank(text) || contains(text, "://") || contains(text, " ")) return;
  findings.push_back(problem("container-image-invalid", image.where(),
                             "`" + std::string(text) + "` is no reference to an image: " + wrong));
  findings.back().field = "image";
}

/// Source: kubernetes/kubernetes:pkg/apis/core/validation/validation.go, validateObjectFieldSelector (1.37).
void check_field(const Node& path, std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 9> kFields{
      "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName",
      "status.hostIP", "status.hostIPs",     "status.podIP", "status.podIPs"};
  const std::string_view text = path.text();
  if (!path.is_scalar() || text.empty() || is_open(text)) return;
  if (std::ranges::find(kFields, text) != kFields.end()) return;
  const bool keyed = text.starts_with("metadata.labels[") || text.starts_with("metadata.annotations[");
  if (keyed || text.starts_with("spec.serviceAccount")) return;
  const bool whole = text == "metadata.labels" || text == "metadata.annotations";
  findings.push_back(problem(
      "variable-field-unsupported", path.where(),
      "a variable cannot be `" + std::string(text) + "` of its pod" +
          (whole ? "; it takes one of them: `" + std::string(text) + "['key']`" : did_you_mean(text, kFields))));
  findings.back().field = "fieldPath";
  findings.back().fix = spell_as_one_of(kFields, path.where(), text);
}

bool is_variable_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

class NcclCheck {
 public:
  explicit NcclCheck(std::vector<Finding>& findings) : findings_(findings) {}

  void name(std::string_view word, const Node& at) {
    if (!word.starts_with("NCCL_") && !word.starts_with("TORCH_NCCL_")) return;
    if (seen_.size() > kMostNcclWords || !seen_.insert(word).second) return;
    const std::string_view meant = meant_nccl_variable(word);
    if (meant.empty()) return;
    const std::string reader = word.starts_with("TORCH_") ? "neither PyTorch nor NCCL reads" : "NCCL has no variable";
    findings_.push_back(problem("nccl-variable-unknown", at.where(),
                                reader + " `" + std::string(word) + "`; did you mean `" + std::string(meant) + "`?"));
    findings_.back().field = word;
    findings_.back().fix = Fix{.where = at.where(), .from = std::string(word), .to = std::string(meant)};
  }

  /// `export NCCL_X=1`, `-x NCCL_X=1`, `-x NCCL_X`.
  void script(const Node& text) {
    const std::string_view all = text.text();
    for (std::size_t at = all.find("NCCL_"); at != all.npos; at = all.find("NCCL_", at + 5)) {
      if (at > 0 && is_variable_letter(all[at - 1])) continue;
      std::size_t end = at;
      while (end < all.size() && is_variable_letter(all[end])) ++end;
      const bool set = end < all.size() && all[end] == '=';
      const bool passed = at > 2 && all.substr(at - 3, 3) == "-x ";
      if (set || passed) name(all.substr(at, end - at), text);
    }
  }

 private:
  std::vector<Finding>& findings_;
  std::set<std::string_view> seen_;
};

void check_device_variable(const Node& name, std::vector<Finding>& findings) {
  const std::string_view meant = meant_device_variable(name.text());
  if (meant.empty()) return;
  findings.push_back(
      problem("device-variable-misspelt", name.where(),
              "`" + std::string(name.text()) + "` is read by nothing; did you mean `" + std::string(meant) + "`?"));
  findings.back().field = name.text();
  findings.back().fix = spell(name.where(), meant);
}

/// Whether the container's words may take the number out of a name: `${RANK##*-}`, sed, a script that nobody sees.
bool cuts_names(const Node& container) {
  constexpr std::array<std::string_view, 8> kCuts{"RANK", "sed", "cut", "awk", "rev", "grep", ".sh", "##"};
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMaxItems); ++i) {
      const std::string_view text = words.item(i).text();
      if (std::ranges::any_of(kCuts, [&](std::string_view one) { return contains(text, one); })) return true;
    }
  }
  return false;
}

void check_rank(const Node& container, const Node& variable, std::vector<Finding>& findings) {
  const std::string_view name = variable["name"].text();
  const Node path = variable["valueFrom"]["fieldRef"]["fieldPath"];
  const bool is_name =
      path.text() == "metadata.name" || path.text() == "metadata.labels['statefulset.kubernetes.io/pod-name']";
  if ((name != "RANK" && name != "NODE_RANK") || !is_name || cuts_names(container)) return;
  findings.push_back(problem("container-rank-is-name", path.where(),
                             "the variable `" + std::string(name) + "` is the name of the pod, and no number"));
  findings.back().field = "fieldPath";
}

/// Whether a rendezvous of several nodes has an id that each pod makes up for itself.
bool has_own_rendezvous(std::string_view text) {
  const std::size_t nodes = text.find("--nnodes");
  const std::size_t id = std::min(text.find("--rdzv_id"), text.find("--rdzv-id"));
  if (nodes == text.npos || id == text.npos || contains(text, "--standalone")) return false;
  const std::string_view count = text.substr(nodes + 8, 3);
  if (count == "=1 " || count == " 1 " || count == "=1\n" || count == "=1") return false;
  const std::string_view value = text.substr(id + 10, text.find_first_of(" \n\\", id + 10) - (id + 10));
  for (const std::string_view own : {"$RANDOM", "${RANDOM}", "$$", "$HOSTNAME", "${HOSTNAME}", "$POD_NAME",
                                     "${POD_NAME}", "$(hostname", "$(uuidgen"}) {
    if (contains(value, own)) return true;
  }
  return false;
}

void check_rendezvous(const Node& text, std::vector<Finding>& findings) {
  if (!has_own_rendezvous(text.text())) return;
  findings.push_back(problem("rendezvous-id-differs", text.where(),
                             "each pod makes up an id of its own for the rendezvous: --rdzv_id"));
  findings.back().field = "rdzv_id";
}

/// Source: kubernetes/kubernetes:pkg/probe/util.go, ResolveContainerPort (1.36): a name is looked up among the ports of
/// the same container.
void check_probe_port(const Node& container, std::string_view probe, std::string_view way,
                      std::vector<Finding>& findings) {
  const Node port = container[probe][way]["port"];
  const std::string_view name = port.text();
  const bool named = std::ranges::any_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
  if (!named || is_open(name)) return;
  const Node ports = container["ports"];
  std::vector<std::string_view> known;
  for (std::size_t i = 0; ports.is_sequence() && i < std::min(ports.size(), kMaxItems); ++i) {
    known.push_back(ports.item(i)["name"].text());
    if (known.back() == name || is_open(known.back()) || !ports.item(i).is_mapping()) return;
  }
  if (known.empty() || ports.size() > kMaxItems) return;
  findings.push_back(problem("probe-port-name-unknown", port.where(),
                             std::string(probe) + " asks at port `" + std::string(name) +
                                 "`, and no port of the container is called so" + did_you_mean(name, known)));
  findings.back().field = "port";
  findings.back().about = About::Whole;
}

}  // namespace

void check_liveness(const Node& node, std::vector<Finding>& findings) {
  const Node times = node["livenessProbe"]["failureThreshold"];
  if (times.text() != "1") return;
  const Node limits = node["resources"]["limits"];
  for (std::size_t i = 0; limits.is_mapping() && i < std::min(limits.size(), kMaxItems); ++i) {
    const std::string_view name = limits.key(i).text();
    // Dynamo's own word for the accelerators of a service.
    if (name != "gpu" && !is_accelerator(name)) continue;
    findings.push_back(problem("liveness-fails-at-once", times.where(),
                               "one late answer to this livenessProbe ends the container: failureThreshold is 1"));
    findings.back().field = "failureThreshold";
    return;
  }
}

/// The last one counts. Source: kubernetes/kubernetes:pkg/kubelet/kubelet_pods.go, makeEnvironmentVariables (1.36).
void check_repeated(const Node& env, std::vector<Finding>& findings) {
  std::map<std::string_view, Node> values;
  for (std::size_t i = 0; env.is_sequence() && i < std::min(env.size(), kMaxItems); ++i) {
    const Node name = env.item(i)["name"];
    if (name.text().empty() || is_open(name.text())) continue;
    const auto [before, fresh] = values.try_emplace(name.text(), env.item(i));
    const Node first = before->second["value"];
    if (fresh || (first.exists() && first.text() == env.item(i)["value"].text())) continue;
    findings.push_back(problem("container-variable-twice", name.where(),
                               "`" + std::string(name.text()) + "` was set above, to something else"));
    findings.back().field = name.text();
    findings.back().related.push_back({before->second["name"].where(), "does not count"});
    return;
  }
}

bool is_kept_from_root(const Node& pod, const Node& container) {
  const Node of_pod = pod["securityContext"];
  const Node own = container["securityContext"];
  const Node user = own["runAsUser"].exists() ? own["runAsUser"] : of_pod["runAsUser"];
  const std::optional<std::int64_t> number = user.is_scalar() ? parse_int(user.text()) : std::nullopt;
  if (user.exists()) return number && *number > 0;
  return is_true(own["runAsNonRoot"].exists() ? own["runAsNonRoot"] : of_pod["runAsNonRoot"]);
}

/// Source: kubernetes/kubernetes:pkg/kubelet/prober/worker.go (1.36): one question at a time; period 10 by default.
void check_probe_times(const Node& container, std::string_view probe, std::vector<Finding>& findings) {
  constexpr std::int64_t kLong = 60;
  constexpr std::int64_t kUsualPeriod = 10;
  const Node timeout = container[probe]["timeoutSeconds"];
  const Node period = container[probe]["periodSeconds"];
  const std::int64_t waits = timeout.is_scalar() ? parse_int(timeout.text()).value_or(0) : 0;
  const std::int64_t between = period.exists() ? parse_int(period.text()).value_or(0) : kUsualPeriod;
  if (between == 0 || waits < kLong || waits <= between) return;
  findings.push_back(problem("probe-timeout-above-period", timeout.where(),
                             "the " + std::string(probe) + " waits " + std::to_string(waits) +
                                 " seconds for an answer, and asks every " + std::to_string(between)));
  findings.back().field = "timeoutSeconds";
}

/// Whether a program may be called behind that part of a command: `sh -c `, `a && `, `/usr/bin/`.
bool begins_command(std::string_view before) {
  const std::size_t end = before.find_last_not_of(" \t\n");
  if (end == before.npos || contains("/;&|(", before.substr(before.size() - 1))) return true;
  const std::string_view blanks = before.substr(end + 1);
  if (blanks.empty()) return false;
  const std::string_view last = before.substr(0, end + 1);
  const std::string_view word = last.substr(last.find_last_of(" \t\n;&|(") + 1);  // npos + 1 is 0
  if (contains(blanks, "\n") || word.empty() || word == "exec" || word == "then" || word == "do" || word == "if")
    return true;
  return word.size() > 1 && word.size() < 6 && word.front() == '-' && word.back() == 'c';
}

/// Seconds that a program of a probe's command waits itself: `curl --max-time 5`, `timeout 5 ...`; 0: no number.
std::int64_t own_limit(std::string_view text) {
  constexpr std::size_t kNear = 40;  // bytes in which a number stands behind an option
  for (const std::string_view option : {"--max-time", "curl -m", "timeout"}) {
    for (std::size_t at = text.find(option); at != text.npos; at = text.find(option, at + 1)) {
      const bool begins = at == 0 || (option == "timeout" ? begins_command(text.substr(0, at))
                                                          : contains(" \n;&|/(", text.substr(at - 1, 1)));
      std::string_view behind = text.substr(at + option.size(), kNear);
      if (!begins || behind.empty() || (behind[0] != ' ' && behind[0] != '=')) continue;
      behind = trim(behind.substr(1));
      std::size_t end = 0;
      while (end < behind.size() && is_digit(behind[end])) ++end;
      const bool seconds = end == behind.size() || contains(" s\n", behind.substr(end, 1));
      if (end > 0 && end < 6 && seconds) return parse_int(behind.substr(0, end)).value_or(0);
    }
  }
  return 0;
}

/// Source: kubernetes/kubernetes:pkg/kubelet/prober/prober.go, runProbe (1.36): a command has timeoutSeconds, by
/// default 1.
void check_probe_command(const Node& container, std::string_view probe, std::vector<Finding>& findings) {
  const Node words = container[probe]["exec"]["command"];
  const Node timeout = container[probe]["timeoutSeconds"];
  const std::int64_t waits = timeout.exists() ? parse_int(timeout.text()).value_or(0) : 1;
  if (waits == 0 || !words.is_sequence()) return;
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), kMaxItems); ++i) text.append(words.item(i).text()).append(" ");
  const std::int64_t limit = own_limit(text);
  if (limit <= waits) return;
  findings.push_back(problem("probe-timeout-below-command",
                             timeout.exists() ? timeout.where() : container[probe].key_where(),
                             "the command of the " + std::string(probe) + " waits " + std::to_string(limit) +
                                 " seconds for an answer, and is given " + std::to_string(waits) +
                                 (timeout.exists() ? "" : ", the default of timeoutSeconds")));
  findings.back().field = probe;
}

void check_container(const Node& container, std::vector<Finding>& findings) {
  check_image(container["image"], findings);
  NcclCheck nccl(findings);
  const Node env = container["env"];
  for (std::size_t i = 0; env.is_sequence() && i < std::min(env.size(), kMaxItems); ++i) {
    nccl.name(env.item(i)["name"].text(), env.item(i)["name"]);
    check_device_variable(env.item(i)["name"], findings);
    check_field(env.item(i)["valueFrom"]["fieldRef"]["fieldPath"], findings);
    check_rank(container, env.item(i), findings);
  }
  check_repeated(env, findings);
  for (const std::string_view probe : {"livenessProbe", "readinessProbe"})
    check_probe_times(container, probe, findings);
  for (const std::string_view probe : {"livenessProbe", "readinessProbe", "startupProbe"})
    check_probe_command(container, probe, findings);
  for (const std::string_view probe : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    for (const std::string_view way : {"httpGet", "tcpSocket"}) check_probe_port(container, probe, way, findings);
  }
  for (const std::string_view list : {"command", "args"}) {
    const Node words = container[list];
    for (std::size_t i = 0; words.is_sequence() && i < std::min(words.size(), kMaxItems); ++i) {
      if (!words.item(i).is_scalar()) continue;
      nccl.script(words.item(i));
      check_rendezvous(words.item(i), findings);
    }
  }
}

}  // namespace muster
