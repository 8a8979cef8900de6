#include <algorithm>
#include <map>
#include <span>

#include "base/strings.h"
#include "decide/decide.h"
#include "decide/trace_row.h"

namespace muster {
namespace {

constexpr std::size_t kMostChanges = 4;  // a longer list is another workload
constexpr std::size_t kMostAnswers = 5;
constexpr std::size_t kMostRows = 3;

/// The output that is asked for.
struct Goal {
  const Table* table = nullptr;
  std::string output;
  std::string value;
};

/// Every output that can have the word, in the order in which tables feed each other.
std::vector<Goal> find_goals(const RuleBook& book, const std::string& text) {
  std::vector<Goal> out;
  const std::size_t equals = text.find('=');
  const std::string wanted = equals == std::string::npos ? "" : text.substr(0, equals);
  const std::string value = equals == std::string::npos ? text : text.substr(equals + 1);
  for (const Table& table : book.tables()) {
    for (const TableOutput& output : table.outputs) {
      const bool named = wanted.empty() || wanted == output.name || wanted == table.id + "." + output.name;
      if (named && std::ranges::find(output.words, value) != output.words.end())
        out.push_back({&table, output.name, value});
    }
  }
  return out;
}

/// The goal's output as it is now; for an item of a collecting table its level.
Choice current(const Goal& goal, Evaluation& evaluation) {
  if (goal.table->hit != HitPolicy::Collect) return evaluation.output(*goal.table, goal.output);
  return goal.output == goal.table->outputs[0].name ? evaluation.level(*goal.table, goal.value) : Choice{};
}

bool is_reached(const Goal& goal, const Choice& now) {
  return goal.table->hit == HitPolicy::Collect ? now.value && *now.value != "none" : now.value == goal.value;
}

/// `kubernetes` is first of all what the shape of the work calls for; where the fleet decides where it runs, that is
/// what is meant.
const Goal& meant(const std::vector<Goal>& goals, Evaluation& evaluation) {
  for (const Goal& goal : goals) {
    if (goal.table->id == "placement" && current(goal, evaluation).value) return goal;
  }
  return goals.front();
}

class Search {
 public:
  Search(const RuleBook& book, const Goal& goal, const Workload& workload, const Site& site)
      : book_(book), goal_(goal), workload_(workload), site_(site), known_(known_box(book.space(), workload, site)) {
    const Space& space = book.space();
    std::vector<std::size_t> tables = space.of(*goal.table).feeders;
    tables.push_back(space.index_of(*goal.table));
    for (const std::size_t t : tables) {
      for (const TableInput& input : space.tables()[t].table->inputs) add_input(input);
    }
  }

  /// The smallest sets of changes among facts that can change, or among all of them.
  std::vector<std::vector<FactChange>> run(bool fixed_too) {
    std::vector<const TableInput*> known;
    for (const TableInput* input : inputs_) {
      if (known_value(*input, workload_, site_) && (fixed_too || !fixed_.contains(input->name))) known.push_back(input);
    }
    std::vector<std::vector<FactChange>> out;
    for (std::size_t size = 0; size <= std::min(kMostChanges, known.size()) && out.empty(); ++size) {
      std::vector<const TableInput*> chosen;
      choose(known, 0, size, chosen, out);
    }
    return out;
  }

  bool is_fixed(const std::string& fact) const { return fixed_.contains(fact); }

 private:
  void add_input(const TableInput& input) {
    if (input.origin == InputOrigin::Table) return;
    if (!input.can_change) fixed_.insert(input.name);
    const bool there = std::ranges::any_of(inputs_, [&](const TableInput* other) { return other->name == input.name; });
    if (!there) inputs_.push_back(&input);
  }

