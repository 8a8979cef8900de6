// Pods that select by what a program finds out on a node that runs, where Karpenter is to make that node.
#include <map>
#include <set>
#include <string>

#include "model/model.h"
#include "model/node_pools.h"

namespace muster {
namespace {

/// Labels of GPU feature discovery and of node feature discovery. Sources: NVIDIA/k8s-device-plugin:
/// docs/gpu-feature-discovery/README.md (0.17); kubernetes-sigs/node-feature-discovery:docs/usage/features.md (0.17).
bool is_found_out(std::string_view label) {
  for (const std::string_view beginning :
       {"feature.node.kubernetes.io/", "nvidia.com/cuda.", "nvidia.com/gpu.", "nvidia.com/mig."}) {
    if (label.starts_with(beginning)) return true;
  }
  return false;
}

/// What the NodePools of a bundle say of their nodes.
struct PoolLabels {
  std::set<std::string_view> given;
  bool for_gpus = false;  ///< one of them, by its taints
  bool open = false;      ///< somebody fills in what they say, or there are nodes from elsewhere
};

void take_labels(const Manifest& pool, PoolLabels& out) {
  const WrittenValue& labels = pool.part("labels");
  const WrittenValue& requirements = pool.part("requirements");
  out.for_gpus = out.for_gpus || has_taint_for_gpus(pool);
  out.open = out.open || labels.state == State::Unknown || requirements.state == State::Unknown;
  for (const std::string_view label : labels.keys()) out.given.insert(label);
  for (const WrittenValue& one : requirements.items()) {
    out.open = out.open || one.state == State::Unknown;
    out.given.insert(one.text_of("key"));
  }
}

}  // namespace

/// Source: kubernetes-sigs/karpenter:pkg/scheduling/requirements.go, Compatible (1.6): what is not well known and no
/// pool defines is on no node that could be made.
void relate_late_labels(Model& model) {
  const ManifestDef* pools = &manifest_def("node_pools");
  const ManifestDef* groups = &manifest_def("eks_node_groups");
  const ManifestDef* nodes = &manifest_def("node_objects");
  const ManifestDef* pods = &manifest_def("pods");
  std::map<std::string_view, PoolLabels> by_bundle;
  for (const Manifest& one : model.manifests) {
    if (one.def == pools) take_labels(one, by_bundle[one.bundle]);
    if (one.def == groups || one.def == nodes) by_bundle[one.bundle].open = true;
  }
  for (Manifest& one : model.manifests) {
    if (one.def != pods || one.kind == "DaemonSet") continue;
    const auto near = by_bundle.find(one.bundle);
    if (near == by_bundle.end() || !near->second.for_gpus || near->second.open) continue;
    const WrittenValue& selector = one.part("node_selector");
    if (selector.state == State::Unknown) continue;
    for (std::size_t i = 0; i < selector.keys().size(); ++i) {
      const std::string_view label = selector.keys()[i];
      if (!is_found_out(label) || near->second.given.contains(label)) continue;
      one.remarks.own().late_label = set_to(std::string(label), selector.items()[i].where, "nodeSelector");
      break;
    }
  }
}

}  // namespace muster
