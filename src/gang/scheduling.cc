#include "gang/scheduling.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/capped.h"
#include "base/strings.h"
#include "gang/manifest.h"
#include "gang/pod_template.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::string_view kDefaultScheduler = "default-scheduler";

/// Where a pod says which PodGroup it belongs to. Source: docs/gangs.md.
struct Membership {
  GangSystem system;
  bool label;  ///< else annotation
  std::string_view key;
};
constexpr std::array kMemberships{
    Membership{GangSystem::Volcano, false, "scheduling.k8s.io/group-name"},
    Membership{GangSystem::Coscheduling, true, "scheduling.x-k8s.io/pod-group"},
    Membership{GangSystem::Koordinator, true, "pod-group.scheduling.sigs.k8s.io"},
    Membership{GangSystem::Kai, false, "pod-group-name"},
};

/// Any of them makes Kueue place the pods itself. Source: kubernetes-sigs/kueue:site/data/labels_and_annotations.yaml (0.14).
constexpr std::array<std::string_view, 5> kTopologyAnnotations{
    "kueue.x-k8s.io/podset-required-topology", "kueue.x-k8s.io/podset-preferred-topology", "kueue.x-k8s.io/podset-unconstrained-topology",
    "kueue.x-k8s.io/podset-slice-required-topology", "kueue.x-k8s.io/podset-slice-required-topology-constraints"};

class Resolver {
 public:
  Resolver(PodWorkload& workload, std::vector<Finding>& findings) : work_(workload), gang_(workload.gang), findings_(findings) {}

  void run() {
    read_memberships();
    read_coupling_evidence();
    kueue_queue_ = read_label(work_.metadata, "kueue.x-k8s.io/queue-name", findings_);
    find_path();
    gang_.evidence.push_back("schedulerName");
    find_queue();
    find_topology();
  }

 private:
  Node template_metadata(std::size_t role) const { return work_.templates[role]["metadata"]; }
  Node template_spec(std::size_t role) const { return work_.templates[role]["spec"]; }

  /// K is `value` because nobody said otherwise; the place is the gang's own.
  Located<std::int64_t> by_default(std::int64_t value, std::string_view field = {}) const {
    return defaulted_to(value, gang_.where, field);
  }

  // --- who the pods say they belong to ---

  void read_memberships() {
    for (std::size_t i = 0; i < work_.templates.size(); ++i) {
      const Node native = template_spec(i)["schedulingGroup"]["podGroupName"];
      if (native.exists()) belong(GangSystem::Native, read_text(native, "schedulingGroup.podGroupName", findings_));
      for (const Membership& membership : kMemberships) {
        const Node metadata = template_metadata(i);
        const Located<std::string> label = read_label(metadata, membership.key, findings_);
        const Located<std::string> annotation = read_annotation(metadata, membership.key, findings_);
        const Located<std::string>& right = membership.label ? label : annotation;
        const Located<std::string>& wrong = membership.label ? annotation : label;
        if (right.state != State::Absent) {
          belong(membership.system, right);
        } else if (wrong.is_set() && membership.system != GangSystem::Kai) {
          gang_.stray_membership = wrong;
        }
      }
    }
    // The right key somewhere makes the wrong one harmless decoration.
    if (gang_.pod_group.state != State::Absent) gang_.stray_membership = {};
  }

  void belong(GangSystem system, Located<std::string> group) {
    if (gang_.pod_group.state != State::Absent) return;
    gang_.pod_group_system = system;
    gang_.pod_group = std::move(group);
  }

