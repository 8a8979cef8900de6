#pragma once

#include <map>
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
  Located<Quantity> limit;      ///< Volcano capability, Kueue nominalQuota, KAI limit, YuniKorn max
  Located<Quantity> guarantee;  ///< Volcano guarantee
  Located<Quantity> deserved;   ///< Volcano deserved, KAI quota
  Located<Quantity> borrowing;  ///< Kueue borrowingLimit
  std::size_t queue = 0;        ///< in Model::queues
};

/// A flavor within a resource group of a ClusterQueue.
struct QueueFlavor {
  Located<std::string> name;
  std::vector<std::string> resources;  ///< that it lists, in its order
  std::vector<std::string> covered;    ///< coveredResources of its group
  Located<bool> found;                 ///< a ResourceFlavor of that name is in the input
  Span where;
  std::size_t queue = 0;  ///< in Model::queues
};

/// Volcano Queue, KAI Queue, Kueue ClusterQueue or LocalQueue; a queue of YuniKorn's queues.yaml by its path.
struct Queue : Object {
  GangSystem system = GangSystem::Volcano;
  bool local = false;  ///< Kueue LocalQueue: only points at a ClusterQueue
  std::vector<Quota> quotas;
  std::vector<QueueFlavor> flavors;
  Located<Quantity>
      weight;  ///< of what is shared out beyond quotas: Volcano weight, KAI overQuotaWeight, Kueue fairSharing
  Located<std::string> cluster_queue;  ///< of a LocalQueue
  Located<bool> cluster_queue_found;
  std::optional<std::size_t> cluster_queue_index;
  Located<std::string> cohort;
  Located<bool> lone_in_cohort;  ///< assumed: that is in the input, and nothing else there lends in it
  Located<std::string> parent;
  Located<bool> has_namespace_selector;  ///< Kueue ClusterQueue
  std::optional<std::vector<std::string>> selected_spaces;  ///< a ClusterQueue's, where its selector names namespaces
  Located<std::string> refused_space;  ///< of a LocalQueue: the namespaces its ClusterQueue selects, which are others
  Located<bool> parent_found;            ///< absent without a parent
  std::int64_t children = 0;             ///< queues of the input right below it
  std::int64_t depth = 1;                ///< levels from the root of its tree, as far as the input has them
  bool only_lends = false;  ///< ClusterQueue of a cohort with others, to which no LocalQueue of the input leads
  Located<std::string> stop_policy;  ///< Kueue: Hold or HoldAndDrain stop it
  Located<bool> counts_claims;       ///< Volcano: as its scheduler is configured; absent where no configuration says
  Located<std::string> sort_policy;  ///< YuniKorn: application.sort.policy, its own or that of a queue above
};

/// Pods of a PodGroup with a minimum and a place of their own: Volcano's subGroupPolicy, KAI's subGroups.
struct SubGroup {
  Located<std::string> name;
  Located<std::string> parent;       ///< KAI: the sub-group that it is part of
  Located<std::int64_t> min_pods;    ///< KAI minMember, Volcano subGroupSize
  Located<std::int64_t> min_groups;  ///< KAI: of its direct children; Volcano: of the groups that this policy makes
  Located<std::string> required_topology;
  Located<std::int64_t> highest_tier;
  std::map<std::string, std::string> labels;  ///< Volcano: labels of the pods it takes
  Located<std::string> odd_selector;          ///< Volcano: unknown where labels alone do not say which pods it takes
  std::vector<std::string> by_labels;  ///< Volcano: a group for each value of these labels; none: no group at all
  Span where;
};

/// One of the five kinds called PodGroup.
struct PodGroup : Object {
  GangSystem system = GangSystem::Volcano;
  Located<std::int64_t> min_member;
  Located<std::int64_t> min_sub_groups;  ///< KAI: of its direct children; absent: all
  std::vector<SubGroup> sub_groups;
  Located<std::string> required_topology;  ///< node label: all of its pods have to stand in one domain of it
  Located<std::int64_t> highest_tier;      ///< Volcano, hard
  Located<std::string> parent;             ///< native: the CompositePodGroup it is part of
  Located<std::string> queue;
  Located<bool> queue_found;
  Located<std::int64_t> members;  ///< pods of the input that say they belong to it; absent without any
  bool complete = false;          ///< its bundle is said to be complete: no other pods can join
};

}  // namespace muster
