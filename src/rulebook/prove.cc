#include "rulebook/prove.h"

#include <algorithm>
#include <limits>

#include "base/parallel.h"
#include "base/strings.h"

namespace muster {
namespace {

class TableProof {
 public:
  TableProof(const Space& space, std::size_t index, BookOrigin origin, BookReader& reader)
      : space_(space),
        layout_(space.layout()),
        index_(index),
        boxes_(space.tables()[index]),
        table_(*boxes_.table),
        origin_(origin),
        reader_(reader),
        budget_(kProofBudget),
        map_(space, budget_) {}

  void run(const TableInvariants& invariants) {
    starts_ = map_.before(index_, space_.whole());
    tables_ = boxes_.feeders;
    tables_.push_back(index_);
    for (const auto step : {&TableProof::find_gap, &TableProof::find_overlaps, &TableProof::find_dead_rows,
                            &TableProof::find_unproduced_words, &TableProof::find_idle_inputs}) {
      if (!spent()) (this->*step)();
    }
    for (const CompiledInvariant& invariant : invariants.list) {
      if (!spent()) check_invariant(invariant, *invariants.names);
    }
    if (spent())
      report(table_.where, "too-large",
             "the table is too large to be proved: split the table, or take inputs out of it", {});
  }

 private:
  bool spent() const { return budget_.spent(); }

  void report(const Span& where, std::string check, std::string message, Witness witness,
              Severity severity = Severity::Error) {
    reader_.add(where,
                BookProblem{severity, std::move(check), table_.id, std::move(message), "", {}, std::move(witness)});
  }

  std::string line_of(const TableRow& row) const {
    return "`" + row.id + "`" +
           (row.where.placed() ? " (line " + std::to_string(reader_.line_of(row.where)) + ")" : "");
  }

  Witness witness(const Box& point) const { return witness_of(space_, point, tables_); }
  Witness local_witness(const Box& point) const { return witness_of(space_, point, {index_}); }

  void find_gap() {
    if (table_.hit == HitPolicy::Collect) return;
    std::vector<const Box*> rows;
    for (const Box& row : boxes_.rows) rows.push_back(&row);
    for (const Region& start : starts_) {
      const std::optional<Box> open = map_.point(start, rows);
      if (!open) continue;
      return report(table_.rows_where, "gap", "no row of `" + table_.id + "` takes this case", witness(*open));
    }
  }

  void find_overlaps() {
    if (table_.hit != HitPolicy::Unique) return;
    for (std::size_t b = 0; b < boxes_.rows.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        if (table_.rows[a].same_outcome(table_.rows[b]) || !layout_.meet(boxes_.rows[a], boxes_.rows[b])) continue;
        const Box both = intersection(boxes_.rows[a], boxes_.rows[b]);
        for (const Region& start : starts_) {
          const std::optional<Region> common = map_.cut(start, both);
          if (!common) continue;
          report(table_.rows[b].where, "overlap",
                 "row `" + table_.rows[b].id + "` and row " + line_of(table_.rows[a]) +
                     " both take this case and decide differently",
                 witness(*map_.point(*common)));
          break;
        }
      }
    }
  }

  /// Whether row `b` can take a case from row `a`, or make it needless.
  bool stands_before(std::size_t b, std::size_t a) const {
    if (table_.hit == HitPolicy::First) return b < a;
    return a != b && table_.rows[a].same_outcome(table_.rows[b]) && (b < a || boxes_.rows[a] != boxes_.rows[b]);
  }

  void find_dead_rows() {
    for (std::size_t r = 0; r < boxes_.rows.size() && !spent(); ++r) {
      const Box own = intersection(boxes_.rows[r], boxes_.domain);
      const TableRow& row = table_.rows[r];
      if (layout_.is_empty(own)) {
        report(row.where, "shadowed", "row `" + row.id + "` never matches: " + impossible_cell(r), {});
        continue;
      }
      std::vector<const Box*> before;
      for (std::size_t b = 0; b < boxes_.rows.size(); ++b) {
        if (stands_before(b, r)) before.push_back(&boxes_.rows[b]);
      }
      if (find_uncovered(layout_, own, before, budget_)) {
        find_reachable(r, before);
      } else if (!spent()) {
        report_shadowed(r, own);
      }
    }
  }