  void read_coupling_evidence() {
    bool accelerators = false;
    std::int64_t pods = 0;
    for (const Role& role : gang_.roles) {
      accelerators = accelerators || role.accelerator.is_set() || role.gpus_each.unknown();
      pods = add_capped(pods, role.count.known() ? role.count.value : 2);
    }
    CouplingEvidence best;
    for (std::size_t i = 0; i < work_.templates.size(); ++i) {
      CouplingEvidence found = read_coupling(template_spec(i));
      if (found.verdict == CouplingEvidence::Verdict::Coupled || best.verdict == CouplingEvidence::Verdict::None) best = std::move(found);
      if (best.verdict == CouplingEvidence::Verdict::Coupled) break;
    }
    if (best.elastic) gang_.elastic = set_to(true, best.where, "--nnodes");
    // Whatever a controller would allow: this many processes wait for each other.
    if (best.fixed && !best.elastic) gang_.elastic = set_to(false, best.where, "--nnodes");
    if (best.verdict == CouplingEvidence::Verdict::Coupled) {
      gang_.tightly_coupled = set_to(true, best.where, "command");
      gang_.evidence.push_back(best.what);
    } else if (work_.coupling == PodWorkload::Coupling::ByKind) {
      gang_.tightly_coupled = defaulted_to(true, gang_.where, "kind");
    } else if (best.verdict == CouplingEvidence::Verdict::Independent || !accelerators || pods < 2 ||
               work_.coupling == PodWorkload::Coupling::NeverByItself) {
      gang_.tightly_coupled = defaulted_to(false, gang_.where);
    } else {
      gang_.tightly_coupled = unknown_until<bool>(
          "whether its pods run one collective (`tightly_coupled` of its workload)", gang_.where);
    }
    if (gang_.elastic.state == State::Absent) gang_.elastic = defaulted_to(false, gang_.where);
  }

  // --- which scheduler ---

  void find_path() {
    gang_.requested = work_.requested;
    std::set<std::string_view> names;
    for (const Role& role : gang_.roles) {
      if (role.helper) continue;
      if (role.scheduler.unknown()) return unknown_path(role.scheduler.needs, role.scheduler.where);
      names.insert(role.scheduler.is_set() ? std::string_view(role.scheduler.value) : kDefaultScheduler);
    }
    gang_.mixed_schedulers = names.size() > 1;
    if (gang_.mixed_schedulers) return mixed();
    const std::string_view name = names.empty() ? kDefaultScheduler : *names.begin();
    const Role* role = gang_.roles.empty() ? nullptr : &gang_.roles.front();
    name_where_ = role == nullptr ? gang_.where : role->scheduler.where;
    named_ = role != nullptr && role->scheduler.is_set();
    if (named_) gang_.scheduler_name = role->scheduler;
    if (name == "volcano") return volcano();
    if (name == "kai-scheduler" || name == "runai-scheduler") return kai(name);
    if (name == "yunikorn") return yunikorn();
    if (name == "koord-scheduler") return hold_and_release("koordinator");
    if (name == "scheduler-plugins-scheduler") return hold_and_release("coscheduling");
    if (name == "slurm-bridge-scheduler") return slurm_bridge();
    if (name == kDefaultScheduler) return default_scheduler();
    unknown_path("what scheduler `" + std::string(name) + "` does with gangs", name_where_);
  }

  void decide(std::string_view scheduler, Path path, Mechanism mechanism, Located<std::int64_t> guaranteed) {
    gang_.scheduler = named_ ? set_to(std::string(scheduler), name_where_, "schedulerName")
                             : defaulted_to(std::string(scheduler), name_where_, "schedulerName");
    gang_.path = named_ ? set_to(path, name_where_, "schedulerName") : defaulted_to(path, name_where_, "schedulerName");
    gang_.mechanism = defaulted_to(mechanism, name_where_, "schedulerName");
    gang_.guaranteed = std::move(guaranteed);
  }

  void unknown_path(const std::string& needs, Span where) {
    gang_.scheduler = unknown_until<std::string>(needs, where, "schedulerName");
    gang_.path = unknown_until<Path>(needs, where, "schedulerName");
    gang_.mechanism = unknown_until<Mechanism>(needs, where, "schedulerName");
    gang_.guaranteed = unknown_until<std::int64_t>(needs, where);
  }

  void mixed() {
    for (const Role& role : gang_.roles) {
      if (role.scheduler.is_set() && role.scheduler.value != kDefaultScheduler) name_where_ = role.scheduler.where;
    }
    named_ = true;
    decide("mixed", Path::Mixed, Mechanism::PerPod, by_default(1));
  }

  /// The PodGroup says K; which one it is, link() finds out.
  bool group_decides(GangSystem system) const { return gang_.pod_group.known() && gang_.pod_group_system == system; }
  Located<std::int64_t> by_group() const {
    return unknown_until<std::int64_t>("PodGroup `" + gang_.pod_group.value + "`", gang_.pod_group.where, "minMember");
  }

