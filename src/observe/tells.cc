#include "observe/tells.h"

#include <array>

#include "base/strings.h"

namespace muster {
namespace {

// Sources, at the versions named: volcano-sh/volcano:pkg/scheduler/plugins/gang/gang.go,
// pkg/scheduler/api/unschedule_info.go and pkg/scheduler/plugins/{overcommit,proportion} (1.15);
// kubernetes-sigs/scheduler-plugins:pkg/coscheduling/{coscheduling.go, core/core.go} (0.34);
// kai-scheduler/KAI-Scheduler: pkg/scheduler/actions/common/allocate.go (0.17);
// kubernetes-sigs/kueue:pkg/scheduler/flavorassigner, pkg/cache/scheduler/ tas_flavor_snapshot.go,
// apis/kueue/v1beta2/workload_types.go (0.19); kubernetes/kubernetes:pkg/scheduler/framework/types.go,
// plugins/{noderesources,tainttoleration,nodeaffinity,schedulinggates,gangscheduling} (1.37);
// apache/yunikorn-k8shim:pkg/cache (1.9). The more telling texts first: one message may hold several.
constexpr std::array kTells{
    Tell{"volcano-gang", "pod group is not ready", "Volcano: fewer pods of the gang have a place than its minAvailable",
         TellAbout::Gang, " minAvailable"},
    Tell{"volcano-valid-tasks", "Not enough valid tasks for gang-scheduling",
         "Volcano: fewer pods of the gang exist than its minAvailable", TellAbout::Gang, "min: "},
    Tell{"volcano-enqueue", "resource in cluster is overused",
         "Volcano: the overcommit plugin does not let the gang into the queue, what runs already takes more than it "
         "allows",
         TellAbout::Quota, ""},
    Tell{"volcano-quota", "queue resource quota insufficient", "Volcano: the quota of the queue is used up",
         TellAbout::Quota, ""},
    Tell{"siblings", "cannot find enough sibling pods",
         "coscheduling: fewer pods of the PodGroup exist than its minMember", TellAbout::Gang, "minMember of group: "},
    Tell{"permit-timeout", "rejection due to timeout / unreserve",
         "coscheduling: the PodGroup did not come together in time, all its waiting pods gave their places back",
         TellAbout::Gang, ""},
    Tell{"kai-gang", "are required for gang scheduling", "KAI: there is room for some pods of the gang only",
         TellAbout::Gang, " are required for gang scheduling"},
    Tell{"native-quorum", "waiting for minCount pods from a gang",
         "kube-scheduler: fewer pods of the gang exist than its minCount", TellAbout::Gate, ""},
    Tell{"native-min-count", "cannot be satisfied",
         "kube-scheduler: fewer pods of the gang find a place than its minCount", TellAbout::Gang, ""},
    Tell{"kueue-topology", "no topology domains at level",
         "Kueue: no domain of the topology has room for the whole gang", TellAbout::Room, ""},
    Tell{"kueue-quota", "couldn't assign flavors to pod set", "Kueue: the quota does not take the whole gang",
         TellAbout::Quota, ""},
    Tell{"kueue-ready-timeout", "PodsReadyTimeout",
         "Kueue: admitted, but not all pods became ready in time; it is evicted and comes back", TellAbout::Gang, ""},
    Tell{"kueue-not-ready", "exceeded the PodsReady timeout",
         "Kueue: admitted, but not all pods became ready in time; it is evicted and comes back", TellAbout::Gang, ""},
    Tell{"kueue-admitted", "QuotaReserved=True, PodsReady=False",
         "Kueue: the quota took the whole gang, the nodes did not", TellAbout::Room, ""},
    Tell{"yunikorn-reservation", "ResourceReservationTimeout",
         "YuniKorn: the placeholders of the gang did not all find a place in time", TellAbout::Gang, ""},
    Tell{"insufficient", "Insufficient ", "no node that it may use has enough free", TellAbout::Room, ""},
    Tell{"taint", "had untolerated taint", "the nodes have taints that the pod does not tolerate", TellAbout::Nodes,
         ""},
    Tell{"affinity", "didn't match Pod's node affinity/selector",
         "the node selector or node affinity of the pod leaves no node", TellAbout::Nodes, ""},
    Tell{"unschedulable-node", "were unschedulable", "the nodes are cordoned", TellAbout::Nodes, ""},
    Tell{"gated", "SchedulingGated",
         "the pod has scheduling gates: whoever set them (Kueue, an operator) has to remove them", TellAbout::Gate, ""},
    Tell{"gates", "scheduling is blocked due to non-empty scheduling gates",
         "the pod has scheduling gates: whoever set them (Kueue, an operator) has to remove them", TellAbout::Gate, ""},
};

using enum SlurmReason::Kind;

// Source: SchedMD/slurm:src/common/job_state_reason.c (22.05-26.05) and
// <https://slurm.schedmd.com/job_reason_codes.html>. Sorted.
constexpr std::array kReasons{
    SlurmReason{"AssocGrpGRES", "the GPUs of its account are used up by the account's other jobs", Limit},
    SlurmReason{"AssocGrpNodeLimit", "the nodes of its account are used up by the account's other jobs", Limit},
    SlurmReason{"AssocMaxGRESPerJob", "asks for more GPUs than its account may have in one job", Never},
    SlurmReason{"AssocMaxJobsLimit", "its account runs as many jobs as it may", Limit},
    SlurmReason{"BadConstraints", "no node has what it asks for", Never},
    SlurmReason{"BeginTime", "its start time is not there yet", Time},
    SlurmReason{"Dependency", "waits for another job to end", Time},
    SlurmReason{"DependencyNeverSatisfied", "the job that it depends on cannot end as it should any more", Never},
    SlurmReason{"InactiveLimit", "it was inactive for too long", Person},
    SlurmReason{"InvalidAccount", "its account is not valid", Never},
    SlurmReason{"InvalidQOS", "its QOS is not valid", Never},
    SlurmReason{"JobArrayTaskLimit", "as many tasks of its array run as may", Limit},
    SlurmReason{"JobHeldAdmin", "an administrator holds it", Time},
    SlurmReason{"JobHeldUser", "its owner holds it", Time},
    SlurmReason{"Licenses", "waits for a license", Limit},
    SlurmReason{"NodeDown", "a node that it needs is down", Person},
    SlurmReason{"None", "the scheduler has not looked at it yet", Time},
    SlurmReason{"NvidiaImexChannels", "no IMEX channel is free", Limit},
    SlurmReason{"PartitionConfig", "asks for what its partition does not give", Never},
    SlurmReason{"PartitionDown", "its partition is down", Person},
    SlurmReason{"PartitionInactive", "its partition is inactive", Person},
    SlurmReason{"PartitionNodeLimit", "asks for more or fewer nodes than its partition allows", Never},
    SlurmReason{"PartitionTimeLimit", "asks for more time than its partition allows", Never},
    SlurmReason{"Priority", "jobs of higher priority come first", Room},
    SlurmReason{"QOSGrpGRES", "the GPUs of its QOS are used up by other jobs", Limit},
    SlurmReason{"QOSMaxGRESPerJob", "asks for more GPUs than its QOS allows in one job", Never},
    SlurmReason{"QOSMaxGRESPerUser", "its owner uses as many GPUs as the QOS allows", Limit},
    SlurmReason{"QOSMaxJobsPerUserLimit", "its owner runs as many jobs as the QOS allows", Limit},
    SlurmReason{"ReqNodeNotAvail", "a node that it asks for by name is down, drained or reserved", Person},
    SlurmReason{"Reservation", "its reservation has not begun", Time},
    SlurmReason{"ReservationDeleted", "its reservation is gone", Never},
    SlurmReason{"Resources", "not enough is free for it", Room},
};

constexpr bool sorted_by_reason() {
  for (std::size_t i = 1; i < kReasons.size(); ++i) {
    if (kReasons[i - 1].reason >= kReasons[i].reason) return false;
  }
  return true;
}
static_assert(sorted_by_reason(), "keep kReasons sorted, without duplicates");

}  // namespace

const Tell* recognise_tell(std::string_view message) {
  for (const Tell& tell : kTells) {
    if (contains(message, tell.text)) return &tell;
  }
  return nullptr;
}

std::optional<std::int64_t> needs_in(const Tell& tell, std::string_view message) {
  if (tell.number.empty()) return std::nullopt;
  const std::size_t at = message.find(tell.number);
  if (at == message.npos) return std::nullopt;
  constexpr std::string_view kDigits = "0123456789";
  if (tell.number.front() == ' ') {  // the number stands before
    const std::size_t begin = at == 0 ? at : message.find_last_not_of(kDigits, at - 1) + 1;
    return parse_int(message.substr(begin, at - begin));
  }
  const std::string_view behind = message.substr(at + tell.number.size());
  return parse_int(behind.substr(0, std::min(behind.find_first_not_of(kDigits), behind.size())));
}

const SlurmReason* slurm_reason(std::string_view reason) {
  const std::string_view word = reason.substr(0, std::min(reason.find_first_of(" ,("), reason.size()));
  for (const SlurmReason& known : kReasons) {
    if (known.reason == word) return &known;
  }
  return nullptr;
}

}  // namespace muster