  std::string impossible_cell(std::size_t r) const {
    for (std::size_t i = 0; i < table_.inputs.size(); ++i) {
      const std::size_t d = boxes_.inputs[i];
      const Box own = intersection(boxes_.rows[r], boxes_.domain);
      if (layout_.count(own, d) != 0) continue;
      const auto cell = table_.rows[r].when.find(table_.inputs[i].name);
      return "`" + table_.inputs[i].name + "` is never " +
             (cell == table_.rows[r].when.end() ? "anything" : cell->second.text);
    }
    return "its cells exclude each other";
  }

  void report_shadowed(std::size_t r, const Box& own) {
    const TableRow& row = table_.rows[r];
    const std::string verb = table_.hit == HitPolicy::First ? " never takes a case: " : " adds nothing: ";
    for (std::size_t b = 0; b < boxes_.rows.size(); ++b) {
      if (!stands_before(b, r) || !contains(boxes_.rows[b], own)) continue;
      const bool identical = boxes_.rows[b] == boxes_.rows[r];
      if (identical && row.same_outcome(table_.rows[b])) {
        return report(row.where, "identical", "row `" + row.id + "` is identical with row " + line_of(table_.rows[b]),
                      local_witness(own));
      }
      return report(row.where, "shadowed",
                    "row `" + row.id + "`" + verb + "row " + line_of(table_.rows[b]) +
                        (identical ? " has the same conditions" : " takes all of them, such as this one"),
                    local_witness(own));
    }
    report(row.where, "shadowed",
           "row `" + row.id + "`" + verb + "the rows before it take all of them together, such as this one",
           local_witness(own));
  }

  /// A row that only cases take which earlier tables never make.
  void find_reachable(std::size_t r, const std::vector<const Box*>& before) {
    for (const Region& start : starts_) {
      const std::optional<Region> part = map_.cut(start, boxes_.rows[r]);
      if (part && map_.point(*part, before)) return;
    }
    if (spent() || boxes_.feeders.empty()) return;
    const TableRow& row = table_.rows[r];
    report(row.where, "unreachable",
           "no facts lead to row `" + row.id + "`: the tables before `" + table_.id + "` never decide so", {},
           origin_ == BookOrigin::Site ? Severity::Warning : Severity::Error);
  }

  void find_unproduced_words() {
    for (const TableOutput& output : table_.outputs) {
      for (const std::string& word : output.words) {
        if (std::ranges::any_of(table_.rows, [&](const TableRow& row) { return row.then.at(output.name) == word; }))
          continue;
        report(output.where, "never-produced", "no row gives `" + output.name + ": " + word + "`", {},
               origin_ == BookOrigin::Site ? Severity::Warning : Severity::Error);
      }
    }
  }

  void find_idle_inputs() {
    for (std::size_t i = 0; i < table_.inputs.size() && !spent(); ++i) {
      const TableInput& input = table_.inputs[i];
      const bool read =
          std::ranges::any_of(table_.rows, [&](const TableRow& row) { return row.when.contains(input.name); });
      if (!read) {
        report(input.where, "irrelevant", "the input `" + input.name + "` never matters: no row reads it", {});
      } else if (!matters(boxes_.inputs[i]) && !spent()) {
        // A site that gives two outcomes the same word leaves inputs idle without having touched them.
        report(input.where, "irrelevant",
               "the input `" + input.name + "` never matters: rows read it, but no case is decided by it", {},
               origin_ == BookOrigin::Site ? Severity::Warning : Severity::Error);
      }
    }
  }