  void volcano() {
    if (group_decides(GangSystem::Volcano)) return decide("volcano", Path::In, Mechanism::Atomic, by_group());
    decide("volcano", Path::In, Mechanism::Atomic,
           work_.volcano.state != State::Absent ? work_.volcano : by_default(1, "scheduling.volcano.sh/group-min-member"));
  }

  void kai(std::string_view name) {
    const std::string_view word = name == "kai-scheduler" ? "kai" : "runai";
    if (group_decides(GangSystem::Kai)) return decide(word, Path::In, Mechanism::Atomic, by_group());
    decide(word, Path::In, Mechanism::Atomic, work_.kai.state != State::Absent ? work_.kai : by_default(1));
  }

  /// Task groups stand on the pod that starts the application. Soft, the default, gives up the gang after a timeout.
  void yunikorn() {
    Located<std::string> groups;
    Located<std::string> parameters;
    for (std::size_t i = 0; i < work_.templates.size() && !groups.is_set(); ++i) {
      groups = read_annotation(template_metadata(i), "yunikorn.apache.org/task-groups", findings_);
      parameters = read_annotation(template_metadata(i), "yunikorn.apache.org/schedulingPolicyParameters", findings_);
    }
    if (groups.state == State::Absent) return decide("yunikorn", Path::In, Mechanism::PerPod, by_default(1));
    const bool hard = contains(parameters.value, "gangSchedulingStyle=Hard");
    decide("yunikorn", Path::In, hard ? Mechanism::HoldAndRelease : Mechanism::PerPod,
           unknown_until<std::int64_t>("the task groups of YuniKorn", groups.where, "minMember"));
  }

  void hold_and_release(std::string_view word) {
    const GangSystem system = word == "koordinator" ? GangSystem::Koordinator : GangSystem::Coscheduling;
    if (group_decides(system)) return decide(word, Path::In, Mechanism::HoldAndRelease, by_group());
    for (std::size_t i = 0; system == GangSystem::Koordinator && i < work_.templates.size(); ++i) {
      const Located<std::int64_t> min =
          read_count_annotation(template_metadata(i), "gang.scheduling.koordinator.sh/min-available", findings_);
      if (min.state != State::Absent) return decide(word, Path::In, Mechanism::HoldAndRelease, min);
    }
    decide(word, Path::In, Mechanism::PerPod, by_default(1));
  }

  /// One Slurm job a pod unless the pods are grouped. Source: SlinkyProject/slurm-bridge:docs/workload.md (1.2.1).
  void slurm_bridge() {
    const bool grouped = group_decides(GangSystem::Coscheduling) || group_decides(GangSystem::Native);
    decide("slurm-bridge", Path::In, Mechanism::Atomic, grouped ? by_group() : by_default(1));
  }

  void default_scheduler() {
    if (kueue_queue_.state != State::Absent) return kueue();
    if (!gang_.operator_setting.empty()) {
      const std::string needs = gang_.operator_setting;
      unknown_path(needs, name_where_);
      gang_.guaranteed = unknown_until<std::int64_t>(needs, gang_.where);
      return;
    }
    if (gang_.pod_group.state != State::Absent) {
      switch (*gang_.pod_group_system) {
        case GangSystem::Native:
          return unknown_path("the Kubernetes feature gate GenericWorkload", gang_.pod_group.where);
        case GangSystem::Coscheduling:
        case GangSystem::Koordinator:
          return unknown_path("whether the scheduler profile default-scheduler has the coscheduling plugin",
                              gang_.pod_group.where);
        case GangSystem::Volcano:
        case GangSystem::Kai:
        case GangSystem::Kueue: break;  // these groups are read by their own scheduler alone
      }
    }
    decide("default", Path::Out, Mechanism::PerPod, by_default(1));
  }

  void kueue() {
    if (!work_.kueue) return unknown_path(std::string(work_.kueue_setting), kueue_queue_.where);
    bool topology = false;
    for (std::size_t i = 0; i < work_.templates.size(); ++i) {
      for (const std::string_view key : kTopologyAnnotations) {
        topology = topology || template_metadata(i)["annotations"][key].exists();
      }
    }
    name_where_ = kueue_queue_.where;
    named_ = true;
    Located<std::int64_t> admitted = read_count_annotation(work_.metadata, "kueue.x-k8s.io/job-min-parallelism", findings_);
    if (admitted.state == State::Absent) {
      admitted = total_of(gang_);
      admitted.field = "kueue.x-k8s.io/queue-name";
    }
    decide("kueue", Path::In, topology ? Mechanism::Atomic : Mechanism::Quota, std::move(admitted));
  }

