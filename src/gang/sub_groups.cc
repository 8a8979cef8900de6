#include "gang/sub_groups.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "base/capped.h"

namespace muster {
namespace {

std::string group_words(const PodGroup& group) { return "PodGroup `" + group.name.value + "`"; }

Located<std::int64_t> unknown_count(std::string needs, Span where) {
  return unknown_until<std::int64_t>(std::move(needs), where, "minMember");
}

class SubGroupReader {
 public:
  SubGroupReader(Model& model, const PodGroup& group, const std::vector<std::size_t>& members,
                 const SchedulerBook& book)
      : model_(model), group_(group), members_(members), book_(book) {
    for (const SubGroup& one : group_.sub_groups) {
      for (const Located<std::string>* word : {&one.name, &one.parent}) {
        if (word->unknown()) tree_open_ = word->needs();
      }
      if (!by_name_.try_emplace(one.name.value, &one).second && tree_open_.empty())
        tree_open_ =
            "which sub-group `" + one.name.value + "` of " + group_words(group_) + " counts: there are several";
      children_[one.parent.value].push_back(&one);
    }
    if (is_kai() && by_name_.contains("") && tree_open_.empty())
      tree_open_ = "the names of the sub-groups of " + group_words(group_);
  }

  void run() {
    for (const std::size_t g : members_) {
      const Located<std::int64_t>& instances = model_.gangs[g].instances;
      if (instances.state != State::Absent && !(instances.known() && instances.value == 1))
        open_ = "how all gangs of `" + model_.gangs[g].name.value + "` share " + group_words(group_);
    }
    for (const std::size_t g : members_) place(model_.gangs[g]);
    if (group_.sub_groups.empty()) return;
    if (tree_open_.empty()) {
      for (const std::size_t g : members_) join(model_.gangs[g]);
    }
    if (open_.empty()) open_ = tree_open_;
    if (open_.empty() && is_kai()) open_ = leaf_without_pods();
    for (const std::size_t g : members_) {
      if (open_.empty() && is_kai()) drop_sets_of_kind(model_.gangs[g]);
      mark_shared(model_.gangs[g]);
    }
    for (const std::size_t g : members_) {
      Gang& gang = model_.gangs[g];
      gang.guaranteed = !open_.empty() ? unknown_count(open_, gang.pod_group->where)
                        : is_kai()     ? together_by_kai(gang)
                                       : together_by_volcano(gang);
      if (gang.guaranteed.known() && members_.size() == 1) gang.requested = gang.guaranteed;
    }
  }

 private:
  bool is_kai() const { return group_.system == GangSystem::Kai; }

  void join(Gang& gang) {
    for (Role& role : gang.roles) is_kai() ? join_kai(gang, role) : join_volcano(gang, role);
  }

  /// Where all pods of the group have to stand: of several gangs no one alone.
  void place(Gang& gang) const {
    const bool alone = members_.size() == 1 && open_.empty();
    const std::string together = "where the pods of " + group_words(group_) + " stand together";
    if (const auto& level = group_.required_topology; level.state != State::Absent)
      gang.required_topology = alone ? level : unknown_until<std::string>(together, level.where, level.field);
    if (const auto& tier = group_.highest_tier; tier.state != State::Absent)
      gang.highest_tier = alone ? tier : unknown_until<std::int64_t>(together, tier.where, tier.field);
  }

  const SubGroup* find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

  /// The set of that name in the gang, made with those it stands in. Sets of the same name that its kind has are
  /// others.
  std::size_t set_of(Gang& gang, const SubGroup& from, const std::string& name, int depth) {
    if (const auto found = made_[&gang].find(name); found != made_[&gang].end()) return found->second;
    constexpr int kMostDepth = 16;
    PodSet made;
    if (const SubGroup* above = from.parent.is_set() && depth < kMostDepth ? find(from.parent.value) : nullptr) {
      made.parent = set_of(gang, *above, above->name.value, depth + 1);
    } else if (from.parent.is_set()) {
      open_ = "sub-group `" + from.parent.value + "` of " + group_words(group_);
    }
    made.name = from.name;
    made.name.value = name;
    made.where = from.where;
    made.required_topology = from.required_topology;
    made.highest_tier = from.highest_tier;
    if (group_.system == GangSystem::Volcano || children_of(from.name.value).empty()) made.min_pods = from.min_pods;
    gang.pod_sets.push_back(std::move(made));
    made_[&gang].emplace(name, gang.pod_sets.size() - 1);
    gangs_with_[name] += 1;
    return gang.pod_sets.size() - 1;
  }

