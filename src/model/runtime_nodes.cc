// Nodes of `kubectl get nodes` and pools of a fleet file as the rules about runtimes see them, and which of them a pod
// can select.
#include "model/runtime_nodes.h"

#include <algorithm>
#include <array>

#include "base/quantity.h"
#include "base/strings.h"

namespace muster {
namespace {

// Sources: NVIDIA/k8s-device-plugin:docs/gpu-feature-discovery/README.md (0.17); ROCm/k8s-device-plugin:
// cmd/k8s-node-labeller (1.31); kubernetes-sigs/node-feature-discovery:docs/usage/features.md (0.18).
constexpr std::string_view kProductLabel = "nvidia.com/gpu.product";

const WrittenValue* known_text(const WrittenValue& tree, std::string_view key) {
  const WrittenValue* found = tree.find(key);
  return found != nullptr && found->state == State::Set && !found->text().empty() ? found : nullptr;
}

std::string text_or_empty(const WrittenValue& tree, std::string_view key) {
  const WrittenValue* found = known_text(tree, key);
  return std::string(found == nullptr ? std::string_view() : found->text());
}

/// A number of a quantity, or one that YAML reads as such.
std::optional<std::int64_t> whole_in(const WrittenValue& tree, std::string_view key) {
  const WrittenValue* found = tree.find(key);
  if (found == nullptr || found->state != State::Set) return std::nullopt;
  if (found->kind == WrittenValue::Kind::Int) return found->number();
  return parse_int(found->text());
}

class NodeFacts {
 public:
  explicit NodeFacts(const Manifest& node)
      : node_(node),
        labels_(node.part("labels")),
        info_(node.part("info")),
        has_(node.part("allocatable").state == State::Set ? node.part("allocatable") : node.part("capacity")) {}

  RuntimeNode run() {
    out_.on = "node `" + node_.name.value + "`";
    out_.object = &node_;
    for (const char* resource : {"nvidia.com/gpu", "amd.com/gpu"}) {
      if (!out_.gpus) out_.gpus = whole_in(has_, resource);
    }
    if (!out_.gpus && has_.state != State::Set) out_.gpus = whole_in(labels_, "nvidia.com/gpu.count");
    say("driver", known_text(labels_, "nvidia.com/cuda.driver-version.full"));
    if (!out_.says.contains("driver")) say_old_driver();
    say("kernel", known_text(info_, "kernelVersion"));
    if (!out_.says.contains("kernel"))
      say("kernel", known_text(labels_, "feature.node.kubernetes.io/kernel-version.full"));
    say("container-runtime", known_text(info_, "containerRuntimeVersion"));
    read_product();
    read_rdma();
    // The shared device plugin of Mellanox calls its resources rdma/NAME as shipped.
    for (std::size_t i = 0; i < has_.keys().size(); ++i) {
      if (has_.keys()[i].starts_with("rdma/") && has_.items()[i].text() != "0")
        out_.says["rdma"] = set_to(has_.keys()[i], has_.items()[i].where, "rdma");
    }
    for (const WrittenValue& taint : node_.part("taints").items()) {
      const std::string effect = text_or_empty(taint, "effect");
      if (effect == "NoSchedule" || effect == "NoExecute")
        out_.taints.push_back({text_or_empty(taint, "key"), text_or_empty(taint, "value"), effect});
    }
    return std::move(out_);
  }

 private:
  void say(std::string_view fact, const WrittenValue* value) {
    if (value != nullptr) out_.says[fact] = set_to(value->text(), value->where, FieldName(fact));
  }

  /// The three labels of earlier releases of GPU feature discovery.
  void say_old_driver() {
    const WrittenValue* major = known_text(labels_, "nvidia.com/cuda.driver.major");
    if (major == nullptr) return;
    std::string version(major->text());
    for (const char* part : {"nvidia.com/cuda.driver.minor", "nvidia.com/cuda.driver.rev"}) {
      const std::string piece = text_or_empty(labels_, part);
      if (piece.empty()) break;
      version += "." + piece;
    }
    out_.says["driver"] = set_to(version, major->where, "driver");
  }