  void choose(const std::vector<const TableInput*>& known, std::size_t from, std::size_t left,
              std::vector<const TableInput*>& chosen, std::vector<std::vector<FactChange>>& out) {
    if (out.size() >= kMostAnswers) return;
    if (left == 0) {
      if (std::optional<std::vector<FactChange>> changes = attempt(chosen)) out.push_back(std::move(*changes));
      return;
    }
    for (std::size_t i = from; i + left <= known.size(); ++i) {
      if (left > 1 && !can_reach(chosen, std::span(known).subspan(i))) return;
      chosen.push_back(known[i]);
      choose(known, i + 1, left - 1, chosen, out);
      chosen.pop_back();
    }
  }

  bool reached(const Region& region) const {
    return std::ranges::any_of(region.hits, [&](const TableRow* row) {
      const auto found = row->then.find(goal_.output);
      const bool own = row >= goal_.table->rows.data() && row < goal_.table->rows.data() + goal_.table->rows.size();
      return own && found->second == goal_.value;
    });
  }

  void open(Box& box, std::span<const TableInput* const> inputs) const {
    for (const TableInput* input : inputs) book_.space().layout().fill(box, *book_.space().find(input->key()));
  }

  /// Whether any choice among `more` beside the chosen facts could reach the goal: what all of them together do not
  /// reach, no few of them do.
  bool can_reach(const std::vector<const TableInput*>& chosen, std::span<const TableInput* const> more) {
    Box box = known_;
    open(box, chosen);
    open(box, more);
    const auto [at, fresh] = reachable_.try_emplace(box, false);
    if (!fresh) return at->second;
    Evaluation evaluation(book_, std::move(box));
    at->second = std::ranges::any_of(regions_of(evaluation), [&](const Region& region) { return reached(region); }) ||
                 evaluation.map().budget().spent();
    return at->second;
  }

  std::vector<Region> regions_of(Evaluation& evaluation) const {
    return evaluation.regions(*goal_.table,
                              [&](const TableRow& row) { return row.then.at(goal_.output) == goal_.value; });
  }

  std::optional<std::vector<FactChange>> attempt(const std::vector<const TableInput*>& chosen) {
    Box box = known_;
    open(box, chosen);
    Evaluation evaluation(book_, std::move(box));
    for (const Region& region : regions_of(evaluation)) {
      if (!reached(region)) continue;
      return changes_to(*evaluation.map().point(region), evaluation.start(), chosen);
    }
    return std::nullopt;
  }

  /// The chosen facts, and those open ones without which the value would not be certain.
  std::vector<FactChange> changes_to(const Box& point, const Box& start,
                                     const std::vector<const TableInput*>& chosen) const {
    const Space& space = book_.space();
    std::vector<FactChange> out;
    Box box = start;
    for (const TableInput* input : inputs_) {
      const std::size_t d = *space.find(input->key());
      space.layout().only(box, d, space.layout().lowest(point, d));
    }
    // Versions are let go first: another release is the last thing to ask for.
    for (const bool version : {true, false}) {
      for (const TableInput* input : inputs_) {
        if ((input->origin == InputOrigin::Target) != version || known_value(*input, workload_, site_)) continue;
        const std::size_t d = *space.find(input->key());
        Box wider = box;
        space.layout().fill(wider, d);
        space.layout().intersect(wider, start, d);
        if (is_certain(wider)) box = std::move(wider);
      }
    }
    for (const TableInput* input : chosen) go_near(*input, point, box);
    for (const TableInput* input : inputs_) {
      const std::size_t d = *space.find(input->key());
      const std::optional<TableValue> value = known_value(*input, workload_, site_);
      const bool settled = !value && space.layout().count(box, d) == 1 && space.layout().count(start, d) > 1;
      if (!settled && std::ranges::find(chosen, input) == chosen.end()) continue;
      const std::size_t cell = space.layout().lowest(settled ? point : box, d);
      FactChange change{input->name, value ? to_text(*value) : "", to_text(space.dimension(d).sample(cell)),
                        place_of(*input, workload_)};
      if (const std::optional<TableValue> end = space.dimension(d).end_of(cell)) {
        const auto* whole = std::get_if<std::int64_t>(&*end);
        // The border, not the plainest number beyond it.
        if (whole != nullptr && value && !(*value < *end)) change.to = std::to_string(*whole - 1);
        if (std::holds_alternative<Version>(*end) && change.to == "0") change.before = to_text(*end);
      }
      out.push_back(std::move(change));
    }
    return out;
  }

