#include "decide/decide.h"

#include <algorithm>

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
  if (!decision.host.value) return open_value(decision.host, decision.workload, context);
  return Value::of(std::string_view(*decision.host.value));
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
  const auto further = std::ranges::find(decision.choices, name, &NamedChoice::id);
  return further == decision.choices.end() ? Value::absent() : value(further->choice);
}

}  // namespace

DomainFunctions decision_functions(const std::vector<Decision>& decisions) {
  return {&decisions, host_of, hybrid_of, choice_of};
}

Decision decide(const Workload& workload, const RuleBook& book, const Site& site) {
  return Decider(book, site).decide(workload);
}

std::vector<Decision> decide_all(const Model& model, const RuleBook& book, const Site& site) {
  Decider decider(book, site);
  std::vector<Decision> decisions;
  for (const Workload& workload : model.workloads) decisions.push_back(decider.decide(workload));
  return decisions;
}

}  // namespace muster
