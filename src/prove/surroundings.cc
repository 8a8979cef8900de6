#include "prove/surroundings.h"

#include <algorithm>
#include <set>

namespace muster::prove {
namespace {

const WorldGang& gang_of(const Instance& instance, const GangSpec& spec) { return instance.world->gangs[spec.gang]; }

bool is_open(const Instance& instance, const GangSpec& spec) {
  return spec.coupled && !gang_of(instance, spec).may_work_alone.empty();
}

void place_one_by_one(Instance& instance, GangSpec& gang) {
  for (std::size_t kind = gang.first_kind; kind < gang.first_kind + gang.kinds; ++kind) instance.kinds[kind].least = 0;
  gang.guaranteed = 1;
  gang.in_order = false;
}

}  // namespace

std::vector<std::string> schedulers_of(const Instance& instance) {
  std::set<std::string> out;
  for (const GangSpec& spec : instance.gangs) {
    if (const std::string& name = gang_of(instance, spec).scheduler; !name.empty()) out.insert(name);
  }
  return {out.begin(), out.end()};
}

Instance without_commits(Instance instance) {
  for (GangSpec& gang : instance.gangs) place_one_by_one(instance, gang);
  return instance;
}

bool commits_what_may_work_alone(const Instance& instance) {
  return std::ranges::any_of(instance.gangs, [&](const GangSpec& gang) {
    if (!is_open(instance, gang)) return false;
    // A commit of one pod may have to be one of a certain role.
    const bool of_role = std::any_of(instance.kinds.begin() + static_cast<std::ptrdiff_t>(gang.first_kind),
                                     instance.kinds.begin() + static_cast<std::ptrdiff_t>(gang.first_kind + gang.kinds),
                                     [](const PodKind& kind) { return kind.least > 0; });
    return gang.guaranteed > 1 || gang.in_order || of_role;
  });
}

Instance without_open_commits(Instance instance) {
  for (GangSpec& gang : instance.gangs) {
    if (is_open(instance, gang)) place_one_by_one(instance, gang);
  }
  return instance;
}

}  // namespace muster::prove
