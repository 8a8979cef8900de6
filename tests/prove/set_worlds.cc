#include "prove/whole_worlds.h"

namespace muster {

World random_set_world(std::mt19937& dice) {
  World world = random_whole_world(dice);
  const auto one_of = [&](unsigned n) { return dice() % n == 0; };
  for (WorldPool& pool : world.pools) {
    for (WorldNodes& nodes : pool.nodes) nodes.domains["rack"] = one_of(2) ? "r" : "s";
  }
  for (WorldGang& gang : world.gangs) {
    while (gang.roles.size() < 3 && !one_of(3)) {
      WorldRole more = gang.roles.front();
      more.name = "c" + std::to_string(gang.roles.size());
      more.pods = 1;
      more.guaranteed = 0;
      // What was placed all at once still is.
      if (gang.guaranteed.value > 1) gang.guaranteed.value += 1;
      gang.roles.push_back(more);
    }
    for (WorldRole& role : gang.roles) {
      if (one_of(2)) role.within["leaf"] = "s";
      if (one_of(4)) role.within["rack"] = one_of(2) ? "s" : "t";
      if (!role.within.empty()) role.domain.clear();
    }
  }
  return world;
}

}  // namespace muster
