#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/model.h"

namespace muster {

/// A gang of a world and what is placed of it.
struct PriorityOf {
  std::size_t gang = 0;  ///< in Model::gangs
  std::vector<WorldGang>* parts = nullptr;
};

/// The PriorityClasses of each bundle, in Model::manifests.
using PriorityClasses = std::map<std::string, std::vector<const Manifest*>>;
PriorityClasses priority_classes_by_bundle(const Model& model);

/// Who gives way to whom: where gangs of one world name several PriorityClasses and a scheduler is among them that
/// evicts single pods for those of a higher one. The values of the classes stand in the bundle; where one does not,
/// any of the gangs may lose pods. Returns what the world rests on then. Source:
/// kubernetes/kubernetes:pkg/scheduler/framework/plugins/defaultpreemption (1.37); executed with 1.36.3.
std::vector<WorldSource> apply_priorities(const Model& model, const PriorityClasses& by_bundle,
                                          const std::vector<PriorityOf>& members);

}  // namespace muster
