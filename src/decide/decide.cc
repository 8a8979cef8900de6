#include "decide/decide.h"

#include <algorithm>
#include <map>
#include <set>

#include "decide/space.h"

namespace muster {
namespace {

/// A part of the space in which every table has one outcome: the rows that hit, by table.
struct Leaf {
  Box box;
  std::map<std::string, std::vector<const TableRow*>> hits;
};

/// What an earlier table gave for an output in a leaf; empty when it gave nothing.
std::string output_of(const Leaf& leaf, const std::string& table, const std::string& output) {
  const auto hits = leaf.hits.find(table);
  if (hits == leaf.hits.end() || hits->second.empty()) return "";
  return hits->second.front()->then.at(output);
}

/// Whether a row's words on other tables' outputs hold in a leaf.
bool chained_inputs_match(const Table& table, const TableRow& row, const Leaf& leaf) {
  return std::ranges::all_of(row.when, [&](const auto& entry) {
    const auto& [name, cell] = entry;
    const TableInput& input = *table.find_input(name);
    if (input.from.empty()) return true;
    const std::string value = output_of(leaf, input.from, name);
    const bool named = std::ranges::find(cell.words, value) != cell.words.end();
    return !value.empty() && named == (cell.kind == Cell::Kind::Words);
  });
}

class Evaluation {
 public:
  Evaluation(const FactSpace& space, const RuleBook& book, Box start) : space_(space), book_(book) {
    leaves_.push_back({std::move(start), {}});
  }

  void run() {
    for (const Table& table : book_.tables()) {
      std::vector<Leaf> next;
      for (const Leaf& leaf : leaves_) table.hit == HitPolicy::Collect ? collect(table, leaf, next) : first(table, leaf, next);
      leaves_ = std::move(next);
    }
  }

  /// The choice over a value that each leaf has, with its row. An empty value stands for "nothing decided".
  template <class ValueOf>
  Choice choose(const Table& table, ValueOf value_of) const {
    std::vector<std::pair<std::string, const TableRow*>> values;
    for (const Leaf& leaf : leaves_) values.push_back(value_of(leaf));
    Choice choice;
    choice.reversibility = table.reversibility;
    std::set<std::string> distinct;
    for (const auto& [value, row] : values) distinct.insert(value);
    if (distinct.size() == 1) {
      choice.value = *distinct.begin();
      if (values.front().second != nullptr) {
        choice.because = values.front().second->because;
        choice.rule = table.id + "/" + values.front().second->id;
      }
      return choice;
    }
    choice.possible.assign(distinct.begin(), distinct.end());
    // A fact decides where changing it alone changes the value.
    for (std::size_t d = 0; d < space_.dimensions(); ++d) {
      bool decides = false;
      for (std::size_t a = 0; a < leaves_.size() && !decides; ++a) {
        for (std::size_t b = a + 1; b < leaves_.size() && !decides; ++b) {
          decides = values[a].first != values[b].first && meet_except(leaves_[a].box, leaves_[b].box, d);
        }
      }
      if (decides) choice.unknown.push_back(space_.name(d));
    }
    return choice;
  }

  Choice output(std::string_view table_id, const std::string& output) const {
    const Table* table = book_.find_table(table_id);
    if (table == nullptr || table->find_output(output) == nullptr) return {};
    return choose(*table, [&](const Leaf& leaf) {
      const auto hits = leaf.hits.find(table->id);
      const TableRow* row = hits == leaf.hits.end() || hits->second.empty() ? nullptr : hits->second.front();
      return std::pair(row == nullptr ? std::string() : row->then.at(output), row);
    });
  }

  std::vector<AddonChoice> addons() const {
    std::vector<AddonChoice> out;
    const Table* table = book_.find_table("addons");
    if (table == nullptr) return out;
    for (const std::string& id : table->find_output("addon")->words) {
      AddonChoice addon;
      addon.id = id;
      addon.level = choose(*table, [&](const Leaf& leaf) { return level_in(leaf, *table, id); });
      for (const TableRow& row : table->rows) {
        if (row.then.at("addon") == id && addon.options.empty()) addon.options = row.options;
      }
      if (addon.level.value != "none") out.push_back(std::move(addon));
    }
    return out;
  }

 private:
  static std::pair<std::string, const TableRow*> level_in(const Leaf& leaf, const Table& table, const std::string& addon) {
    const auto hits = leaf.hits.find(table.id);
    if (hits != leaf.hits.end()) {
      for (const TableRow* row : hits->second) {
        if (row->then.at("addon") == addon) return {row->then.at("level"), row};
      }
    }
    return {"none", nullptr};
  }

  /// first and unique: the first row that matches takes its part, the others share the rest.
  void first(const Table& table, const Leaf& leaf, std::vector<Leaf>& out) const {
    std::vector<Box> open{leaf.box};
    for (const TableRow& row : table.rows) {
      if (!chained_inputs_match(table, row, leaf)) continue;
      const Box allowed = space_.of(table, row);
      std::vector<Box> rest;
      for (const Box& box : open) {
        const Box taken = intersection(box, allowed);
        if (!is_empty(taken)) {
          Leaf hit{taken, leaf.hits};
          hit.hits[table.id] = {&row};
          out.push_back(std::move(hit));
        }
        for (Box& piece : difference(box, allowed)) rest.push_back(std::move(piece));
      }
      open = std::move(rest);
    }
    for (Box& box : open) {
      Leaf miss{std::move(box), leaf.hits};
      miss.hits[table.id] = {};
      out.push_back(std::move(miss));
    }
  }

  /// collect: every row that matches hits.
  void collect(const Table& table, const Leaf& leaf, std::vector<Leaf>& out) const {
    std::vector<Leaf> open{leaf};
    open.front().hits[table.id] = {};
    for (const TableRow& row : table.rows) {
      if (!chained_inputs_match(table, row, leaf)) continue;
      const Box allowed = space_.of(table, row);
      std::vector<Leaf> next;
      for (const Leaf& part : open) {
        const Box taken = intersection(part.box, allowed);
        if (!is_empty(taken)) {
          Leaf hit{taken, part.hits};
          hit.hits[table.id].push_back(&row);
          next.push_back(std::move(hit));
        }
        for (Box& piece : difference(part.box, allowed)) next.push_back({std::move(piece), part.hits});
      }
      open = std::move(next);
    }
    out.insert(out.end(), open.begin(), open.end());
  }

  const FactSpace& space_;
  const RuleBook& book_;
  std::vector<Leaf> leaves_;
};

Decision decide_in(const FactSpace& space, const Workload& workload, const RuleBook& book) {
  Evaluation evaluation(space, book, space.of(workload));
  evaluation.run();
  Decision decision;
  decision.workload = workload.name.value;
  decision.primary = evaluation.output("control-plane", "primary");
  decision.host = evaluation.output("control-plane", "host");
  decision.addons = evaluation.addons();
  decision.hybrid = evaluation.output("hybrid", "mode");
  return decision;
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

Decision decide(const Workload& workload, const RuleBook& book) { return decide_in(FactSpace(book.tables()), workload, book); }

std::vector<Decision> decide_all(const Model& model, const RuleBook& book) {
  std::vector<Decision> decisions;
  const FactSpace space(book.tables());
  for (const Workload& workload : model.workloads) decisions.push_back(decide_in(space, workload, book));
  return decisions;
}

}  // namespace muster
