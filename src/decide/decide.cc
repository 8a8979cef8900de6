#include "decide/decide.h"

#include <algorithm>

#include "decide/circumstances.h"
#include "decide/decider.h"

namespace muster {
namespace {

// --- what decisions tell expressions ---

Value open_value(const Choice& choice, const std::string& workload, EvalContext& context) {
  const UnknownNeed* needs = nullptr;
  for (const std::string& fact : choice.unknown) {
    const std::string owner = workload_fact_index(fact) ? "workload `" + workload + "`" : "the fleet";
    const std::string_view text = context.read.arena->copy("`" + fact + "` of " + owner);
    needs = context.read.arena->make(UnknownNeed{text, needs});
  }
  return Value::unknown(needs);
}

Value host_of(const void* self, std::size_t workload, EvalContext& context) {
  const Decision& decision = (*static_cast<const std::vector<Decision>*>(self))[workload];
  if (!decision.runs_on.value) return open_value(decision.runs_on, decision.workload, context);
  return Value::of(std::string_view(*decision.runs_on.value));
}

Value hybrid_of(const void* self, std::size_t workload, EvalContext& context) {
  const Decision& decision = (*static_cast<const std::vector<Decision>*>(self))[workload];
  const Choice& hybrid = decision.hybrid;
  if (hybrid.value) return Value::of(*hybrid.value != "none");
  // Which kind of hybrid may be open where it is sure that there is one.
  const bool may_be_none =
      hybrid.possible.empty() || std::ranges::find(hybrid.possible, "none") != hybrid.possible.end();
  return may_be_none ? open_value(hybrid, decision.workload, context) : Value::of(true);
}

Value choice_of(const void* self, std::size_t workload, std::string_view name, EvalContext& context) {
  const Decision& decision = (*static_cast<const std::vector<Decision>*>(self))[workload];
  const auto value = [&](const Choice& choice) {
    return choice.value ? Value::of(std::string_view(*choice.value)) : open_value(choice, decision.workload, context);
  };
  if (name == "primary") return value(decision.primary);
  if (name == "host") return value(decision.host);
  if (name == "hybrid") return value(decision.hybrid);
  if (name == "placement") return value(decision.runs_on);
  const auto further = std::ranges::find(decision.choices, name, &NamedChoice::id);
  return further == decision.choices.end() ? Value::absent() : value(further->choice);
}

// --- pools that differ ---

bool same_answer(const Choice& a, const Choice& b) { return a.value == b.value && a.possible == b.possible; }

/// A choice that pools make differently: the pool decides.
Choice open_by_pool(const std::vector<Decision>& by_pool, std::size_t index) {
  Choice out = by_pool.front().choices[index].choice;
  std::set<std::string> possible;
  std::set<std::string> unknown{"pool"};
  for (const Decision& one : by_pool) {
    const Choice& choice = one.choices[index].choice;
    if (choice.value) possible.insert(*choice.value);
    possible.insert(choice.possible.begin(), choice.possible.end());
    unknown.insert(choice.unknown.begin(), choice.unknown.end());
  }
  out.value.reset();
  out.because.clear();
  out.rule.clear();
  out.possible.assign(possible.begin(), possible.end());
  out.unknown.assign(unknown.begin(), unknown.end());
  return out;
}

/// Each pool that can hold a workload decides for itself; what all of them say is decided, whatever their facts.
void decide_by_pool(Decision& decision, const Workload& workload, const std::vector<PoolGroup>& groups,
                    Decider& decider) {
  std::vector<Decision> by_pool;
  for (const PoolGroup& group : groups) {
    if (groups.size() > 1) by_pool.push_back(decider.decide(workload, group.site));
    for (const std::string& pool : group.pools) decision.pools.push_back({pool, {}});
  }
  for (std::size_t c = 0; !by_pool.empty() && c < decision.choices.size(); ++c) {
    const bool same = std::ranges::all_of(by_pool, [&](const Decision& one) {
      return same_answer(one.choices[c].choice, by_pool.front().choices[c].choice);
    });
    decision.choices[c].choice = same ? by_pool.front().choices[c].choice : open_by_pool(by_pool, c);
    std::size_t at = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::size_t p = 0; p < groups[g].pools.size(); ++p, ++at) {
        if (!same) decision.pools[at].choices.push_back(by_pool[g].choices[c]);
      }
    }
  }
}

}  // namespace

DomainFunctions decision_functions(const std::vector<Decision>& decisions) {
  return {&decisions, host_of, hybrid_of, choice_of};
}

Decision decide(const Workload& workload, const RuleBook& book, const Site& site) {
  return Decider(book, site).decide(workload, site);
}

std::vector<Decision> decide_all(const Model& model, const RuleBook& book, const Site& site) {
  return decide_all(model, book, site, Circumstances(model, book, site));
}

std::vector<Decision> decide_all(const Model& model, const RuleBook& book, const Site& site,
                                 const Circumstances& around) {
  Decider decider(book, site);
  std::vector<Decision> decisions;
  for (std::size_t i = 0; i < model.workloads.size(); ++i) {
    Decision decision = decider.decide(model.workloads[i], around.site_of(i));
    decide_by_pool(decision, model.workloads[i], around.pools_of(i), decider);
    decision.pools_left_out = around.pools_left_out(i);
    around.name_sources(decision.runs_on);
    for (AddonChoice& addon : decision.addons) around.name_sources(addon.level);
    for (NamedChoice& further : decision.choices) around.name_sources(further.choice);
    for (PoolDecision& pool : decision.pools) {
      for (NamedChoice& further : pool.choices) around.name_sources(further.choice);
    }
    decisions.push_back(std::move(decision));
  }
  return decisions;
}

}  // namespace muster
