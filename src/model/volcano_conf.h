#pragma once

#include <string>
#include <vector>

#include "model/object.h"

namespace muster {

/// A plugin of Volcano's scheduler configuration.
struct VolcanoPlugin {
  std::string name;
  std::size_t tier = 0;
  bool job_ready = true;                  ///< enableJobReady
  bool preemptable = true;                ///< enablePreemptable: asked whether a pod may be evicted by `preempt`
  bool reclaimable = true;                ///< enableReclaimable: the same by `reclaim`
  bool hierarchy = false;                 ///< enableHierarchy
  std::vector<std::string> unknown_keys;  ///< that Volcano drops without a word
  bool claims = false;                    ///< of predicates: predicate.DynamicResourceAllocationEnable
  bool class_quotas = true;               ///< of capacity: capacity.DynamicResourceAllocationEnable
  Located<std::string> overcommit;        ///< argument overcommit-factor
  std::size_t conf = 0;                   ///< in Model::volcano_confs
  Span where;
};

/// The configuration of Volcano's scheduler: the key volcano-scheduler.conf of its ConfigMap.
/// Source: volcano-sh/volcano:pkg/scheduler/conf/scheduler_conf.go and pkg/scheduler/util.go (1.14).
struct VolcanoConf : Object {
  std::vector<std::string> actions;
  Span actions_where;
  std::vector<VolcanoPlugin> plugins;
  std::vector<std::string> unknown_actions;
  bool understood = false;  ///< Volcano takes it: known actions, readable text

  const VolcanoPlugin* plugin(std::string_view name) const;
  bool has_action(std::string_view name) const;
};

}  // namespace muster
