// What the network keeps from pods: names that DNS does not have, requests that policies forbid, and the ends of jobs
// beside proxies of a mesh.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

using Place = std::pair<std::string_view, std::string_view>;  // bundle and namespace

constexpr std::size_t kMostTexts = 10'000;  // of one object

/// Bundles where charts make objects that nobody sees.
std::set<std::string_view> bundles_with_releases(const Model& model) {
  std::set<std::string_view> out;
  for (const Manifest& one : model.manifests) {
    if (one.def->collection == "helm_releases") out.insert(one.bundle);
  }
  return out;
}

bool of_host(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-'; }

/// Hosts with a port in a text: `--address=ray-head:6379` has ray-head. Names with dots are left out.
template <class Visit>
void each_host(std::string_view text, Visit visit) {
  for (std::size_t at = text.find(':'); at != text.npos; at = text.find(':', at + 1)) {
    if (at + 1 >= text.size() || !is_digit(text[at + 1])) continue;
    std::size_t begin = at;
    while (begin > 0 && of_host(text[begin - 1])) --begin;
    const bool alone = begin == 0 || contains("=/@, \t\n\"'", text.substr(begin - 1, 1));
    if (begin < at && alone && at - begin < 64) visit(text.substr(begin, at - begin));
  }
}

/// Where the ranks of a text meet: `--master_addr=worker-0`, `export MASTER_ADDR=worker-0`. Names with dots are left
/// out.
template <class Visit>
void each_meeting(std::string_view text, Visit visit) {
  for (const std::string_view mark :
       {"--master_addr=", "--master_addr ", "--master-addr=", "--master-addr ", "MASTER_ADDR="}) {
    for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
      std::size_t begin = at + mark.size();
      if (begin < text.size() && (text[begin] == '"' || text[begin] == '\'')) ++begin;
      std::size_t end = begin;
      while (end < text.size() && of_host(text[end])) ++end;
      const bool more = end < text.size() && !contains(" \t\n\"';&|)", text.substr(end, 1));
      if (end > begin && !more && end - begin < 64) visit(text.substr(begin, end - begin));
    }
  }
}

/// Pods and what makes them, where others ask for their name and only a Service of another name answers for them; and
/// Pods that ranks are to meet at by their name alone.
class HostNames {
 public:
  explicit HostNames(Model& model) : model_(model), open_(bundles_with_releases(model)) {
    for (const Manifest& one : model.manifests) {
      if (one.def == services_) add_service(one);
      if (one.def == makers_ && (one.kind == "Deployment" || one.kind == "StatefulSet" || one.kind == "Pod"))
        made_.try_emplace({{one.bundle, one.space}, one.name.value}, &one);
    }
  }

  void run() {
    if (made_.empty()) return;
    for (Manifest& one : model_.manifests) {
      if (one.def != makers_ || open_.contains(one.bundle)) continue;
      left_ = kMostTexts;
      for (const WrittenValue& container : one.part("containers").items()) look(one, container);
    }
  }

 private:
  void add_service(const Manifest& one) {
    names_.insert({one.bundle, one.name.value});
    const WrittenValue& selector = one.part("selector");
    if (selector.is_text_map()) selectors_[{one.bundle, one.space}].push_back(&one);
  }

  void look(Manifest& user, const WrittenValue& container) {
    for (const std::string_view list : {"command", "args"}) {
      const WrittenValue* words = container.find(list);
      if (words == nullptr) continue;
      const WrittenValue* before = nullptr;
      for (const WrittenValue& word : words->items()) {
        look_at(user, word);
        const bool named =
            before != nullptr && (before->text() == "--master_addr" || before->text() == "--master-addr");
        if (named) meet(user, word, word.text());
        each_meeting(word.text(), [&](std::string_view host) { meet(user, word, host); });
        before = &word;
      }
    }
    const WrittenValue* env = container.find("env");
    if (env == nullptr) return;
    for (const WrittenValue& variable : env->items()) {
      const WrittenValue* value = variable.find("value");
      if (value == nullptr) continue;
      look_at(user, *value);
      const WrittenValue* name = variable.find("name");
      if (name != nullptr && name->text() == "MASTER_ADDR" && value->is_text()) meet(user, *value, value->text());
    }
  }

