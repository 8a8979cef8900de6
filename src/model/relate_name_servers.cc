// Policies that let pods reach hosts, and not ask for their names.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

constexpr std::size_t kMostPolicies = 100;  // of a namespace that are held against each other

/// Whether a rule's ports may be those of a name server; 5353 is where the pods of OpenShift's listen. Source:
/// kubernetes/api:networking/v1/types.go (1.37), NetworkPolicyPort: a name, or a number and the last of a range.
bool may_ask_for_names(const WrittenValue& rule) {
  const WrittenValue* ports = rule.find("ports");
  if (rule.state == State::Unknown || ports == nullptr || ports->state == State::Unknown || ports->items().empty())
    return true;
  return std::ranges::any_of(ports->items(), [](const WrittenValue& port) {
    const WrittenValue* number = port.find("port");
    if (number == nullptr || number->state != State::Set || number->kind != WrittenValue::Kind::Int) return true;
    const WrittenValue* last = port.find("endPort");
    const bool range = last != nullptr && last->kind == WrittenValue::Kind::Int;
    if (last != nullptr && !range) return true;
    const std::int64_t end = range ? last->number() : number->number();
    const auto covers = [&](std::int64_t wanted) { return number->number() <= wanted && wanted <= end; };
    return covers(53) || covers(5353);
  });
}

/// 443 or 80, to every address outside; empty: no such rule. An address of its own needs no name, and who allows 6443,
/// too, means the API server, whose address pods are given. Source: kubernetes/client-go:rest/config.go (0.37),
/// InClusterConfig.
std::string_view port_to_anywhere(const WrittenValue& rule) {
  const WrittenValue* to = rule.find("to");
  const auto is_everything = [](const WrittenValue& peer) {
    const WrittenValue* block = peer.find("ipBlock");
    const std::string_view cidr = block == nullptr ? std::string_view() : block->text_of("cidr");
    return cidr == "0.0.0.0/0" || cidr == "::/0";
  };
  if (to != nullptr && !to->items().empty() && std::ranges::none_of(to->items(), is_everything)) return {};
  const WrittenValue* ports = rule.find("ports");
  if (ports == nullptr) return {};
  if (std::ranges::any_of(ports->items(), [](const auto& port) { return port.text_of("port") == "6443"; })) return {};
  for (const WrittenValue& port : ports->items()) {
    const std::string_view number = port.text_of("port");
    if (number == "443" || number == "80") return number;
  }
  return {};
}

/// Whether two policies may be for one pod: no label is wanted with one value here and with another there.
bool may_meet(const Manifest& a, const Manifest& b) {
  const WrittenValue* left = a.part("pod_selector").find("matchLabels");
  const WrittenValue* right = b.part("pod_selector").find("matchLabels");
  if (left == nullptr || right == nullptr) return true;
  for (std::size_t i = 0; i < left->keys().size(); ++i) {
    const WrittenValue* other = right->find(left->keys()[i]);
    const WrittenValue& one = left->items()[i];
    if (other != nullptr && one.state == State::Set && other->state == State::Set && one.text() != other->text())
      return false;
  }
  return true;
}

/// Where it names no types, rules for egress say that it is for that.
bool is_for_egress(const Manifest& policy) {
  const WrittenValue& types = policy.part("policy_types");
  return types.state == State::Absent ||
         std::ranges::any_of(types.items(), [](const auto& one) { return one.text() == "Egress"; });
}

}  // namespace

/// Source: kubernetes/api:networking/v1/types.go (1.37), NetworkPolicySpec: policies add up. What is for the whole
/// namespace often stands in another bundle than what is for some of its pods: all of the input counts.
void relate_name_servers(Model& model) {
  const ManifestDef* policies = &manifest_def("network_policies");
  std::map<std::string_view, std::vector<const Manifest*>> asking;  // that may let names be asked for, by namespace
  for (const Manifest& one : model.manifests) {
    if (one.def->collection == "helm_releases") return;  // its chart may bring a policy, wherever it is installed
    if (one.def != policies) continue;
    const WrittenValue& egress = one.part("egress");
    if (egress.state == State::Unknown || std::ranges::any_of(egress.items(), may_ask_for_names))
      asking[one.space].push_back(&one);
  }
  // A namespace that nobody writes may be any.
  if (asking.contains("")) return;
  for (Manifest& one : model.manifests) {
    if (one.def != policies || !is_for_egress(one)) continue;
    if (one.space.empty() && !asking.empty()) continue;
    const auto beside = asking.find(one.space);
    const bool open =
        beside != asking.end() &&
        (beside->second.size() > kMostPolicies ||
         std::ranges::any_of(beside->second, [&](const Manifest* other) { return may_meet(one, *other); }));
    if (open) continue;
    for (const WrittenValue& rule : one.part("egress").items()) {
      const std::string_view port = port_to_anywhere(rule);
      if (port.empty()) continue;
      one.remarks.own().nameless = set_to(std::string(port), one.place_of("egress"), "egress");
      break;
    }
  }
}

}  // namespace muster
