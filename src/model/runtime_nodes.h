#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace muster {

/// Whether it surely tolerates the taint; what the fleet file does not say of the taint may be anything.
/// Source: kubernetes/kubernetes:staging/src/k8s.io/component-helpers/scheduling/corev1/helpers.go (1.37).
bool tolerates(const Toleration& toleration, const PoolTaint& taint);

/// A Node of the input, or a node pool of a fleet file, with what it says of its runtime.
struct RuntimeNode {
  std::string on;                                         ///< node `gpu1`, node pool `a`
  std::int64_t nodes = 1;                                 ///< how many are alike
  std::optional<std::int64_t> gpus;                       ///< of each; nothing: not said
  const Manifest* object = nullptr;                       ///< of a Node
  const NodePool* pool = nullptr;                         ///< of a pool
  std::vector<PoolTaint> taints;                          ///< that keep pods away
  std::map<std::string_view, Located<std::string>> says;  ///< by fact: driver, kernel, container-runtime ...
};

/// What a pod asks of the labels and taints of its node.
struct PodPlace {
  std::map<std::string, std::string> selector;
  std::vector<Toleration> tolerations;
  const WrittenValue* affinity = nullptr;  ///< spec.affinity
  std::string resource;                    ///< nvidia.com/gpu; empty: devices by claims
  std::int64_t devices = 0;                ///< of it
  bool open = false;                       ///< something of this is filled in later
};

RuntimeNode runtime_node(const Manifest& node);
RuntimeNode runtime_node(const NodePool& pool);

PodPlace place_of_pods(const Manifest& pods);
PodPlace place_of_role(const Role& role);

/// Whether the pod may stand there; nothing where that is not known.
std::optional<bool> may_stand(const PodPlace& pod, const RuntimeNode& node);

}  // namespace muster
