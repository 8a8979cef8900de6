#include "gang/manifest.h"
#include "gang/scheduler.h"
#include "syntax/read_value.h"

namespace muster {

// The kinds called PodGroup. Which is which, and what stands where in them: rules/schedulers, docs/gangs.md.
namespace pod_group {

void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Scheduler& row = *SchedulerBook::or_shipped(context.schedulers).owner_of_groups(artifact.kind->group);
  const PodGroupForm& form = *row.pod_group;
  const Node spec = spec_of(artifact);
  PodGroup group;
  static_cast<Object&>(group) = read_object(artifact, context);
  group.system = *row.membership_of;
  group.min_member = read_int(at_path(spec, form.min), form.min.back(), context.findings);
  if (!form.queue.empty()) group.queue = read_text(at_path(spec, form.queue), form.queue.back(), context.findings);
  context.model.pod_groups.push_back(std::move(group));
}

}  // namespace pod_group
}  // namespace muster