  // --- KAI: a label of the pods names a leaf of the tree ---

  void join_kai(Gang& gang, Role& role) {
    const Scheduler* row = gang.scheduler.known() ? book_.find(gang.scheduler.value) : nullptr;
    const auto label = row == nullptr || !row->sub_group ? role.labels.end() : role.labels.find(row->sub_group->key);
    if (label == role.labels.end()) {
      open_ = "the sub-group of role `" + role.name.value + "`";
      return;
    }
    const SubGroup* leaf = find(label->second);
    if (leaf == nullptr) {
      open_ = "sub-group `" + label->second + "` of " + group_words(group_);
      return;
    }
    role.pod_set = set_of(gang, *leaf, leaf->name.value, 0);
    roles_of_[leaf->name.value].push_back(&role);
  }

  std::span<const SubGroup* const> children_of(const std::string& parent) const {
    const auto found = children_.find(parent);
    return found == children_.end() ? std::span<const SubGroup* const>{} : found->second;
  }

  /// Pods that are placed together below a sub-group; the root has no name. Where not all children are needed it is
  /// known only if each counts the same. Source:
  /// kai-scheduler/KAI-Scheduler:pkg/scheduler/api/podgroup_info/subgroup_info (0.17).
  Located<std::int64_t> required_below(const std::string& name, const Located<std::int64_t>& min_groups, int depth) {
    constexpr int kMostDepth = 16;
    const std::span<const SubGroup* const> children = children_of(name);
    if (depth > kMostDepth) return unknown_count("sub-groups that end", group_.where);
    if (min_groups.unknown()) return min_groups;
    Located<std::int64_t> sum = defaulted_to<std::int64_t>(0, group_.where, "minMember");
    std::set<std::int64_t> sizes;
    for (const SubGroup* child : children) {
      const bool is_leaf = children_of(child->name.value).empty();
      const Located<std::int64_t> one =
          is_leaf ? required_of_leaf(*child) : required_below(child->name.value, child->min_groups, depth + 1);
      if (one.unknown()) return one;
      sizes.insert(one.value);
      sum.value = add_capped(sum.value, one.value);
      if (!sum.is_set() && one.is_set()) sum = set_to(sum.value, one.where, one.field);
    }
    if (!min_groups.known() || min_groups.value >= static_cast<std::int64_t>(children.size())) return sum;
    all_needed_ = false;
    if (sizes.size() > 1)
      return unknown_count("which sub-groups of " + group_words(group_) + " come first", min_groups.where);
    Located<std::int64_t> some = min_groups;
    some.value = multiply_capped(min_groups.value, *sizes.begin());
    return some;
  }

  Located<std::int64_t> required_of_leaf(const SubGroup& leaf) const {
    if (leaf.min_pods.unknown()) return leaf.min_pods;
    Located<std::int64_t> out =
        leaf.min_pods.known() ? leaf.min_pods : defaulted_to<std::int64_t>(1, leaf.where, "minMember");
    out.value = std::max<std::int64_t>(out.value, 1);
    return out;
  }

  std::string leaf_without_pods() const {
    for (const SubGroup& one : group_.sub_groups) {
      if (children_of(one.name.value).empty() && !roles_of_.contains(one.name.value))
        return "the pods of sub-group `" + one.name.value + "`";
    }
    return "";
  }

