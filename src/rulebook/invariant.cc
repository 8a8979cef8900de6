#include "rulebook/invariant.h"

#include <algorithm>

#include "base/check.h"

namespace muster {
namespace {

Value value_of(const TableValue& sample, InputType type) {
  if (const auto* word = std::get_if<std::string>(&sample))
    return type == InputType::Bool ? Value::of(*word == "true") : Value::of(std::string_view(*word));
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
      used_.push_back({name, 0, {name->identifier}, {}});
      add_table(space.index_of(*name->list));
      continue;
    }
    dimensions_.push_back(*space.find(name->dimension));
    used_.push_back({name, dimensions_.back(), {name->identifier}, kinds_of_cells(dimensions_.back())});
    if (const Table* table = space.dimension(dimensions_.back()).table()) add_table(space.index_of(*table));
  }
  tables_.assign(tables.begin(), tables.end());
  context_.read.arena = &arena_;
  context_.slots.assign(names_.names().size(), Value::unknown(nullptr));
  text_ = invariant.source->premise + " " + invariant.source->conclusion;
  asks_items_ = every_list_is_asked();
}

bool InvariantCheck::every_list_is_asked() const {
  const std::string flat = names_.flattened(text_);
  for (const auto& [name, d, need, kinds] : used_) {
    if (name->list == nullptr) continue;
    for (std::size_t at = flat.find(name->identifier); at != std::string::npos;
         at = flat.find(name->identifier, at + 1)) {
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
    return text_.find("\"" + entry.second + "\"") != std::string::npos ||
           text_.find("'" + entry.second + "'") != std::string::npos;
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

/// Lists follow from a region's rows: they stay while its facts are split.
std::vector<std::vector<std::string_view>> InvariantCheck::bind_lists(const Region& region) {
  std::vector<std::vector<std::string_view>> out;
  lists_.reset();
  for (const auto& [name, d, need, kinds] : used_) {
    if (name->list == nullptr) continue;
    const std::vector<std::string_view>& texts = out.emplace_back(items(*name, region));
    const std::span<Value> values = lists_.make_array<Value>(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) values[i] = Value::of(texts[i]);
    slot_of(*name) = Value::of(lists_.make(ListData{values.size(), values.data(), [](const void* base, std::size_t i) {
                                                      return static_cast<const Value*>(base)[i];
                                                    }}));
  }
  return out;
}

/// Words are told apart; of an order or an open text only what the invariant compares it with.
std::vector<std::size_t> InvariantCheck::kinds_of_cells(std::size_t d) const {
  const Dimension& dimension = map_.space().dimension(d);
  std::vector<const Cell*> cuts;
  for (const Cut& cut : invariant_.cuts) {
    if (cut.name == dimension.name()) cuts.push_back(&cut.cell);
  }
  const bool words = dimension.type() == InputType::Enum || dimension.type() == InputType::Bool;
  std::map<std::vector<bool>, std::size_t> texts;
  std::vector<std::size_t> out;
  std::vector<bool> before;
  for (std::size_t cell = 0; cell < dimension.cells(); ++cell) {
    std::vector<bool> in;
    for (const Cell* cut : cuts) in.push_back(cut->allows(dimension.sample(cell)));
    if (words) {
      out.push_back(cell);
    } else if (dimension.type() == InputType::String) {
      out.push_back(texts.emplace(std::move(in), texts.size()).first->second);
    } else {  // on either side of a value it is another
      out.push_back(cell == 0 ? 0 : out.back() + (in == before ? 0 : 1));
      before = std::move(in);
    }
  }
  return out;
}

bool InvariantCheck::is_open(const Read& read, const Box& box) const {
  const Layout& layout = map_.space().layout();
  const std::size_t kind = read.kinds[layout.lowest(box, read.dimension)];
  for (std::size_t cell = 0; cell < read.kinds.size(); ++cell) {
    if (read.kinds[cell] != kind && layout.has(box, read.dimension, cell)) return true;
  }
  return false;
}

void InvariantCheck::bind_facts(const Box& box) {
  const Space& space = map_.space();
  for (const Read& read : used_) {
    if (read.name->list != nullptr) continue;
    slot_of(*read.name) =
        is_open(read, box)
            ? Value::unknown(&read.need)
            : value_of(space.dimension(read.dimension).sample(space.layout().lowest(box, read.dimension)),
                       space.dimension(read.dimension).type());
  }
}

/// What an unknown value waits for.
const InvariantCheck::Read* InvariantCheck::awaited(const Value& unknown, const Box& box) const {
  for (const UnknownNeed* need = unknown.needs(); need != nullptr; need = need->next) {
    const auto read = std::ranges::find(used_, need->needs, [](const Read& other) { return other.need.needs; });
    if (read != used_.end()) return &*read;
  }
  const auto open =
      std::ranges::find_if(used_, [&](const Read& read) { return read.name->list == nullptr && is_open(read, box); });
  return open == used_.end() ? nullptr : &*open;
}

/// What is definite while some facts are open is so for all of their values; else one fact is split, and values that
/// turn out the same are put together again.
std::vector<InvariantCheck::Breach> InvariantCheck::breaches(const Box& box) {
  if (!map_.budget().take()) return {};
  arena_.reset();
  context_.begin_evaluation();
  bind_facts(box);
  const Value premise = invariant_.premise ? invariant_.premise->eval(context_) : Value::of(true);
  if (is(premise, false)) return {};
  const Value conclusion = invariant_.conclusion.eval(context_);
  if (is(conclusion, true)) return {};
  const Value& open = premise.is(Value::Kind::Unknown) ? premise : conclusion;
  if (!open.is(Value::Kind::Unknown)) {
    const Value& stopped = premise.is(Value::Kind::Error) ? premise : conclusion;
    return {{box, stopped.is(Value::Kind::Error) ? std::string(stopped.as_error().message) : ""}};
  }
  const Read* split = awaited(open, box);
  if (split == nullptr) return {};
  const std::size_t d = split->dimension;
  const Layout& layout = map_.space().layout();
  std::map<std::size_t, Box> kinds;  // the cells of each
  for (const std::size_t cell : layout.cells_of(box, d)) {
    const auto [kind, added] = kinds.try_emplace(split->kinds[cell], box);
    if (added) layout.clear(kind->second, d);
    layout.add(kind->second, d, cell);
  }
  std::vector<std::pair<std::vector<Breach>, Box>> outcomes;  // with `d` whole, and the cells of `d` that have them
  for (const auto& [kind, part] : kinds) {
    std::vector<Breach> found = breaches(part);
    for (Breach& breach : found) layout.fill(breach.box, d);
    const auto same = std::ranges::find(outcomes, found, &std::pair<std::vector<Breach>, Box>::first);
    if (same == outcomes.end()) {
      outcomes.emplace_back(std::move(found), part);
    } else {
      for (const std::size_t cell : layout.cells_of(part, d)) layout.add(same->second, d, cell);
    }
  }
  std::vector<Breach> out;
  for (auto& [found, cells] : outcomes) {
    for (Breach& breach : found) {
      layout.intersect(breach.box, cells, d);
      out.push_back(std::move(breach));
    }
  }
  return out;
}

/// Where the invariant does not hold is asked once of all regions that have the same values and lists, then whether
/// facts can lead there.
std::optional<InvariantCheck::Violation> InvariantCheck::run() {
  Box asked(map_.space().layout().words());
  for (const std::size_t d : dimensions_) map_.space().layout().fill(asked, d);
  std::map<std::pair<Box, std::vector<std::vector<std::string_view>>>, std::vector<Breach>> known;
  for (const Region& region : map_.reachable(tables_, [&](const TableRow& row) { return matters(row); })) {
    std::pair<Box, std::vector<std::vector<std::string_view>>> values{intersection(region.box, asked),
                                                                      bind_lists(region)};
    auto found = known.find(values);
    if (found == known.end()) {
      std::vector<Breach> all = breaches(values.first);
      found = known.emplace(std::move(values), std::move(all)).first;
    }
    for (const Breach& breach : found->second) {
      Region part = region;
      for (const std::size_t d : dimensions_) map_.space().layout().intersect(part.box, breach.box, d);
      if (std::optional<Box> point = map_.point(part))
        return Violation{std::move(part), std::move(*point), breach.error};
    }
    if (map_.budget().spent()) return std::nullopt;
  }
  return std::nullopt;
}

Witness InvariantCheck::lists(const Region& region) const {
  Witness out;
  for (const auto& [name, d, need, kinds] : used_) {
    if (name->list == nullptr) continue;
    std::string text;
    for (const std::string_view item : items(*name, region)) text += (text.empty() ? "" : ", ") + std::string(item);
    out.push_back({name->list->id + "." + (name->level.empty() ? name->item : name->level), "[" + text + "]"});
  }
  return out;
}

}  // namespace muster
