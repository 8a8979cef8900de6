#include "observe/units.h"

#include <algorithm>

#include "base/capped.h"
#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kPodsInCommand = 100;

bool by_group(const PodRecord& pod) { return pod.group && (pod.group->made_by_user || pod.owner.kind == "Pod"); }

/// Fit for a command line as it is: names of Kubernetes objects, and label selectors made of them.
bool is_plain(std::string_view text) {
  return !text.empty() && text.front() != '-' && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '/' || c == '=' || c == ',';
  });
}

/// How many gangs the pods of an owner are in.
using OwnerUse = std::map<std::string, std::set<const PodUnit*>>;
std::string owner_key(const PodRecord& pod) { return pod.space + "/" + pod.owner.kind + "/" + pod.owner.name; }

/// The owner that all pods of a unit have, and no pod of another.
const PodRecord* sole_owner(const PodUnit& unit, const OwnerUse& use) {
  const PodRecord* first = unit.pods.front();
  for (const PodRecord* pod : unit.pods) {
    if (owner_key(*pod) != owner_key(*first)) return nullptr;
  }
  return use.at(owner_key(*first)).size() == 1 ? first : nullptr;
}

std::string command_for(const PodUnit& unit, const PodRecord* sole) {
  const std::string& space = unit.shown.space;
  if (!is_plain(space)) return "";
  const std::string begin = "kubectl delete -n " + space + " ";
  if (sole != nullptr && !sole->owner.selector.empty())
    return is_plain(sole->owner.selector) ? begin + "pods -l " + sole->owner.selector : "";
  if (sole != nullptr && !sole->owner.resource.empty())
    return is_plain(sole->owner.name) ? begin + sole->owner.resource + "/" + sole->owner.name : "";
  std::string out = begin + "pods";
  std::size_t count = 0;
  for (const PodRecord* pod : unit.pods) {
    if (pod->state != PodState::Bound && pod->state != PodState::Pending) continue;
    if (!is_plain(pod->name) || ++count > kPodsInCommand) return "";
    out += " " + pod->name;
  }
  return count > 0 ? out : "";
}

void count_pods(PodUnit& unit) {
  std::map<std::string, ObservedHold> holds;
  bool all_gated = true;
  for (const PodRecord* pod : unit.pods) {
    switch (pod->state) {
      case PodState::Bound: {
        ++unit.shown.bound;
        unit.shown.gpus = add_capped(unit.shown.gpus, pod->gpus);
        ObservedHold& hold = holds[pod->node];
        hold.node = pod->node;
        ++hold.pods;
        hold.gpus = add_capped(hold.gpus, pod->gpus);
        break;
      }
      case PodState::Pending:
        ++unit.shown.pending;
        unit.wanted_gpus = add_capped(unit.wanted_gpus, pod->gpus);
        unit.gpus_known = unit.gpus_known && pod->gpus_known;
        unit.judged = unit.judged || pod->reason == "Unschedulable";
        all_gated = all_gated && pod->reason == "SchedulingGated";
        break;
      case PodState::Done: ++unit.shown.done; break;
      case PodState::Failed:
      case PodState::Leaving: break;
    }
    if (pod->coupling > unit.coupling) unit.coupling = pod->coupling, unit.coupling_why = pod->coupling_why;
  }
  unit.gated = unit.shown.pending > 0 && all_gated;
  for (auto& [node, hold] : holds) unit.shown.holds.push_back(std::move(hold));
}

/// What others say about the gang, where its pods carry no message.
void find_message(PodUnit& unit, const Snapshot& snapshot, const PodGroupRecord* group) {
  if (group != nullptr && !group->message.empty()) unit.message = group->message;
  const PodRecord& first = *unit.pods.front();
  std::vector<std::string> about;
  if (first.group) about.push_back(first.space + "/PodGroup/" + first.group->name);
  about.push_back(first.space + "/" + (first.owner.object.empty() ? "Pod/" + first.name : first.owner.object));
  for (const std::string& key : about) {
    const auto remark = snapshot.remarks.find(key);
    if (unit.message.empty() && remark != snapshot.remarks.end()) unit.message = remark->second.message;
  }
}

