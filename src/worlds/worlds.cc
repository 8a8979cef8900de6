#include "worlds/worlds.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "base/capped.h"
#include "base/strings.h"
#include "model/node_table.h"
#include "worlds/priorities.h"
#include "worlds/volcano_way.h"
#include "worlds/world_gang.h"
#include "worlds/world_nodes.h"

namespace muster {
namespace {

constexpr std::size_t kMostNamed = 3;  // node pools in the name of their pool

/// A gang of the model with all that is placed of it.
struct Member {
  std::size_t gang = 0;  ///< in Model::gangs
  std::vector<WorldGang> parts;
};
using Members = std::vector<Member>;

bool asks_for_domain(const WorldGang& gang) {
  return !gang.domain.empty() || std::ranges::any_of(gang.roles, [](const WorldRole& role) {
    return !role.domain.empty() || !role.within.empty();
  });
}

bool stands_on_level(const WorldGang& gang, const std::string& level) {
  return gang.domain == level || std::ranges::any_of(gang.roles, [&](const WorldRole& role) {
           return role.domain == level || role.within.contains(level);
         });
}

std::set<std::int64_t> tiers_of(const Gang& gang) {
  std::set<std::int64_t> out;
  if (gang.highest_tier->known()) out.insert(gang.highest_tier->value);
  for (const PodSet& set : gang.pod_sets) {
    if (set.highest_tier->known()) out.insert(set.highest_tier->value);
  }
  return out;
}

bool has_required_topology(const Gang& gang) {
  const auto requires_one = [](const auto& of) { return of.required_topology->state != State::Absent; };
  return requires_one(gang) || std::ranges::any_of(gang.pod_sets, requires_one) ||
         std::ranges::any_of(gang.roles, requires_one);
}

bool needs_room_without_gpus(const Gang& gang) {
  return std::ranges::any_of(gang.roles, [&](const Role& role) {
    const bool asks = role.milli_cpus_each > 0 || role.memory_each > 0 || gang.control_plane == ControlPlane::Slurm;
    return role.gpus_each.known() && role.gpus_each.value == 0 && asks;
  });
}

class Finder {
 public:
  Finder(const Model& model, const WorldOptions& options)
      : model_(model), options_(options), gangs_(model, options), classes_(priority_classes_by_bundle(model)) {}

  FoundWorlds run() {
    out_.worlds = model_.worlds;
    // A Slurm job and a pod never wait for each other.
    std::map<std::tuple<std::string, ControlPlane, std::string, const Fleet*>, std::vector<std::size_t>> bundles;
    for (std::size_t g = 0; g < model_.gangs.size(); ++g) {
      const Gang& gang = model_.gangs[g];
      if (gang.gpus.state == State::Absent || (gang.gpus.known() && gang.gpus.value == 0)) continue;
      const Fleet* fleet = fleet_for(gang);
      if (fleet == nullptr && options_.slurm_nodes) fleet = gangs_.site_of(g);
      if (fleet != nullptr) {
        bundles[{gang.bundle, gang.control_plane, fleet->file, fleet}].push_back(g);
      } else if (is_asked_about(gang)) {
        leave_out(g, model_.fleets.empty() ? no_fleet(gang) : "which of the fleet files it runs on");
      }
    }
    for (const auto& [key, gangs] : bundles) {
      if (std::ranges::any_of(gangs, [&](std::size_t g) { return is_asked_about(model_.gangs[g]); }))
        add_bundle(std::get<0>(key), *std::get<3>(key), gangs);
    }
    return std::move(out_);
  }

 private:
  /// One pod is always whole, and is there for the others; whether a batch job of one node is ever placed is asked all
  /// the same.
  bool is_asked_about(const Gang& gang) const {
    const bool batch = options_.slurm_nodes && gang.control_plane == ControlPlane::Slurm;
    return !gang.size.known() || gang.size.value > 1 || options_.concurrent > 1 || batch;
  }

  void leave_out(std::size_t gang, std::string needs) { out_.left_out.push_back({gang, std::move(needs)}); }