  /// A Pod's own name, or that of a pod of a StatefulSet, without the Service that it has a name in.
  void meet(Manifest& user, const WrittenValue& where, std::string_view host) {
    if (user.remarks->lost_host.is_set() || names_.contains({user.bundle, host})) return;
    const std::size_t dash = host.rfind('-');
    const bool ordinal =
        dash != host.npos && dash + 1 < host.size() && host.find_first_not_of("0123456789", dash + 1) == host.npos;
    const auto whole = made_.find({{user.bundle, user.space}, host});
    const auto set = ordinal ? made_.find({{user.bundle, user.space}, host.substr(0, dash)}) : made_.end();
    const bool pod = whole != made_.end() && whole->second->kind == "Pod";
    if (!pod && (set == made_.end() || set->second->kind != "StatefulSet")) return;
    user.remarks.own().lost_host = set_to(std::string(host), where.where, where.field);
    user.remarks.own().lost_host_is =
        set_to(pod ? "Pod `" + std::string(host) + "`"
                   : "first part of the name that a pod of StatefulSet `" + std::string(host.substr(0, dash)) + "` has",
               where.where, where.field);
  }

  void look_at(Manifest& user, const WrittenValue& value) {
    if (value.kind != WrittenValue::Kind::Text || left_ == 0 || user.remarks->lost_host.is_set()) return;
    --left_;
    each_host(value.text(), [&](std::string_view host) {
      const auto found = made_.find({{user.bundle, user.space}, host});
      if (found == made_.end() || names_.contains({user.bundle, host}) || user.remarks->lost_host.is_set()) return;
      const std::string_view service = service_of(*found->second);
      if (service.empty()) return;
      user.remarks.own().lost_host = set_to(std::string(host), value.where, value.field);
      user.remarks.own().lost_host_is = set_to(
          found->second->kind + " `" + std::string(host) + "`, behind the Service `" + std::string(service) + "`",
          value.where, value.field);
    });
  }

  std::string_view service_of(const Manifest& maker) const {
    const auto found = selectors_.find({maker.bundle, maker.space});
    const WrittenValue& labels = maker.part("pod_labels");
    if (found == selectors_.end() || !labels.is_text_map()) return {};
    for (const Manifest* service : found->second) {
      if (service->part("selector").selects(labels)) return service->name.value;
    }
    return {};
  }

  Model& model_;
  const ManifestDef* services_ = &manifest_def("services");
  const ManifestDef* makers_ = &manifest_def("pod_makers");
  std::map<std::pair<Place, std::string_view>, const Manifest*> made_;
  std::map<Place, std::vector<const Manifest*>> selectors_;
  std::set<std::pair<std::string_view, std::string_view>> names_;  // of Services, by bundle
  std::set<std::string_view> open_;                                // bundles where charts make objects, too
  std::size_t left_ = 0;
};

bool lists(const WrittenValue& list, std::string_view word) {
  return std::ranges::any_of(list.items(), [&](const WrittenValue& item) { return item.text() == word; });
}

/// Policies that forbid all pods of a namespace to ask for anything, where none allows them a name server.
/// Source: kubernetes/api:networking/v1/types.go (1.37), NetworkPolicySpec.
void find_mute_spaces(Model& model) {
  const ManifestDef* policies = &manifest_def("network_policies");
  std::set<Place> open;
  const std::set<std::string_view> installed = bundles_with_releases(model);
  for (const Manifest& one : model.manifests) {
    if (one.def == policies && (one.part("egress").items().size() > 0 || one.part("egress").state == State::Unknown))
      open.insert({one.bundle, one.space});
  }
  for (Manifest& one : model.manifests) {
    if (one.def != policies || open.contains({one.bundle, one.space}) || installed.contains(one.bundle)) continue;
    const WrittenValue& pods = one.part("pod_selector");
    const bool all = pods.state == State::Set && pods.keys().empty();
    if (!all || !lists(one.part("policy_types"), "Egress")) continue;
    one.remarks.own().mute =
        set_to(std::string(one.space.empty() ? "its namespace" : "`" + std::string(one.space.view()) + "`"),
               one.place_of("policy_types"), "policyTypes");
  }
}

