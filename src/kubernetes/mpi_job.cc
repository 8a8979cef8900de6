#include "gang/manifest.h"
#include "gang/scheduling.h"
#include "syntax/read_value.h"

namespace muster::mpi_job {

/// kubeflow.org/v2beta1 MPIJob. K = schedulingPolicy.minAvailable ?? workers + 1 under --gang-scheduling.
/// Source: kubeflow/mpi-operator:pkg/controller/podgroup.go (0.8.0).
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  constexpr std::string_view kSetting = "mpi-operator --gang-scheduling";
  const Node spec = spec_of(artifact);
  const Node policy = spec["runPolicy"]["schedulingPolicy"];
  const bool launcher_works = spec["runLauncherAsWorker"].text() == "true";
  const bool launcher_waits = spec["launcherCreationPolicy"].text() == "WaitForWorkersReady";
  PodWorkload work;
  static_cast<Object&>(work.gang) = read_object(artifact, context);
  work.metadata = artifact.object["metadata"];
  work.gang.evidence.emplace_back("spec.mpiReplicaSpecs");
  const Node roles = spec["mpiReplicaSpecs"];
  for (std::size_t i = 0; roles.is_mapping() && i < roles.size(); ++i) {
    const Node role = roles.value(i);
    const bool launcher = roles.key(i).text() == "Launcher";
    Located<std::int64_t> count = value_or<std::int64_t>(read_int(role["replicas"], "replicas", context.findings), launcher ? 1 : 0);
    add_role(work, role["template"], set_to(std::string(roles.key(i).text()), roles.key(i).where()), std::move(count), context);
    work.gang.roles.back().helper = launcher && !launcher_works;
  }
  const Located<std::int64_t> all = total_of(work.gang);
  work.coupling = !all.known() || all.value > 2 ? PodWorkload::Coupling::ByKind : PodWorkload::Coupling::NeverByItself;
  if (launcher_waits) work.gang.startup = Startup::LauncherWaits;

  const Located<std::int64_t> min = read_int(policy["minAvailable"], "minAvailable", context.findings);
  work.requested = min;
  work.gang.operator_setting = kSetting;
  work.gang.operator_guaranteed = min.state != State::Absent ? min : all;
  work.volcano = unknown_until<std::int64_t>(std::string(kSetting), work.gang.where, "minAvailable");
  work.kai = work.gang.operator_guaranteed;
  if (launcher_waits && work.kai.known()) --work.kai.value;  // KAI leaves the launcher out while there is none
  work.gang.queue = read_text(policy["queue"], "schedulingPolicy.queue", context.findings);
  finish_pod_workload(std::move(work), context);
}

}  // namespace muster::mpi_job
