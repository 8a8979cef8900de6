// Who means InferencePools by the group that they do not have. They moved from inference.networking.x-k8s.io to
// inference.networking.k8s.io, and a cluster may have both kinds.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 2> kPoolGroups{"inference.networking.k8s.io", "inference.networking.x-k8s.io"};

bool is_pool_group(std::string_view group) { return std::ranges::find(kPoolGroups, group) != kPoolGroups.end(); }

bool has_text(const WrittenValue* list, std::string_view text) {
  return list != nullptr && std::ranges::any_of(list->items(), [&](const WrittenValue& one) {
           return one.state == State::Unknown || one.text() == text || one.text() == "*";
         });
}

/// The groups in which a role allows InferencePools; nothing where it means no pools, or somebody fills it in.
struct Allowed {
  std::set<std::string_view> groups;
  const WrittenValue* at = nullptr;
};

Allowed pools_allowed(const Manifest& role) {
  Allowed out;
  for (const WrittenValue& rule : role.part("rules").items()) {
    if (!has_text(rule.find("resources"), "inferencepools")) continue;
    for (const std::string_view group : kPoolGroups) {
      if (!has_text(rule.find("apiGroups"), group)) continue;
      out.groups.insert(group);
      if (out.at == nullptr) out.at = rule.find("apiGroups");
    }
  }
  return out;
}

class Pools {
 public:
  explicit Pools(Model& model) : model_(model) {
    const ManifestDef* pools = &manifest_def("inference_pools");
    for (const Manifest& one : model.manifests) {
      if (one.def != pools) continue;
      groups_.insert(std::string_view(one.group));
      by_name_[one.name.value].insert(std::string_view(one.group));
    }
  }

  void run() {
    if (groups_.empty()) return;
    std::map<std::string_view, std::set<std::string_view>> allowed;  // by folder: what all of its roles have
    for (const Manifest& one : model_.manifests) {
      if (one.def != &manifest_def("kubernetes_roles")) continue;
      allowed[folder_of(one.file)].merge(pools_allowed(one).groups);
    }
    for (Manifest& one : model_.manifests) {
      if (one.def == &manifest_def("gateway_routes")) look_at_route(one);
      if (one.def == &manifest_def("kubernetes_roles")) look_at_role(one, allowed[folder_of(one.file)]);
    }
  }

 private:
  void look_at_route(Manifest& route) {
    for (const WrittenValue& rule : route.part("rules").items()) {
      const WrittenValue* refs = rule.find("backendRefs");
      for (const WrittenValue& ref : refs == nullptr ? std::span<const WrittenValue>() : refs->items()) {
        const WrittenValue* group = ref.find("group");
        if (ref.text_of("kind") != "InferencePool" || group == nullptr || !is_pool_group(group->text())) continue;
        const auto found = by_name_.find(ref.text_of("name"));
        if (found == by_name_.end() || found->second.contains(group->text())) continue;
        route.remarks.own().other_group = set_to(std::string(*found->second.begin()), group->where, "group");
        return;
      }
    }
  }

  /// Of one group alone: where the input has pools of both, somebody is moving.
  void look_at_role(Manifest& role, const std::set<std::string_view>& beside) {
    const Allowed allowed = pools_allowed(role);
    if (allowed.at == nullptr || groups_.size() > 1 || beside.contains(*groups_.begin())) return;
    role.remarks.own().other_group = set_to(std::string(*groups_.begin()), allowed.at->where, "apiGroups");
  }

  Model& model_;
  std::set<std::string_view> groups_;
  std::map<std::string_view, std::set<std::string_view>> by_name_;
};

}  // namespace

/// Source: kubernetes-sigs/gateway-api-inference-extension:site-src/guides/ga-migration.md (1.0).
void relate_pools(Model& model) { Pools(model).run(); }

}  // namespace muster