/// `namespaceSelector: {}`, with or without a podSelector that takes all.
bool is_any_pod(const WrittenValue& peer) {
  const WrittenValue* spaces = peer.find("namespaceSelector");
  const WrittenValue* pods = peer.find("podSelector");
  return spaces != nullptr && spaces->kind == WrittenValue::Kind::Map && spaces->keys().empty() &&
         (pods == nullptr || pods->keys().empty()) && peer.find("ipBlock") == nullptr;
}

/// All pods of the namespace default, in which the Service of the API server stands.
bool is_pod_of_default(const WrittenValue& peer) {
  const WrittenValue* spaces = peer.find("namespaceSelector");
  const WrittenValue* labels = spaces == nullptr ? nullptr : spaces->find("matchLabels");
  if (labels == nullptr || spaces->keys().size() != 1 || labels->keys().size() != 1 || peer.keys().size() != 1)
    return false;
  const WrittenValue* name = labels->find("kubernetes.io/metadata.name");
  return name != nullptr && name->text() == "default";
}

/// One of `numbers` among a rule's ports; empty where it names none.
std::string_view one_port_of(const WrittenValue& rule, std::array<std::string_view, 2> numbers) {
  const WrittenValue* ports = rule.find("ports");
  if (ports == nullptr) return {};
  for (const WrittenValue& port : ports->items()) {
    const WrittenValue* number = port.find("port");
    if (number == nullptr) continue;
    for (const std::string_view one : numbers) {
      if (number->text() == one) return one;
    }
  }
  return {};
}

/// Whether a rule lets pods reach hosts that are no pods.
bool leads_outside(const WrittenValue& rule) {
  const WrittenValue* to = rule.find("to");
  if (to == nullptr || to->items().empty() || to->state == State::Unknown) return true;
  return std::ranges::any_of(to->items(), [](const WrittenValue& peer) {
    return peer.state == State::Unknown || peer.find("ipBlock") != nullptr;
  });
}

/// Rules that mean the API server, whose addresses are those of hosts, by the namespace of its Service.
/// Source: kubernetes/api:networking/v1/types.go (1.37), NetworkPolicyPeer.
void find_servers_as_pods(Model& model, const std::set<Place>& open) {
  const ManifestDef* policies = &manifest_def("network_policies");
  const ManifestDef* services = &manifest_def("services");
  const auto in_default = [&](const Manifest& one) { return one.def == services && one.space == "default"; };
  if (std::ranges::any_of(model.manifests, in_default)) return;
  for (Manifest& one : model.manifests) {
    if (one.def != policies || open.contains({one.bundle, one.space})) continue;
    for (const WrittenValue& rule : one.part("egress").items()) {
      const WrittenValue* to = rule.find("to");
      const std::string_view port = one_port_of(rule, {"443", "6443"});
      if (port.empty() || to == nullptr || to->items().empty() || !std::ranges::all_of(to->items(), is_pod_of_default))
        continue;
      one.remarks.own().server_as_pod = set_to(std::string(port), to->where, "to");
      break;
    }
  }
}

