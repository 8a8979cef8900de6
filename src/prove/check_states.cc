#include "prove/check_states.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_set>

namespace muster::check {
namespace {

constexpr std::int64_t kMostPodsAlike = 100;  // a byte holds them
constexpr std::int64_t kMostPlaces = 64;

}  // namespace

Walk::Walk(View& view) : view_(view) {
  std::int64_t nodes = 0;
  for (const Place& place : view.places) nodes += place.count;
  too_wide_ = nodes > kMostPlaces || view.teams.size() > static_cast<std::size_t>(kMostPlaces) ||
              view.faults > kMostPodsAlike ||
              std::ranges::any_of(view.parts, [](const Part& part) { return part.pods > kMostPodsAlike; });
  if (too_wide_) return;
  for (std::size_t p = 0; p < view.places.size(); ++p)
    place_of_.insert(place_of_.end(), static_cast<std::size_t>(view.places[p].count), p);
  marks_ = place_of_.size() * view.parts.size();
}

Moment Walk::start() const {
  Moment now(marks_ + view_.teams.size() + 1, 0);
  now.back() = static_cast<char>(view_.faults);
  return now;
}

Walk::Sums Walk::sums(const Moment& now) const {
  view_.work -= static_cast<std::int64_t>(marks_) / 4 + 1;
  Sums out{std::vector<std::int64_t>(view_.parts.size()), std::vector<std::int64_t>(view_.teams.size())};
  for (std::size_t i = 0; i < marks_; ++i) out.parts[i % view_.parts.size()] += now[i];
  for (std::size_t p = 0; p < out.parts.size(); ++p) out.teams[view_.parts[p].gang] += out.parts[p];
  return out;
}

std::int64_t Walk::taken_of_queue(const Sums& sums, std::size_t queue) const {
  std::int64_t taken = 0;
  for (std::size_t t = 0; t < view_.teams.size(); ++t) {
    const Team& team = view_.teams[t];
    if (team.queue != queue || sums.teams[t] == 0) continue;
    if (team.by_quota) taken += team.gpus;
    for (std::size_t p = team.first; !team.by_quota && p < team.first + team.parts; ++p)
      taken += sums.parts[p] * view_.parts[p].asks[0];
  }
  return taken;
}

bool Walk::is_admitted(const Moment& now, const Sums& sums, std::size_t t) const {
  const Team& team = view_.teams[t];
  if (!team.by_quota || sums.teams[t] > 0) return true;
  if (team.queue && taken_of_queue(sums, *team.queue) + team.gpus > view_.world->queues[*team.queue].gpus) return false;
  const auto goes_to = [&](const Team& one, std::size_t pool) {
    for (std::size_t p = one.first; p < one.first + one.parts; ++p) {
      if (view_.parts[p].pool == pool) return true;
    }
    return false;
  };
  for (const std::size_t pool : view_.result->pools) {
    if (!goes_to(team, pool)) continue;
    const WorldPool& rules = view_.world->pools[pool];
    std::int64_t sum = view_.gpus_in(team, pool);
    for (std::size_t other = 0; other < view_.teams.size(); ++other) {
      const Team& one = view_.teams[other];
      if (!one.by_quota || sums.teams[other] == 0 || !goes_to(one, pool)) continue;
      const bool complete = sums.teams[other] == one.pods || settled(now, other);
      if (rules.serial.is_set() && rules.serial.value && !complete) return false;
      sum += view_.gpus_in(one, pool);
    }
    if (rules.quota.is_set() && sum > rules.quota.value) return false;
  }
  return true;
}

/// Whether the node has the room, were all pods of gangs of lower priority than `below` gone.
bool Walk::has_room(const Moment& now, const Part& part, std::size_t node, std::int64_t below) const {
  view_.work -= static_cast<std::int64_t>(view_.parts.size());
  const Place& place = view_.places[place_of_[node]];
  if (!view_.may_stand(part, place)) return false;
  Sizes left = place.has;
  for (std::size_t p = 0; p < view_.parts.size(); ++p) {
    const std::int64_t pods = now[byte(node, p)];
    if (pods == 0 || view_.teams[view_.parts[p].gang].as->priority < below) continue;
    if (view_.parts[p].gang == part.gang && view_.teams[part.gang].apart) return false;
    for (std::size_t r = 0; r < left.size(); ++r) left[r] -= pods * view_.parts[p].asks[r];
  }
  for (std::size_t r = 0; r < left.size(); ++r) {
    if (left[r] < part.asks[r]) return false;
  }
  return true;
}

/// In the domain of those pods of its gang, of its role, or of the roles of its sets, that have a place.
bool Walk::stands_with_others(const Moment& now, std::size_t p, std::size_t node) const {
  const Part& part = view_.parts[p];
  const Team& team = view_.teams[part.gang];
  const auto fine = [&](const std::string& level, const auto& shares) {
    if (level.empty()) return true;
    const auto& here = view_.places[place_of_[node]].nodes->domains;
    const auto domain = here.find(level);
    if (domain == here.end()) return false;
    for (std::size_t other = 0; other < place_of_.size(); ++other) {
      for (std::size_t k = team.first; k < team.first + team.parts; ++k) {
        if (shares(k) && now[byte(other, k)] > 0 &&
            view_.places[place_of_[other]].nodes->domains.at(level) != domain->second)
          return false;
      }
    }
    return true;
  };
  return fine(part.as->domain, [&](std::size_t k) { return k == p; }) &&
         fine(team.as->domain, [](std::size_t) { return true; }) &&
         std::ranges::all_of(part.as->within, [&](const auto& set) {
           return fine(set.first, [&](std::size_t k) { return view_.are_of_one_set(part, view_.parts[k], set.first); });
         });
}

bool Walk::takes(const Moment& now, const Sums& sums, std::size_t p, std::size_t node) const {
  const Part& part = view_.parts[p];
  const Team& team = view_.teams[part.gang];
  if (sums.parts[p] >= part.pods || !has_room(now, part, node, std::numeric_limits<std::int64_t>::min())) return false;
  if (team.queue && !team.by_quota && part.asks[0] > 0 &&
      taken_of_queue(sums, *team.queue) + part.asks[0] > view_.world->queues[*team.queue].gpus)
    return false;
  return stands_with_others(now, p, node);
}

/// Every way to place so many more pods, from a node on; true as soon as a visit says that it is enough. Of nodes that
/// were alike the first takes no fewer chances than the next.
bool Walk::place(const Moment& base, Moment& now, Sums& sums, std::size_t team, std::int64_t pods, std::size_t from,
                 const std::function<bool(const Moment&)>& visit) {
  if (pods == 0) return visit(now);
  const std::size_t width = view_.parts.size();
  for (std::size_t at = from; at < marks_ && view_.work > 0; ++at) {
    const std::size_t node = at / width;
    const std::size_t p = at % width;
    if (view_.parts[p].gang != team) continue;
    const bool like_before = node > 0 && place_of_[node] == place_of_[node - 1] &&
                             base.compare(byte(node, 0), width, base, byte(node - 1, 0), width) == 0;
    if (like_before && now.compare(byte(node - 1, 0), width, base, byte(node - 1, 0), width) == 0) continue;
    if (!takes(now, sums, p, node)) continue;
    ++now[at];
    ++sums.parts[p];
    ++sums.teams[team];
    const bool enough = place(base, now, sums, team, pods - 1, at, visit);
    --now[at];
    --sums.parts[p];
    --sums.teams[team];
    if (enough) return true;
  }
  return false;
}

bool Walk::next_commits(const Moment& now, std::size_t t, const std::function<bool(const Moment&)>& visit) {
  const Team& team = view_.teams[t];
  Sums all = sums(now);
  const std::int64_t held = all.teams[t];
  if (held == team.pods || !is_admitted(now, all, t)) return false;
  const bool first = held < team.together && (team.as->coupled || held == 0);
  Moment copy = now;
  return place(now, copy, all, t, first ? team.together - held : 1, 0, [&](const Moment& to) {
    for (std::size_t p = team.first; first && p < team.first + team.parts; ++p) {
      std::int64_t pods = 0;
      for (std::size_t node = 0; node < place_of_.size(); ++node) pods += to[byte(node, p)];
      if (pods < view_.parts[p].least) return false;
    }
    return visit(to);
  });
}

bool Walk::can_place(const Moment& now, std::size_t team) {
  return next_commits(now, team, [](const Moment&) { return true; });
}

void Walk::clear(Moment& now, std::size_t team) const {
  for (std::size_t i = 0; i < marks_; ++i) {
    if (view_.parts[i % view_.parts.size()].gang == team) now[i] = 0;
  }
}

Moment Walk::without_below(const Moment& now, std::int64_t priority) const {
  Moment out = now;
  for (std::size_t t = 0; t < view_.teams.size(); ++t) {
    if (view_.teams[t].as->priority < priority) clear(out, t);
  }
  return tidy(std::move(out));
}

bool Walk::is_stuck(const Moment& now, std::size_t t) {
  const Team& team = view_.teams[t];
  if (can_place(now, t)) return false;
  return !team.as->preempts || !can_place(without_below(now, team.as->priority), t);
}

bool Walk::gives_back(const Moment& now, const Sums& sums, std::size_t team) const {
  return sums.teams[team] > 0 && sums.teams[team] < view_.teams[team].until && !settled(now, team);
}

Moment Walk::tidy(Moment now) const {
  const std::size_t width = view_.parts.size();
  std::vector<std::string> blocks;
  for (std::size_t node = 0; node < place_of_.size();) {
    const std::size_t count = static_cast<std::size_t>(view_.places[place_of_[node]].count);
    blocks.clear();
    for (std::size_t i = 0; i < count; ++i) blocks.push_back(now.substr(byte(node + i, 0), width));
    std::ranges::sort(blocks, std::ranges::greater{});
    for (std::size_t i = 0; i < count; ++i) now.replace(byte(node + i, 0), width, blocks[i]);
    node += count;
  }
  const Sums all = sums(now);
  for (std::size_t t = 0; t < view_.teams.size(); ++t) {
    const Team& team = view_.teams[t];
    if (all.teams[t] == 0) now[marks_ + t] = 0;
    if ((team.until > 0 || team.by_quota) && all.teams[t] >= (team.until > 0 ? team.until : team.pods))
      now[marks_ + t] = 1;
  }
  return now;
}

void Walk::each_step(const Moment& now, const std::function<void(Moment)>& visit) {
  const Sums all = sums(now);
  for (std::size_t t = 0; t < view_.teams.size(); ++t) {
    const Team& team = view_.teams[t];
    std::set<Moment> placed;
    next_commits(now, t, [&](const Moment& to) {
      placed.insert(tidy(to));
      return false;
    });
    for (const Moment& to : placed) visit(to);
    if (all.teams[t] == team.pods || gives_back(now, all, t)) {
      Moment gone = now;
      clear(gone, t);
      visit(tidy(std::move(gone)));
    }
    if (team.as->preempts && all.teams[t] < team.pods && placed.empty() &&
        can_place(without_below(now, team.as->priority), t))
      evict(now, all, t, visit);
  }
  for (std::size_t i = 0; i < marks_; ++i) {
    const bool alone = !view_.teams[view_.parts[i % view_.parts.size()].gang].as->coupled;
    if (now[i] == 0) continue;
    Moment lost = now;
    --lost[i];
    if (alone) visit(tidy(lost));
    if (now.back() == 0) continue;
    --lost.back();
    visit(tidy(std::move(lost)));
  }
}

void Walk::evict(const Moment& now, const Sums& sums, std::size_t by, const std::function<void(Moment)>& visit) {
  const WorldGang& gang = *view_.teams[by].as;
  for (std::size_t node = 0; node < place_of_.size(); ++node) {
    bool would_stand = false;
    for (std::size_t p = view_.teams[by].first; p < view_.teams[by].first + view_.teams[by].parts; ++p) {
      would_stand =
          would_stand || (sums.parts[p] < view_.parts[p].pods && has_room(now, view_.parts[p], node, gang.priority) &&
                          stands_with_others(now, p, node));
    }
    if (!would_stand) continue;
    for (std::size_t p = 0; p < view_.parts.size(); ++p) {
      const std::size_t victim = view_.parts[p].gang;
      const WorldGang& other = *view_.teams[victim].as;
      if (now[byte(node, p)] == 0 || other.priority >= gang.priority) continue;
      Moment gone = now;
      if (!other.coupled || (gang.evicts_pods && !other.restarts_whole)) {
        --gone[byte(node, p)];
      } else {
        clear(gone, victim);
      }
      visit(tidy(std::move(gone)));
    }
  }
}

bool Walk::breaks(const Moment& now, Property property) {
  const Sums all = sums(now);
  bool any = false;
  bool gives = false;
  for (std::size_t t = 0; t < view_.teams.size(); ++t) {
    if (all.teams[t] == 0) continue;
    const bool waits = view_.teams[t].as->coupled && all.teams[t] < view_.teams[t].pods;
    if (property == Property::AllOrNothing) {
      if (waits && is_stuck(now, t)) return true;
      continue;
    }
    if (!waits) return false;  // it, or a pod of it, finishes
    any = true;
    gives = gives || gives_back(now, all, t);
  }
  if (property == Property::AllOrNothing || !any || gives != (property == Property::NoLivelock)) return false;
  for (std::size_t t = 0; t < view_.teams.size(); ++t) {
    if (all.teams[t] > 0 && !is_stuck(now, t)) return false;
  }
  return true;
}

CheckAnswer check_states(View& view) {
  const CheckAnswer large = too_large("its states were too many to walk through again");
  if (view.result->certificate.states <= 0) return refused("no state was seen");
  Walk walk(view);
  if (walk.is_too_wide()) return large;
  std::vector<Moment> todo{walk.start()};
  std::unordered_set<Moment> seen(todo.begin(), todo.end());
  while (!todo.empty()) {
    const Moment now = std::move(todo.back());
    todo.pop_back();
    if (walk.breaks(now, view.result->property)) return view.work <= 0 ? large : refused("a state that breaks it");
    walk.each_step(now, [&](Moment next) {
      view.work -= static_cast<std::int64_t>(next.size());
      if (seen.insert(next).second) todo.push_back(std::move(next));
    });
    if (view.work <= 0) return large;
  }
  return static_cast<std::int64_t>(seen.size()) < view.result->certificate.states ? refused("there are fewer states")
                                                                                  : CheckAnswer{};
}

}  // namespace muster::check
