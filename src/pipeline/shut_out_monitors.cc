#include "pipeline/shut_out_monitors.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostOfSpace = 50;  // objects of a kind that are held against each other

struct MonitoredSpace {
  std::vector<const Manifest*> policies;
  std::vector<const Manifest*> services;
  std::vector<const Manifest*> monitors;
  std::vector<const Manifest*> pods;
  bool open = false;
};

bool is_for(const Manifest& policy, const WrittenValue& labels) {
  const WrittenValue& pods = policy.part("pod_selector");
  const WrittenValue* wanted = pods.find("matchLabels");
  if (pods.keys().empty() || pods.find("matchExpressions") != nullptr) return true;
  return wanted == nullptr || !wanted->is_text_map() || wanted->selects(labels);
}

/// Whether Prometheus may be among those of a peer: mostly it stands in a namespace of its own.
bool may_be_prometheus(const WrittenValue& peer) {
  const WrittenValue* spaces = peer.find("namespaceSelector");
  if (peer.find("ipBlock") != nullptr) return true;
  if (spaces == nullptr) return false;
  const WrittenValue* labels = spaces->find("matchLabels");
  if (labels == nullptr || !labels->is_text_map() || spaces->find("matchExpressions") != nullptr) return true;
  for (std::size_t i = 0; i < labels->keys().size(); ++i) {
    const std::string word = std::string(labels->keys()[i]) + "=" + std::string(labels->items()[i].text());
    for (const std::string_view known :
         {"monitor", "prometheus", "observ", "metrics", "grafana", "mimir", "telemetry"}) {
      if (contains_ignoring_case(word, known)) return true;
    }
  }
  return false;
}

bool lets_prometheus_in(const Manifest& policy) {
  const WrittenValue& ingress = policy.part("ingress");
  if (ingress.state == State::Unknown) return true;
  return std::ranges::any_of(ingress.items(), [](const WrittenValue& rule) {
    const WrittenValue* from = rule.find("from");
    return from == nullptr || from->state != State::Set || from->items().empty() ||
           std::ranges::any_of(from->items(), may_be_prometheus);
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

void judge(const MonitoredSpace& space, std::vector<Finding>& findings) {
  const auto first_for = [&](const WrittenValue& labels) -> const Manifest* {
    const Manifest* first = nullptr;
    for (const Manifest* policy : space.policies) {
      if (!is_for(*policy, labels) || !is_about_ingress(*policy)) continue;
      if (lets_prometheus_in(*policy)) return nullptr;
      if (first == nullptr && !policy->part("ingress").items().empty()) first = policy;
    }
    return first;
  };
  for (const Manifest* monitor : space.monitors) {
    const WrittenValue* wanted = monitor->part("selector").find("matchLabels");
    if (!asks_here(*monitor) || wanted == nullptr || !wanted->is_text_map()) continue;
    for (const Manifest* service : space.services) {
      if (!wanted->selects(service->part("labels")) || !service->part("selector").is_text_map()) continue;
      for (const Manifest* pods : space.pods) {
        if (!service->part("selector").selects(pods->part("pod_labels"))) continue;
        const Manifest* policy = first_for(pods->part("pod_labels"));
        if (policy == nullptr) continue;
        findings.push_back(problem("network-policy-shuts-out-monitor", policy->part("ingress").where,
                                   "`" + policy->name.value +
                                       "` lets nobody in who may be Prometheus, and ServiceMonitor `" +
                                       monitor->name.value + "` has it ask those pods"));
        return;
      }
    }
  }
}

}  // namespace

void find_shut_out_monitors(const Model& model, std::vector<Finding>& findings) {
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
  for (const auto& [place, space] : spaces) {
    if (!space.open && !place.second.empty()) judge(space, findings);
  }
}

}  // namespace muster
