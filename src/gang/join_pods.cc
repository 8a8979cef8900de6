#include "gang/join_pods.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/capped.h"
#include "gang/coupling.h"
#include "gang/joined_gangs.h"

namespace muster {
namespace {

using GroupKey = std::tuple<std::string, std::string, GangSystem, std::string, std::string>;

bool is_pod_of_group(const Gang& gang) {
  return gang.kind == "Pod" && gang.group.empty() && gang.pod_group->is_set() && gang.pod_group_system &&
         gang.roles.size() == 1;
}

/// Bundle, namespace, group and scheduler.
GroupKey key_of(const Gang& gang) {
  const std::string scheduler = gang.scheduler_name.is_set() ? gang.scheduler_name.value : std::string();
  return {gang.bundle, gang.space, *gang.pod_group_system, gang.pod_group->value, scheduler};
}

bool is_written(const Located<std::int64_t>& value) { return value.unknown() || value.is_set(); }

void add_task_groups(Gang& gang, const Gang& more) {
  for (const TaskGroup& group : more.task_groups) {
    if (std::ranges::find(gang.task_groups, group.name, &TaskGroup::name) == gang.task_groups.end())
      gang.task_groups.push_back(group);
  }
}

class PodJoiner {
 public:
  PodJoiner(Model& model, const SchedulerBook& book) : model_(model), book_(book) {}

  void run() {
    std::map<GroupKey, std::vector<std::size_t>> groups;
    for (std::size_t g = 0; g < model_.gangs.size(); ++g) {
      if (is_pod_of_group(model_.gangs[g])) groups[key_of(model_.gangs[g])].push_back(g);
    }
    std::set<std::size_t> gone;
    for (const auto& [key, pods] : groups) {
      for (const std::vector<std::size_t>& members : parted(pods)) {
        join(members);
        if (members.size() > 1) gone.insert(members.begin() + 1, members.end());
      }
    }
    erase_gangs(model_, gone);
  }

 private:
  /// Two Pods of one name are not there at once: each file is a version of the gang then.
  std::vector<std::vector<std::size_t>> parted(const std::vector<std::size_t>& pods) const {
    std::set<std::string_view> names;
    bool twice = false;
    std::map<std::string_view, std::vector<std::size_t>> by_file;
    for (const std::size_t g : pods) {
      const Gang& gang = model_.gangs[g];
      if (gang.name.is_set()) twice = !names.insert(gang.name.value).second || twice;
      by_file[gang.file].push_back(g);
    }
    if (!twice) return {pods};
    std::vector<std::vector<std::size_t>> out;
    for (auto& [file, members] : by_file) out.push_back(std::move(members));
    return out;
  }

  void join(const std::vector<std::size_t>& members) {
    Gang& gang = model_.gangs[members.front()];
    const std::vector<const Gang*> all = [&] {
      std::vector<const Gang*> out;
      for (const std::size_t m : members) out.push_back(&model_.gangs[m]);
      return out;
    }();
    if (all.size() == 1) return count_made_alike(gang);
    Gang out = gang;
    out.roles.clear();
    out.task_groups.clear();
    for (const Gang* one : all) {
      out.joined.emplace_back(one->file, one->id);
      Role role = one->roles.front();
      role.name = one->name;
      add_joined_role(out, std::move(role));
      add_task_groups(out, *one);
      if (one->tightly_coupled.is_set() && one->tightly_coupled.value) out.tightly_coupled = one->tightly_coupled;
      if (one->elastic.is_set()) out.elastic = one->elastic;
      out.works_alone = out.works_alone || one->works_alone;
      if (out.queue.state == State::Absent) out.queue = one->queue;
      for (const SharedText& field : one->evidence) {
        if (std::ranges::find(out.evidence, field) == out.evidence.end()) out.evidence.push_back(field);
      }
    }
    if (out.roles.size() == 1) out.roles.front().name = defaulted_to<std::string>("pods", out.where);
    out.id = out.id.substr(0, out.id.size() - out.name.value.size()) + out.pod_group->value;
    out.name = out.pod_group;
    settle_minimum(out, all);
    count_made_alike(out);
    settle_coupling(out);
    gang = std::move(out);
  }

  /// One manifest of which somebody makes as many Pods as the group says it has.
  void count_made_alike(Gang& gang) const {
    if (!gang.remarks->pod_group_total->known() || gang.remarks->pod_group_total->state == State::Absent ||
        gang.roles.size() != 1)
      return;
    Role& role = gang.roles.front();
    if (!role.count.known() || gang.remarks->pod_group_total->value <= role.count.value) return;
    const bool all = gang.guaranteed.known() && gang.guaranteed.value == role.count.value;
    role.count = gang.remarks->pod_group_total;
    if (all) gang.guaranteed.value = gang.remarks->pod_group_total->value;
  }

  /// Of a group without an object: what one of its Pods says, all of them where it is admitted as a whole.
  void settle_minimum(Gang& gang, const std::vector<const Gang*>& pods) const {
    if (gang.guaranteed.unknown() && gang.guaranteed.field == "minMember") return;  // its PodGroup says it
    if (gang.pod_group_is_object) return;
    if (!gang.task_groups.empty()) {
      std::int64_t sum = 0;
      for (const TaskGroup& group : gang.task_groups) sum = add_capped(sum, group.min);
      for (const Gang* pod : pods) {
        if (pod->task_groups.empty()) continue;
        gang.mechanism = pod->mechanism;
        gang.requested = gang.guaranteed = set_to(sum, pod->requested.where, "minMember");
        return;
      }
    }
    const Scheduler* row = gang.scheduler.known() ? book_.find(gang.scheduler.value) : nullptr;
    if (row != nullptr && row->admits) {
      gang.guaranteed.value = total_of(gang).value;
      return;
    }
    for (const Gang* pod : pods) {
      if (is_written(pod->guaranteed)) gang.guaranteed = pod->guaranteed;
    }
  }

  static void settle_coupling(Gang& gang) {
    if (gang.tightly_coupled.is_set() && gang.tightly_coupled.value) return;
    std::int64_t pods = 0;  // with accelerators
    for (const Role& role : gang.roles) {
      if (role.accelerator.is_set() || role.gpus_each.unknown())
        pods = add_capped(pods, role.count.known() ? role.count.value : 2);
    }
    if (pods > 1 && !gang.works_alone) judge_by_shape(gang);
  }

  Model& model_;
  const SchedulerBook& book_;
};

}  // namespace

void join_pods(Model& model, const SchedulerBook& book) { PodJoiner(model, book).run(); }

}  // namespace muster