/// Rules that mean a registry or a hub of models, and allow pods of the cluster alone.
/// Source: kubernetes/api:networking/v1/types.go (1.37), NetworkPolicyPeer.
void find_rules_for_pods_alone(Model& model) {
  const ManifestDef* policies = &manifest_def("network_policies");
  std::set<Place> open;
  const std::set<std::string_view> installed = bundles_with_releases(model);
  for (const Manifest& one : model.manifests) {
    if (one.def != policies) continue;
    const WrittenValue& egress = one.part("egress");
    if (egress.state == State::Unknown || std::ranges::any_of(egress.items(), leads_outside))
      open.insert({one.bundle, one.space});
  }
  find_servers_as_pods(model, open);
  for (Manifest& one : model.manifests) {
    if (one.def != policies || open.contains({one.bundle, one.space}) || installed.contains(one.bundle)) continue;
    for (const WrittenValue& rule : one.part("egress").items()) {
      const WrittenValue* to = rule.find("to");
      const std::string_view port = one_port_of(rule, {"443", "80"});
      if (port.empty() || to == nullptr || !std::ranges::all_of(to->items(), is_any_pod)) continue;
      one.remarks.own().pods_alone = set_to(std::string(port), to->where, "to");
      break;
    }
  }
}

bool says_of_proxy(const WrittenValue& map) {
  constexpr std::array<std::string_view, 3> kSays{"sidecar.istio.io/inject", "sidecar.istio.io/nativeSidecar",
                                                  "proxy.istio.io/config"};
  return map.state == State::Unknown ||
         std::ranges::any_of(kSays, [&](std::string_view key) { return map.find(key) != nullptr; });
}

/// Whether a program asks the proxy to end, or to be ready: whoever does knows of it.
bool asks_proxy(const WrittenValue& value) {
  constexpr std::array<std::string_view, 5> kAsks{"quitquitquit", "15020", "15000", "pilot-agent", "scuttle"};
  if (std::ranges::any_of(kAsks, [&](std::string_view word) { return contains(value.text(), word); })) return true;
  return std::ranges::any_of(value.items(), asks_proxy);
}

/// Source: istio.io/latest/docs/setup/additional-setup/sidecar-injection (1.28).
void find_injected_job(Manifest& one) {
  const WrittenValue& labels = one.part("pod_labels");
  const WrittenValue& annotations = one.part("pod_annotations");
  const WrittenValue& containers = one.part("containers");
  if (says_of_proxy(labels) || says_of_proxy(annotations) || containers.state != State::Set || asks_proxy(containers))
    return;
  one.remarks.own().injected = set_to(one.space.view(), containers.where, "containers");
}

/// Jobs of Kubeflow and of Kubernetes in namespaces into whose pods Istio puts a proxy.
/// Source: istio.io/latest/docs/setup/additional-setup/sidecar-injection (1.28).
void find_injected(Model& model) {
  const ManifestDef* spaces = &manifest_def("kubernetes_namespaces");
  const ManifestDef* jobs = &manifest_def("kubeflow_jobs");
  std::set<Place> injected;
  for (const Manifest& one : model.manifests) {
    if (one.def != spaces) continue;
    const WrittenValue* label = one.part("labels").find("istio-injection");
    if (label != nullptr && label->text() == "enabled") injected.insert({one.bundle, one.name.value});
  }
  if (injected.empty()) return;
  const ManifestDef* makers = &manifest_def("pod_makers");
  for (Manifest& one : model.manifests) {
    const bool ends = one.def == makers && (one.kind == "Job" || one.kind == "CronJob");
    if (ends && injected.contains({one.bundle, one.space})) find_injected_job(one);
    if (one.def != jobs || !injected.contains({one.bundle, one.space})) continue;
    for (const WrittenValue& replica : one.part("replica_specs").items()) {
      const WrittenValue* pods = replica.find("template");
      const WrittenValue* meta = pods == nullptr ? nullptr : pods->find("metadata");
      const bool said = meta != nullptr && std::ranges::any_of(meta->items(), says_of_proxy);
      if (pods == nullptr || pods->state == State::Unknown || said) continue;
      one.remarks.own().injected = set_to(one.space.view(), replica.where, "template");
      break;
    }
  }
}

}  // namespace

void relate_network(Model& model) {
  HostNames(model).run();
  find_mute_spaces(model);
  find_rules_for_pods_alone(model);
  find_injected(model);
}

}  // namespace muster
