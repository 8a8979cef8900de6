#include "prove/components.h"

#include <algorithm>
#include <vector>

#include "prove/fill.h"

namespace muster::prove {
namespace {

/// Slots a kind has on the nodes of the placement.
std::int64_t slots_of(const Placement& placement, std::size_t kind) {
  std::int64_t slots = 0;
  for (const NodeGroup& group : placement.groups()) slots += group.count * placement.room(group, kind);
  return slots;
}

/// A heterogeneous job whose earlier components may take the nodes a later one needs, though it would fit otherwise:
/// components are placed in order, greedily. Source: slurm.schedmd.com/heterogeneous_jobs.html, Limitations.
std::optional<Placement> starves(const Instance& instance, std::size_t gang) {
  const GangSpec& spec = instance.gangs[gang];
  for (std::size_t later = spec.first_kind + 1; later < spec.first_kind + spec.kinds; ++later) {
    for (const Fill how : {Fill::Blocking, Fill::Tight}) {
      Placement placement(instance);
      bool placed = true;
      for (std::size_t kind = spec.first_kind; kind < later && placed; ++kind) {
        const std::int64_t count = instance.kinds[kind].count;
        placed = fill(placement, kind, count, {how, later}) == count;
      }
      if (placed && slots_of(placement, later) < instance.kinds[later].count) return placement;
    }
  }
  return std::nullopt;
}

/// Whether the components of the gang leave each other alone wherever they go.
bool never_starves(const Instance& instance, std::size_t gang) {
  const GangSpec& spec = instance.gangs[gang];
  if (spec.ties > 0) return false;  // what earlier components leave of one domain is not looked at
  const Placement empty(instance);
  for (std::size_t later = spec.first_kind; later < spec.first_kind + spec.kinds; ++later) {
    // A pod of an earlier component costs the later one so many slots at most.
    std::int64_t lost = 0;
    for (std::size_t kind = spec.first_kind; kind < later; ++kind) {
      std::int64_t worst = 0;
      for (std::size_t r = 0; r < Amounts{}.size(); ++r) {
        const std::int64_t need = instance.kinds[kind].need[r];
        const std::int64_t other = instance.kinds[later].need[r];
        if (need > 0 && other > 0) worst = std::max(worst, (need + other - 1) / other);
      }
      if (spec.one_per_node) worst = 1;  // the node, which has one slot
      bool meets = false;
      for (std::size_t c = 0; c < instance.classes.size(); ++c) {
        meets = meets || (instance.kinds[kind].eligible[c] != 0 && instance.kinds[later].eligible[c] != 0);
      }
      if (meets) lost += worst * instance.kinds[kind].count;
    }
    if (slots_of(empty, later) - lost < instance.kinds[later].count) return false;
  }
  return true;
}

/// Nodes first ... first + count - 1 of a pool, all of one class.
struct Stretch {
  std::size_t node_class = 0;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Each component takes the nodes that stand first, and none that an earlier one has. Which those are is known while
/// the free ones are one run of like nodes, or are all taken: of several runs slurmctld takes the one that fits best.
/// Source: SchedMD/slurm:src/plugins/select/cons_tres/job_test.c, _eval_nodes; executed with slurmctld 22.05.8.
class FirstNodes {
 public:
  FirstNodes(const Instance& instance, std::size_t gang)
      : instance_(instance), spec_(instance.gangs[gang]), placement_(instance) {
    for (std::size_t c = 0; c < instance.classes.size(); ++c)
      free_.push_back({c, instance.classes[c].first, instance.classes[c].count});
  }

  ComponentsAnswer run() {
    const std::string name = "`" + instance_.world->gangs[spec_.gang].name.value + "`";
    if (spec_.ties > 0 || !instance_.world->gangs[spec_.gang].one_per_node || !are_alike()) {
      return {Components::Unknown, std::nullopt,
              "which of its nodes each component of " + name + " takes is not known: they are not alike"};
    }
    for (std::size_t kind = spec_.first_kind; kind < spec_.first_kind + spec_.kinds; ++kind) {
      const std::int64_t count = instance_.kinds[kind].count;
      const std::vector<std::size_t> useful = stretches_for(kind);
      std::int64_t there = 0;
      for (const std::size_t i : useful) there += free_[i].count;
      if (there < count) return {Components::Starve, std::move(placement_), ""};
      if (there > count && !is_one_run(useful)) {
        return {Components::Unknown, std::nullopt,
                "which of several runs of free nodes component " + std::to_string(kind - spec_.first_kind + 1) +
                    " of " + name + " takes is not known"};
      }
      take_first(kind, useful, count);
    }
    return {Components::Start, std::nullopt, ""};
  }

 private:
  bool may_stand(std::size_t c, std::size_t kind) const { return room_on(instance_, c, kind) > 0; }

  bool are_alike() const {
    const NodeClass* first = nullptr;
    for (std::size_t c = 0; c < instance_.classes.size(); ++c) {
      for (std::size_t kind = spec_.first_kind; kind < spec_.first_kind + spec_.kinds; ++kind) {
        if (instance_.kinds[kind].eligible[c] == 0) continue;
        if (first == nullptr) first = &instance_.classes[c];
        if (first->pool != instance_.classes[c].pool || first->free != instance_.classes[c].free) return false;
      }
    }
    return true;
  }

  std::vector<std::size_t> stretches_for(std::size_t kind) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < free_.size(); ++i) {
      if (may_stand(free_[i].node_class, kind)) out.push_back(i);
    }
    std::ranges::sort(out, {}, [&](std::size_t i) { return free_[i].first; });
    return out;
  }

  bool is_one_run(const std::vector<std::size_t>& useful) const {
    for (std::size_t i = 1; i < useful.size(); ++i) {
      const Stretch& before = free_[useful[i - 1]];
      if (before.first + before.count != free_[useful[i]].first) return false;
    }
    return true;
  }

  void take_first(std::size_t kind, const std::vector<std::size_t>& useful, std::int64_t count) {
    for (const std::size_t i : useful) {
      const std::int64_t nodes = std::min(count, free_[i].count);
      if (nodes == 0) continue;
      for (std::size_t g = 0; g < placement_.groups().size(); ++g) {
        const NodeGroup& group = placement_.groups()[g];
        if (group.node_class != free_[i].node_class || group.first != free_[i].first) continue;
        placement_.put(g, nodes, kind, 1);
        break;
      }
      free_[i].first += nodes;
      free_[i].count -= nodes;
      count -= nodes;
    }
    std::erase_if(free_, [](const Stretch& stretch) { return stretch.count == 0; });
  }

  const Instance& instance_;
  const GangSpec& spec_;
  Placement placement_;
  std::vector<Stretch> free_;
};

}  // namespace

ComponentsAnswer place_components(const Instance& instance, std::size_t gang) {
  if (never_starves(instance, gang)) return {Components::Start, std::nullopt, ""};
  const WorldGang& world = instance.world->gangs[instance.gangs[gang].gang];
  if (world.takes == NodesTaken::First) return FirstNodes(instance, gang).run();
  if (world.takes == NodesTaken::Unsaid) {
    return {Components::Unknown, std::nullopt,
            "components of `" + world.name.value +
                "` are placed in order, and which nodes the first ones take, so that a later one may find too few, is "
                "not known"};
  }
  if (std::optional<Placement> bad = starves(instance, gang)) return {Components::Starve, std::move(bad), ""};
  return {
      Components::Unknown, std::nullopt,
      "whether the first components of `" + world.name.value + "` can take the nodes of a later one was not found out"};
}

}  // namespace muster::prove