  std::string no_fleet(const Gang& gang) const {
    const bool batch = options_.slurm_nodes && gang.control_plane == ControlPlane::Slurm;
    return batch ? "a fleet file with the node pools, or the whole slurm.conf with its nodes"
                 : "a fleet file with the node pools";
  }

  const Fleet* fleet_for(const Gang& gang) const {
    const Fleet* found = nullptr;
    std::size_t count = 0;
    for (const Fleet& fleet : model_.fleets) {
      if (fleet.bundle != gang.bundle) continue;
      found = &fleet;
      ++count;
    }
    if (count == 1) return found;
    return count == 0 && model_.fleets.size() == 1 ? &model_.fleets.front() : nullptr;
  }

  /// Node pools the gangs may go to: those without accelerators only where pods without them have to find a place. Pods
  /// that Slurm places run on its nodes.
  NodePools pools_for(const Fleet& fleet, const std::vector<std::size_t>& gangs) const {
    const Gang& gang = model_.gangs[gangs.front()];
    const bool all =
        std::ranges::any_of(gangs, [&](std::size_t g) { return needs_room_without_gpus(model_.gangs[g]); });
    const bool bridged =
        std::ranges::any_of(gangs, [&](std::size_t g) { return model_.gangs[g].scheduler.value == "slurm-bridge"; });
    NodePools out;
    for (const NodePool& pool : fleet.node_pools) {
      const Located<FactValue>& plane = pool.fact("control_plane");
      const std::string* word = plane.known() ? std::get_if<std::string>(&plane.value) : nullptr;
      const bool slurm = word != nullptr && *word == "slurm";
      const bool other_plane = word != nullptr && slurm != (gang.control_plane == ControlPlane::Slurm);
      if (other_plane && !(slurm && bridged)) continue;
      const Located<FactValue>& gpus = pool.fact("gpus_per_node");
      if (!all && gpus.known() && std::get<std::int64_t>(gpus.value) == 0) continue;
      out.push_back(&pool);
    }
    return out;
  }

  void add_bundle(const std::string& bundle, const Fleet& fleet, const std::vector<std::size_t>& gangs) {
    const NodePools pools = pools_for(fleet, gangs);
    Members members;
    std::vector<WorldAbsentee> besides;
    std::int64_t count = 0;
    for (const std::size_t g : gangs) {
      std::string needs;
      std::vector<WorldGang> parts = gangs_.make(g, fleet, pools, needs);
      const std::int64_t more = gangs_.gangs_in_flight(g, parts.size());
      if (!parts.empty() && count + more > kMostGangs)
        needs = "a world of at most " + std::to_string(kMostGangs) + " gangs (with it there are " +
                std::to_string(count + more) + ")";
      if (needs.empty()) {
        count += more;
        members.push_back({g, std::move(parts)});
      } else {
        besides.push_back({model_.gangs[g].name.value, needs});
        leave_out(g, std::move(needs));
      }
    }
    tell_resources_apart(members);
    const bool asked =
        std::ranges::any_of(members, [&](const Member& member) { return is_asked_about(model_.gangs[member.gang]); });
    if (asked) add_worlds(bundle, fleet, pools, members, besides);
  }

  /// A node that has one kind of accelerator mostly has no other, and a fleet file says only how many it has.
  void tell_resources_apart(Members& members) const {
    std::set<std::string> resources;
    for (const Member& member : members) {
      const Gang& gang = model_.gangs[member.gang];
      for (const Role& role : gang.roles) {
        if (gang.control_plane == ControlPlane::Kubernetes && role.gpus_each.value > 0)
          resources.insert(role.accelerator.value);
      }
    }
    if (resources.size() < 2) return;
    for (Member& member : members) {
      for (WorldGang& part : member.parts)
        add_beyond(part, {"one of " + std::to_string(resources.size()) + " kinds of accelerators"});
    }
  }

