#include "pipeline/shut_out_monitors.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "pipeline/policies_elsewhere.h"

namespace muster {
namespace {

constexpr std::size_t kMostOfSpace = 50;  // objects of a kind that are held against each other
constexpr std::size_t kMostShut = 200;    // namespaces for which a Prometheus is looked for; nothing is said of others

struct MonitoredSpace {
  std::vector<const Manifest*> policies;
  std::vector<const Manifest*> services;
  std::vector<const Manifest*> monitors;
  std::vector<const Manifest*> pods;
  bool open = false;
};

enum class For { Others, Perhaps, Them };

For is_for(const Manifest& policy, const WrittenValue& labels) {
  const WrittenValue& pods = policy.part("pod_selector");
  if (pods.state == State::Unknown) return For::Perhaps;
  if (pods.keys().empty()) return For::Them;
  const WrittenValue* wanted = pods.find("matchLabels");
  const bool plain = wanted != nullptr && wanted->is_text_map();
  if (plain && !wanted->selects(labels)) return For::Others;
  return plain && pods.find("matchExpressions") == nullptr ? For::Them : For::Perhaps;
}

bool says_one_of(const WrittenValue& labels, std::span<const std::string_view> words) {
  for (std::size_t i = 0; i < labels.keys().size(); ++i) {
    const std::string pair = std::string(labels.keys()[i]) + "=" + std::string(labels.items()[i].text());
    if (std::ranges::any_of(words, [&](std::string_view word) { return contains_ignoring_case(pair, word); }))
      return true;
  }
  return false;
}

/// The labels that a selector asks for; nullptr: it asks for others, too, or for whatever.
const WrittenValue* plain_labels(const WrittenValue& selector) {
  const WrittenValue* labels = selector.find("matchLabels");
  const bool plain = labels != nullptr && labels->is_text_map() && selector.find("matchExpressions") == nullptr;
  return plain ? labels : nullptr;
}

constexpr std::array<std::string_view, 12> kMonitoring{"monitor", "prometheus", "prom=", "observ",
                                                       "metrics", "grafana",    "mimir", "telemetry",
                                                       "vmagent", "alloy",      "otel",  "collector"};
/// Namespaces where something else stands for certain.
constexpr std::array<std::string_view, 9> kOtherSpaces{"ingress", "istio", "gateway", "knative", "openshift-dns",
                                                       "traefik", "nginx", "envoy",   "front"};

/// Whether Prometheus may be among those of a peer: in any namespace but the one of the policy, unless it is surely for
/// something else.
bool may_be_prometheus(const WrittenValue& peer, std::string_view own) {
  const WrittenValue* spaces = peer.find("namespaceSelector");
  const WrittenValue* pods = peer.find("podSelector");
  if (peer.find("ipBlock") != nullptr || peer.state == State::Unknown) return true;
  if (pods != nullptr && !pods->keys().empty()) {
    const WrittenValue* labels = plain_labels(*pods);
    if (labels == nullptr || says_one_of(*labels, kMonitoring)) return true;
    if (spaces == nullptr || !spaces->keys().empty()) return false;
  }
  if (spaces == nullptr) return false;
  const WrittenValue* labels = plain_labels(*spaces);
  if (labels == nullptr || says_one_of(*labels, kMonitoring)) return true;
  return labels->text_of("kubernetes.io/metadata.name") != own && !says_one_of(*labels, kOtherSpaces);
}

bool lets_prometheus_in(const Manifest& policy) {
  const WrittenValue& ingress = policy.part("ingress");
  if (ingress.state == State::Unknown) return true;
  return std::ranges::any_of(ingress.items(), [&](const WrittenValue& rule) {
    const WrittenValue* from = rule.find("from");
    return from == nullptr || from->state != State::Set || from->items().empty() ||
           std::ranges::any_of(from->items(),
                               [&](const WrittenValue& peer) { return may_be_prometheus(peer, policy.space.view()); });
  });
}

bool is_about_ingress(const Manifest& policy) {
  const WrittenValue& types = policy.part("policy_types");
  return types.state == State::Absent ||
         std::ranges::any_of(types.items(), [](const WrittenValue& one) { return one.text() == "Ingress"; });
}

bool asks_here(const Manifest& monitor) {
  const WrittenValue& spaces = monitor.part("namespaces");
  return spaces.state == State::Absent || spaces.keys().empty();
}

/// A policy about what comes in, and whether Prometheus may be among them: worked out once, however many pods it has.
struct Door {
  const Manifest* policy;
  bool open;
};

/// The first of them that shuts Prometheus out of pods; nullptr: some other one lets it in.
const Manifest* first_for(const std::vector<Door>& doors, const WrittenValue& labels) {
  const Manifest* first = nullptr;
  for (const auto& [policy, open] : doors) {
    const For whom = is_for(*policy, labels);
    if (whom == For::Others) continue;
    if (open) return nullptr;
    if (first == nullptr && whom == For::Them && !policy->part("ingress").items().empty()) first = policy;
  }
  return first;
}

/// A Service, and the policy that shuts Prometheus out of pods of its.
struct ShutService {
  const Manifest* service;
  const Manifest* policy;
};

std::vector<ShutService> shut_services(const MonitoredSpace& space) {
  std::vector<Door> doors;
  for (const Manifest* policy : space.policies) {
    if (is_about_ingress(*policy)) doors.push_back({policy, lets_prometheus_in(*policy)});
  }
  std::vector<std::pair<const WrittenValue*, const Manifest*>> shut;  // labels of pods, and by which policy
  for (const Manifest* pods : space.pods) {
    const Manifest* policy = first_for(doors, pods->part("pod_labels"));
    if (policy != nullptr) shut.emplace_back(&pods->part("pod_labels"), policy);
  }
  std::vector<ShutService> out;
  for (const Manifest* service : space.services) {
    const WrittenValue& selector = service->part("selector");
    if (!selector.is_text_map()) continue;
    const auto found = std::ranges::find_if(shut, [&](const auto& one) { return selector.selects(*one.first); });
    if (found != shut.end()) out.push_back({service, found->second});
  }
  return out;
}

void judge(const MonitoredSpace& space, std::vector<Finding>& findings) {
  const std::vector<ShutService> shut = shut_services(space);
  for (const Manifest* monitor : space.monitors) {
    const WrittenValue* wanted = monitor->part("selector").find("matchLabels");
    if (!asks_here(*monitor) || wanted == nullptr || !wanted->is_text_map()) continue;
    const auto found = std::ranges::find_if(
        shut, [&](const ShutService& one) { return wanted->selects(one.service->part("labels")); });
    if (found == shut.end()) continue;
    findings.push_back(problem("network-policy-shuts-out-monitor", found->policy->part("ingress").where,
                               "`" + found->policy->name.value +
                                   "` lets nobody in who may be Prometheus, and ServiceMonitor `" +
                                   monitor->name.value + "` has it ask those pods"));
    return;
  }
}

/// Whether a script, Terraform, a helmfile or a chart that needs it installs Prometheus: it may stand anywhere then,
/// and its chart bring policies. Labels with its name, and prose, install nothing.
bool installs_prometheus(const Inputs& inputs) {
  constexpr std::array<std::string_view, 3> kCharts{"kube-prometheus-stack", "prometheus-community",
                                                    "prometheus-operator"};
  const auto installs = [](std::string_view line) {
    line = trim(line);
    return !line.starts_with('#') && (contains(line, "chart") || contains(line, "helm "));
  };
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (inputs.files[i].context.path.ends_with(".md")) continue;
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (std::ranges::any_of(kCharts, [&](std::string_view one) { return some_line_with(text, one, installs); }))
      return true;
  }
  return false;
}

/// Texts with a Prometheus that an operator runs.
std::vector<std::string_view> texts_with_reader(const Inputs& inputs) {
  constexpr std::array<std::string_view, 4> kReaders{"kind: Prometheus\n", "kind: PrometheusAgent", "kind: VMAgent",
                                                     "kind: OpenTelemetryCollector"};
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (std::ranges::any_of(kReaders, [&](std::string_view kind) { return contains(text, kind); })) out.push_back(text);
  }
  return out;
}

}  // namespace

