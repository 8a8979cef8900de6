// What NetworkPolicies leave out: ways in to what a Service offers, and the port of OpenShift's name server.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/strings.h"
#include "model/model.h"
#include "model/pod_security.h"

namespace muster {
namespace {

constexpr auto kHostNamespaces = static_cast<std::uint8_t>(PodSecurityReason::HostNamespaces);
constexpr std::size_t kMostServices = 2000;  // that are held against the pods of their namespace

/// `{}`: all pods of the namespace.
bool selects_all(const Manifest& policy) {
  const WrittenValue& pods = policy.part("pod_selector");
  return pods.state == State::Set && pods.keys().empty();
}

bool is_for_ingress(const Manifest& policy) {
  const WrittenValue& types = policy.part("policy_types");
  if (types.state == State::Unknown) return false;
  return types.state == State::Absent ||
         std::ranges::any_of(types.items(), [](const WrittenValue& one) { return one.text() == "Ingress"; });
}

bool lets_something_in(const Manifest& policy) {
  const WrittenValue& ingress = policy.part("ingress");
  return ingress.state == State::Unknown || !ingress.items().empty();
}

/// Whether it may be for pods of those labels: what is no plain map of labels is for all.
bool may_be_for(const Manifest& policy, const WrittenValue& labels) {
  const WrittenValue& pods = policy.part("pod_selector");
  const WrittenValue* wanted = pods.find("matchLabels");
  if (pods.find("matchExpressions") != nullptr || wanted == nullptr || !wanted->is_text_map()) return true;
  return wanted->selects(labels);
}

/// A namespace whose pods nobody may ask, and what stands in it.
struct ShutSpace {
  std::vector<const Manifest*> denying;
  std::vector<const Manifest*> allowing;
  std::vector<const Manifest*> pods;
};

/// Several folders that shut one namespace are of several clusters: each has its own ways in.
class ShutSpaces {
 public:
  explicit ShutSpaces(Model& model) : model_(model) {
    for (const Manifest& one : model.manifests) {
      if (one.def == policies_ && is_for_ingress(one) && selects_all(one) && !lets_something_in(one) &&
          !one.space.empty())
        spaces_[one.space].denying.push_back(&one);
    }
  }

  void run() {
    if (spaces_.empty()) return;
    for (const Manifest& one : model_.manifests) {
      if (one.def->collection == "helm_releases") return;  // its chart may bring policies
      if (one.def == policies_ && lets_something_in(one)) {
        // A namespace that nobody writes may be any.
        if (one.space.empty()) return;
        if (const auto found = spaces_.find(one.space); found != spaces_.end()) found->second.allowing.push_back(&one);
      }
      const auto found = one.def == makers_ ? spaces_.find(one.space) : spaces_.end();
      if (found != spaces_.end()) found->second.pods.push_back(&one);
    }
    std::size_t looks = 0;
    for (Manifest& one : model_.manifests) {
      if (one.def != services_ || one.part("type").text() == "ExternalName") continue;
      const auto found = spaces_.find(one.space);
      if (found == spaces_.end() || ++looks > kMostServices) continue;
      if (one.part("selector").is_text_map()) look(one, found->second);
    }
  }

 private:
  void look(Manifest& service, const ShutSpace& space) {
    const std::string_view folder = folder_of(service.file);
    const auto stands_here = [&](const Manifest* one) { return folder_of(one->file) == folder; };
    const auto own = std::ranges::find_if(space.denying, stands_here);
    std::set<std::string_view> others;  // folders that shut the namespace in other clusters
    for (const Manifest* one : space.denying) others.insert(folder_of(one->file));
    if (own == space.denying.end() && others.size() > 1) return;
    others.erase(own == space.denying.end() ? folder_of(space.denying.front()->file) : folder);
    const WrittenValue& selector = service.part("selector");
    bool any = false;
    for (const Manifest* pods : space.pods) {
      const WrittenValue& labels = pods->part("pod_labels");
      if (labels.state == State::Unknown) return;
      // Policies leave pods of the node's network alone.
      if (!selector.selects(labels) || pods->security.baseline == kHostNamespaces) continue;
      any = true;
      for (const Manifest* policy : space.allowing) {
        if (!others.contains(folder_of(policy->file)) && may_be_for(*policy, labels)) return;
      }
    }
    const Manifest& denying = own == space.denying.end() ? *space.denying.front() : **own;
    if (any) service.remarks.own().shut_by = set_to(denying.name.value, selector.where, "selector");
  }