void collect_waits(PodUnit& unit, const Snapshot& snapshot) {
  std::map<std::tuple<std::int64_t, bool, std::string, std::string>, ObservedWait> waits;
  for (const PodRecord* pod : unit.pods) {
    if (pod->state != PodState::Pending) continue;
    std::string message = pod->message;
    const auto remark = snapshot.remarks.find(pod->space + "/Pod/" + pod->name);
    if (message.empty() && remark != snapshot.remarks.end()) message = remark->second.message;
    if (message.empty()) message = unit.message;
    const Tell* tell = recognise_tell(message);
    if (tell == nullptr && !unit.message.empty()) tell = recognise_tell(unit.message);
    ObservedWait& wait = waits[{-pod->gpus, pod->gpus_known, tell == nullptr ? "" : std::string(tell->id),
                                tell == nullptr ? message : ""}];
    ++wait.pods;
    wait.gpus_each = pod->gpus;
    wait.gpus_known = pod->gpus_known;
    if (wait.message.empty()) wait.message = message;
    if (tell != nullptr) wait.tell = tell->id, wait.meaning = tell->meaning;
  }
  for (auto& [key, wait] : waits) unit.shown.waits.push_back(std::move(wait));
}

const WorkloadRecord* workload_of(const PodRecord& pod, const Snapshot& snapshot) {
  const auto found = snapshot.workloads.find(pod.space + "/" + pod.owner.object);
  return found == snapshot.workloads.end() ? nullptr : &found->second;
}

/// The queue of its PodGroup, else of its workload, else what its pods name.
std::string queue_of(const PodUnit& unit, const Snapshot& snapshot, const PodGroupRecord* group) {
  if (group != nullptr && !group->queue.empty()) return group->queue;
  const PodRecord& first = *unit.pods.front();
  const WorkloadRecord* workload = workload_of(first, snapshot);
  return workload != nullptr && !workload->queue.empty() ? workload->queue : first.queue;
}

/// The least number of pods that a scheduler or the user names, and where.
std::optional<std::int64_t> declared_size(const PodUnit& unit, const PodGroupRecord* group,
                                          const WorkloadRecord* workload, std::string& from) {
  if (group != nullptr && group->min && *group->min > 1) return from = group->min_from, group->min;
  for (const PodRecord* pod : unit.pods) {
    if (pod->size && *pod->size > 1) return from = pod->size_from, pod->size;
  }
  if (group == nullptr && workload != nullptr && workload->asked && *workload->asked > 1)
    return from = workload->asked_from, workload->asked;
  for (const ObservedWait& wait : unit.shown.waits) {
    for (const std::string& message : {wait.message, unit.message}) {
      const Tell* tell = recognise_tell(message);
      const auto said = tell == nullptr ? std::nullopt : needs_in(*tell, message);
      if (said && *said > 1) return from = "the scheduler's message", said;
    }
  }
  return std::nullopt;
}

void find_needs(PodUnit& unit, const Snapshot& snapshot, const PodGroupRecord* group, const PodRecord* sole) {
  std::string from;
  const WorkloadRecord* workload = sole == nullptr ? nullptr : workload_of(*sole, snapshot);
  const std::optional<std::int64_t> declared = declared_size(unit, group, workload, from);
  if (unit.coupling == Coupling::Coupled && sole != nullptr) {
    if (workload != nullptr && workload->size) {
      unit.shown.needs = workload->size;
      unit.shown.needs_from = "size of the " + sole->owner.kind;
      return;
    }
  }
  if (declared) {
    unit.shown.needs = declared;
    unit.shown.needs_from = from;
    // One that is coupled needs all its pods, even if the scheduler was asked to place fewer together.
    const std::int64_t there = unit.shown.bound + unit.shown.pending + unit.shown.done;
    if (unit.coupling != Coupling::Coupled || *declared >= there) return;
    unit.shown.needs.reset();
  }
  const bool has_controller = sole != nullptr && !sole->owner.resource.empty() && sole->owner.resource != "pods";
  const std::string& decides = has_controller ? sole->owner.resource : unit.group_api;
  if (!decides.empty()) unit.shown.needs_from = "kubectl get " + decides + " -A -o json";
}

