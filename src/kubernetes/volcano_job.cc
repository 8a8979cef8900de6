#include "base/capped.h"
#include "gang/manifest.h"
#include "gang/scheduling.h"
#include "syntax/read_value.h"

namespace muster::volcano_job {

namespace {

/// Whether a task is created only after others; a parent with minAvailable 0 is not waited for (volcano-sh/volcano:pkg/controllers/job, 1.15).
bool waits_for_others(const Node& task, const Node& tasks) {
  const Node names = task["dependsOn"]["name"];
  for (std::size_t i = 0; names.is_sequence() && i < names.size(); ++i) {
    bool waited_for = true;
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      const Node other = tasks.item(t);
      if (other["name"].text() == names.item(i).text() && other["minAvailable"].text() == "0") waited_for = false;
    }
    if (waited_for) return true;
  }
  return false;
}

/// Whether a policy speaks of a pod that is lost; TaskCompleted, the usual one of MPI jobs, speaks of the good end. An
/// exit code is one of a failed container. Source: volcano-sh/apis:pkg/apis/bus/v1alpha1/events.go.
bool answers_a_loss(const Node& policy) {
  const auto loss = [](std::string_view event) {
    return event == "*" || event == "PodFailed" || event == "PodEvicted" || event == "TaskFailed" || event == "Unknown";
  };
  if (loss(policy["event"].text()) || policy["exitCode"].exists()) return true;
  const Node events = policy["events"];
  for (std::size_t i = 0; events.is_sequence() && i < events.size(); ++i) {
    if (loss(events.item(i).text())) return true;
  }
  return false;
}

/// Some policy of the job or of every task answers a lost pod by restarting them all.
Located<bool> restart_policy(const Node& spec, const Node& tasks, const Span& where) {
  const auto restarts = [](const Node& policies) {
    for (std::size_t i = 0; policies.is_sequence() && i < policies.size(); ++i) {
      const Node policy = policies.item(i);
      const std::string_view action = policy["action"].text();
      const bool ends_all = action == "RestartJob" || action == "TerminateJob" || action == "AbortJob" || action == "CompleteJob";
      if (ends_all && answers_a_loss(policy)) return true;
    }
    return false;
  };
  if (restarts(spec["policies"])) return set_to(true, spec["policies"].key_where(), "policies");
  for (std::size_t i = 0; tasks.is_sequence() && i < tasks.size(); ++i) {
    if (restarts(tasks.item(i)["policies"])) return set_to(true, tasks.item(i)["policies"].key_where(), "policies");
  }
  return defaulted_to(false, where, "policies");
}

}  // namespace

/// batch.volcano.sh/v1alpha1 Job. K = spec.minAvailable, or when it is 0 or missing the sum over the tasks of
/// (minAvailable ?? replicas). Source: volcano-sh/apis:pkg/apis/batch/v1alpha1/job.go, volcano-sh/volcano:pkg/webhooks/admission/jobs/mutate (1.15).
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node spec = spec_of(artifact);
  PodWorkload work;
  static_cast<Object&>(work.gang) = read_object(artifact, context);
  work.metadata = artifact.object["metadata"];
  work.gang.evidence.emplace_back("spec.tasks");

  Located<std::string> scheduler = read_text(spec["schedulerName"], "schedulerName", context.findings);
  if (scheduler.state == State::Absent) scheduler = defaulted_to<std::string>("volcano", work.gang.where, "schedulerName");
  Located<std::int64_t> by_tasks = defaulted_to<std::int64_t>(0, work.gang.where, "minAvailable");
  const Node tasks = spec["tasks"];
  std::int64_t first_stage = 0;
  for (std::size_t i = 0; tasks.is_sequence() && i < tasks.size(); ++i) {
    const Node task = tasks.item(i);
    // No default in the CRD: a missing replicas is Go's zero.
    Located<std::int64_t> count = value_or<std::int64_t>(read_int(task["replicas"], "replicas", context.findings), 0);
    Located<std::string> name = read_text(task["name"], "name", context.findings);
    if (name.state == State::Absent) name = defaulted_to<std::string>("default" + std::to_string(i), task.where(), "name");
    const Located<std::int64_t> min = read_int(task["minAvailable"], "minAvailable", context.findings);
    const Located<std::int64_t> least = min.state != State::Absent ? min : count;
    if (least.unknown()) by_tasks = least;
    if (by_tasks.known()) by_tasks.value = add_capped(by_tasks.value, least.value);
    const Located<std::int64_t> count_now = count;
    add_role(work, task["template"], std::move(name), std::move(count), context);
    Role& role = work.gang.roles.back();
    role.min = min;
    if (role.scheduler.state == State::Absent) {
      role.scheduler = scheduler;
      // The webhook fills in volcano: for the path that is as good as written.
      if (role.scheduler.state == State::Defaulted) role.scheduler.state = State::Set;
    }
    if (waits_for_others(task, tasks)) {
      work.gang.startup = Startup::Staged;
    } else if (count_now.known()) {
      first_stage = add_capped(first_stage, count_now.value);
    }
  }
  if (work.gang.startup == Startup::Staged) work.gang.first_stage = defaulted_to(first_stage, work.gang.where, "dependsOn");
  work.gang.restarts_whole = restart_policy(spec, tasks, work.gang.where);
  const Node plugins = spec["plugins"];
  for (const std::string_view plugin : {"mpi", "pytorch", "tensorflow"}) {
    if (plugins[plugin].exists()) work.coupling = PodWorkload::Coupling::ByKind;
  }
  Located<std::int64_t> min = read_int(spec["minAvailable"], "minAvailable", context.findings);
  if (min.known() && min.value == 0) min.state = State::Absent;
  work.requested = min;
  work.volcano = min.state != State::Absent ? min : by_tasks;
  work.gang.queue = read_text(spec["queue"], "queue", context.findings);
  // Hard unless it says soft; without the plugin nobody reads it. Source: volcano-sh/apis:pkg/apis/batch/v1alpha1/job.go,
  // volcano-sh/volcano:docs/user-guide/how_to_use_network_topology_aware_scheduling.md (1.15).
  if (const Node topology = spec["networkTopology"]; topology.is_mapping() && topology["mode"].text() != "soft") {
    // Without a tier it is not hard either. Source: volcano-sh/volcano:pkg/scheduler/api/job_info.go (1.15).
    work.gang.highest_tier = topology["highestTierName"].exists() ? unknown_until<std::int64_t>("which tier `highestTierName` means", topology.key_where())
                                                                  : read_int(topology["highestTierAllowed"], "highestTierAllowed", context.findings);
  }
  finish_pod_workload(std::move(work), context);
}

}  // namespace muster::volcano_job