  /// Of an order the cell nearest to what is, where that is enough.
  void go_near(const TableInput& input, const Box& point, Box& box) const {
    const Space& space = book_.space();
    const std::size_t d = *space.find(input.key());
    const std::optional<TableValue> value = known_value(input, workload_, site_);
    if (!value || !is_ordered(input.type)) return;
    const std::optional<std::size_t> now = space.dimension(d).cell_of(*value);
    const std::size_t found = space.layout().lowest(point, d);
    if (!now || *now == found) return;
    const auto next = [&](std::size_t cell) { return *now < found ? cell + 1 : cell - 1; };
    for (std::size_t cell = next(*now); cell != found; cell = next(cell)) {
      Box nearer = box;
      space.layout().only(nearer, d, cell);
      if (!is_certain(nearer)) continue;
      box = std::move(nearer);
      return;
    }
  }

  bool is_certain(const Box& box) const {
    Evaluation evaluation(book_, box);
    const std::vector<Region> regions = regions_of(evaluation);
    return !regions.empty() && std::ranges::all_of(regions, [&](const Region& region) { return reached(region); });
  }

  const RuleBook& book_;
  const Goal& goal_;
  const Workload& workload_;
  const Site& site_;
  const Box known_;
  std::vector<const TableInput*> inputs_;
  std::set<std::string> fixed_;
  std::map<Box, bool> reachable_;  ///< by what is left open
};

std::vector<TraceRow> near_rows(const Goal& goal, const Workload& workload, const RuleBook& book, const Site& site) {
  Evaluation evaluation(book, known_box(book.space(), workload, site));
  const ValueLookup value_of = lookup_in(evaluation, workload, site);
  std::vector<TraceRow> out;
  bool taken = false;
  for (const TableRow& row : goal.table->rows) {
    TraceRow traced = trace_row(*goal.table, row, value_of, workload);
    const bool hits = traced.state == RowState::Hits;
    if (taken && hits) traced.state = RowState::Taken;
    taken = taken || (hits && goal.table->hit == HitPolicy::First);
    if (row.then.at(goal.output) == goal.value) out.push_back(std::move(traced));
  }
  std::ranges::stable_sort(out, {}, [](const TraceRow& row) { return row.cells.size(); });
  if (out.size() > kMostRows) out.resize(kMostRows);
  return out;
}

}  // namespace

Result<WhyNot> why_not(const Workload& workload, const RuleBook& book, const Site& site, const std::string& value) {
  const std::vector<Goal> goals = find_goals(book, value);
  if (goals.empty()) {
    std::vector<std::string_view> known;
    for (const Table& table : book.tables()) {
      for (const TableOutput& output : table.outputs)
        known.insert(known.end(), output.words.begin(), output.words.end());
    }
    return Error{Error::Code::Usage, "--why-not: no table decides `" + value + "`" + did_you_mean(value, known)};
  }
  Evaluation evaluation(book, known_box(book.space(), workload, site));
  const Goal& goal = meant(goals, evaluation);
  WhyNot out{goal.value, goal.table->id, goal.output};
  out.already = is_reached(goal, current(goal, evaluation));
  if (out.already) return out;
  out.rows = near_rows(goal, workload, book, site);
  Search search(book, goal, workload, site);
  out.changes = search.run(false);
  if (!out.changes.empty()) return out;
  for (const std::vector<FactChange>& changes : search.run(true)) {
    for (const FactChange& change : changes) {
      if (search.is_fixed(change.fact) && std::ranges::find(out.fixed, change.fact) == out.fixed.end())
        out.fixed.push_back(change.fact);
    }
  }
  return out;
}

}  // namespace muster
