#include "decide/decider.h"

#include <algorithm>
#include <array>

#include "decide/circumstances.h"

namespace muster {
namespace {

/// Tables with a place of their own in a decision.
constexpr std::array<std::string_view, 5> kNamedTables{"control-plane", "fleet", "hybrid", "placement",
                                                       "reversibility"};

std::vector<AddonChoice> addons_of(Evaluation& evaluation, const Table& table) {
  std::vector<AddonChoice> out;
  const std::string& name = table.outputs[0].name;
  for (const std::string& id : table.outputs[0].words) {
    AddonChoice addon{id, evaluation.level(table, id), table.options_of(name, id)};
    if (addon.level.value != "none") out.push_back(std::move(addon));
  }
  return out;
}

bool is_asked_by_name(const Table& table) {
  return table.hit == HitPolicy::Collect || std::ranges::find(kNamedTables, table.id) != kNamedTables.end() ||
         std::ranges::any_of(table.inputs, [](const TableInput& input) {
           return input.origin == InputOrigin::Site && is_asked(input.name);
         });
}

}  // namespace

bool looks_at_workloads(const Space& space, const Table& table) {
  const auto asks = [](const Table& one) {
    return std::ranges::find(one.inputs, InputOrigin::Fact, &TableInput::origin) != one.inputs.end();
  };
  const std::vector<std::size_t>& feeders = space.of(table).feeders;
  return asks(table) ||
         std::ranges::any_of(feeders, [&](std::size_t feeder) { return asks(*space.tables()[feeder].table); });
}

const Decider::Binding& Decider::binding(const std::string& choice) {
  const auto found = bindings_.find(choice);
  if (found != bindings_.end()) return found->second;
  Binding& out = bindings_[choice];
  const Table* table = book_.find_table("reversibility");
  const TableInput* input = table == nullptr ? nullptr : table->find_input("choice");
  const Space& space = book_.space();
  const std::optional<std::size_t> dimension = input == nullptr ? std::nullopt : space.find(input->key());
  const std::optional<std::size_t> cell =
      dimension ? space.dimension(*dimension).cell_of(TableValue(choice)) : std::nullopt;
  if (!cell) return out;
  Box box = space.whole();
  space.layout().only(box, *dimension, *cell);
  Evaluation evaluation(book_, std::move(box));
  if (table->find_output("reversibility") != nullptr) {
    const Choice answer = evaluation.output(*table, "reversibility");
    if (answer.value) out.reversibility = enum_of<Reversibility>(*answer.value);
    out.because = answer.because;
  }
  if (table->find_output("horizon") != nullptr) out.horizon = evaluation.output(*table, "horizon").value.value_or("");
  return out;
}

Reversibility Decider::reversibility_of(const std::string& choice) {
  const Table* table = book_.find_table(choice);
  return binding(choice).reversibility.value_or(table == nullptr ? Reversibility::Reversible : table->reversibility);
}

std::string Decider::undoing(const std::string& choice) {
  const Binding& binds = binding(choice);
  return binds.horizon.empty() || binds.because.empty() ? "" : binds.horizon + ": " + binds.because;
}

Box Decider::read_by(const Table& table, const Box& start) const {
  const Space& space = book_.space();
  Box mask(space.layout().words());
  const auto add = [&](const Space::TableBoxes& boxes) {
    for (const std::size_t d : boxes.inputs) space.layout().fill(mask, d);
  };
  add(space.of(table));
  for (const std::size_t feeder : space.of(table).feeders) add(space.tables()[feeder]);
  return intersection(mask, start);
}

Choice Decider::bound(Evaluation& evaluation, const Table& table, const std::string& output) {
  std::map<Box, Choice>& known = choices_[table.find_output(output)];
  const Box key = read_by(table, evaluation.start());
  if (const auto found = known.find(key); found != known.end()) return found->second;
  Choice choice = evaluation.output(table, output);
  const Binding& binds = binding(table.id);
  if (binds.reversibility) choice.reversibility = *binds.reversibility;
  choice.horizon = binds.horizon;
  return known[key] = std::move(choice);
}

Choice Decider::output(Evaluation& evaluation, std::string_view id, const std::string& name) {
  const Table* table = book_.find_table(id);
  return table == nullptr || table->find_output(name) == nullptr ? Choice{} : bound(evaluation, *table, name);
}

std::vector<NamedChoice> Decider::further(Evaluation& evaluation, bool of_workload) {
  std::vector<NamedChoice> out;
  for (const Table& table : book_.tables()) {
    if (is_asked_by_name(table) || looks_at_workloads(book_.space(), table) != of_workload) continue;
    for (const TableOutput& one : table.outputs) {
      const bool first = &one == &table.outputs.front();
      out.push_back({first ? table.id : table.id + "." + one.name, bound(evaluation, table, one.name)});
    }
  }
  return out;
}

Decision Decider::decide(const Workload& workload) { return decide(workload, alone(workload, site_)); }

Decision Decider::decide(const Workload& workload, const Site& site) {
  Box box = known_box(book_.space(), workload, site);
  auto found = seen_.find(box);
  if (found == seen_.end()) {
    Evaluation evaluation(book_, box);
    Decision fresh;
    fresh.primary = output(evaluation, "control-plane", "primary");
    fresh.host = output(evaluation, "control-plane", "host");
    fresh.runs_on = book_.find_table("placement") == nullptr ? fresh.host : output(evaluation, "placement", "runs_on");
    if (const Table* table = book_.find_table("addons"); table != nullptr && table->hit == HitPolicy::Collect)
      fresh.addons = addons_of(evaluation, *table);
    for (AddonChoice& addon : fresh.addons) {
      if (binding("addons").reversibility) addon.level.reversibility = *binding("addons").reversibility;
      addon.level.horizon = binding("addons").horizon;
    }
    fresh.hybrid = output(evaluation, "hybrid", "mode");
    fresh.choices = further(evaluation, true);
    found = seen_.emplace(std::move(box), std::move(fresh)).first;
  }
  Decision decision = found->second;
  decision.workload = workload.name.value;
  return decision;
}

}  // namespace muster
