// Routes of a namespace for which no listener of their Gateway is.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

/// What a route may be attached to, as one `parentRefs` says.
struct ParentRef {
  const WrittenValue* name = nullptr;  ///< nullptr: none that can be told
  std::string_view space;
  std::string_view section;
  const WrittenValue* port = nullptr;
};

/// Source: kubernetes-sigs/gateway-api:apis/v1/shared_types.go, ParentReference (1.4).
ParentRef parent_of(const WrittenValue& ref) {
  const WrittenValue* kind = ref.find("kind");
  const WrittenValue* group = ref.find("group");
  const WrittenValue* name = ref.find("name");
  const WrittenValue* space = ref.find("namespace");
  const WrittenValue* section = ref.find("sectionName");
  if (kind != nullptr && kind->text() != "Gateway") return {};
  if (group != nullptr && group->text() != "gateway.networking.k8s.io") return {};
  if (name == nullptr || !name->is_text() || space == nullptr || !space->is_text()) return {};
  if (section != nullptr && !section->is_text()) return {};
  return {name, space->text(), section == nullptr ? std::string_view() : section->text(), ref.find("port")};
}

bool may_be_asked(const WrittenValue& listener, const ParentRef& parent) {
  if (listener.state != State::Set) return true;
  const WrittenValue* name = listener.find("name");
  const WrittenValue* port = listener.find("port");
  if (!parent.section.empty() && name != nullptr && name->is_text() && name->text() != parent.section) return false;
  return parent.port == nullptr || port == nullptr || port->state != State::Set || parent.port->state != State::Set ||
         port->text() == parent.port->text();
}

/// Whether a listener may take routes of another namespace than its own, this one. Labels of a namespace anybody sets,
/// but its name.
bool may_take(const WrittenValue& listener, std::string_view space) {
  constexpr std::string_view kNameLabel = "kubernetes.io/metadata.name";
  const WrittenValue* allowed = listener.find("allowedRoutes");
  const WrittenValue* spaces = allowed == nullptr ? nullptr : allowed->find("namespaces");
  const WrittenValue* from = spaces == nullptr ? nullptr : spaces->find("from");
  if (listener.state != State::Set || (allowed != nullptr && allowed->state != State::Set)) return true;
  if ((spaces != nullptr && spaces->state != State::Set) || (from != nullptr && !from->is_text())) return true;
  if (from == nullptr || from->text() == "Same") return false;
  const WrittenValue* selector = spaces->find("selector");
  const WrittenValue* labels = selector == nullptr ? nullptr : selector->find("matchLabels");
  const WrittenValue* name = labels == nullptr ? nullptr : labels->find(kNameLabel);
  return from->text() != "Selector" || name == nullptr || !name->is_text() || name->text() == space;
}

/// Gateways of one namespace and name; of several clusters some may have the same.
using Gateways = std::map<std::pair<std::string_view, std::string_view>, std::vector<const Manifest*>>;

bool takes_none(const std::vector<const Manifest*>& gateways, const ParentRef& parent, std::string_view space) {
  constexpr std::size_t kMostGateways = 20;
  constexpr std::size_t kMostListeners = 64;  // the API server takes no more
  if (gateways.size() > kMostGateways) return false;
  return std::ranges::all_of(gateways, [&](const Manifest* gateway) {
    const WrittenValue& listeners = gateway->part("listeners");
    if (listeners.state != State::Set || listeners.items().size() > kMostListeners) return false;
    bool any = false;
    for (const WrittenValue& listener : listeners.items()) {
      if (!may_be_asked(listener, parent)) continue;
      any = true;
      if (may_take(listener, space)) return false;
    }
    return any;
  });
}

}  // namespace

/// Source: kubernetes-sigs/gateway-api:apis/v1/gateway_types.go (1.4), RouteNamespaces: Same by default.
void relate_listeners(Model& model) {
  Gateways gateways;
  for (const Manifest& one : model.manifests) {
    if (one.def->collection == "gateways") gateways[{one.space, one.name.value}].push_back(&one);
  }
  if (gateways.empty()) return;
  for (Manifest& one : model.manifests) {
    if (one.def->collection != "gateway_routes" || one.space.empty()) continue;
    for (const WrittenValue& ref : one.part("parents").items()) {
      const ParentRef parent = parent_of(ref);
      if (parent.name == nullptr || parent.space == std::string_view(one.space)) continue;
      const auto found = gateways.find({parent.space, parent.name->text()});
      if (found == gateways.end() || !takes_none(found->second, parent, one.space)) continue;
      // One without a namespace may be of any.
      const auto nowhere = gateways.find({std::string_view(), parent.name->text()});
      if (nowhere != gateways.end() && !takes_none(nowhere->second, parent, one.space)) continue;
      one.remarks.own().not_allowed = set_to(parent.name->text(), parent.name->where, "name");
      break;
    }
  }
}

}  // namespace muster
