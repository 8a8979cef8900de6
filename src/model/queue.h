#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "model/gang.h"

namespace muster {

/// What a queue allows of one resource; for Kueue within one flavor.
struct Quota {
  std::string resource;
  std::string flavor;           ///< Kueue ResourceFlavor; empty elsewhere
  Located<Quantity> limit;      ///< Volcano capability, Kueue nominalQuota
  Located<Quantity> guarantee;  ///< Volcano guarantee
  Located<Quantity> deserved;   ///< Volcano deserved
  Located<Quantity> borrowing;  ///< Kueue borrowingLimit
  std::size_t queue = 0;        ///< in Model::queues
};

/// A flavor within a resource group of a ClusterQueue.
struct QueueFlavor {
  Located<std::string> name;
  std::vector<std::string> resources;  ///< that it lists, in its order
  std::vector<std::string> covered;    ///< coveredResources of its group
  Span where;
  std::size_t queue = 0;  ///< in Model::queues
};

/// Volcano Queue, KAI Queue, Kueue ClusterQueue or LocalQueue.
struct Queue : Object {
  GangSystem system = GangSystem::Volcano;
  bool local = false;  ///< Kueue LocalQueue: only points at a ClusterQueue
  std::vector<Quota> quotas;
  std::vector<QueueFlavor> flavors;
  Located<std::string> cluster_queue;  ///< of a LocalQueue
  Located<bool> cluster_queue_found;
  std::optional<std::size_t> cluster_queue_index;
  Located<std::string> cohort;
  Located<std::string> parent;
  Located<bool> has_namespace_selector;  ///< Kueue ClusterQueue
};

/// One of the five kinds called PodGroup.
struct PodGroup : Object {
  GangSystem system = GangSystem::Volcano;
  Located<std::int64_t> min_member;
  Located<std::string> queue;
  Located<bool> queue_found;
  Located<std::int64_t> members;  ///< pods of the input that say they belong to it; absent without any
  bool complete = false;          ///< its bundle is said to be complete: no other pods can join
};

}  // namespace muster