  Model& model_;
  const ManifestDef* policies_ = &manifest_def("network_policies");
  const ManifestDef* services_ = &manifest_def("services");
  const ManifestDef* makers_ = &manifest_def("pod_makers");
  std::map<std::string_view, ShutSpace> spaces_;
};

bool is_name_server_of_openshift(const WrittenValue& peer) {
  const WrittenValue* spaces = peer.find("namespaceSelector");
  const WrittenValue* labels = spaces == nullptr ? nullptr : spaces->find("matchLabels");
  return labels != nullptr && labels->text_of("kubernetes.io/metadata.name") == "openshift-dns";
}

/// What a rule says of 53 and 5353.
struct NamePorts {
  const WrittenValue* service = nullptr;  ///< 53
  bool pods = false;                      ///< 5353
  bool more = false;                      ///< that, all ports, a name or a range
};

NamePorts name_ports(const WrittenValue& rule) {
  NamePorts out;
  const WrittenValue* ports = rule.find("ports");
  if (ports == nullptr || ports->state != State::Set || ports->items().empty()) return {nullptr, false, true};
  for (const WrittenValue& port : ports->items()) {
    const WrittenValue* number = port.find("port");
    const bool plain = number != nullptr && number->state == State::Set && number->kind == WrittenValue::Kind::Int &&
                       port.find("endPort") == nullptr;
    out.pods = out.pods || (plain && number->number() == 5353);
    out.more = out.more || out.pods || !plain;
    if (plain && number->number() == 53) out.service = number;
  }
  return out;
}

/// Sources: openshift/cluster-dns-operator:assets/dns/service.yaml, targetPort dns, and daemonset.yaml, containerPort
/// 5353 (4.18); kubernetes/api:networking/v1/types.go (1.37), NetworkPolicyPort: the port of the pod.
void find_port_of_service(Model& model) {
  const ManifestDef* policies = &manifest_def("network_policies");
  // Where some policy lets more out to them. Another folder that names the server, too, may be of another cluster: of
  // that only what says 5353 counts.
  std::set<std::string_view> open_spaces;
  std::set<std::pair<std::string_view, std::string_view>> folders;
  std::set<std::pair<std::string_view, std::string_view>> naming;
  const auto means_server = [](const WrittenValue& rule) {
    const WrittenValue* to = rule.find("to");
    return to != nullptr && std::ranges::any_of(to->items(), is_name_server_of_openshift);
  };
  // Of a policy for other clusters, too, nobody knows on which it is.
  const auto means_any = [](const WrittenValue& rule) {
    return std::ranges::any_of(rule.find("to")->items(), [](const auto& peer) {
      return peer.find("namespaceSelector") == nullptr || !is_name_server_of_openshift(peer);
    });
  };
  for (const Manifest& one : model.manifests) {
    if (one.def != policies) continue;
    for (const WrittenValue& rule : one.part("egress").items()) {
      const WrittenValue* to = rule.find("to");
      const bool anywhere =
          to == nullptr || to->items().empty() || std::ranges::any_of(to->items(), [](const auto& peer) {
            const WrittenValue* spaces = peer.find("namespaceSelector");
            // Some plugins hold blocks against addresses of pods, too.
            return (spaces != nullptr && spaces->keys().empty()) || peer.find("ipBlock") != nullptr;
          });
      const NamePorts ports = name_ports(rule);
      if (means_server(rule)) naming.insert({one.space, folder_of(one.file)});
      if (!(anywhere || means_server(rule)) || !ports.more) continue;
      folders.insert({one.space, folder_of(one.file)});
      if (ports.pods) open_spaces.insert(one.space);
    }
  }
  for (const auto& one : folders) {
    if (!naming.contains(one)) open_spaces.insert(one.first);
  }
  for (Manifest& one : model.manifests) {
    if (one.def != policies || open_spaces.contains(one.space) || folders.contains({one.space, folder_of(one.file)}))
      continue;
    for (const WrittenValue& rule : one.part("egress").items()) {
      if (!means_server(rule) || means_any(rule)) continue;
      if (const WrittenValue* port = name_ports(rule).service)
        one.remarks.own().port_of_service = set_to(std::string("53"), port->where, "port");
    }
  }
}

}  // namespace

void relate_policies(Model& model) {
  ShutSpaces(model).run();
  find_port_of_service(model);
}

}  // namespace muster