  Located<std::int64_t> together_by_kai(Gang& gang) {
    if (!of_tree_) of_tree_ = required_below("", group_.min_sub_groups, 0);
    const Located<std::int64_t>& all = *of_tree_;
    if (!all_needed_) choose_some(gang);
    set_role_minimums(gang);
    if (all.unknown() || members_.size() == 1) return all;
    if (!all_needed_) return unknown_count("which pods of " + group_words(group_) + " come first", group_.where);
    return part_of(gang);
  }

  /// Each set below one that needs only some of its children may be among those that come later.
  void choose_some(Gang& gang) {
    for (const auto& [name, index] : made_[&gang]) {
      PodSet& set = gang.pod_sets[index];
      const SubGroup* self = find(name);
      const Located<std::int64_t>& wanted =
          self->parent.is_set() ? find(self->parent.value)->min_groups : group_.min_sub_groups;
      const auto siblings = static_cast<std::int64_t>(children_of(self->parent.value).size());
      if (wanted.known() && wanted.value < siblings)
        set.min_instances = unknown_until<std::int64_t>("which sub-groups come first", wanted.where, wanted.field);
    }
  }

  void set_role_minimums(Gang& gang) {
    for (Role& role : gang.roles) {
      const PodSet& set = gang.pod_sets[*role.pod_set];
      if (roles_of_[set.name.value].size() == 1 && all_needed_) role.min = required_of_leaf(*find(set.name.value));
    }
  }

  /// K of one of several gangs: its own sub-groups, and those that it shares where all of their pods are needed.
  Located<std::int64_t> part_of(const Gang& gang) {
    Located<std::int64_t> sum = defaulted_to<std::int64_t>(0, gang.where, "minMember");
    std::set<std::size_t> seen;
    for (const Role& role : gang.roles) {
      if (!seen.insert(*role.pod_set).second) continue;
      const PodSet& set = gang.pod_sets[*role.pod_set];
      const Located<std::int64_t> least = required_of_leaf(*find(set.name.value));
      Located<std::int64_t> own = defaulted_to<std::int64_t>(0, gang.where);
      std::int64_t all = 0;
      for (const Role* one : roles_of_[set.name.value]) {
        if (one->count.unknown()) return one->count;
        all = add_capped(all, one->count.value);
        const bool here = one >= gang.roles.data() && one < gang.roles.data() + gang.roles.size();
        own.value = add_capped(own.value, here ? one->count.value : 0);
      }
      if (set.shared && least.value < all)
        return unknown_count("which pods of sub-group `" + set.name.value + "` come first", least.where);
      sum.value = add_capped(sum.value, set.shared ? own.value : least.value);
      if (!sum.is_set() && least.is_set()) sum = set_to(sum.value, least.where, least.field);
    }
    return sum;
  }

  /// Sets of the kind that KAI does not know: all of its pods are in sub-groups now.
  void drop_sets_of_kind(Gang& gang) {
    const std::size_t dropped = gang.pod_sets.size() - made_[&gang].size();
    gang.pod_sets.erase(gang.pod_sets.begin(), gang.pod_sets.begin() + static_cast<std::ptrdiff_t>(dropped));
    for (PodSet& set : gang.pod_sets) {
      if (set.parent) *set.parent -= dropped;
    }
    for (auto& [name, index] : made_[&gang]) index -= dropped;
    for (Role& role : gang.roles) role.pod_set = *role.pod_set - dropped;
  }

  void mark_shared(Gang& gang) {
    for (const auto& [name, index] : made_[&gang]) gang.pod_sets[index].shared = gangs_with_[name] > 1;
  }

  // --- Volcano: each policy makes groups of the pods that it selects, one for each value of its labels ---