void find_shut_out_monitors(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  const ManifestDef* policies = &manifest_def("network_policies");
  const ManifestDef* services = &manifest_def("services");
  const ManifestDef* monitors = &manifest_def("service_monitors");
  const ManifestDef* makers = &manifest_def("pod_makers");
  std::map<std::pair<std::string_view, std::string_view>, MonitoredSpace> spaces;  // by bundle and namespace
  for (const Manifest& one : model.manifests) {
    if (one.def == policies || one.def == monitors) spaces[{one.bundle, one.space}];
    if (one.def->collection == "helm_releases") return;  // Prometheus may stand anywhere, and its chart bring policies
  }
  for (const Manifest& one : model.manifests) {
    const auto found = spaces.find({one.bundle, one.space});
    if (found == spaces.end()) continue;
    const auto add = [&](std::vector<const Manifest*>& all) {
      all.push_back(&one);
      found->second.open = found->second.open || all.size() > kMostOfSpace;
    };
    if (one.def == policies) add(found->second.policies);
    if (one.def == services) add(found->second.services);
    if (one.def == monitors) add(found->second.monitors);
    if (one.def == makers) add(found->second.pods);
    // Prometheus in the namespace itself.
    if (one.def == makers && contains_ignoring_case(one.name.value, "prometheus")) found->second.open = true;
  }
  std::vector<Finding> found;
  std::optional<std::vector<std::string_view>> readers;
  std::size_t asked = 0;
  for (const auto& [place, space] : spaces) {
    if (space.open || place.second.empty()) continue;
    const std::size_t before = found.size();
    judge(space, found);
    if (found.size() == before) continue;
    if (++asked > kMostShut) {
      found.pop_back();
      break;
    }
    if (!readers) readers = texts_with_reader(inputs);
    const std::string own = "namespace: " + std::string(place.second);
    if (std::ranges::any_of(*readers, [&](std::string_view text) { return contains(text, own); })) found.pop_back();
  }
  if (found.empty() || has_other_policies(inputs) || installs_prometheus(inputs)) return;
  findings.insert(findings.end(), found.begin(), found.end());
}

}  // namespace muster
