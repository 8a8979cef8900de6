#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gang/pod_template.h"
#include "gang/scheduler.h"
#include "input/kind.h"
#include "model/gang.h"
#include "syntax/document.h"

namespace muster {

/// What a workload kind knows about itself, before anybody has asked which scheduler it goes through.
struct PodWorkload {
  Gang gang;                           ///< with roles; the rest is filled in by finish_pod_workload
  Node metadata;                       ///< of the object
  Node outer_metadata;                 ///< of one that is queued with all that stands in it
  std::vector<PodTemplate> templates;  ///< one a role, in the order of gang.roles
  Located<std::int64_t> requested;     ///< K as the manifest asks for it, whoever reads it
  std::map<std::string, Located<std::int64_t>, std::less<>>
      together;                       ///< K by who places it, where it differs from the scheduler's own
  std::string framework;              ///< what Kueue calls the kind
  bool labels_from_template = false;  ///< an object without labels takes over its template's
  /// Coupled by its kind (MPIJob); else by what the pods run, else unknown when they ask for accelerators.
  enum class Coupling { ByKind, ByCommand, NeverByItself } coupling = Coupling::ByCommand;

  /// K where `row` places it; nullptr where nothing is said.
  const Located<std::int64_t>* together_under(const Scheduler& row) const;
};

/// Finds scheduler, path, mechanism and guarantee, fills in size and demand, and adds the gang to the model.
/// Source of every case: the table of docs/gangs.md.
void finish_pod_workload(PodWorkload workload, const NormaliseContext& context);

/// A workload of one role whose pods are all alike.
PodWorkload single_role_workload(const Artifact& artifact, const PodTemplate& pod_template, Located<std::int64_t> count,
                                 const NormaliseContext& context);

/// Adds a role read from a pod template; `count` pods of it run at once.
void add_role(PodWorkload& workload, const PodTemplate& pod_template, Located<std::string> name,
              Located<std::int64_t> count, const NormaliseContext& context);

}  // namespace muster