  /// All of them together; where there are several instances of each, also each for itself.
  void add_worlds(const std::string& bundle, const Fleet& fleet, const NodePools& pools, Members& members,
                  const std::vector<WorldAbsentee>& besides) {
    const std::optional<NodePlaces> places = places_for(fleet, members);
    World nodes = nodes_of(fleet, pools, places);
    nodes.besides = besides;
    put_in_order(fleet, pools, places, nodes.pools.front(), members);
    std::vector<PriorityOf> priorities;
    for (Member& member : members) priorities.push_back({member.gang, &member.parts});
    nodes.rests_on = apply_priorities(model_, classes_, priorities);
    if (members.size() > 1) {
      World all = nodes;
      all.id = "gangs of " + bundle.substr(bundle.find_last_of('/') + 1);
      Names names;
      for (const Member& member : members) add_instances(all, member, names);
      add_world(std::move(all), members);
    }
    if (members.size() > 1 && options_.concurrent < 2) return;
    for (const Member& member : members) {
      World one = nodes;
      const Gang& gang = model_.gangs[member.gang];
      one.id = gang.id;
      one.where = gang.where;
      one.file = gang.file;
      Names names;
      add_instances(one, member, names);
      add_world(std::move(one), {member});
    }
  }

  void add_world(World world, const Members& members) {
    world.name = set_to(world.id.view(), world.where);
    std::set<std::string> assumes;
    std::set<std::string> quotas;
    for (const Member& member : members) {
      const Gang& of = model_.gangs[member.gang];
      for (const Origin* origin :
           {static_cast<const Origin*>(&of.mechanism), static_cast<const Origin*>(&of.guaranteed),
            static_cast<const Origin*>(&of.path), static_cast<const Origin*>(&of.tightly_coupled)}) {
        if (origin->state == State::Assumed) assumes.emplace(origin->needs());
      }
      const VolcanoWay way = way_for(of);
      for (const WorldSource& source : way.says) rest_on(world, source);
      if (of.mechanism.value == Mechanism::Quota)
        rest_on(world, {"Kueue runs without `waitForPodsReady`, its default", {}});
      if (member.parts.front().at_once > 0)
        rest_on(world,
                {"a pod that does not fit ends the wait of its group at once while more than " +
                     std::to_string(*of.keeps_short) + "% of it are missing, as `" + of.scheduler.value + "` ships",
                 {}});
      if (sets_count(of) && !tiers_of(of).empty() && !way.configured)
        assumes.insert("Volcano runs its plugin `network-topology-aware`, which it does not as shipped");
      if (sets_count(of) && !of.topology_rests_on.empty() && has_required_topology(of))
        assumes.insert(of.topology_rests_on);
      if (member.parts.front().priority == 0) rest_on_priorities(world, of);
      const std::optional<QueueLimit> limit = limits_of(model_, of, options_.concurrent).gpus;
      if (!limit) continue;
      const bool first = std::ranges::none_of(
          world.queues, [&](const WorldQueue& queue) { return queue.name == limit->queue->name.value; });
      if (first) world.queues.push_back({limit->queue->name.value, limit->gpus});
      if (of.mechanism.value == Mechanism::Quota) quotas.insert(limit->queue->name.value);
    }
    world.assumes.assign(assumes.begin(), assumes.end());
    // Gangs of several queues may be admitted for the sum of them; what one of them takes too much of is looked at
    // later.
    std::int64_t quota = 0;
    for (const WorldQueue& queue : world.queues)
      quota = add_capped(quota, quotas.contains(queue.name) ? queue.gpus : 0);
    if (!quotas.empty()) world.pools.front().quota = set_to(quota, world.pools.front().where);
    out_.worlds.push_back(std::move(world));
  }

  /// Schedulers evict pods for those of a higher priority; who gives way among the gangs of the world
  /// apply_priorities() says, where it can be told.
  static void rest_on_priorities(World& world, const Gang& gang) {
    for (const Role& role : gang.roles) {
      if (role.priority_class->is_set())
        rest_on(world, {"nobody is evicted for a gang of a higher priority (`priorityClassName: " +
                            role.priority_class->value + "`)",
                        role.priority_class->where});
    }
  }

  static void rest_on(World& world, const WorldSource& source) {
    const bool known = std::ranges::any_of(world.rests_on, [&](const WorldSource& other) {
      return other.where == source.where && other.says == source.says;
    });
    if (!known) world.rests_on.push_back(source);
  }

