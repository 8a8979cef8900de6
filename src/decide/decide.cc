#include "decide/decide.h"

#include "decide/evaluation.h"

namespace muster {
namespace {

std::vector<AddonChoice> addons_of(Evaluation& evaluation, const Table& table) {
  std::vector<AddonChoice> out;
  const std::string& name = table.outputs[0].name;
  for (const std::string& id : table.outputs[0].words) {
    AddonChoice addon{id, evaluation.level(table, id), table.options_of(name, id)};
    if (addon.level.value != "none") out.push_back(std::move(addon));
  }
  return out;
}

Choice output_of(Evaluation& evaluation, std::string_view table_id, const std::string& output) {
  const Table* table = evaluation.book().find_table(table_id);
  return table == nullptr || table->find_output(output) == nullptr ? Choice{} : evaluation.output(*table, output);
}

// --- what decisions tell expressions ---

Value open_value(const Choice& choice, const std::string& workload, EvalContext& context) {
  const UnknownNeed* needs = nullptr;
  for (const std::string& fact : choice.unknown) {
    const std::string_view text = context.read.arena->copy("`" + fact + "` of workload `" + workload + "`");
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
  if (!decision.hybrid.value) return open_value(decision.hybrid, decision.workload, context);
  return Value::of(*decision.hybrid.value != "none");
}

}  // namespace

DomainFunctions decision_functions(const std::vector<Decision>& decisions) { return {&decisions, host_of, hybrid_of}; }

Decision decide(const Workload& workload, const RuleBook& book, const Site& site) {
  Evaluation evaluation(book, known_box(book.space(), workload, site));
  Decision decision;
  decision.workload = workload.name.value;
  decision.primary = output_of(evaluation, "control-plane", "primary");
  decision.host = output_of(evaluation, "control-plane", "host");
  if (const Table* table = book.find_table("addons"); table != nullptr && table->hit == HitPolicy::Collect) decision.addons = addons_of(evaluation, *table);
  decision.hybrid = output_of(evaluation, "hybrid", "mode");
  return decision;
}

std::vector<Decision> decide_all(const Model& model, const RuleBook& book, const Site& site) {
  std::vector<Decision> decisions;
  for (const Workload& workload : model.workloads) decisions.push_back(decide(workload, book, site));
  return decisions;
}

}  // namespace muster
