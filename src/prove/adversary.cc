#include <algorithm>
#include <numeric>
#include <tuple>

#include "prove/engines.h"
#include "prove/fill.h"

namespace muster::prove {
namespace {

/// How to build one placement that may block.
struct Plan {
  std::vector<std::size_t> order;     ///< gangs; those that stand first get what they can hold first
  std::vector<Fill> how;              ///< by gang
  std::vector<std::int32_t> domain;   ///< by tie; -1: wherever its first pod goes
  std::optional<std::size_t> victim;  ///< all-or-nothing: the gang to be left short
  bool victim_first = true;
};

std::int64_t fewest(const GangSpec& gang, Property property) {
  return std::max(gang.guaranteed, property == Property::NoDeadlock ? fewest_kept(gang) : fewest_held(gang));
}

/// The role of which one pod is left out: the one that needs the most.
std::size_t hardest_kind(const Instance& instance, std::size_t gang) {
  const GangSpec& spec = instance.gangs[gang];
  std::size_t out = spec.first_kind;
  for (std::size_t kind = spec.first_kind; kind < spec.first_kind + spec.kinds; ++kind) {
    if (instance.kinds[kind].need > instance.kinds[out].need) out = kind;
  }
  return out;
}

class Build {
 public:
  Build(const Instance& instance, Property property, const Plan& plan)
      : instance_(instance),
        property_(property),
        plan_(plan),
        placement_(instance),
        given_up_(instance.gangs.size(), 0) {}

  std::optional<Placement> run() {
    if (property_ == Property::AllOrNothing) {
      leave_short();
    } else {
      jam();
    }
    if (instance_.work_left <= 0 || !placement_.breaks(property_)) return std::nullopt;
    return std::move(placement_);
  }

 private:
  bool add(std::size_t gang, std::int64_t most, std::optional<std::size_t> keep_back) {
    const GangSpec& spec = instance_.gangs[gang];
    const std::int64_t held = placement_.held(gang);
    const std::int64_t least = fewest(spec, property_);
    if (most < least || most <= held || !placement_.quota_allows(gang)) return false;
    for (std::size_t tie = spec.first_tie; held == 0 && tie < spec.first_tie + spec.ties; ++tie)
      placement_.bind_domain(tie, plan_.domain[tie]);
    const FillPlan plan{plan_.how[gang], against_};
    if (held < least && fill_gang(placement_, gang, least - held, plan, keep_back) < least - held) {
      placement_.remove(gang);
      return false;
    }
    fill_gang(placement_, gang, most - placement_.held(gang), plan, keep_back);
    return placement_.held(gang) > held;
  }

  /// Every gang holds as much as it can without being complete. One whose last pod still fits would complete and go: it
  /// is taken out, the smallest first, and the others grow.
  void jam() {
    for (std::size_t round = 0; round <= plan_.order.size(); ++round) {
      for (const std::size_t gang : plan_.order) {
        if (given_up_[gang] == 0 && instance_.gangs[gang].coupled)
          add(gang, instance_.gangs[gang].pods - 1, hardest_kind(instance_, gang));
      }
      std::optional<std::size_t> loose;
      for (const std::size_t gang : plan_.order) {
        if (instance_.work_left <= 0) return;
        if (placement_.held(gang) == 0 || placement_.is_stuck(gang)) continue;
        if (!loose || placement_.held(gang) < placement_.held(*loose)) loose = gang;
      }
      if (!loose) return;
      placement_.remove(*loose);
      given_up_[*loose] = 1;
    }
  }

  /// One gang holds what it must, the others all they can; then it takes what they left, but for its last pod.
  void leave_short() {
    const std::size_t victim = *plan_.victim;
    const GangSpec& spec = instance_.gangs[victim];
    const std::size_t kept = hardest_kind(instance_, victim);
    against_ = kept;
    if (plan_.victim_first) add(victim, spec.guaranteed, kept);
    for (const std::size_t gang : plan_.order) {
      if (gang != victim) add(gang, instance_.gangs[gang].pods, std::nullopt);
    }
    against_.reset();
    add(victim, spec.pods - 1, kept);
  }