  VolcanoWay way_for(const Gang& gang) const {
    std::string needs;
    return is_placed_by_volcano(gang) ? volcano_way(model_, gang.bundle, needs).value_or(VolcanoWay{}) : VolcanoWay{};
  }

  /// Objects of different namespaces may share a name: the next number for each.
  using Names = std::unordered_map<std::string, int>;

  void add_instances(World& world, const Member& member, Names& names) const {
    // An object that makes several gangs of one shape makes them all at once; WorldGangs leaves out those of unknown
    // number.
    const std::int64_t count = gangs_.gangs_in_flight(member.gang, 1);
    for (std::int64_t i = 1; i <= count; ++i) {
      for (const WorldGang& part : member.parts) add_instance(world, part, i, names);
    }
  }

  static void add_instance(World& world, WorldGang one, std::int64_t number, Names& names) {
    if (number > 1) one.name.value += "#" + std::to_string(number);
    one.pool = world.pools.front().name.value;
    for (WorldRole& role : one.roles) role.pool = one.pool;
    const std::string plain = one.name.value;
    for (bool fresh = names.emplace(plain, 2).second; !fresh; fresh = names.emplace(one.name.value, 2).second) {
      one.name.value = plain + " (" + std::to_string(names[plain]++) + ")";
    }
    world.gangs.push_back(std::move(one));
  }

  /// Where nodes stand on the levels that some gang or role asks for; nothing where none does.
  std::optional<NodePlaces> places_for(const Fleet& fleet, const Members& members) {
    std::optional<NodePlaces> out;
    std::set<std::string> tiers;
    for (const Member& member : members) {
      if (std::ranges::any_of(member.parts, asks_for_domain) && !out) out = places_in(fleet);
      const std::string& bundle = model_.gangs[member.gang].bundle;
      for (const std::int64_t tier : tiers_of(model_.gangs[member.gang])) {
        const std::string level = WorldGangs::level_of_tier(tier);
        const bool asks =
            std::ranges::any_of(member.parts, [&](const WorldGang& part) { return stands_on_level(part, level); });
        if (!asks || !tiers.insert(level).second) continue;
        for (const auto& [node, hyper_node] : *gangs_.hyper_nodes_of(bundle, tier)) (*out)[node][level] = hyper_node;
      }
    }
    return out;
  }

  /// The nodes as slurmctld has them, where a gang takes the first of them.
  void put_in_order(const Fleet& fleet, const std::vector<const NodePool*>& pools,
                    const std::optional<NodePlaces>& places, WorldPool& pool, Members& members) {
    const auto takes_first = [](const Member& member) { return member.parts.front().takes == NodesTaken::First; };
    const auto first = std::ranges::find_if(members, takes_first);
    if (first == members.end()) return;
    const NodeTable table(*gangs_.site_for(first->gang, fleet));
    std::vector<std::string> names;
    for (std::uint32_t place = 0; place < table.size(); ++place) names.push_back(table.name(place));
    if (std::optional<std::vector<WorldNodes>> nodes = nodes_in_order(pools, places, names)) {
      pool.nodes = *std::move(nodes);
      return;
    }
    for (Member& member : members) {
      for (WorldGang& gang : member.parts)
        gang.takes = gang.takes == NodesTaken::First ? NodesTaken::Unsaid : gang.takes;
    }
  }

  static World nodes_of(const Fleet& fleet, const std::vector<const NodePool*>& pools,
                        const std::optional<NodePlaces>& places) {
    World world;
    static_cast<Object&>(world) = static_cast<const Object&>(fleet);
    world.pools.push_back(world_pool(pools, places));
    if (pools.size() > kMostNamed)
      world.pools.front().name.value = count_of(pools.size(), "node pool") + " of " + fleet.name.value;
    return world;
  }

  const Model& model_;
  const WorldOptions& options_;
  WorldGangs gangs_;
  PriorityClasses classes_;
  FoundWorlds out_;
};

}  // namespace

FoundWorlds find_worlds(const Model& model, const WorldOptions& options) { return Finder(model, options).run(); }

}  // namespace muster
