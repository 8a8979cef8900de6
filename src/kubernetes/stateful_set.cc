#include "gang/manifest.h"
#include "gang/scheduling.h"
#include "syntax/read_value.h"

namespace muster::stateful_set {

/// apps/v1 StatefulSet. OrderedReady, the default, makes pod i+1 only when pod i is ready.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node spec = spec_of(artifact);
  const Located<std::int64_t> count = value_or<std::int64_t>(read_int(spec["replicas"], "spec.replicas", context.findings), 1);
  PodWorkload work = single_role_workload(artifact, spec["template"], count, context);
  work.coupling = PodWorkload::Coupling::NeverByItself;
  work.gang.startup = spec["podManagementPolicy"].text() == "Parallel" ? Startup::Parallel : Startup::Ordered;
  work.volcano = read_count_annotation(work.metadata, "scheduling.volcano.sh/group-min-member", context.findings);
  work.requested = work.volcano;
  finish_pod_workload(std::move(work), context);
}

}  // namespace muster::stateful_set