/// What can be said without looking at nodes.
void judge_alone(PodUnit& unit) {
  ObservedGang& shown = unit.shown;
  const std::int64_t there = shown.bound + shown.done;
  if (shown.pending == 0 && (!shown.needs || there >= *shown.needs)) return void(shown.state = GangState::Runs);
  if (shown.needs && there >= *shown.needs) {
    shown.state = GangState::Runs;
    shown.why = "has the pods it needs; those that wait are beyond them";
    return;
  }
  if (shown.bound == 0) return void(shown.state = GangState::Waits);
  if (shown.pending == 0) {
    shown.state = GangState::Undecided;
    shown.why = count_of(static_cast<std::size_t>(*shown.needs - there), "pod") + " that it needs " +
                (*shown.needs - there == 1 ? "does" : "do") + " not exist: not made yet, or gone";
    return;
  }
  const bool coupled = unit.coupling == Coupling::Coupled || shown.needs;
  if (!coupled) {
    const bool alone = unit.coupling == Coupling::Independent || unit.ends == Ends::No;
    shown.state = alone ? GangState::Independent : GangState::Undecided;
    shown.why = alone ? "its pods do not need each other"
                : unit.coupling == Coupling::Elastic
                    ? "its pods take part as they come; the least number is not in the input"
                : unit.grouped ? "how many of its pods its group wants together is not in the input"
                               : "whether its pods need each other is not in the input";
    return;
  }
  unit.missing = shown.needs ? std::min(shown.pending, *shown.needs - there) : shown.pending;
  unit.candidate = true;
}

}  // namespace

std::vector<PodUnit> make_units(const Snapshot& snapshot) {
  std::map<std::tuple<std::string, std::string, std::string>, PodUnit> units;
  for (const auto& [key, pod] : snapshot.pods) {
    const bool grouped = by_group(pod);
    const std::string kind = grouped ? "PodGroup (" + pod.group->row->shown + ")" : pod.owner.kind;
    const std::string& name = grouped ? pod.group->name : pod.owner.name;
    PodUnit& unit = units[{pod.space, name, kind}];
    unit.grouped = grouped;
    unit.shown.kind = kind;
    unit.shown.space = pod.space;
    unit.pods.push_back(&pod);
  }
  OwnerUse use;
  std::map<std::string, int> names;
  for (const auto& [key, unit] : units) {
    ++names[std::get<0>(key) + "/" + std::get<1>(key)];
    for (const PodRecord* pod : unit.pods) use[owner_key(*pod)].insert(&unit);
  }
  std::vector<PodUnit> out;
  for (auto& [key, unit] : units) {
    const PodRecord& first = *unit.pods.front();
    const PodRecord* sole = sole_owner(unit, use);
    unit.shown.name = std::get<0>(key) + "/" + std::get<1>(key);
    if (names[unit.shown.name] > 1) unit.shown.name += " (" + unit.shown.kind + ")";
    unit.ends = first.owner.ends;
    const auto group = first.group
                           ? snapshot.groups.find(first.group->row->id + "/" + first.space + "/" + first.group->name)
                           : snapshot.groups.end();
    const PodGroupRecord* record = group == snapshot.groups.end() ? nullptr : &group->second;
    if (first.group && first.group->mark->has_object) unit.group_api = first.group->row->pod_group->resource();
    count_pods(unit);
    find_message(unit, snapshot, record);
    collect_waits(unit, snapshot);
    find_needs(unit, snapshot, record, sole);
    unit.shown.queue = queue_of(unit, snapshot, record);
    judge_alone(unit);
    unit.shown.evict = command_for(unit, sole);
  }
  for (auto& [key, unit] : units) out.push_back(std::move(unit));
  std::ranges::stable_sort(out, {}, [](const PodUnit& unit) { return unit.shown.name; });
  return out;
}

}  // namespace muster
