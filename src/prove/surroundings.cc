#include "prove/surroundings.h"

#include <set>

namespace muster::prove {
namespace {

const WorldGang& gang_of(const Instance& instance, const GangSpec& spec) { return instance.world->gangs[spec.gang]; }

}  // namespace

std::vector<std::string> schedulers_of(const Instance& instance) {
  std::set<std::string> out;
  for (const GangSpec& spec : instance.gangs) {
    if (const std::string& name = gang_of(instance, spec).scheduler; !name.empty()) out.insert(name);
  }
  return {out.begin(), out.end()};
}

Instance without_commits(Instance instance) {
  for (PodKind& kind : instance.kinds) kind.least = 0;
  for (GangSpec& gang : instance.gangs) {
    gang.guaranteed = 1;
    gang.in_order = false;
  }
  return instance;
}

}  // namespace muster::prove
