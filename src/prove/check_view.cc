#include "prove/check_view.h"

#include <algorithm>
#include <set>

namespace muster::check {
namespace {

__extension__ using Long = __int128;  // bytes by accelerators

bool asks_for_any(const WorldRole& role) {
  return role.pods > 0 && (role.gpus_per_pod > 0 || role.milli_cpus_per_pod > 0 || role.memory_per_pod > 0);
}

/// Accelerators that all gangs of the queue would hold together.
Long asked_of_queue(const World& world, const std::string& queue) {
  Long sum = 0;
  for (const WorldGang& gang : world.gangs) {
    for (const WorldRole& role : gang.roles)
      sum += gang.queue == queue ? static_cast<Long>(role.pods) * role.gpus_per_pod : 0;
  }
  return sum;
}

class Viewer {
 public:
  explicit Viewer(View& out) : view_(out), world_(*out.world) {}

  void run() {
    for (std::size_t q = 0; q < world_.queues.size(); ++q)
      binds_.push_back(asked_of_queue(world_, world_.queues[q].name) > world_.queues[q].gpus);
    for (const std::size_t pool : view_.result->pools) {
      if (pool >= world_.pools.size()) return wrong("a pool that there is not");
      add_places(pool);
    }
    for (std::size_t g = 0; g < world_.gangs.size(); ++g) add_team(g);
    // The gangs that are said to compete are those that do.
    std::set<std::size_t> said(view_.result->gangs.begin(), view_.result->gangs.end());
    for (const Team& team : view_.teams) {
      if (said.erase(team.number) == 0) wrong("`" + team.as->name.value + "` competes as well");
    }
    if (!said.empty()) wrong("a gang that does not compete");
    meet_in_queues(std::set<std::size_t>(view_.result->gangs.begin(), view_.result->gangs.end()));
    leave_out_what_cannot_run_out();
    for (Team& team : view_.teams) find_apart(team);
    for (Team& team : view_.teams) find_losses(team);
    race();
    see_them_placed_alone();
  }

 private:
  void wrong(std::string why) {
    if (view_.wrong.empty()) view_.wrong = std::move(why);
  }

  /// Who shares a queue that can be full competes, wherever it goes.
  void meet_in_queues(const std::set<std::size_t>& here) {
    std::set<std::string> shared;
    for (const Team& team : view_.teams) {
      if (team.queue) shared.insert(team.as->queue);
    }
    for (std::size_t g = 0; g < world_.gangs.size() && !shared.empty(); ++g) {
      const WorldGang& gang = world_.gangs[g];
      const bool competes = shared.contains(gang.queue) && std::ranges::any_of(gang.roles, [&](const WorldRole& role) {
                              return asks_for_any(role) && pool_of(gang, role);
                            });
      if (competes && !here.contains(g)) wrong("`" + gang.name.value + "` shares a queue");
    }
  }

  void add_places(std::size_t pool) {
    std::int64_t first = 0;
    for (const WorldNodes& nodes : world_.pools[pool].nodes) {
      if (nodes.count > 0) {
        view_.places.push_back({pool,
                                first,
                                nodes.count,
                                {nodes.gpus, nodes.milli_cpus.value_or(kEndless), nodes.memory.value_or(kEndless)},
                                &nodes});
      }
      first += nodes.count;
    }
  }

  std::optional<std::size_t> pool_of(const WorldGang& gang, const WorldRole& role) const {
    const std::string& name = role.pool.empty() ? gang.pool : role.pool;
    for (std::size_t p = 0; p < world_.pools.size(); ++p) {
      if (world_.pools[p].name.value == name) return p;
    }
    return std::nullopt;
  }
  bool is_here(std::size_t pool) const {
    return std::ranges::find(view_.result->pools, pool) != view_.result->pools.end();
  }