  // --- which queue ---

  void find_queue() {
    if (gang_.queue.state != State::Absent) return;  // the kind has a field of its own
    if (kueue_queue_.state != State::Absent) {
      gang_.queue = kueue_queue_;
    } else if (gang_.scheduler.known() && gang_.scheduler.value == "volcano") {
      gang_.queue = read_annotation(work_.metadata, "scheduling.volcano.sh/queue-name", findings_);
      if (gang_.queue.state == State::Absent) gang_.queue = read_label(work_.metadata, "volcano.sh/queue-name", findings_);
    } else if (gang_.scheduler.known() && gang_.scheduler.value == "kai") {
      gang_.queue = read_label(work_.metadata, "kai.scheduler/queue", findings_);
    }
    for (std::size_t i = 0; i < work_.templates.size() && kueue_queue_.state == State::Absent; ++i) {
      const Located<std::string> label = read_label(template_metadata(i), "kueue.x-k8s.io/queue-name", findings_);
      if (label.is_set()) gang_.queue_on_template = label;
    }
  }

  // --- where all its pods have to stand ---

  void find_topology() {
    if (gang_.required_topology.state != State::Absent || !gang_.scheduler.known()) return;
    if (gang_.scheduler.value == "kai") {
      gang_.required_topology = read_annotation(work_.metadata, "kai.scheduler/topology-required-placement", findings_);
    } else if (gang_.scheduler.value == "kueue") {
      find_kueue_topology();
    }
  }

  /// Kueue asks it of each pod set for itself. Source: kueue.sigs.k8s.io/docs/concepts/topology_aware_scheduling (0.14).
  void find_kueue_topology() {
    for (std::size_t i = 0; i < work_.templates.size(); ++i) {
      const Node metadata = template_metadata(i);
      const auto annotation = [&](std::string_view name) { return read_annotation(metadata, "kueue.x-k8s.io/podset-" + std::string(name), findings_); };
      Role& role = gang_.roles[i];
      (work_.templates.size() == 1 ? gang_.required_topology : role.required_topology) = annotation("required-topology");
      role.slice_topology = annotation("slice-required-topology");
      const Located<std::string> size = annotation("slice-size");
      const std::optional<std::int64_t> number = size.is_set() ? parse_int(size.value) : std::nullopt;
      if (number && *number > 0) role.slice = set_to(*number, size.where);
      for (const std::string_view other : {"group-name", "slice-required-topology-constraints"}) {
        if (const Located<std::string> more = annotation(other); more.state != State::Absent) {
          gang_.required_topology = unknown_until<std::string>("what `podset-" + std::string(other) + "` leaves", more.where);
        }
      }
    }
  }

  PodWorkload& work_;
  Gang& gang_;
  std::vector<Finding>& findings_;
  Located<std::string> kueue_queue_;
  Span name_where_;
  bool named_ = false;
};

}  // namespace

void add_role(PodWorkload& workload, const Node& pod_template, Located<std::string> name, Located<std::int64_t> count,
              const NormaliseContext& context) {
  Role role = read_role(pod_template, std::move(name), context.findings);
  role.count = std::move(count);
  workload.gang.roles.push_back(std::move(role));
  workload.templates.push_back(pod_template);
}

PodWorkload single_role_workload(const Artifact& artifact, const Node& pod_template, Located<std::int64_t> count,
                                 const NormaliseContext& context) {
  PodWorkload workload;
  static_cast<Object&>(workload.gang) = read_object(artifact, context);
  workload.metadata = artifact.object["metadata"];
  workload.gang.evidence.emplace_back(count.field);
  add_role(workload, pod_template, defaulted_to<std::string>("pods", workload.gang.where), std::move(count), context);
  return workload;
}

void finish_pod_workload(PodWorkload workload, const NormaliseContext& context) {
  workload.gang.workload = read_annotation(workload.metadata, "muster.dev/workload", context.findings);
  Resolver(workload, context.findings).run();
  fill_sums(workload.gang);
  context.model.gangs.push_back(std::move(workload.gang));
}

}  // namespace muster