  void join_volcano(Gang& gang, Role& role) {
    for (const SubGroup& policy : group_.sub_groups) {
      if (policy.odd_selector.unknown()) {
        open_ = policy.odd_selector.needs();
        return;
      }
      const bool selects = std::ranges::all_of(policy.labels, [&](const auto& wanted) {
        const auto label = role.labels.find(wanted.first);
        return label != role.labels.end() && label->second == wanted.second;
      });
      if (!selects || policy.by_labels.empty()) continue;
      std::string name = policy.name.value;
      for (const std::string& key : policy.by_labels) {
        const auto label = role.labels.find(key);
        if (label == role.labels.end()) {
          open_ = "which values of label `" + key + "` the pods of role `" + role.name.value + "` get";
          return;
        }
        if (!policy.labels.contains(key)) name += "/" + label->second;
      }
      role.pod_set = set_of(gang, policy, name, 0);
      if (policy_of_.try_emplace(name, &policy).second) groups_of_[&policy] += 1;
      return;
    }
  }

  Located<std::int64_t> needed_by_volcano() const {
    Located<std::int64_t> out = group_.min_member;
    std::int64_t needed = 0;
    for (const SubGroup& policy : group_.sub_groups) {
      if (out.unknown()) return out;
      if (!policy.min_groups.known()) return policy.min_groups;
      if (!policy.min_pods.known()) return policy.min_pods;
      needed = add_capped(needed, multiply_capped(policy.min_groups.value, policy.min_pods.value));
      if (needed > out.value) out = set_to(needed, policy.min_groups.where, "minSubGroups");
    }
    return out;
  }

  /// Where a policy needs only some of its groups.
  void choose_some_groups(Gang& gang) {
    for (const auto& [name, index] : made_[&gang]) {
      const SubGroup& policy = *policy_of_[name];
      if (policy.min_groups.value >= groups_of_[&policy]) continue;
      gang.pod_sets[index].min_instances =
          policy.min_groups.value == 0
              ? policy.min_groups
              : unknown_until<std::int64_t>("which groups of `" + policy.name.value + "` come first", policy.where);
    }
  }

  Located<std::int64_t> together_by_volcano(Gang& gang) {
    if (!of_tree_) of_tree_ = needed_by_volcano();
    if (of_tree_->unknown()) return *of_tree_;
    choose_some_groups(gang);
    set_volcano_minimums(gang);
    if (members_.size() == 1) return *of_tree_;
    if (group_.members.known() && of_tree_->value >= group_.members.value) return total_of(gang);
    return unknown_count("which pods of " + group_words(group_) + " come first", group_.where);
  }

  void set_volcano_minimums(Gang& gang) const {
    std::map<std::size_t, int> roles;
    for (const Role& role : gang.roles) roles[role.pod_set.value_or(gang.pod_sets.size())] += 1;
    for (Role& role : gang.roles) {
      if (!role.pod_set || roles[*role.pod_set] != 1) continue;
      const PodSet& set = gang.pod_sets[*role.pod_set];
      if (set.min_instances.state == State::Absent && !set.shared) role.min = set.min_pods;
    }
  }

  Model& model_;
  const PodGroup& group_;
  const std::vector<std::size_t>& members_;
  const SchedulerBook& book_;
  std::map<std::string, const SubGroup*> by_name_;
  std::map<std::string, std::vector<const SubGroup*>> children_;    ///< by the name of the parent; "": the root's
  std::string tree_open_;                                           ///< why nobody can tell which sub-group is which
  std::string open_;                                                ///< why nothing can be said of K
  std::map<const Gang*, std::map<std::string, std::size_t>> made_;  ///< sets that this group makes, by name
  std::map<std::string, int> gangs_with_;                           ///< such a set
  std::map<std::string, std::vector<const Role*>> roles_of_;        ///< KAI: by leaf
  std::map<std::string, const SubGroup*> policy_of_;                ///< Volcano: by group
  std::map<const SubGroup*, std::int64_t> groups_of_;               ///< Volcano
  std::optional<Located<std::int64_t>> of_tree_;                    ///< K of the whole group
  bool all_needed_ = true;
};

}  // namespace

void apply_pod_group(Model& model, const PodGroup& group, const std::vector<std::size_t>& members,
                     const SchedulerBook& book) {
  SubGroupReader(model, group, members, book).run();
}

}  // namespace muster
