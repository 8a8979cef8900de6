#include "decide/decider.h"

#include <algorithm>
#include <array>

namespace muster {
namespace {

/// Tables with a place of their own in a decision.
constexpr std::array<std::string_view, 4> kNamedTables{"control-plane", "hybrid", "fleet", "reversibility"};

std::vector<AddonChoice> addons_of(Evaluation& evaluation, const Table& table) {
  std::vector<AddonChoice> out;
  const std::string& name = table.outputs[0].name;
  for (const std::string& id : table.outputs[0].words) {
    AddonChoice addon{id, evaluation.level(table, id), table.options_of(name, id)};
    if (addon.level.value != "none") out.push_back(std::move(addon));
  }
  return out;
}

bool reads(const Space& space, const Table& table, InputOrigin origin) {
  const Space::TableBoxes& boxes = space.of(table);
  const auto has = [&](const Table& one) {
    return std::ranges::any_of(one.inputs, [&](const TableInput& input) { return input.origin == origin; });
  };
  return has(table) ||
         std::ranges::any_of(boxes.feeders, [&](std::size_t feeder) { return has(*space.tables()[feeder].table); });
}

bool is_asked_by_name(const Table& table) {
  return table.hit == HitPolicy::Collect || std::ranges::find(kNamedTables, table.id) != kNamedTables.end() ||
         std::ranges::any_of(table.inputs, [](const TableInput& input) {
           return input.origin == InputOrigin::Site && is_asked(input.name);
         });
}

}  // namespace

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
  }
  if (table->find_output("horizon") != nullptr) out.horizon = evaluation.output(*table, "horizon").value.value_or("");
  return out;
}

Reversibility Decider::reversibility_of(const std::string& choice) {
  const Table* table = book_.find_table(choice);
  return binding(choice).reversibility.value_or(table == nullptr ? Reversibility::Reversible : table->reversibility);
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
    if (is_asked_by_name(table) || reads(book_.space(), table, InputOrigin::Fact) != of_workload) continue;
    for (const TableOutput& one : table.outputs) {
      const bool first = &one == &table.outputs.front();
      out.push_back({first ? table.id : table.id + "." + one.name, bound(evaluation, table, one.name)});
    }
  }
  return out;
}

Decision Decider::decide(const Workload& workload) {
  Box box = known_box(book_.space(), workload, site_);
  auto found = seen_.find(box);
  if (found == seen_.end()) {
    Evaluation evaluation(book_, box);
    Decision fresh;
    fresh.primary = output(evaluation, "control-plane", "primary");
    fresh.host = output(evaluation, "control-plane", "host");
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