  void read_product() {
    const WrittenValue* product = known_text(labels_, kProductLabel);
    const bool nvidia = product != nullptr;
    if (product == nullptr) product = known_text(labels_, "amd.com/gpu.product-name");
    if (product == nullptr) return;
    std::string model(product->text());
    const std::size_t mig = model.find("-MIG-");
    const WrittenValue* replicas = known_text(labels_, "nvidia.com/gpu.replicas");
    const bool shared = replicas != nullptr && whole_in(labels_, "nvidia.com/gpu.replicas").value_or(1) > 1;
    const std::string strategy = text_or_empty(labels_, "nvidia.com/gpu.sharing-strategy");
    const bool sliced = std::ranges::any_of(
        has_.keys(), [](std::string_view resource) { return resource.starts_with("nvidia.com/mig-"); });
    std::string how = "none";
    if (shared || model.ends_with("-SHARED")) how = strategy == "mps" ? "mps" : "time-slicing";
    if (mig != model.npos || sliced) how = "mig";
    if (nvidia)
      out_.says["sharing"] = set_to(how, shared && how != "mig" ? replicas->where : product->where, "sharing");
    model.resize(std::min(mig, model.size()));
    if (model.ends_with("-SHARED")) model.resize(model.size() - 7);
    out_.says["accelerator"] = set_to(model, product->where, "accelerator");
  }

  /// Node feature discovery labels nodes that have it, and says nothing of others.
  void read_rdma() {
    constexpr std::string_view kFeature = "feature.node.kubernetes.io/";
    constexpr std::string_view kRdma = "feature.node.kubernetes.io/rdma.capable";
    const WrittenValue* capable = known_text(labels_, kRdma);
    if (capable != nullptr) {
      out_.says["fabric"] =
          set_to<std::string>(capable->text() == "true" ? "RDMA" : "no RDMA", capable->where, "fabric");
      return;
    }
    for (std::size_t i = 0; i < labels_.keys().size(); ++i) {
      if (!labels_.keys()[i].starts_with(kFeature)) continue;
      out_.says["fabric"] = set_to<std::string>("no RDMA", labels_.items()[i].where, "fabric");
      return;
    }
  }