  const Instance& instance_;
  const Property property_;
  const Plan& plan_;
  Placement placement_;
  std::vector<char> given_up_;
  std::optional<std::size_t> against_;
};

std::vector<std::size_t> gangs_by_size(const Instance& instance) {
  std::vector<std::size_t> out(instance.gangs.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::ranges::stable_sort(out, std::ranges::greater{}, [&](std::size_t g) { return instance.gangs[g].gpus; });
  return out;
}

/// Gangs that can be left short, one of each sort, those with the largest pods first.
std::vector<std::size_t> possible_victims(const Instance& instance, std::size_t most) {
  std::vector<std::size_t> out;
  std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t, std::vector<std::int32_t>, Amounts>> seen;
  for (std::size_t g = 0; g < instance.gangs.size(); ++g) {
    const GangSpec& gang = instance.gangs[g];
    if (!gang.coupled || fewest_held(gang) >= gang.pods) continue;
    std::vector<std::int32_t> levels;
    for (std::size_t tie = gang.first_tie; tie < gang.first_tie + gang.ties; ++tie)
      levels.push_back(instance.ties[tie].level);
    std::tuple sort{gang.pods, gang.guaranteed, gang.gpus, std::move(levels),
                    instance.kinds[hardest_kind(instance, g)].need};
    if (std::ranges::find(seen, sort) != seen.end()) continue;
    seen.push_back(std::move(sort));
    out.push_back(g);
  }
  std::ranges::stable_sort(out, std::ranges::greater{},
                           [&](std::size_t g) { return instance.kinds[hardest_kind(instance, g)].need; });
  if (out.size() > most) out.resize(most);
  return out;
}

Plan plain_plan(const Instance& instance, Fill how) {
  return {gangs_by_size(instance), std::vector<Fill>(instance.gangs.size(), how),
          std::vector<std::int32_t>(instance.ties.size(), -1), std::nullopt, true};
}

std::optional<Answer> found(std::optional<Placement> placement, Engine engine) {
  if (!placement) return std::nullopt;
  Answer answer{Verdict::Counterexample};
  answer.engine = engine;
  answer.placement = std::move(placement);
  return answer;
}

}  // namespace

std::optional<Answer> adversary(const Instance& instance, Property property) {
  // Which domain to crowd is a guess that the dice make better.
  if (!instance.ties.empty()) return std::nullopt;
  if (property == Property::AllOrNothing) {
    Plan plan = plain_plan(instance, Fill::Blocking);
    const std::vector<std::size_t> victims = possible_victims(instance, 1);
    if (victims.empty()) return std::nullopt;
    plan.victim = victims.front();
    return found(Build(instance, property, plan).run(), Engine::Adversary);
  }
  return found(Build(instance, property, plain_plan(instance, Fill::Tight)).run(), Engine::Adversary);
}

std::optional<Answer> random_search(const Instance& instance, Property property, std::mt19937_64& dice,
                                    std::int64_t tries) {
  if (instance.gangs.empty()) return std::nullopt;
  const std::vector<std::size_t> victims = possible_victims(instance, instance.gangs.size());
  if (property == Property::AllOrNothing && victims.empty()) return std::nullopt;
  const auto pick = [&](std::size_t below) { return static_cast<std::size_t>(dice() % below); };
  for (std::int64_t i = 0; i < tries && instance.work_left > 0; ++i) {
    Plan plan = plain_plan(instance, Fill::First);
    // std::shuffle differs from library to library.
    for (std::size_t left = plan.order.size(); left > 1; --left)
      std::swap(plan.order[left - 1], plan.order[pick(left)]);
    constexpr Fill kAll[] = {Fill::First, Fill::Tight, Fill::Loose, Fill::Blocking};
    for (Fill& how : plan.how) how = kAll[pick(std::size(kAll))];
    for (std::size_t tie = 0; tie < instance.ties.size(); ++tie) {
      if (const std::int32_t domains = domains_of(instance, tie); domains > 0)
        plan.domain[tie] = static_cast<std::int32_t>(pick(static_cast<std::size_t>(domains)));
    }
    // Some gangs stay away.
    plan.order.resize(plan.order.size() - pick(plan.order.size()));
    if (property == Property::AllOrNothing) plan.victim = victims[pick(victims.size())];
    plan.victim_first = pick(4) != 0;
    if (std::optional<Answer> answer = found(Build(instance, property, plan).run(), Engine::RandomSearch))
      return answer;
  }
  return std::nullopt;
}

}  // namespace muster::prove