  void add_team(std::size_t number) {
    const WorldGang& gang = world_.gangs[number];
    Team team;
    team.number = number;
    team.as = &gang;
    team.first = view_.parts.size();
    std::int64_t idle = 0;
    std::int64_t least = 0;
    bool elsewhere = false;
    for (std::size_t r = 0; r < gang.roles.size(); ++r) {
      const WorldRole& role = gang.roles[r];
      const std::optional<std::size_t> pool = pool_of(gang, role);
      if (!pool || role.pods <= 0) continue;
      if (!asks_for_any(role)) {
        idle += is_here(*pool) ? role.pods : 0;
        continue;
      }
      if (!is_here(*pool)) {
        elsewhere = true;
        continue;
      }
      const std::int64_t of_role = gang.mechanism == Mechanism::Atomic ? std::min(role.guaranteed, role.pods) : 0;
      view_.parts.push_back({view_.teams.size(),
                             r,
                             *pool,
                             role.pods,
                             of_role,
                             {role.gpus_per_pod, role.milli_cpus_per_pod, role.memory_per_pod},
                             &role});
      team.pods += role.pods;
      team.gpus += role.pods * role.gpus_per_pod;
      least += of_role;
    }
    team.parts = view_.parts.size() - team.first;
    for (std::size_t q = 0; q < world_.queues.size(); ++q) {
      if (world_.queues[q].name == gang.queue && binds_[q]) team.queue = q;
    }
    if (team.parts == 0) return;
    if (elsewhere) wrong("`" + gang.name.value + "` goes to other pools as well");
    count(gang, idle, least, team);
    view_.teams.push_back(team);
  }

  static void count(const WorldGang& gang, std::int64_t idle, std::int64_t least, Team& team) {
    const std::int64_t written = (gang.guaranteed.is_set() ? gang.guaranteed.value : 1) - idle;
    const std::int64_t wanted = std::max<std::int64_t>(1, std::min(written, team.pods));
    if (gang.mechanism == Mechanism::Atomic) team.together = std::max(wanted, least);
    if (gang.mechanism == Mechanism::OrderedAtomic) team.together = team.pods;
    if (gang.mechanism == Mechanism::HoldAndRelease)
      team.together = std::max<std::int64_t>(1, std::min(gang.at_once - idle, wanted));
    team.by_quota = gang.mechanism == Mechanism::Quota;
    if (!gang.timeout_seconds) return;
    if (gang.mechanism == Mechanism::HoldAndRelease) team.until = wanted;
    if (team.by_quota) team.until = team.pods;
  }

  /// A resource of which each pod takes no larger share of its node than of the accelerators there is never what keeps
  /// a pod out.
  void leave_out_what_cannot_run_out() {
    for (const std::size_t r : {std::size_t{1}, std::size_t{2}}) {
      bool runs_out = false;
      for (const Part& part : view_.parts) {
        for (const Place& place : view_.places) {
          if (part.asks[r] == 0 || place.has[r] >= kEndless || !view_.may_stand(part, place)) continue;
          runs_out = runs_out || part.asks[0] == 0 || place.has[0] == 0 ||
                     static_cast<Long>(part.asks[r]) * place.has[0] > static_cast<Long>(part.asks[0]) * place.has[r];
        }
      }
      for (Part& part : view_.parts) part.asks[r] = runs_out ? part.asks[r] : 0;
    }
  }

  void find_apart(Team& team) const {
    if (!team.as->one_per_node) return;
    // Parts that ask for the same are looked at as one: a job can have a thousand segments.
    for (const Place& place : view_.places) {
      std::vector<std::pair<Sizes, std::int64_t>> sorts;
      for (std::size_t i = team.first; i < team.first + team.parts; ++i) {
        const Part& part = view_.parts[i];
        if (!view_.may_stand(part, place)) continue;
        const auto same = std::ranges::find(sorts, part.asks, &std::pair<Sizes, std::int64_t>::first);
        if (same == sorts.end()) {
          sorts.emplace_back(part.asks, part.pods);
        } else {
          same->second += part.pods;
        }
      }
      for (std::size_t a = 0; a < sorts.size(); ++a) {
        for (std::size_t b = a; b < sorts.size(); ++b) {
          bool both = a != b || sorts[a].second > 1;
          for (std::size_t r = 0; r < 3; ++r) both = both && sorts[a].first[r] + sorts[b].first[r] <= place.has[r];
          team.apart = team.apart || both;
        }
      }
    }
  }

