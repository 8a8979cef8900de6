#include "rulebook/invariant.h"

#include <algorithm>

#include "base/check.h"

namespace muster {
namespace {

Value value_of(const TableValue& sample, InputType type) {
  if (const auto* word = std::get_if<std::string>(&sample)) return type == InputType::Bool ? Value::of(*word == "true") : Value::of(std::string_view(*word));
  if (const auto* number = std::get_if<std::int64_t>(&sample)) return Value::of(*number);
  if (const auto* number = std::get_if<double>(&sample)) return Value::of(*number);
  if (const auto* version = std::get_if<Version>(&sample)) return Value::of(version);
  return Value::of(std::get<Quantity>(sample));
}

bool is(const Value& value, bool truth) { return value.is(Value::Kind::Bool) && value.as_bool() == truth; }

}  // namespace

InvariantCheck::InvariantCheck(const CompiledInvariant& invariant, const InvariantNames& names, Cartographer& map)
    : invariant_(invariant), names_(names), map_(map) {
  const Space& space = map_.space();
  std::set<std::size_t> tables;
  const auto add_table = [&](std::size_t index) {
    tables.insert(space.tables()[index].feeders.begin(), space.tables()[index].feeders.end());
    tables.insert(index);
  };
  for (const std::string& identifier : invariant.names) {
    const InvariantNames::Name* name = names.find(identifier);
    if (name->list != nullptr) {
      used_.push_back({name, 0});
      add_table(space.index_of(*name->list));
      continue;
    }
    dimensions_.push_back(*space.find(name->dimension));
    used_.push_back({name, dimensions_.back()});
    if (const Table* table = space.dimension(dimensions_.back()).table()) add_table(space.index_of(*table));
  }
  tables_.assign(tables.begin(), tables.end());
  text_ = invariant.source->premise + " " + invariant.source->conclusion;
  asks_items_ = every_list_is_asked();
}

bool InvariantCheck::every_list_is_asked() const {
  const std::string flat = names_.flattened(text_);
  for (const auto& [name, d] : used_) {
    if (name->list == nullptr) continue;
    for (std::size_t at = flat.find(name->identifier); at != std::string::npos; at = flat.find(name->identifier, at + 1)) {
      const std::string before = flat.substr(0, at);
      if (!before.ends_with("\" in ") && !before.ends_with("' in ")) return false;
    }
  }
  return true;
}

/// Whether a row of a collecting table can change what the invariant reads: only items that it names do, where it asks
/// for nothing but single items.
bool InvariantCheck::matters(const TableRow& row) const {
  if (!asks_items_) return true;
  return std::ranges::any_of(row.then, [&](const auto& entry) {
    return text_.find("\"" + entry.second + "\"") != std::string::npos || text_.find("'" + entry.second + "'") != std::string::npos;
  });
}

std::vector<std::string_view> InvariantCheck::items(const InvariantNames::Name& name, const Region& region) const {
  std::vector<std::string_view> out;
  for (const TableRow& row : name.list->rows) {
    if (std::ranges::find(region.hits, &row) == region.hits.end()) continue;
    const std::string& item = row.then.at(name.item);
    // Of two rows that give one item the first speaks.
    const bool spoken = !name.level.empty() && std::ranges::any_of(region.hits, [&](const TableRow* other) {
      return other >= name.list->rows.data() && other < &row && other->then.at(name.item) == item;
    });
    const bool meant = name.level.empty() || row.then.at(name.list->outputs[1].name) == name.level;
    if (meant && !spoken && std::ranges::find(out, item) == out.end()) out.push_back(item);
  }
  return out;
}

void InvariantCheck::bind(const Region& region, EvalContext& context) {
  const Space& space = map_.space();
  context.slots.assign(names_.names().size(), Value::unknown(nullptr));
  for (const auto& [name, d] : used_) {
    Value& slot = context.slots[static_cast<std::size_t>(name - names_.names().data())];
    if (name->list == nullptr) {
      if (space.layout().count(region.box, d) != 1) continue;
      slot = value_of(space.dimension(d).sample(space.layout().lowest(region.box, d)), space.dimension(d).type());
      continue;
    }
    const std::vector<std::string_view> texts = items(*name, region);
    const std::span<Value> values = context.read.arena->make_array<Value>(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) values[i] = Value::of(texts[i]);
    slot = Value::of(context.read.arena->make(ListData{values.size(), values.data(), [](const void* base, std::size_t i) {
                                                         return static_cast<const Value*>(base)[i];
                                                       }}));
  }
}

/// What is definite while some facts are open holds for all of their values; else one fact is split.
std::optional<InvariantCheck::Violation> InvariantCheck::search(Region& region) {
  if (!map_.budget().take()) return std::nullopt;
  Arena arena;
  EvalContext context;
  context.read.arena = &arena;
  bind(region, context);
  const Value premise = invariant_.premise ? invariant_.premise->eval(context) : Value::of(true);
  if (is(premise, false)) return std::nullopt;
  const Value conclusion = invariant_.conclusion.eval(context);
  if (is(conclusion, true)) return std::nullopt;
  const Layout& layout = map_.space().layout();
  if (!premise.is(Value::Kind::Unknown) && !conclusion.is(Value::Kind::Unknown)) {
    std::optional<Box> point = map_.point(region);
    if (!point) return std::nullopt;
    const Value& stopped = premise.is(Value::Kind::Error) ? premise : conclusion;
    return Violation{region, std::move(*point), stopped.is(Value::Kind::Error) ? std::string(stopped.as_error().message) : ""};
  }
  // What the rows of this region ask for is the likelier reason: those facts are split first.
  const auto splits = [&](std::size_t d) { return layout.count(region.box, d) > 1; };
  const auto narrowed = [&](std::size_t d) { return splits(d) && layout.count(region.box, d) < layout.cells(d); };
  auto chosen = std::ranges::find_if(dimensions_, narrowed);
  if (chosen == dimensions_.end()) chosen = std::ranges::find_if(dimensions_, splits);
  if (chosen == dimensions_.end()) return std::nullopt;
  const std::size_t d = *chosen;
  const Box before = region.box;
  for (const std::size_t cell : layout.cells_of(before, d)) {
    layout.only(region.box, d, cell);
    if (std::optional<Violation> found = search(region)) return found;
  }
  region.box = before;
  return std::nullopt;
}

std::optional<InvariantCheck::Violation> InvariantCheck::run() {
  const Layout& layout = map_.space().layout();
  Box start = map_.space().whole();
  for (const std::size_t d : dimensions_) {
    if (map_.space().dimension(d).table() != nullptr) continue;
    layout.clear(start, d);
    for (const Space::TableBoxes& table : map_.space().tables()) {
      if (std::ranges::find(table.inputs, d) == table.inputs.end()) continue;
      for (const std::size_t cell : layout.cells_of(table.domain, d)) layout.add(start, d, cell);
    }
  }
  for (Region& region : map_.split(start, tables_, [&](const TableRow& row) { return matters(row); })) {
    if (std::optional<Violation> found = search(region)) return found;
    if (map_.budget().spent()) return std::nullopt;
  }
  return std::nullopt;
}

Witness InvariantCheck::lists(const Region& region) const {
  Witness out;
  for (const auto& [name, d] : used_) {
    if (name->list == nullptr) continue;
    std::string text;
    for (const std::string_view item : items(*name, region)) text += (text.empty() ? "" : ", ") + std::string(item);
    out.push_back({name->list->id + "." + (name->level.empty() ? name->item : name->level), "[" + text + "]"});
  }
  return out;
}

}  // namespace muster
