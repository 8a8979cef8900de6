#include "gang/manifest.h"
#include "gang/scheduling.h"
#include "syntax/read_value.h"

namespace muster::batch_job {

/// batch/v1 Job. Size: kubernetes/api:batch/v1/types.go, min(parallelism ?? 1, completions ?? parallelism).
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node spec = spec_of(artifact);
  Located<std::int64_t> count = value_or<std::int64_t>(read_int(spec["parallelism"], "spec.parallelism", context.findings), 1);
  const Located<std::int64_t> completions = read_int(spec["completions"], "spec.completions", context.findings);
  if (count.known() && completions.known() && completions.value < count.value) count = completions;

  PodWorkload work = single_role_workload(artifact, spec["template"], count, context);
  // Ranks need an index, and all of them at once; anything else is a pool of independent tasks.
  const bool indexed = spec["completionMode"].text() == "Indexed";
  const bool all_at_once = completions.state != State::Absent && (!completions.known() || !count.known() || completions.value == count.value);
  if (!indexed || !all_at_once) work.coupling = PodWorkload::Coupling::NeverByItself;

  work.volcano = read_count_annotation(work.metadata, "scheduling.volcano.sh/group-min-member", context.findings);
  work.kai = read_count_annotation(work.metadata, "kai.scheduler/batch-min-member", context.findings);
  work.requested = work.volcano.state != State::Absent ? work.volcano : work.kai;
  if (spec["scheduling"]["schedulingPolicy"]["gang"].exists()) {
    work.gang.operator_setting = "the Kubernetes feature gate WorkloadWithJob";
    work.gang.operator_guaranteed =
        read_int(spec["scheduling"]["schedulingPolicy"]["gang"]["minCount"], "minCount", context.findings);
    if (work.gang.operator_guaranteed.state == State::Absent) work.gang.operator_guaranteed = count;
  }
  finish_pod_workload(std::move(work), context);
}

}  // namespace muster::batch_job
