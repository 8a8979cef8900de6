#include <algorithm>

#include "base/strings.h"
#include "prove/components.h"
#include "prove/engines.h"
#include "prove/fill.h"
#include "prove/packing.h"
#include "prove/sums.h"

namespace muster::prove {
namespace {

const std::string& name_of(const Instance& instance, std::size_t gang) {
  return instance.world->gangs[instance.gangs[gang].gang].name.value;
}

/// The gang alone on the empty nodes, as much of it as finds a place.
Placement most_of(const Instance& instance, std::size_t gang) {
  const GangSpec& spec = instance.gangs[gang];
  Placement best(instance);
  // The tie of the whole gang is the last one.
  const std::size_t last = spec.first_tie + spec.ties - 1;
  const bool all_tied = spec.ties > 0 && instance.ties[last].kinds == spec.kinds;
  for (std::int32_t domain = 0; domain < (all_tied ? domains_of(instance, last) : 1); ++domain) {
    Placement one(instance);
    if (all_tied) one.bind_domain(last, domain);
    for (std::size_t kind = spec.first_kind; kind < spec.first_kind + spec.kinds; ++kind) {
      bind_best(one, kind);
      fill(one, kind, instance.kinds[kind].count, {Fill::Tight, std::nullopt});
    }
    if (one.held(gang) > best.held(gang)) best = std::move(one);
  }
  return best;
}

Answer counterexample(Placement placement, std::size_t gang, std::string reason, Engine engine = Engine::Packing) {
  const Instance& instance = placement.instance();
  Answer answer{Verdict::Counterexample};
  answer.engine = engine;
  answer.reason = std::move(reason);
  answer.counterexample = ProofCounterexample{};
  answer.counterexample->holds.push_back({instance.gangs[gang].gang, placement.held(gang), instance.gangs[gang].pods});
  answer.counterexample->steps = placement.steps();
  answer.counterexample->free_gpus = placement.free_gpus();
  return answer;
}

std::string roles_within(const WorldGang& gang) {
  const auto sharing = std::ranges::find_if(gang.roles, [](const WorldRole& role) { return !role.within.empty(); });
  if (sharing != gang.roles.end()) return ", each pod set of it within one " + sharing->within.begin()->first;
  const auto tied = std::ranges::find_if(gang.roles, [](const WorldRole& role) { return !role.domain.empty(); });
  return tied == gang.roles.end() ? "" : ", each role of it within one " + tied->domain;
}

std::string too_large(const Instance& instance, std::size_t gang, const Placement& placement) {
  const GangSpec& spec = instance.gangs[gang];
  const WorldGang& world = instance.world->gangs[spec.gang];
  return "`" + name_of(instance, gang) + "` needs " + count_of(static_cast<std::size_t>(spec.pods), "pod") +
         "; the empty nodes take " + std::to_string(placement.held(gang)) +
         (world.domain.empty() ? "" : " of them within one " + world.domain) + roles_within(world);
}

/// Its queue or the quota of a pool is less than all of it.
std::optional<std::string> never_admitted(const Instance& instance, std::size_t gang) {
  const GangSpec& spec = instance.gangs[gang];
  const auto asks = [&](std::int64_t gpus) {
    return "`" + name_of(instance, gang) + "` asks for " + std::to_string(gpus) + " GPUs; ";
  };
  for (std::size_t pool = 0; spec.by_quota && pool < instance.rules.size(); ++pool) {
    const std::optional<std::int64_t>& quota = instance.rules[pool].quota;
    if (quota && spec.gpus_in[pool] > *quota)
      return asks(spec.gpus_in[pool]) + "the quota admits " + std::to_string(*quota);
  }
  if (!spec.queue) return std::nullopt;
  const WorldQueue& queue = instance.world->queues[*spec.queue];
  if (spec.gpus <= queue.gpus) return std::nullopt;
  return asks(spec.gpus) + "queue `" + queue.name + "` admits " + std::to_string(queue.gpus);
}

}  // namespace

Answer decide_placeable(const Instance& instance, std::int64_t budget) {
  Answer unknown;
  Fills where;
  for (std::size_t g = 0; g < instance.gangs.size(); ++g) {
    const GangSpec& spec = instance.gangs[g];
    if (std::optional<std::string> reason = never_admitted(instance, g))
      return counterexample(Placement(instance), g, *std::move(reason));
    switch (pack(instance, {g}, budget, &where)) {
      case Packed::Fits: break;
      case Packed::DoesNotFit: {
        Placement most = most_of(instance, g);
        std::string reason = too_large(instance, g, most);
        return counterexample(std::move(most), g, std::move(reason));
      }
      case Packed::Unknown:
        unknown.reason = "whether `" + name_of(instance, g) + "` fits was not found out within the budget";
        unknown.budget_exhausted = true;
        continue;
    }
    if (!spec.in_order) continue;
    ComponentsAnswer components = place_components(instance, g);
    if (components.outcome == Components::Starve) {
      std::size_t started = 0;
      while (components.placement->held_of_kind(spec.first_kind + started) > 0) ++started;
      return counterexample(std::move(*components.placement), g,
                            "`" + name_of(instance, g) +
                                "` fits the empty nodes, but its components are placed in order: after the first " +
                                std::to_string(started) + " what is left does not take the next, on an idle cluster");
    }
    if (components.outcome == Components::Unknown) unknown.reason = std::move(components.why);
  }
  if (!unknown.reason.empty()) return unknown;
  Answer answer{Verdict::Holds};
  answer.engine = Engine::Packing;
  answer.certificate.kind = instance.gangs.empty() ? ProofCertificate::Kind::NothingToDo : ProofCertificate::Kind::Fits;
  answer.reason =
      instance.gangs.empty() ? "no gang asks for anything here" : "each gang has a placement on the empty nodes";
  answer.certificate.fills = std::move(where);
  return answer;
}

namespace {

/// Whether the quotas of their pools and their queues let all of these in at a time.
bool admitted_together(const Instance& instance, const std::vector<std::size_t>& gangs) {
  for (std::size_t pool = 0; pool < instance.rules.size(); ++pool) {
    std::int64_t sum = 0;
    for (const std::size_t g : gangs) sum += instance.gangs[g].gpus_in[pool];
    if (instance.rules[pool].quota && sum > *instance.rules[pool].quota) return false;
  }
  for (std::size_t q = 0; q < instance.world->queues.size(); ++q) {
    std::int64_t sum = 0;
    for (const std::size_t g : gangs) sum += instance.gangs[g].queue == q ? instance.gangs[g].gpus : 0;
    if (sum > instance.world->queues[q].gpus) return false;
  }
  return true;
}

/// Sets of gangs that no further one can join within the quota; nothing where there are too many.
std::optional<std::vector<std::vector<std::size_t>>> largest_admissions(const Instance& instance,
                                                                        const std::vector<std::size_t>& by_quota) {
  if (by_quota.size() > 12) return std::nullopt;
  std::vector<std::vector<std::size_t>> out;
  const std::size_t all = std::size_t{1} << by_quota.size();
  const auto members = [&](std::size_t set) {
    std::vector<std::size_t> gangs;
    for (std::size_t i = 0; i < by_quota.size(); ++i) {
      if ((set >> i & 1) != 0) gangs.push_back(by_quota[i]);
    }
    return gangs;
  };
  std::vector<char> fine(all, 0);
  for (std::size_t set = 0; set < all; ++set) fine[set] = admitted_together(instance, members(set)) ? 1 : 0;
  for (std::size_t set = 1; set < all; ++set) {
    bool largest = fine[set] != 0;
    for (std::size_t i = 0; i < by_quota.size(); ++i)
      largest = largest && ((set >> i & 1) != 0 || fine[set | std::size_t{1} << i] == 0);
    if (largest) out.push_back(members(set));
  }
  return out;
}

Answer too_much_admitted(const Instance& instance, std::vector<std::size_t> gangs, std::int64_t budget, Engine engine) {
  // Fewest gangs: none that the others do not need.
  for (std::size_t i = gangs.size(); i-- > 0;) {
    std::vector<std::size_t> fewer = gangs;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (pack(instance, fewer, budget) == Packed::DoesNotFit) gangs = std::move(fewer);
  }
  Answer answer{Verdict::Counterexample};
  answer.engine = engine;
  answer.counterexample = ProofCounterexample{};
  std::int64_t sum = 0;
  Placement placement(instance);
  for (const std::size_t g : gangs) {
    sum += instance.gangs[g].gpus;
    fill_gang(placement, g, instance.gangs[g].pods, {Fill::Tight, std::nullopt});
    answer.counterexample->holds.push_back({instance.gangs[g].gang, placement.held(g), instance.gangs[g].pods});
  }
  answer.counterexample->steps = placement.steps();
  answer.counterexample->free_gpus = placement.free_gpus();
  const std::optional<std::int64_t> quota = only_quota(instance);
  answer.reason = (quota ? "the quota of " + std::to_string(*quota) + " GPUs admits "
                         : std::string("the quotas of the pools admit ")) +
                  count_of(gangs.size(), "gang") + " of " + std::to_string(sum) +
                  " GPUs together, and the nodes do not take all of their pods";
  return answer;
}

constexpr std::string_view kNobodyWaits = "no gang is admitted by quota before its pods are placed";

Answer consistent(std::string_view reason, ProofCertificate::Kind kind, Engine engine, Fills where = {}) {
  Answer answer{Verdict::Holds};
  answer.engine = engine;
  answer.certificate.kind = kind;
  answer.certificate.fills = std::move(where);
  answer.reason = reason;
  return answer;
}

}  // namespace

Answer decide_quota(const Instance& instance, std::int64_t budget) {
  std::vector<std::size_t> by_quota;
  std::vector<std::int64_t> weights;
  for (std::size_t g = 0; g < instance.gangs.size(); ++g) {
    const GangSpec& gang = instance.gangs[g];
    if (!gang.by_quota || !admitted_together(instance, {g})) continue;
    by_quota.push_back(g);
    weights.push_back(gang.gpus);
  }
  if (by_quota.empty()) return consistent(kNobodyWaits, ProofCertificate::Kind::NothingToDo, Engine::ClosedForm);
  const bool every_quota =
      std::ranges::all_of(instance.rules, [](const PoolRule& rule) { return rule.quota.has_value(); });
  if (admitted_together(instance, by_quota)) {
    Fills where;
    const Packed packed = pack(instance, by_quota, budget, &where);
    if (packed == Packed::Fits)
      return consistent("all gangs that the quota admits fit the nodes at the same time", ProofCertificate::Kind::Fits,
                        Engine::Packing, std::move(where));
    if (packed == Packed::DoesNotFit && every_quota)
      return too_much_admitted(instance, by_quota, budget, Engine::Packing);
  }
  if (!every_quota) {
    Answer answer;
    answer.reason = "the pool has no `quota`, so what is admitted together is not known";
    return answer;
  }
  // Identical pods: what is heaviest decides.
  const std::optional<std::int64_t> slots =
      only_quota(instance) && !has_queues(instance) ? identical_slots(instance) : std::nullopt;
  if (const auto heaviest = slots ? best_subset(weights, weights, *only_quota(instance)) : std::nullopt) {
    std::vector<std::size_t> gangs;
    std::int64_t pods = 0;
    for (const std::size_t i : *heaviest) {
      gangs.push_back(by_quota[i]);
      pods += instance.gangs[by_quota[i]].pods;
    }
    if (pods > *slots) return too_much_admitted(instance, std::move(gangs), budget, Engine::ClosedForm);
    Answer answer = consistent("the quota admits at most " + count_of(static_cast<std::size_t>(pods), "pod") + " for " +
                                   std::to_string(*slots) + " slots",
                               ProofCertificate::Kind::Sums, Engine::ClosedForm);
    answer.certificate.slots = *slots;
    return answer;
  }
  Answer unknown;
  unknown.reason = "what the quota admits together was not tried in full";
  unknown.budget_exhausted = true;
  const auto sets = largest_admissions(instance, by_quota);
  if (!sets) return unknown;
  bool all_known = true;
  Fills where;
  for (const std::vector<std::size_t>& gangs : *sets) {
    const Packed packed = pack(instance, gangs, budget, &where);
    if (packed == Packed::DoesNotFit) return too_much_admitted(instance, gangs, budget, Engine::Packing);
    all_known = all_known && packed == Packed::Fits;
  }
  if (!all_known) return unknown;
  return consistent("every set of gangs that the quota admits together fits the nodes", ProofCertificate::Kind::Fits,
                    Engine::Packing, std::move(where));
}

}  // namespace muster::prove
