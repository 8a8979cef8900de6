#include <algorithm>
#include <map>

#include "prove/check_view.h"

namespace muster::check {
namespace {

/// Numbers, as ranges that neither meet nor touch, in order. Both ends belong to a range.
using Range = std::pair<std::int64_t, std::int64_t>;
using Numbers = std::vector<Range>;

Numbers tidy(Numbers ranges) {
  std::ranges::sort(ranges);
  Numbers out;
  for (const Range& range : ranges) {
    if (!out.empty() && range.first <= out.back().second + 1) {
      out.back().second = std::max(out.back().second, range.second);
    } else {
      out.push_back(range);
    }
  }
  return out;
}

void add_sums(const Numbers& numbers, const Range& range, std::int64_t most, Numbers& out) {
  if (range.first > range.second) return;
  for (const Range& one : numbers) {
    if (one.first + range.first <= most)
      out.emplace_back(one.first + range.first, std::min(most, one.second + range.second));
  }
}

bool contains(const Numbers& numbers, std::int64_t number) {
  return std::ranges::any_of(numbers, [&](const Range& one) { return one.first <= number && number <= one.second; });
}

/// What a gang can hold in a state that breaks the property, and what of it is what breaks it.
struct Holding {
  Range any{1, 0};
  Range breaking{1, 0};
};

Holding holding_of(const Team& team, Property property) {
  const std::int64_t fewest = team.fewest();
  if (property == Property::AllOrNothing)
    return {{fewest, team.pods}, team.as->coupled ? Range{fewest, team.pods - 1} : Range{1, 0}};
  // Pods that work alone finish, and so does a whole gang.
  if (!team.as->coupled) return {};
  if (property == Property::NoDeadlock) {
    const Range kept{std::max(fewest, team.until), team.pods - 1};
    return {kept, kept};
  }
  return {{fewest, team.pods - 1}, {fewest, std::min(team.until, team.pods) - 1}};
}

// More pods than there are, for those that ask for nothing that runs out; times all nodes it fits 64 bits.
constexpr std::int64_t kMostRoom = 10'000'000'000;

/// Slots of pods that are all alike and may stand wherever there is room; nothing where they are not.
std::optional<std::int64_t> slots_of(const View& view) {
  if (view.parts.empty()) return std::nullopt;
  std::int64_t slots = 0;
  for (const Part& part : view.parts) {
    if (part.asks != view.parts.front().asks || !part.as->domain.empty() || !part.as->within.empty())
      return std::nullopt;
    const Team& team = view.teams[part.gang];
    if (!team.as->domain.empty() || team.apart) return std::nullopt;
  }
  // Roles of one selector and pool stand on the same nodes.
  std::map<std::pair<std::size_t, std::map<std::string, std::string>>, const Part*> sorts;
  for (const Part& part : view.parts) sorts.try_emplace({part.pool, part.as->selector}, &part);
  for (const Place& place : view.places) {
    std::int64_t most = 0;
    std::int64_t least = kEndless;
    std::int64_t here = kMostRoom;
    for (std::size_t r = 0; r < 3; ++r) {
      if (view.parts.front().asks[r] > 0) here = std::min(here, place.has[r] / view.parts.front().asks[r]);
    }
    for (const auto& [sort, part] : sorts) {
      most = std::max(most, view.room(*part, place));
      least = std::min(least, view.room(*part, place));
    }
    if (here > 0 && least == 0) return std::nullopt;  // some may not stand here
    if (most > 0) slots += place.count * here;
  }
  return slots;
}

/// What sums the holdings make, and which of them are broken states, gang by gang.
struct Reached {
  Numbers any{{0, 0}};
  Numbers breaking;
};

Reached with(const Reached& before, const Holding& holding, std::int64_t slots) {
  Reached out = before;
  add_sums(before.any, holding.any, slots, out.any);
  add_sums(before.breaking, holding.any, slots, out.breaking);
  add_sums(before.any, holding.breaking, slots, out.breaking);
  return {tidy(std::move(out.any)), tidy(std::move(out.breaking))};
}

std::int64_t size_of(const Reached& reached) {
  return static_cast<std::int64_t>(reached.any.size() + reached.breaking.size()) + 1;
}

/// Whether all slots can be held so that it is broken; nothing where that is too much. Without `quota` everybody is
/// admitted.
std::optional<bool> can_fill(View& view, std::int64_t slots, std::optional<std::int64_t> quota) {
  std::map<std::int64_t, Reached> by_admitted{{0, {}}};  // accelerators by quota
  for (const Team& team : view.teams) {
    const Holding holding = holding_of(team, view.result->property);
    const std::int64_t weight = quota && team.by_quota ? team.gpus : 0;
    std::map<std::int64_t, Reached> next = by_admitted;
    for (const auto& [admitted, before] : by_admitted) {
      if (quota && admitted + weight > *quota && weight > 0) continue;
      view.work -= 4 * size_of(before);
      Reached after = with(before, holding, slots);
      Reached& there = next[admitted + weight];
      there.any.insert(there.any.end(), after.any.begin(), after.any.end());
      there.breaking.insert(there.breaking.end(), after.breaking.begin(), after.breaking.end());
      there = {tidy(std::move(there.any)), tidy(std::move(there.breaking))};
      if (view.work <= 0) return std::nullopt;
    }
    by_admitted = std::move(next);
  }
  return std::ranges::any_of(by_admitted, [&](const auto& one) { return contains(one.second.breaking, slots); });
}

/// Accelerators that waiting pods leave held at most, against what has to be held for none of them to fit.
class Bounds {
 public:
  explicit Bounds(View& view) : view_(view), all_short_(view.result->property != Property::AllOrNothing) {}

