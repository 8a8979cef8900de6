#include "prove/slot_worlds.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace muster {

World world_of(const SlotWorld& slots, std::int64_t per_node) {
  World world;
  WorldPool pool;
  pool.name = set_to(std::string("p"), {});
  WorldNodes nodes;
  nodes.count = slots.slots / per_node;
  nodes.gpus = per_node;
  pool.nodes.push_back(nodes);
  if (slots.quota) pool.quota = set_to(*slots.quota, {});
  pool.serial = set_to(slots.serial, {});
  world.pools.push_back(pool);
  for (std::size_t i = 0; i < slots.gangs.size(); ++i) {
    const SlotGang& from = slots.gangs[i];
    WorldGang gang;
    gang.name = set_to(std::string(1, static_cast<char>('a' + i)), {});
    gang.pool = "p";
    WorldRole role;
    role.pods = from.pods;
    role.gpus_per_pod = 1;
    gang.roles.push_back(role);
    gang.mechanism = from.mechanism;
    gang.guaranteed = set_to(from.guaranteed, {});
    if (from.times_out) gang.timeout_seconds = 60;
    world.gangs.push_back(gang);
  }
  return world;
}

namespace {

/// Of each gang: pods it holds; whether it is admitted by quota; whether it is done.
struct One {
  int held = 0;
  bool admitted = false;
  bool done = false;
  auto operator<=>(const One&) const = default;
};
using Now = std::vector<One>;

class Trying {
 public:
  explicit Trying(const SlotWorld& world) : world_(world) {}

  SlotTruth run() {
    SlotTruth truth;
    for (const SlotGang& gang : world_.gangs) {
      if (gang.pods > world_.slots || (gang.mechanism == Mechanism::Quota && world_.quota && gang.pods > *world_.quota))
        truth.placeable = false;
    }
    std::vector<Now> todo{Now(world_.gangs.size())};
    std::set<Now> seen(todo.begin(), todo.end());
    std::map<Now, std::vector<Now>> running;  // steps between states in which no gang is complete
    std::set<std::pair<Now, Now>> releases;
    while (!todo.empty()) {
      const Now now = todo.back();
      todo.pop_back();
      look(now, truth);
      const auto go = [&](const Now& next, bool completes, bool releases_something) {
        if (seen.insert(next).second) todo.push_back(next);
        if (completes || any_complete(now) || any_complete(next)) return;
        running[now].push_back(next);
        if (releases_something) releases.insert({now, next});
      };
      steps(now, go);
    }
    for (const auto& [from, to] : releases) {
      if (leads_back(running, to, from)) truth.no_livelock = false;
    }
    return truth;
  }

 private:
  int free_in(const Now& now) const {
    int free = static_cast<int>(world_.slots);
    for (const One& one : now) free -= one.held;
    return free;
  }
  bool complete(const Now& now, std::size_t g) const { return !now[g].done && now[g].held == world_.gangs[g].pods; }
  bool any_complete(const Now& now) const {
    for (std::size_t g = 0; g < now.size(); ++g) {
      if (complete(now, g)) return true;
    }
    return false;
  }
  /// Pods of the next placement; 0 where it does not fit.
  int next_pods(const Now& now, std::size_t g) const {
    const SlotGang& gang = world_.gangs[g];
    if (now[g].done || now[g].held == gang.pods) return 0;
    if (gang.mechanism == Mechanism::Quota && !now[g].admitted) return 0;
    int wanted = 1;
    if (gang.mechanism == Mechanism::Atomic && now[g].held < gang.guaranteed)
      wanted = static_cast<int>(gang.guaranteed) - now[g].held;
    if (gang.mechanism == Mechanism::OrderedAtomic) wanted = static_cast<int>(gang.pods);
    return wanted <= free_in(now) ? wanted : 0;
  }
  bool can_release(const Now& now, std::size_t g) const {
    const SlotGang& gang = world_.gangs[g];
    if (!gang.times_out || now[g].held == 0 || next_pods(now, g) > 0) return false;
    if (gang.mechanism == Mechanism::HoldAndRelease) return now[g].held < gang.guaranteed;
    return gang.mechanism == Mechanism::Quota && now[g].held < gang.pods;
  }

  template <class Go>
  void steps(const Now& now, const Go& go) const {
    for (std::size_t g = 0; g < now.size(); ++g) {
      const SlotGang& gang = world_.gangs[g];
      Now next = now;
      if (gang.mechanism == Mechanism::Quota && !now[g].admitted && !now[g].done && quota_admits(now, g)) {
        next[g].admitted = true;
        go(next, false, false);
        next = now;
      }
      if (const int pods = next_pods(now, g); pods > 0) {
        next[g].held += pods;
        go(next, false, false);
        next = now;
      }
      if (can_release(now, g)) {
        next[g].held = 0;
        next[g].admitted = false;
        go(next, false, true);
        next = now;
      }
      if (complete(now, g)) {
        next[g] = {0, false, true};
        go(next, true, false);
      }
    }
  }

  bool quota_admits(const Now& now, std::size_t g) const {
    std::int64_t sum = world_.gangs[g].pods;
    for (std::size_t other = 0; other < now.size(); ++other) {
      if (!now[other].admitted) continue;
      if (world_.serial && !complete(now, other)) return false;
      sum += world_.gangs[other].pods;
    }
    return !world_.quota || sum <= *world_.quota;
  }

  void look(const Now& now, SlotTruth& truth) const {
    bool any_step = false;
    steps(now, [&](const Now& next, bool, bool) { any_step = any_step || next != now; });
    std::int64_t admitted = 0;
    for (std::size_t g = 0; g < now.size(); ++g) {
      const One& one = now[g];
      if (one.admitted) admitted += world_.gangs[g].pods;
      if (one.held > 0 && one.held < world_.gangs[g].pods && next_pods(now, g) == 0) truth.all_or_nothing = false;
      if (!any_step && one.held > 0) truth.no_deadlock = false;
    }
    if (admitted > world_.slots) truth.quota_consistent = false;
  }

  static bool leads_back(std::map<Now, std::vector<Now>>& running, const Now& from, const Now& to) {
    std::set<Now> seen{from};
    std::vector<Now> todo{from};
    while (!todo.empty()) {
      const Now now = todo.back();
      todo.pop_back();
      if (now == to) return true;
      for (const Now& next : running[now]) {
        if (seen.insert(next).second) todo.push_back(next);
      }
    }
    return false;
  }

  const SlotWorld& world_;
};

}  // namespace

SlotTruth try_everything(const SlotWorld& world) { return Trying(world).run(); }

std::vector<SlotGang> all_slot_gangs(std::int64_t most_pods) {
  std::vector<SlotGang> out;
  for (std::int64_t pods = 1; pods <= most_pods; ++pods) {
    out.push_back({Mechanism::PerPod, pods, 1, false});
    out.push_back({Mechanism::OrderedAtomic, pods, pods, false});
    for (const bool times_out : {false, true}) {
      out.push_back({Mechanism::Quota, pods, pods, times_out});
      for (std::int64_t k = 1; k <= pods; ++k) out.push_back({Mechanism::HoldAndRelease, pods, k, times_out});
    }
    for (std::int64_t k = 1; k <= pods; ++k) out.push_back({Mechanism::Atomic, pods, k, false});
  }
  return out;
}

}  // namespace muster