  void find_losses(Team& team) const {
    if (!team.as->coupled || team.as->restarts_whole || team.pods < 2) return;
    team.loses_pods = std::ranges::any_of(view_.teams, [&](const Team& other) {
      return other.as->preempts && other.as->evicts_pods && other.as->priority > team.as->priority;
    });
  }

  /// Where several schedulers bind pods on the same nodes, each pod of a commit can be refused for itself.
  void race() {
    if (view_.result->property == Property::Placeable || view_.result->property == Property::QuotaConsistent) return;
    std::set<std::string> schedulers;
    for (const Team& team : view_.teams) {
      if (!team.as->scheduler.empty()) schedulers.insert(team.as->scheduler);
    }
    const bool commits =
        std::ranges::any_of(view_.teams, [](const Team& team) { return team.as->coupled && team.together > 1; });
    if (schedulers.size() < 2 || !commits) return;
    for (Team& team : view_.teams) team.together = 1;
    for (Part& part : view_.parts) part.least = 0;
  }

  /// A certificate that rests on the nodes is one for pods that are placed one by one, of gangs whose pods may work
  /// alone.
  void see_them_placed_alone() {
    if (view_.result->certificate.kind == ProofCertificate::Kind::WholeCommits) return;
    if (view_.result->property == Property::Placeable || view_.result->property == Property::QuotaConsistent) return;
    for (Team& team : view_.teams) {
      if (!team.as->coupled || team.as->may_work_alone.empty()) continue;
      team.together = 1;
      for (std::size_t i = team.first; i < team.first + team.parts; ++i) view_.parts[i].least = 0;
    }
  }

  View& view_;
  const World& world_;
  std::vector<bool> binds_;
};

}  // namespace

bool View::may_stand(const Part& part, const Place& place) const {
  return part.pool == place.pool && std::ranges::all_of(part.as->selector, [&](const auto& wanted) {
           const auto label = place.nodes->labels.find(wanted.first);
           return label != place.nodes->labels.end() && label->second == wanted.second;
         });
}

std::int64_t View::room(const Part& part, const Place& place) const {
  if (!may_stand(part, place)) return 0;
  std::int64_t out = teams[part.gang].apart ? 1 : kEndless / 2'000'000;
  for (std::size_t r = 0; r < 3; ++r) {
    if (part.asks[r] > 0) out = std::min(out, place.has[r] / part.asks[r]);
  }
  return out;
}

bool View::any_queue() const {
  return std::ranges::any_of(teams, [](const Team& team) { return team.queue.has_value(); });
}

bool View::any_serial() const {
  const bool serial = std::ranges::any_of(result->pools, [&](std::size_t pool) {
    return world->pools[pool].serial.is_set() && world->pools[pool].serial.value;
  });
  return serial && std::ranges::any_of(teams, &Team::by_quota);
}

std::optional<std::int64_t> View::quota() const {
  if (result->pools.size() != 1) return std::nullopt;
  const Located<std::int64_t>& quota = world->pools[result->pools.front()].quota;
  return quota.is_set() ? std::optional(quota.value) : std::nullopt;
}

std::int64_t View::gpus_in(const Team& team, std::size_t pool) const {
  std::int64_t sum = 0;
  for (std::size_t i = team.first; i < team.first + team.parts; ++i)
    sum += parts[i].pool == pool ? parts[i].pods * parts[i].asks[0] : 0;
  return sum;
}

bool View::are_of_one_set(const Part& a, const Part& b, const std::string& level) const {
  const auto of_a = a.as->within.find(level);
  const auto of_b = b.as->within.find(level);
  return a.gang == b.gang && of_a != a.as->within.end() && of_b != b.as->within.end() && of_a->second == of_b->second;
}

View view_of(const World& world, const ProofResult& result, std::int64_t faults, std::int64_t work) {
  View view;
  view.world = &world;
  view.result = &result;
  view.faults = faults;
  view.work = work;
  Viewer(view).run();
  return view;
}

bool can_be_short(const Team& team, Property property) {
  if (!team.as->coupled) return false;
  if (property == Property::NoLivelock) return team.fewest() < team.until;
  const std::int64_t fewest = property == Property::NoDeadlock ? std::max(team.fewest(), team.until) : team.fewest();
  return team.loses_pods || fewest < team.pods;
}

}  // namespace muster::check