  bool matters(std::size_t d) {
    const std::vector<Region> whole{{boxes_.domain, {}, {}}};
    if (table_.hit != HitPolicy::Collect) {
      if (parts_.empty()) parts_ = map_.split_one(whole, index_);
      // Rows that read the input are where it is likeliest to matter.
      std::stable_partition(parts_.begin(), parts_.end(), [&](const Region& part) {
        return layout_.count(part.box, d) < layout_.count(boxes_.domain, d);
      });
      return any_step(parts_, d,
                      [](const Region& a, const Region& b) { return !a.hits.back()->same_outcome(*b.hits.back()); });
    }
    for (const TableRow& row : table_.rows) {
      // Each outcome by itself: does it come and go with the input?
      const std::vector<Region> parts =
          map_.split_one(whole, index_, [&](const TableRow& other) { return other.same_outcome(row); });
      if (any_step(parts, d, [](const Region& a, const Region& b) { return a.hits.empty() != b.hits.empty(); }))
        return true;
    }
    return false;
  }

  template <class Differ>
  bool any_step(const std::vector<Region>& parts, std::size_t d, Differ differ) {
    for (std::size_t a = 0; a < parts.size(); ++a) {
      for (std::size_t b = a + 1; b < parts.size(); ++b) {
        if (differ(parts[a], parts[b]) && map_.step(parts[a], parts[b], d, boxes_.outputs)) return true;
        if (spent()) return true;
      }
    }
    return false;
  }

  void check_invariant(const CompiledInvariant& invariant, const InvariantNames& names) {
    InvariantCheck check(invariant, names, map_);
    const std::optional<InvariantCheck::Violation> found = check.run();
    if (!found) return;
    Witness shown = witness_of(space_, found->point, check.tables());
    for (const std::size_t d : check.dimensions()) {
      const std::string& name = space_.dimension(d).name();
      if (space_.dimension(d).table() != nullptr || std::ranges::find(shown, name, &WitnessValue::name) != shown.end())
        continue;
      shown.insert(shown.begin(), {name, to_text(space_.dimension(d).sample(layout_.lowest(found->point, d)))});
    }
    const Witness lists = check.lists(found->region);
    shown.insert(shown.end(), lists.begin(), lists.end());
    const std::string what = found->error.empty() ? "the invariant does not hold: "
                                                  : "the invariant cannot be evaluated (" + found->error + "): ";
    const Invariant& source = *invariant.source;
    const std::string text =
        source.premise.empty() ? source.conclusion : "if " + source.premise + " then " + source.conclusion;
    report(source.where, "invariant", what + text, std::move(shown));
  }

  const Space& space_;
  const Layout& layout_;
  std::size_t index_;
  const Space::TableBoxes& boxes_;
  const Table& table_;
  BookOrigin origin_;
  BookReader& reader_;
  Budget budget_;
  Cartographer map_;
  std::vector<Region> starts_;       ///< what the tables before it leave
  std::vector<Region> parts_;        ///< of its own domain, by row
  std::vector<std::size_t> tables_;  ///< it and those before it
};

std::uint64_t cells_of(const Space& space, const Space::TableBoxes& table) {
  std::uint64_t cells = 1;
  for (const std::size_t d : table.inputs) {
    const std::uint64_t here = space.layout().count(table.domain, d);
    if (__builtin_mul_overflow(cells, here, &cells)) return std::numeric_limits<std::uint64_t>::max();
  }
  return cells;
}

/// Whether a proof about a table rests on one of those that changed: itself, what feeds it, what its invariants speak
/// of.
bool is_touched(const Space& space, std::size_t index, const TableInvariants& invariants,
                const std::set<std::string>& changed) {
  const auto rests_on = [&](const Space::TableBoxes& boxes) {
    return changed.contains(boxes.table->id) || std::ranges::any_of(boxes.feeders, [&](std::size_t feeder) {
             return changed.contains(space.tables()[feeder].table->id);
           });
  };
  if (rests_on(space.tables()[index])) return true;
  for (const CompiledInvariant& invariant : invariants.list) {
    for (const std::string& identifier : invariant.names) {
      const InvariantNames::Name* name = invariants.names->find(identifier);
      const Table* table = name->list != nullptr ? name->list : space.dimension(*space.find(name->dimension)).table();
      if (table != nullptr && rests_on(space.of(*table))) return true;
    }
  }
  return false;
}

}  // namespace

