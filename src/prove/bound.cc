#include <algorithm>
#include <map>
#include <set>

#include "prove/engines.h"

namespace muster::prove {
namespace {

/// A pod of one role of a gang that waits while the others of the gang are placed.
struct Waiting {
  std::size_t gang = 0;
  std::size_t kind = 0;
  std::int64_t blocking = 0;  ///< accelerators that have to be held at least for no such pod to fit
  std::int64_t held = 0;      ///< accelerators the gang can hold at most meanwhile
};

/// What others have to hold on the nodes that are left when a gang that takes no node twice stands on the dearest ones.
std::int64_t blocking_without_own(const GangSpec& gang, std::vector<std::pair<std::int64_t, std::int64_t>>& nodes) {
  std::int64_t own = gang.one_per_node ? gang.pods - 1 : 0;
  std::ranges::sort(nodes, std::ranges::greater{});
  std::int64_t sum = 0;
  for (const auto& [blocking, count] : nodes) {
    const std::int64_t taken = std::min(own, count);
    own -= taken;
    sum += blocking * (count - taken);
  }
  return sum;
}

/// Each node the pod could go to has less free than it needs. Where it has to stand in a domain, that is so in one at
/// least.
std::int64_t least_that_blocks(const Instance& instance, const PodKind& kind) {
  if (kind.need[1] != 0 || kind.need[2] != 0 || kind.need[0] == 0) return 0;  // something else may block it
  using Nodes = std::vector<std::pair<std::int64_t, std::int64_t>>;           // what blocks one, and how many
  std::map<std::vector<std::int32_t>, Nodes> places;                          // by the domains of its ties
  for (std::size_t c = 0; c < instance.classes.size(); ++c) {
    std::vector<std::int32_t> domains;
    for (const std::size_t tie : kind.ties) domains.push_back(domain_of(instance, c, tie));
    const std::int64_t blocking = std::max<std::int64_t>(0, instance.classes[c].free[0] - kind.need[0] + 1);
    if (kind.eligible[c] == 0 || blocking == 0 || std::ranges::find(domains, -1) != domains.end()) continue;
    places[domains].emplace_back(blocking, instance.classes[c].count);
  }
  // Pods of other roles may lead it into a domain that takes none of its own; nothing has to be held for that. Led by
  // several at a time it is not looked at.
  const auto shared = std::ranges::count_if(kind.ties, [&](std::size_t tie) { return instance.ties[tie].kinds > 1; });
  if (shared > 1) return 0;
  for (std::size_t t = 0; t < kind.ties.size(); ++t) {
    if (instance.ties[kind.ties[t]].kinds == 1) continue;
    std::set<std::int32_t> with_room;
    for (const auto& [domains, nodes] : places) with_room.insert(domains[t]);
    if (static_cast<std::int32_t>(with_room.size()) < domains_of(instance, kind.ties[t])) return 0;
  }
  std::optional<std::int64_t> least;
  for (auto& [domains, nodes] : places) {
    const std::int64_t sum = blocking_without_own(instance.gangs[kind.gang], nodes);
    least = std::min(least.value_or(sum), sum);
  }
  return least.value_or(0);
}

bool can_be_short(const Instance& instance, const GangSpec& gang, Property property) {
  if (!gang.coupled) return false;
  // What is lost or evicted leaves any part of it, and what was settled once is kept.
  if (gang.evictable || instance.faults > 0) return gang.pods > 1;
  const std::int64_t fewest = property == Property::NoDeadlock ? fewest_kept(gang) : fewest_held(gang);
  return fewest < gang.pods;
}

std::vector<Waiting> all_waiting(const Instance& instance, Property property) {
  std::vector<Waiting> out;
  for (std::size_t k = 0; k < instance.kinds.size(); ++k) {
    const PodKind& kind = instance.kinds[k];
    const GangSpec& gang = instance.gangs[kind.gang];
    if (!can_be_short(instance, gang, property)) continue;
    out.push_back({kind.gang, k, least_that_blocks(instance, kind), gang.gpus - kind.need[0]});
  }
  return out;
}

/// What all gangs together can hold while the pod of `one` waits and is blocked. Where every holder has to be blocked,
/// too (deadlock, livelock), only those count that are blocked by no more than it.
std::int64_t held_by_all(const Instance& instance, Property property, const std::vector<Waiting>& waiting,
                         const Waiting& one) {
  std::vector<std::int64_t> most(instance.gangs.size(), 0);
  if (property == Property::AllOrNothing) {
    for (std::size_t g = 0; g < most.size(); ++g) most[g] = instance.gangs[g].gpus;
  } else {
    for (const Waiting& other : waiting) {
      if (other.blocking <= one.blocking) most[other.gang] = std::max(most[other.gang], other.held);
    }
  }
  // Nodes that it stands on itself are not among those that others block.
  most[one.gang] = instance.gangs[one.gang].one_per_node ? 0 : one.held;
  const std::optional<std::int64_t> quota = only_quota(instance);
  std::int64_t free = 0;
  std::int64_t by_quota = 0;
  // Accelerators of a pod that some gang by quota still misses, though it is admitted with it.
  const bool all_short = property != Property::AllOrNothing;
  std::int64_t missing = all_short ? kPlenty : instance.gangs[one.gang].by_quota ? instance.kinds[one.kind].need[0] : 0;
  for (std::size_t g = 0; g < most.size(); ++g) {
    const GangSpec& gang = instance.gangs[g];
    if (!gang.by_quota || !quota) {
      free += most[g];
      continue;
    }
    by_quota += most[g];
    if (all_short && most[g] > 0) missing = std::min(missing, gang.gpus - most[g]);
  }
  if (quota && by_quota > 0) by_quota = std::min(by_quota, std::max<std::int64_t>(0, *quota - missing));
  return free + by_quota;
}

}  // namespace

std::optional<Answer> bound(const Instance& instance, Property property) {
  if (has_queues(instance)) return std::nullopt;
  const std::vector<Waiting> waiting = all_waiting(instance, property);
  Answer answer{Verdict::Holds};
  answer.engine = Engine::Bound;
  answer.certificate.kind = ProofCertificate::Kind::Bound;
  const ProofCertificate::Entry* closest = nullptr;
  for (const Waiting& one : waiting) {
    const std::int64_t held = held_by_all(instance, property, waiting, one);
    if (held >= one.blocking) return std::nullopt;
    answer.certificate.entries.push_back(
        {instance.gangs[one.gang].gang, instance.kinds[one.kind].role, held, one.blocking});
  }
  for (const ProofCertificate::Entry& entry : answer.certificate.entries) {
    if (closest == nullptr || entry.blocking - entry.held < closest->blocking - closest->held) closest = &entry;
  }
  if (closest == nullptr) return std::nullopt;
  answer.reason = "to keep the last pod of `" + instance.world->gangs[closest->gang].name.value + "` out, " +
                  std::to_string(closest->blocking) + " GPUs have to be held where it could go; the gangs can hold " +
                  std::to_string(closest->held) + " at most";
  return answer;
}

}  // namespace muster::prove
