#include "prove/fill.h"

#include <algorithm>

namespace muster::prove {
namespace {

struct Choice {
  std::size_t group = 0;
  std::int64_t pods_each = 0;
  std::int64_t score = 0;  ///< the smallest is taken
};

/// Fewest pods of `kind` on one node that leave no room for one of `against`; 0 where none do.
std::int64_t pods_that_block(const Placement& placement, const NodeGroup& group, std::size_t kind,
                             std::size_t against) {
  if (placement.room(group, against) == 0) return 0;
  const std::size_t gang = placement.instance().kinds[kind].gang;
  if (gang == placement.instance().kinds[against].gang && placement.instance().gangs[gang].one_per_node) return 1;
  const Amounts& need = placement.instance().kinds[kind].need;
  const Amounts& other = placement.instance().kinds[against].need;
  std::int64_t fewest = 0;
  for (std::size_t r = 0; r < need.size(); ++r) {
    if (need[r] == 0 || other[r] == 0) continue;
    const std::int64_t pods = (group.free[r] - other[r]) / need[r] + 1;
    fewest = fewest == 0 ? pods : std::min(fewest, pods);
  }
  return fewest;
}

std::optional<Choice> choose(const Placement& placement, std::size_t kind, const FillPlan& plan) {
  std::optional<Choice> best;
  const Amounts& need = placement.instance().kinds[kind].need;
  for (std::size_t g = 0; g < placement.groups().size(); ++g) {
    const NodeGroup& group = placement.groups()[g];
    const std::int64_t room = placement.room(group, kind);
    if (room == 0) continue;
    Choice choice{g, room, 0};
    switch (plan.how) {
      case Fill::First: return choice;
      case Fill::Tight: choice.score = group.free[0] - need[0] * room; break;
      case Fill::Loose:
        choice.pods_each = 1;
        choice.score = -group.free[0];
        break;
      case Fill::Blocking: {
        const std::int64_t few = plan.against ? pods_that_block(placement, group, kind, *plan.against) : 0;
        if (few > 0 && few <= room) choice.pods_each = few;
        choice.score = few > 0 && few <= room ? few * std::max<std::int64_t>(1, need[0]) : kPlenty + group.free[0];
      }
    }
    if (!best || choice.score < best->score) best = choice;
  }
  return best;
}

}  // namespace

void bind_best(Placement& placement, std::size_t kind) {
  const Instance& instance = placement.instance();
  for (const std::size_t tie : instance.kinds[kind].ties) {
    if (placement.is_bound(tie)) continue;
    std::vector<std::int64_t> rooms(static_cast<std::size_t>(domains_of(instance, tie)));
    for (const NodeGroup& group : placement.groups()) {
      if (const std::int32_t domain = domain_of(instance, group.node_class, tie); domain >= 0)
        rooms[static_cast<std::size_t>(domain)] += group.count * placement.room(group, kind);
    }
    // Of several roles that share the domain, all have to find a place.
    std::int64_t gpus = 0;
    for (const PodKind& other : instance.kinds) {
      if (std::ranges::find(other.ties, tie) != other.ties.end()) gpus += other.count * other.need[0];
    }
    const std::int64_t each = instance.kinds[kind].need[0];
    const std::int64_t count =
        std::max(instance.kinds[kind].count, each == 0 ? std::int64_t{0} : (gpus + each - 1) / each);
    const auto better = [&](std::int64_t a, std::int64_t b) {
      return (a >= count) != (b >= count) ? a >= count : a >= count ? a < b : a > b;
    };
    const auto best = std::ranges::min_element(rooms, better);
    if (best != rooms.end()) placement.bind_domain(tie, static_cast<std::int32_t>(best - rooms.begin()));
  }
}

std::int64_t fill(Placement& placement, std::size_t kind, std::int64_t pods, const FillPlan& plan) {
  std::int64_t placed = 0;
  pods = std::min(pods, placement.room_in_queue(kind));
  while (placed < pods && placement.instance().work_left > 0) {
    placement.instance().work_left -= static_cast<std::int64_t>(placement.groups().size());
    const std::optional<Choice> choice = choose(placement, kind, plan);
    if (!choice) break;
    const std::int64_t each = std::min(choice->pods_each, pods - placed);
    const std::int64_t nodes = std::min(placement.groups()[choice->group].count, (pods - placed) / each);
    placement.put(choice->group, nodes, kind, each);
    placed += nodes * each;
  }
  return placed;
}

std::int64_t fill_gang(Placement& placement, std::size_t gang, std::int64_t pods, const FillPlan& plan,
                       std::optional<std::size_t> keep_back) {
  const Instance& instance = placement.instance();
  const GangSpec& spec = instance.gangs[gang];
  std::int64_t placed = 0;
  for (const bool least : {true, false}) {
    for (std::size_t kind = spec.first_kind; kind < spec.first_kind + spec.kinds && placed < pods; ++kind) {
      const PodKind& pod = instance.kinds[kind];
      const std::int64_t held = placement.held_of_kind(kind);
      const std::int64_t most =
          (least ? pod.least : pod.count - (keep_back == kind && pod.least < pod.count ? 1 : 0)) - held;
      placed += fill(placement, kind, std::min(most, pods - placed), plan);
    }
  }
  return placed;
}

bool place_anywhere(Placement& placement, std::size_t gang, std::int64_t pods) {
  return fill_gang(placement, gang, pods, {}) == pods;
}

}  // namespace muster::prove