  CheckAnswer run() {
    for (std::size_t p = 0; p < view_.parts.size(); ++p) {
      const Team& team = view_.teams[view_.parts[p].gang];
      if (!is_concerned(team)) continue;
      waiting_.push_back({p, blocking(view_.parts[p]), team.gpus - view_.parts[p].asks[0]});
    }
    std::map<std::pair<std::size_t, std::size_t>, const ProofCertificate::Entry*> said;
    for (const ProofCertificate::Entry& entry : view_.result->certificate.entries)
      said[{entry.gang, entry.role}] = &entry;
    most_.assign(view_.teams.size(), 0);
    for (std::size_t t = 0; t < most_.size(); ++t) set_most(t, all_short_ ? 0 : view_.teams[t].gpus);
    std::ranges::stable_sort(waiting_, {}, &Waiting::blocking);
    for (std::size_t at = 0; at < waiting_.size();) {
      std::size_t end = at;
      for (; end < waiting_.size() && waiting_[end].blocking == waiting_[at].blocking; ++end) {
        const std::size_t team = view_.parts[waiting_[end].part].gang;
        if (all_short_) set_most(team, std::max(most_[team], waiting_[end].held));
      }
      for (; at < end; ++at) {
        const Part& part = view_.parts[waiting_[at].part];
        const std::string& name = view_.teams[part.gang].as->name.value;
        const auto entry = said.find({view_.teams[part.gang].number, part.role});
        if (entry == said.end()) return refused("`" + name + "` has no entry");
        if (entry->second->held < held(waiting_[at]) || entry->second->blocking > waiting_[at].blocking ||
            entry->second->held >= entry->second->blocking)
          return refused("what is held may block `" + name + "`");
      }
    }
    return {};
  }

 private:
  struct Waiting {
    std::size_t part = 0;
    std::int64_t blocking = 0;
    std::int64_t held = 0;  ///< by its own gang
  };

  /// It can be short; of a livelock only one of them gives back.
  bool is_concerned(const Team& team) const {
    if (view_.faults > 0 || team.loses_pods) return team.as->coupled && team.pods > 1;
    return can_be_short(
        team, view_.result->property == Property::NoLivelock ? Property::AllOrNothing : view_.result->property);
  }

  void set_most(std::size_t team, std::int64_t most) {
    sum_ += most - most_[team];
    if (view_.teams[team].by_quota) sum_by_quota_ += most - most_[team];
    most_[team] = most;
  }

  /// The level of a domain in which this part has to stand, and whether other parts may have chosen it.
  std::vector<std::pair<std::string, bool>> levels(const Part& part) const {
    std::vector<std::pair<std::string, bool>> out;
    const Team& team = view_.teams[part.gang];
    if (!part.as->domain.empty()) out.emplace_back(part.as->domain, false);
    if (!team.as->domain.empty()) out.emplace_back(team.as->domain, team.parts > 1);
    for (const auto& set : part.as->within) {
      const auto shares = [&](std::size_t p) { return view_.are_of_one_set(part, view_.parts[p], set.first); };
      std::size_t parts = 0;
      for (std::size_t p = team.first; p < team.first + team.parts; ++p) parts += shares(p) ? 1 : 0;
      out.emplace_back(set.first, parts > 1);
    }
    return out;
  }

  /// Each node that it may stand on, in its domains, has less free than it asks for: so much is held at least.
  std::int64_t blocking(const Part& part) const {
    if (part.asks[0] == 0 || part.asks[1] != 0 || part.asks[2] != 0) return 0;  // something else may be what blocks
    const auto wanted = levels(part);
    if (std::ranges::count_if(wanted, &std::pair<std::string, bool>::second) > 1) return 0;
    std::map<std::vector<std::string>, std::map<std::int64_t, std::int64_t>> by_domains;  // nodes by what blocks one
    std::vector<std::map<std::string, bool>> takes(wanted.size());  // whether a domain takes any pod of it
    for (const Place& place : view_.places) {
      std::vector<std::string> domains;
      for (const auto& [level, chosen] : wanted) {
        const auto domain = place.nodes->domains.find(level);
        if (domain != place.nodes->domains.end()) domains.push_back(domain->second);
      }
      const bool stands = domains.size() == wanted.size() && view_.room(part, place) > 0;
      for (std::size_t l = 0; l < wanted.size(); ++l) {
        const auto domain = place.nodes->domains.find(wanted[l].first);
        if (domain != place.nodes->domains.end()) takes[l][domain->second] |= stands;
      }
      if (stands) by_domains[domains][place.has[0] - part.asks[0] + 1] += place.count;
    }
    for (std::size_t l = 0; l < wanted.size(); ++l) {
      // Others of the gang may stand where it finds no room, whatever is held.
      if (wanted[l].second && std::ranges::any_of(takes[l], [](const auto& domain) { return !domain.second; }))
        return 0;
    }
    std::int64_t least = by_domains.empty() ? 0 : kEndless;
    for (const auto& [domains, nodes] : by_domains) {
      // A gang that takes no node twice may stand itself on as many as it has other pods, the dearest.
      std::int64_t all = 0;
      std::int64_t sum = 0;
      for (const auto& [each, count] : nodes) all += count;
      const Team& team = view_.teams[part.gang];
      std::int64_t others = team.apart ? std::max<std::int64_t>(0, all - (team.pods - 1)) : all;
      for (const auto& [each, count] : nodes) {
        sum += each * std::min(others, count);
        others -= std::min(others, count);
      }
      least = std::min(least, sum);
    }
    return least;
  }