  const Manifest& node_;
  const WrittenValue& labels_;
  const WrittenValue& info_;
  const WrittenValue& has_;
  RuntimeNode out_;
};

std::vector<Toleration> tolerations_in(const WrittenValue& list) {
  std::vector<Toleration> out;
  for (const WrittenValue& one : list.items()) {
    Toleration toleration{text_or_empty(one, "key"), text_or_empty(one, "value"), text_or_empty(one, "effect"),
                          text_or_empty(one, "operator") == "Exists"};
    if (one.state == State::Unknown) toleration = {"", "", "", true};
    out.push_back(std::move(toleration));
  }
  return out;
}

/// A requirement of node affinity. Source: kubernetes/kubernetes:staging/src/k8s.io/component-helpers/scheduling/
/// corev1/nodeaffinity/nodeaffinity.go (1.37).
std::optional<bool> holds(const WrittenValue& requirement, const WrittenValue& labels) {
  const WrittenValue* key = known_text(requirement, "key");
  const std::string how = text_or_empty(requirement, "operator");
  if (key == nullptr || how.empty()) return std::nullopt;
  const WrittenValue* label = labels.find(key->text());
  if (how == "Exists") return label != nullptr;
  if (how == "DoesNotExist") return label == nullptr;
  const WrittenValue* values = requirement.find("values");
  if (values == nullptr ||
      std::ranges::any_of(values->items(), [](const auto& one) { return one.state != State::Set; }))
    return std::nullopt;
  const bool listed = label != nullptr &&
                      std::ranges::find(values->items(), label->text(), &WrittenValue::text) != values->items().end();
  if (how == "In") return listed;
  if (how == "NotIn") return !listed;
  return std::nullopt;
}

/// Whether one of the terms holds, each of which is all of its requirements.
std::optional<bool> fits_affinity(const WrittenValue* affinity, const WrittenValue& labels) {
  const WrittenValue* tree = affinity;
  for (const char* key : {"nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"})
    tree = tree == nullptr ? nullptr : tree->find(key);
  if (affinity != nullptr && affinity->state == State::Unknown) return std::nullopt;
  if (tree == nullptr || tree->items().empty()) return true;
  bool open = false;
  for (const WrittenValue& term : tree->items()) {
    const WrittenValue* expressions = term.find("matchExpressions");
    bool fails = false;
    bool unsure = term.find("matchFields") != nullptr;
    for (std::size_t i = 0; expressions != nullptr && i < expressions->items().size(); ++i) {
      const std::optional<bool> one = holds(expressions->items()[i], labels);
      fails = fails || (one && !*one);
      unsure = unsure || !one;
    }
    if (!fails && !unsure) return true;
    open = open || !fails;
  }
  return open ? std::nullopt : std::optional(false);
}

}  // namespace

bool tolerates(const Toleration& toleration, const PoolTaint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (toleration.any_value) return toleration.key.empty() || toleration.key == taint.key;
  return toleration.key == taint.key && toleration.value == taint.value;
}

RuntimeNode runtime_node(const Manifest& node) { return NodeFacts(node).run(); }

RuntimeNode runtime_node(const NodePool& pool) {
  struct Row {
    std::string_view fact;
    std::string_view of_pool;
  };
  constexpr std::array kRows{Row{"accelerator", "accelerator.model"},
                             Row{"container-runtime", "runtime.containerd"},
                             Row{"cuda", "runtime.cuda"},
                             Row{"cudnn", "runtime.cudnn"},
                             Row{"driver", "runtime.driver"},
                             Row{"fabric", "fabric.kind"},
                             Row{"kernel", "runtime.kernel"},
                             Row{"nccl", "runtime.nccl"},
                             Row{"sharing", "accelerator.partitioning"}};
  RuntimeNode out;
  out.on = "node pool `" + pool.name.value + "`";
  out.nodes = pool.node_count;
  out.pool = &pool;
  out.taints = pool.taints;
  const Located<FactValue>& gpus = pool.fact("gpus_per_node");
  if (gpus.known()) out.gpus = std::get<std::int64_t>(gpus.value);
  for (const Row& row : kRows) {
    const Located<FactValue>& fact = pool.fact(row.of_pool);
    if (fact.known()) out.says[row.fact] = set_to(std::get<std::string>(fact.value), fact.where, FieldName(row.fact));
  }
  return out;
}

PodPlace place_of_pods(const Manifest& pods) {
  PodPlace out;
  const WrittenValue& selector = pods.part("node_selector");
  out.open = selector.state == State::Unknown || pods.part("tolerations").state == State::Unknown ||
             pods.part("node_name").state != State::Absent;
  for (std::size_t i = 0; i < selector.keys().size(); ++i) {
    out.open = out.open || selector.items()[i].state != State::Set;
    out.selector[std::string(selector.keys()[i])] = selector.items()[i].text();
  }
  out.tolerations = tolerations_in(pods.part("tolerations"));
  out.affinity = &pods.part("affinity");
  for (const WrittenValue& container : pods.part("containers").items()) {
    const WrittenValue* resources = container.find("resources");
    for (const char* list : {"limits", "requests"}) {
      const WrittenValue* amounts = resources == nullptr ? nullptr : resources->find(list);
      for (std::size_t i = 0; amounts != nullptr && i < amounts->keys().size(); ++i) {
        if (amounts->keys()[i] != "nvidia.com/gpu" && amounts->keys()[i] != "amd.com/gpu") continue;
        out.resource = amounts->keys()[i];
        out.devices = std::max(out.devices, whole_in(*amounts, amounts->keys()[i]).value_or(0));
      }
    }
  }
  return out;
}

PodPlace place_of_role(const Role& role) {
  PodPlace out;
  out.selector = role.node_selector;
  out.tolerations = role.tolerations;
  out.open = std::ranges::find(role.wants, "affinity") != role.wants.end();
  if (role.accelerator.known()) out.resource = role.accelerator.value;
  if (role.gpus_each.known()) out.devices = role.gpus_each.value;
  return out;
}

std::optional<bool> may_stand(const PodPlace& pod, const RuntimeNode& node) {
  if (node.gpus && *node.gpus < std::max<std::int64_t>(pod.devices, 1)) return false;
  for (const PoolTaint& taint : node.taints) {
    // Where ExtendedResourceToleration is on, as clouds have it, pods tolerate the name of what they ask for.
    if (!pod.resource.empty() && taint.key == pod.resource && taint.effect != "NoExecute") continue;
    if (std::ranges::none_of(pod.tolerations, [&](const Toleration& one) { return tolerates(one, taint); }))
      return false;
  }
  if (pod.open) return std::nullopt;
  if (node.pool != nullptr) {
    bool open = pod.affinity != nullptr && pod.affinity->find("nodeAffinity") != nullptr;
    for (const auto& [key, value] : pod.selector) {
      const auto found = node.pool->labels.find(key);
      if (found != node.pool->labels.end() && found->second != value) return false;
      open = open || found == node.pool->labels.end();
    }
    return open ? std::nullopt : std::optional(true);
  }
  const WrittenValue& labels = node.object->part("labels");
  const WrittenValue& cordoned = node.object->part("unschedulable");
  if (cordoned.kind == WrittenValue::Kind::Bool && cordoned.flag) return false;
  const bool without_gpus = !node.gpus && node.object->part("allocatable").state == State::Set;
  if (without_gpus || (!node.gpus && known_text(labels, kProductLabel) == nullptr)) return false;
  for (const auto& [key, value] : pod.selector) {
    const WrittenValue* label = labels.find(key);
    if (label == nullptr || label->text() != value) return false;
  }
  return fits_affinity(pod.affinity, labels);
}

}  // namespace muster
