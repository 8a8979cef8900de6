#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "observe/observed.h"
#include "observe/snapshot.h"

namespace muster {

/// Pods that belong together, and what the input says about how many are needed.
struct PodUnit {
  ObservedGang shown;
  std::vector<const PodRecord*> pods;
  Coupling coupling = Coupling::Unknown;
  std::string coupling_why;
  Ends ends = Ends::Unknown;
  bool grouped = false;          ///< by a PodGroup rather than by its owner
  std::string group_api;         ///< of its PodGroup: what kubectl calls them
  std::int64_t missing = 0;      ///< pods it waits for, of those that exist
  bool candidate = false;        ///< holds a part and needs pods that wait
  bool judged = false;           ///< a scheduler has said that a pod finds no place
  bool gated = false;            ///< nobody looks at any of its pods that wait
  bool gpus_known = true;        ///< of its pods that wait
  std::string message;           ///< about the gang, where no pod has one
  std::int64_t wanted_gpus = 0;  ///< of its pods that wait
};

/// Groups the pods, counts them and says of each unit what can be said without looking at nodes. Sorted by what is
/// shown.
std::vector<PodUnit> make_units(const Snapshot& snapshot);

}  // namespace muster