  std::int64_t held(const Waiting& one) const {
    const std::size_t team = view_.parts[one.part].gang;
    const bool by_quota = view_.teams[team].by_quota;
    const std::int64_t own = view_.teams[team].apart ? 0 : one.held;  // else not where it waits for a node
    const std::int64_t sum = sum_ - most_[team] + own;
    const std::optional<std::int64_t> quota = view_.quota();
    if (!quota) return sum;
    const std::int64_t admitted = sum_by_quota_ - (by_quota ? most_[team] - own : 0);
    if (admitted <= 0) return sum;
    // Who is admitted was so with the pods that it misses.
    std::int64_t missing = all_short_ ? kEndless : by_quota ? view_.parts[one.part].asks[0] : 0;
    for (std::size_t t = 0; all_short_ && t < most_.size(); ++t) {
      const std::int64_t most = t == team ? own : most_[t];
      if (view_.teams[t].by_quota && most > 0) missing = std::min(missing, view_.teams[t].gpus - most);
    }
    return sum - admitted + std::min(admitted, std::max<std::int64_t>(0, *quota - missing));
  }

  View& view_;
  const bool all_short_;
  std::vector<Waiting> waiting_;
  std::vector<std::int64_t> most_;  ///< accelerators each gang can hold
  std::int64_t sum_ = 0;
  std::int64_t sum_by_quota_ = 0;
};

std::size_t pools_with_quota(const View& view) {
  return static_cast<std::size_t>(std::ranges::count_if(
      view.result->pools, [&](std::size_t pool) { return view.world->pools[pool].quota.is_set(); }));
}

/// Gangs take nothing away from each other, no pod is lost, and only the nodes and one quota bound them.
bool is_plain(const View& view) {
  return view.faults == 0 && !view.any_queue() &&
         std::ranges::none_of(view.teams, [](const Team& team) { return team.loses_pods; });
}

}  // namespace

CheckAnswer check_sums(View& view) {
  const bool preempts = std::ranges::any_of(view.teams, [](const Team& team) { return team.as->preempts; });
  const bool quotas = view.result->pools.size() > 1 && pools_with_quota(view) > 0;
  if (!is_plain(view) || preempts || quotas || view.any_serial()) return refused("more than sums decides here");
  const std::optional<std::int64_t> slots = slots_of(view);
  if (!slots || *slots == 0) return refused("the pods are not alike");
  if (*slots != view.result->certificate.slots) return refused("the slots were miscounted");
  std::optional<bool> fills = can_fill(view, *slots, std::nullopt);
  if (fills == true && view.quota()) fills = can_fill(view, *slots, view.quota());
  if (!fills) return too_large("the sums of what the gangs can hold are too many to add up again");
  return *fills ? refused("the slots can be filled short") : CheckAnswer{};
}

CheckAnswer check_bound(View& view) {
  if (view.any_queue()) return refused("more than a bound decides here");
  return Bounds(view).run();
}

/// Of pods that are alike, the most that the quota admits together find a slot each.
CheckAnswer check_quota_sums(View& view) {
  const std::optional<std::int64_t> slots = slots_of(view);
  const std::optional<std::int64_t> quota = view.quota();
  if (!slots || !quota || view.any_queue()) return refused("more than sums decides here");
  if (*slots != view.result->certificate.slots) return refused("the slots were miscounted");
  const std::int64_t each = view.parts.front().asks[0];
  if (each > 0 && *quota / each <= *slots) return {};
  Numbers pods{{0, 0}};
  for (const Team& team : view.teams) {
    if (!team.by_quota || (each > 0 && team.pods > *quota / each)) continue;
    Numbers next = pods;
    view.work -= 4 * static_cast<std::int64_t>(pods.size());
    if (view.work <= 0) return too_large("what the quota admits is too much to add up again");
    add_sums(pods, {team.pods, team.pods}, each > 0 ? *quota / each : kEndless, next);
    pods = tidy(std::move(next));
  }
  // A range that a limit cut short is no sum that is reached; single numbers are not cut.
  return pods.back().second <= *slots ? CheckAnswer{} : refused("the quota admits more pods than there are slots");
}

}  // namespace muster::check
