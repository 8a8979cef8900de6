#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/object.h"
#include "source/rare.h"

namespace muster {

struct Manifest;

/// An entry of the resourceClaims of pods, and what the input has of the claim or template that it names. The object is
/// the one with the pods. Source: kubernetes/api:core/v1/types.go, PodResourceClaim (1.37).
struct ClaimUse : Object {
  std::string of;                   ///< ResourceClaim or ResourceClaimTemplate
  Located<std::string> entry;       ///< its name among the claims of the pod
  Located<std::string> target;      ///< the claim or template
  std::optional<std::size_t> gang;  ///< of the pods, in Model::gangs
  Located<std::string> plain_gpus;  ///< an extended resource for GPUs that a container asks for beside it
  const Manifest* pods = nullptr;   ///< in Model::manifests, whose objects stay where they are
  // Where the input has the target; see relate_devices.
  bool found = false;
  const Manifest* claim = nullptr;    ///< what is found; not of a ComputeDomain's channel
  std::vector<std::string> classes;   ///< DeviceClasses of its requests, as often as requests name them; sorted
  std::vector<std::string> requests;  ///< names of its requests, and `request/alternative`
  bool all = false;                   ///< some request takes all devices that fit (`allocationMode: All`)
  Located<std::string> queue_label;   ///< `kai.scheduler/queue` of the claim
  bool labels_known = false;          ///< the labels of the claim are written out
  Located<std::string> no_request;    ///< a request that a container asks for and that it does not have
  Located<std::int64_t> nodes;        ///< numNodes of the ComputeDomain whose channel it is
  Rare<std::string> unfit;  ///< why none of the nodes that the pods select has devices for it, though others may
  // What else of its bundle speaks of it; see relate_claims.
  Rare<std::string> preempts;  ///< the PriorityClass by which its pods evict others, beside a cluster-autoscaler
  Rare<std::string> unmapped;  ///< a DeviceClass that the one configuration of Kueue does not map
  // Where it does not.
  bool lost = false;        ///< its folder has others of the kind, and the input none of the name
  std::string other_space;  ///< the one namespace of the bundle that has the name, where it is another one
};

}  // namespace muster
