#include "base/capped.h"
#include "gang/manifest.h"
#include "gang/scheduling.h"
#include "syntax/read_value.h"

namespace muster::job_set {

/// jobset.x-k8s.io JobSet: one gang of all its jobs' pods. Volcano makes a PodGroup of one for each child job, KAI one
/// for the whole set (docs/gangs.md).
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node spec = spec_of(artifact);
  PodWorkload work;
  static_cast<Object&>(work.gang) = read_object(artifact, context);
  work.metadata = artifact.object["metadata"];
  work.gang.evidence.emplace_back("spec.replicatedJobs");
  bool depends = false;
  const Node jobs = spec["replicatedJobs"];
  for (std::size_t i = 0; jobs.is_sequence() && i < jobs.size(); ++i) {
    const Node job = jobs.item(i);
    const Node job_spec = job["template"]["spec"];
    Located<std::int64_t> count = value_or<std::int64_t>(read_int(job["replicas"], "replicas", context.findings), 1);
    const Located<std::int64_t> parallelism =
        value_or<std::int64_t>(read_int(job_spec["parallelism"], "parallelism", context.findings), 1);
    if (parallelism.unknown() || (parallelism.is_set() && !count.unknown())) {
      const std::int64_t replicas = count.value;
      count = parallelism;
      count.value = multiply_capped(count.value, replicas);
    }
    add_role(work, job_spec["template"], read_text(job["name"], "name", context.findings), std::move(count), context);
    depends = depends || (job["dependsOn"].is_sequence() && job["dependsOn"].size() > 0);
  }
  const bool in_order = spec["startupPolicy"]["startupPolicyOrder"].text() == "InOrder";
  if (depends || in_order) work.gang.startup = Startup::Staged;
  work.kai = total_of(work.gang);
  if (in_order && !work.gang.roles.empty()) work.kai = work.gang.roles.front().count;
  if (const Node min = work.metadata["annotations"]["kai.scheduler/batch-min-member"]; min.exists()) {
    work.kai = unknown_until<std::int64_t>("which of its jobs `kai.scheduler/batch-min-member` counts", min.where());
  }
  finish_pod_workload(std::move(work), context);
}

}  // namespace muster::job_set
