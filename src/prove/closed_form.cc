#include <algorithm>

#include "base/check.h"
#include "base/strings.h"
#include "prove/engines.h"
#include "prove/fill.h"
#include "prove/sums.h"

namespace muster::prove {
namespace {

/// Whether the property speaks of what this gang can hold at all.
bool concerns(const GangSpec& gang, Property property) {
  switch (property) {
    case Property::AllOrNothing: return gang.coupled && (gang.evictable || fewest_held(gang) < gang.pods);
    case Property::NoDeadlock: return gang.coupled && (gang.evictable || fewest_kept(gang) < gang.pods);
    case Property::NoLivelock: return gang.coupled && fewest_held(gang) < gang.hold_until;
    case Property::Placeable:
    case Property::QuotaConsistent: return false;
  }
  return false;
}

std::string reason_for_whole(const Instance& instance, Property property) {
  const auto loose = std::ranges::count(instance.gangs, false, &GangSpec::coupled);
  if (instance.gangs.empty()) return "no gang asks for anything here";
  if (property == Property::NoLivelock) {
    const bool gives_back =
        std::ranges::any_of(instance.gangs, [](const GangSpec& gang) { return gang.hold_until > 0; });
    return gives_back ? "no gang waits with so little that it gives it back, so none can take turns for ever"
                      : "no gang gives back what it holds, so none can take turns for ever";
  }
  if (loose == static_cast<std::ptrdiff_t>(instance.gangs.size())) return "no gang has pods that wait for each other";
  const std::string who = loose == 0 ? "" : " whose pods wait for each other";
  return property == Property::AllOrNothing
             ? "every gang" + who + " is placed with all of its pods at once or not at all"
             : "no gang" + who +
                   " keeps a part of its pods: all are placed at once, or what is held short is given back";
}

std::optional<Answer> whole_commits(const Instance& instance, Property property) {
  if (instance.faults > 0) return std::nullopt;
  if (std::ranges::any_of(instance.gangs, [&](const GangSpec& gang) { return concerns(gang, property); }))
    return std::nullopt;
  Answer answer{Verdict::Holds};
  answer.engine = Engine::ClosedForm;
  answer.certificate.kind =
      instance.gangs.empty() ? ProofCertificate::Kind::NothingToDo : ProofCertificate::Kind::WholeCommits;
  answer.reason = reason_for_whole(instance, property);
  return answer;
}

/// What a gang can hold in a state that breaks the property; marked is what breaks it.
Share share_of(const GangSpec& gang, Property property) {
  Share share;
  switch (property) {
    case Property::AllOrNothing:
      share.plain = {fewest_held(gang), gang.pods};
      if (gang.coupled) share.marked = {fewest_held(gang), gang.pods - 1};
      break;
    case Property::NoDeadlock:
      if (gang.coupled) share.plain = {fewest_kept(gang), gang.pods - 1};
      break;
    default:
      if (!gang.coupled) break;
      share.plain = {fewest_held(gang), gang.pods - 1};
      share.marked = {fewest_held(gang), std::min(gang.hold_until, gang.pods) - 1};
  }
  return share;
}

/// The gangs that stand against the nodes when the quota lets in what is worst; nothing where that is not simple.
std::optional<std::vector<std::size_t>> admitted_for_worst(const Instance& instance, Property property) {
  const std::optional<std::int64_t> quota = only_quota(instance);
  std::vector<std::size_t> out;
  std::vector<std::size_t> by_quota;
  for (std::size_t g = 0; g < instance.gangs.size(); ++g) {
    // Who keeps nothing for ever does not help a deadlock: the quota is better spent on others.
    if (property == Property::NoDeadlock && !concerns(instance.gangs[g], property)) continue;
    if (property == Property::NoLivelock && !instance.gangs[g].coupled) continue;
    (instance.gangs[g].by_quota && quota ? by_quota : out).push_back(g);
  }
  std::vector<std::int64_t> weights;
  std::vector<std::int64_t> values;
  std::int64_t all = 0;
  for (const std::size_t g : by_quota) {
    const GangSpec& gang = instance.gangs[g];
    weights.push_back(gang.gpus);
    values.push_back(property == Property::AllOrNothing ? gang.pods : gang.pods - 1);
    all += gang.gpus;
  }
  if (by_quota.empty() || all <= *quota) {
    out.insert(out.end(), by_quota.begin(), by_quota.end());
    return out;
  }
  // Marks that only some of them can bear would make the choice of the heaviest set wrong.
  const bool alike = std::ranges::all_of(by_quota, [&](std::size_t g) {
    const GangSpec& gang = instance.gangs[g];
    return gang.coupled && gang.pods >= 2 && (gang.hold_until > 0) == (instance.gangs[by_quota.front()].hold_until > 0);
  });
  if (!alike && property != Property::NoDeadlock) return std::nullopt;
  const std::optional<std::vector<std::size_t>> best = best_subset(weights, values, *quota);
  if (!best) return std::nullopt;
  for (const std::size_t i : *best) out.push_back(by_quota[i]);
  return out;
}

std::optional<Answer> sums(const Instance& instance, Property property) {
  const bool special = std::ranges::any_of(instance.gangs, [](const GangSpec& gang) { return gang.preempts; });
  if (special || has_serial(instance) || has_queues(instance) || quotas_of_several(instance) || instance.faults > 0)
    return std::nullopt;
  const std::optional<std::int64_t> slots = identical_slots(instance);
  if (!slots || *slots == 0) return std::nullopt;
  const std::optional<std::vector<std::size_t>> gangs = admitted_for_worst(instance, property);
  if (!gangs) return std::nullopt;
  std::vector<Share> shares;
  std::int64_t most = 0;
  for (const std::size_t g : *gangs) {
    shares.push_back(share_of(instance.gangs[g], property));
    most += std::max<std::int64_t>(
        {0, shares.back().plain.second >= shares.back().plain.first ? shares.back().plain.second : 0});
  }
  const SumAnswer sum = find_sum(shares, *slots, property != Property::NoDeadlock);
  if (sum.outcome == SumOutcome::TooLarge) return std::nullopt;

  Answer answer;
  answer.engine = Engine::ClosedForm;
  if (sum.outcome == SumOutcome::Impossible) {
    answer.verdict = Verdict::Holds;
    answer.certificate.kind = ProofCertificate::Kind::Sums;
    answer.certificate.slots = *slots;
    const std::string place = "the " + count_of(static_cast<std::size_t>(*slots), "slot") + " of the pool";
    if (property == Property::AllOrNothing) {
      answer.reason = "no gang can be left short: with one pod of it missing, the gangs never hold exactly " + place;
    } else if (most < *slots) {
      answer.reason = "while each gang waits for a pod they hold at most " + std::to_string(most) + " of " + place;
    } else {
      answer.reason = "no numbers of pods that the gangs can hold short of complete add up to " + place;
    }
    return answer;
  }
  // What pods that finish one by one leave of a commit is not placed here.
  for (std::size_t i = 0; i < gangs->size(); ++i) {
    if (sum.held[i] > 0 && sum.held[i] < instance.gangs[(*gangs)[i]].guaranteed) return std::nullopt;
  }
  answer.verdict = Verdict::Counterexample;
  answer.placement.emplace(instance);
  for (std::size_t i = 0; i < gangs->size(); ++i) {
    const bool all_there = place_anywhere(*answer.placement, (*gangs)[i], sum.held[i]);
    if (instance.work_left <= 0) return std::nullopt;
    MUSTER_CHECK(all_there, "identical slots take what the sum says");
  }
  return answer;
}

}  // namespace

std::optional<std::int64_t> identical_slots(const Instance& instance) {
  if (instance.kinds.empty() || std::ranges::any_of(instance.gangs, &GangSpec::one_per_node)) return std::nullopt;
  const Amounts& need = instance.kinds.front().need;
  for (const PodKind& kind : instance.kinds) {
    if (kind.need != need || !kind.ties.empty()) return std::nullopt;
    for (std::size_t c = 0; c < instance.classes.size(); ++c) {
      if (kind.eligible[c] == 0 && room_for(instance.classes[c].free, need) > 0) return std::nullopt;
    }
  }
  std::int64_t slots = 0;
  for (const NodeClass& nodes : instance.classes) slots += nodes.count * room_for(nodes.free, need);
  return slots;
}

std::optional<Answer> closed_form(const Instance& instance, Property property) {
  if (std::optional<Answer> answer = whole_commits(instance, property)) return answer;
  return sums(instance, property);
}

}  // namespace muster::prove
