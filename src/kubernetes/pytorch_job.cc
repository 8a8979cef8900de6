#include "gang/manifest.h"
#include "gang/scheduling.h"
#include "syntax/read_value.h"

namespace muster::pytorch_job {

namespace {

/// Elastic from minReplicas to maxReplicas; the same number twice only sets up the rendezvous.
Located<bool> read_elastic(const Node& policy, std::vector<Finding>& findings) {
  const Located<std::int64_t> min = read_int(policy["minReplicas"], "minReplicas", findings);
  const Located<std::int64_t> max = read_int(policy["maxReplicas"], "maxReplicas", findings);
  if (min.unknown() || max.unknown()) return unknown_until<bool>("a value for `elasticPolicy`", policy.key_where(), "elasticPolicy");
  const bool ranges = !min.is_set() || !max.is_set() || min.value < max.value;
  return set_to(ranges, policy.key_where(), "elasticPolicy");
}

}  // namespace

/// kubeflow.org/v1 PyTorchJob. K = schedulingPolicy.minAvailable ?? all, but only under an operator that was started
/// with --gang-scheduler-name. Source: kubeflow/trainer:pkg/controller.v1/common/job.go:250-272 (tag v1.9.4); KAI reads it by itself.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  constexpr std::string_view kSetting = "training-operator --gang-scheduler-name";
  const Node spec = spec_of(artifact);
  const Node policy = spec["runPolicy"]["schedulingPolicy"];
  PodWorkload work;
  static_cast<Object&>(work.gang) = read_object(artifact, context);
  work.metadata = artifact.object["metadata"];
  work.gang.evidence.emplace_back("spec.pytorchReplicaSpecs");
  const Node roles = spec["pytorchReplicaSpecs"];
  for (std::size_t i = 0; roles.is_mapping() && i < roles.size(); ++i) {
    const Node role = roles.value(i);
    add_role(work, role["template"], set_to(std::string(roles.key(i).text()), roles.key(i).where()),
             value_or<std::int64_t>(read_int(role["replicas"], "replicas", context.findings), 1), context);
  }
  const Located<std::int64_t> all = total_of(work.gang);
  // The operator gives every rank WORLD_SIZE and MASTER_ADDR: more than one pod is one collective.
  const bool several = !all.known() || all.value > 1;
  work.coupling = several ? PodWorkload::Coupling::ByKind : PodWorkload::Coupling::NeverByItself;
  const Node elastic = spec["elasticPolicy"];
  if (elastic.is_mapping()) work.gang.elastic = read_elastic(elastic, context.findings);

  const Located<std::int64_t> min = read_int(policy["minAvailable"], "minAvailable", context.findings);
  const Located<std::int64_t> elastic_min = read_int(elastic["minReplicas"], "minReplicas", context.findings);
  work.requested = min;
  work.gang.operator_setting = kSetting;
  work.gang.operator_guaranteed = min.state != State::Absent ? min : all;
  work.volcano = unknown_until<std::int64_t>(std::string(kSetting), work.gang.where, "minAvailable");
  work.kai = min.state != State::Absent ? min : elastic_min.state != State::Absent ? elastic_min : all;
  work.gang.queue = read_text(policy["queue"], "schedulingPolicy.queue", context.findings);
  work.kueue = false;
  work.kueue_setting = "kueue integrations.frameworks (PyTorchJob is off as shipped since Kueue 0.19)";
  finish_pod_workload(std::move(work), context);
}

}  // namespace muster::pytorch_job