ProofStats prove_tables(const Space& space, const std::vector<TableInvariants>& invariants, BookOrigin origin,
                        BookReader& reader, const std::set<std::string>* changed, unsigned threads) {
  ProofStats stats;
  const std::size_t count = space.tables().size();
  std::vector<BookReader> readers(count, reader.beside());
  in_parallel(count, threads, [&](std::size_t turn) {
    const std::size_t i = count - 1 - turn;  // the last rest on most of the others
    if (changed == nullptr || is_touched(space, i, invariants[i], *changed))
      TableProof(space, i, origin, readers[i]).run(invariants[i]);
  });
  for (std::size_t i = 0; i < count; ++i) {
    const Space::TableBoxes& boxes = space.tables()[i];
    reader.take(std::move(readers[i]));
    ++stats.tables;
    stats.rows += boxes.rows.size();
    stats.invariants += boxes.table->invariants.size();
    if (__builtin_add_overflow(stats.cells, cells_of(space, boxes), &stats.cells))
      stats.cells = std::numeric_limits<std::uint64_t>::max();
  }
  return stats;
}

Witness witness_of(const Space& space, const Box& point, const std::vector<std::size_t>& tables) {
  Witness facts;
  Witness outputs;
  const auto add = [&](std::size_t d) {
    const Dimension& dimension = space.dimension(d);
    Witness& out = dimension.table() == nullptr ? facts : outputs;
    if (std::ranges::find(out, dimension.name(), &WitnessValue::name) != out.end()) return;
    const bool quoted = dimension.type() != InputType::Bool && dimension.type() != InputType::Int &&
                        dimension.type() != InputType::Double;
    out.push_back({dimension.name(), to_text(dimension.sample(space.layout().lowest(point, d))), quoted});
  };
  for (const std::size_t t : tables) {
    for (const std::size_t d : space.tables()[t].inputs) add(d);
  }
  for (const std::size_t t : tables) {
    for (const std::size_t d : space.tables()[t].outputs) {
      if (space.layout().count(point, d) == 1) add(d);
    }
  }
  facts.insert(facts.end(), outputs.begin(), outputs.end());
  return facts;
}

std::optional<Witness> find_difference(const std::vector<Table>& tables, const Table& other) {
  std::vector<Table> both(tables.begin(), tables.end());
  both.push_back(other);
  both.back().id += "'";
  const Space space(both, {});
  const std::size_t last = both.size() - 1;
  const std::size_t first = space.index_of(*std::ranges::find(both, other.id, &Table::id));
  Budget budget(kProofBudget);
  Cartographer map(space, budget);
  const std::vector<Region> starts = map.before(first, space.whole());
  const auto of = [](const Region& region, const Table& table) {
    std::vector<const TableRow*> out;
    for (const TableRow* row : region.hits) {
      if (row >= table.rows.data() && row < table.rows.data() + table.rows.size()) out.push_back(row);
    }
    return out;
  };
  const auto differs = [&](const RowFilter& filter) -> std::optional<Witness> {
    for (const Region& part : map.split_one(map.split_one(starts, first, filter), last, filter)) {
      const std::vector<const TableRow*> a = of(part, both[first]);
      const std::vector<const TableRow*> b = of(part, both[last]);
      const bool same = filter ? a.empty() == b.empty() : a.back()->same_outcome(*b.back());
      if (!same) return witness_of(space, *map.point(part), {first});
    }
    return std::nullopt;
  };
  if (other.hit != HitPolicy::Collect) return differs({});
  for (const Table* table : {&both[first], &both[last]}) {
    for (const TableRow& row : table->rows) {
      if (std::optional<Witness> found = differs([&](const TableRow& one) { return one.same_outcome(row); }))
        return found;
    }
  }
  return std::nullopt;
}

}  // namespace muster
