#include "worlds/pod_sets.h"

#include <algorithm>

#include "base/capped.h"

namespace muster {
namespace {

// Each copy is a role of its own.
constexpr std::int64_t kMostCopies = 1024;

std::string quoted(const PodSet& set) { return "pod set `" + set.name.value + "`"; }

std::int64_t count_or_one(const Located<std::int64_t>& count) {
  return count.known() ? std::max<std::int64_t>(0, count.value) : 1;
}

/// Instances of the set that are placed in that part of the gang.
std::int64_t instances_in(const Gang& gang, std::size_t set, const GangPart& part) {
  const PodSet& one = gang.pod_sets[set];
  if (!one.apart) return count_or_one(one.instances);
  if (part.apart) return 1;
  return std::min(count_or_one(one.instances), count_or_one(one.min_instances));
}

/// The sets the role stands in, the outermost first.
std::vector<std::size_t> chain_of(const Gang& gang, const Role& role) {
  std::vector<std::size_t> out;
  for (std::optional<std::size_t> at = role.pod_set; at; at = gang.pod_sets[*at].parent) out.push_back(*at);
  std::ranges::reverse(out);
  return out;
}

std::int64_t roles_in(const Gang& gang, std::size_t set) {
  return std::ranges::count_if(gang.roles,
                               [&](const Role& role) { return role.pod_set && is_within(gang, *role.pod_set, set); });
}

bool has_topology(const PodSet& set) {
  return set.required_topology->state != State::Absent || set.highest_tier->state != State::Absent;
}

bool counts_are_known(const PodSet& set, std::string& needs) {
  if (set.instances.unknown()) needs = set.instances.needs();
  if (set.apart && set.min_instances.unknown()) needs = set.min_instances.needs();
  if (!set.size.known())
    needs = set.size.needs().empty() ? "the pods of " + quoted(set) : std::string(set.size.needs());
  if (set.shared && has_topology(set)) needs = "where pods of other gangs in " + quoted(set) + " stand";
  if (set.apart && set.parent) needs = "how the instances of " + quoted(set) + " come apart within another set";
  if (needs.empty() && count_or_one(set.instances) > kMostCopies)
    needs = "fewer instances of " + quoted(set) + " than " + std::to_string(set.instances.value);
  // Volcano refuses such a Job.
  if (needs.empty() && set.instances.known() && set.min_pods.known() && set.min_pods.value != set.size.value)
    needs = "a number of pods that is the instances of " + quoted(set) + " times their size";
  return needs.empty();
}

/// A minimum within the sets says nothing where all of the gang comes at once; else it has to be one of roles.
bool minimum_is_of_roles(const Gang& gang, std::string& needs) {
  for (std::size_t i = 0; i < gang.pod_sets.size(); ++i) {
    const PodSet& set = gang.pod_sets[i];
    const bool some = set.min_instances.unknown() ||
                      (set.min_instances.known() && set.min_instances.value < count_or_one(set.instances));
    if (!set.apart && some) needs = "which instances of its " + quoted(set) + " come first";
    const bool part = set.min_pods.unknown() || (set.min_pods.known() && set.min_pods.value < set.size.value);
    if (part && roles_in(gang, i) > 1) needs = "which pods of its " + quoted(set) + " come first";
  }
  return needs.empty();
}

}  // namespace

bool sets_count(const Gang& gang) { return !gang.path.known() || gang.path.value != Path::Out; }

std::int64_t apart_instances(const PodSet& set) {
  return set.apart ? std::max<std::int64_t>(0, count_or_one(set.instances) - count_or_one(set.min_instances)) : 0;
}

PartOfRole part_of_role(const Gang& gang, const Role& role, const GangPart& part) {
  std::int64_t all = 1;
  std::int64_t least_of = 1;  // instances that `min` speaks of
  PartOfRole out;
  const std::vector<std::size_t> chain = chain_of(gang, role);
  if (part.apart && std::ranges::find(chain, *part.apart) == chain.end()) return out;
  for (const std::size_t set : chain) {
    all = multiply_capped(all, count_or_one(gang.pod_sets[set].instances));
    least_of = multiply_capped(least_of, instances_in(gang, set, {}));
    out.copies = multiply_capped(out.copies, instances_in(gang, set, part));
  }
  if (all == 0) return out;
  out.pods = role.count.value / all * out.copies;
  if (role.min.known() && least_of > 0) out.least = std::min(role.min.value / least_of * out.copies, out.pods);
  if (chain.empty() && role.min.known()) out.least = std::min(role.min.value, out.pods);
  return out;
}

bool sets_are_plain(const Gang& gang, std::string& needs) {
  for (const PodSet& set : gang.pod_sets) {
    if (!counts_are_known(set, needs)) return false;
  }
  std::int64_t together = 0;
  for (const Role& role : gang.roles) {
    const std::int64_t all = role.pod_set ? instances_of(gang, *role.pod_set).value : 1;
    if (role.count.known() && all > 0 && role.count.value % all != 0)
      needs = "a number of pods of role `" + role.name.value + "` that its pod sets divide";
    if (all > kMostCopies) needs = "fewer instances of its pod sets than " + std::to_string(all);
    if (!needs.empty()) return false;
    together = add_capped(together, part_of_role(gang, role, {}).pods);
  }
  return !sets_count(gang) || gang.guaranteed.value >= together || minimum_is_of_roles(gang, needs);
}

void add_copies(const Gang& gang, const Role& role, const GangPart& part, const std::vector<std::string>& levels,
                WorldRole made, WorldGang& out) {
  const PartOfRole share = part_of_role(gang, role, part);
  const std::vector<std::size_t> chain = chain_of(gang, role);
  made.pods = share.pods;
  made.guaranteed = share.least;
  if (made.pods == 0) return;
  const bool tied = std::ranges::any_of(chain, [&](std::size_t set) { return !levels[set].empty(); });
  if (!tied && (made.domain.empty() || share.copies == 1)) {
    out.roles.push_back(std::move(made));
    return;
  }
  made.pods /= share.copies;
  made.guaranteed /= share.copies;
  const std::string name = made.name;
  for (std::int64_t copy = 0; copy < share.copies; ++copy) {
    WorldRole one = made;
    if (share.copies > 1) one.name = name + "/" + std::to_string(copy + 1);
    // The instance of each set, the innermost counting fastest.
    std::int64_t rest = copy;
    std::vector<std::int64_t> number(chain.size());
    for (std::size_t i = chain.size(); i-- > 0;) {
      const std::int64_t times = std::max<std::int64_t>(1, instances_in(gang, chain[i], part));
      number[i] = rest % times;
      rest /= times;
    }
    std::string path;
    for (std::size_t i = 0; i < chain.size(); ++i) {
      path += (i == 0 ? "" : "/") + gang.pod_sets[chain[i]].name.value + "-" + std::to_string(number[i] + 1);
      const std::string& level = levels[chain[i]];
      if (level.empty()) continue;
      // Of two sets on one level the outer one says it all.
      if (one.domain.empty() && roles_in(gang, chain[i]) == 1) {
        one.domain = level;
      } else {
        one.within.emplace(level, path);
      }
    }
    out.roles.push_back(std::move(one));
  }
}

}  // namespace muster
