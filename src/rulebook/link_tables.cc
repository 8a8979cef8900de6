#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "rulebook/load_rule.h"

namespace muster {
namespace {

constexpr std::size_t kMaxInputs = 64;
constexpr std::size_t kMaxRows = 2000;

class Linker {
 public:
  Linker(std::vector<Table>& tables, BookReader& reader) : tables_(tables), reader_(reader) {}

  void run() {
    for (const Table& table : tables_) {
      if (table.inputs.size() > kMaxInputs || table.rows.size() > kMaxRows)
        wrong(table, table.where, "too-large", "the table has too many inputs or rows to be proved: split the table");
      for (const TableInput& input : table.inputs)
        input.origin == InputOrigin::Table ? check_feed(table, input) : check_fact(table, input);
    }
    order();
  }

 private:
  void wrong(const Table& table, const Span& where, std::string check, std::string message) {
    BookProblem problem;
    problem.check = std::move(check);
    problem.subject = table.id;
    problem.message = std::move(message);
    reader_.add(where, std::move(problem));
  }

  const Table* find(std::string_view id) const {
    const auto found = std::ranges::find(tables_, id, &Table::id);
    return found == tables_.end() ? nullptr : &*found;
  }

  void check_feed(const Table& table, const TableInput& input) {
    const Table* feeder = find(input.from);
    if (feeder == nullptr) {
      std::vector<std::string_view> known;
      for (const Table& other : tables_) known.push_back(other.id);
      return wrong(table, input.where, "syntax",
                   "there is no table `" + input.from + "`" + did_you_mean(input.from, known));
    }
    const TableOutput* output = feeder->find_output(input.name);
    if (output == nullptr) {
      std::vector<std::string_view> known;
      for (const TableOutput& other : feeder->outputs) known.push_back(other.name);
      return wrong(
          table, input.where, "syntax",
          "the table `" + feeder->id + "` has no output `" + input.name + "`" + did_you_mean(input.name, known));
    }
    if (feeder->hit == HitPolicy::Collect) {
      return wrong(table, input.where, "syntax",
                   "`" + feeder->id + "` collects: it may give several values of `" + input.name +
                       "` at once, which no cell can read");
    }
    for (const std::string& word : output->words) {
      if (std::ranges::find(input.words, word) != input.words.end()) continue;
      wrong(table, input.where, "gap",
            "`" + feeder->id + "` can decide `" + input.name + ": " + word + "`, which is none of " +
                join(input.words, ", "));
    }
  }

  /// A fact means one thing, whoever reads it.
  void check_fact(const Table& table, const TableInput& input) {
    const auto [first, added] = facts_.emplace(input.name, &input);
    const bool texts = !is_ordered(input.type) && !is_ordered(first->second->type) && input.type != InputType::Bool &&
                       first->second->type != InputType::Bool;
    const bool same = input.type == first->second->type || (input.origin == InputOrigin::Fact && texts);
    if (added || same) return;
    wrong(table, input.where, "syntax",
          "another table reads `" + input.name + "` as " + std::string(name_of(first->second->type)) + ", not as " +
              std::string(name_of(input.type)));
  }

  void order() {
    std::vector<std::size_t> order;
    std::vector<int> state(tables_.size(), 0);
    for (std::size_t i = 0; i < tables_.size(); ++i) visit(i, state, order);
    std::vector<Table> ordered;
    for (const std::size_t i : order) ordered.push_back(std::move(tables_[i]));
    tables_ = std::move(ordered);
  }

  void visit(std::size_t index, std::vector<int>& state, std::vector<std::size_t>& order) {
    if (state[index] == 2) return;
    state[index] = 1;
    path_.push_back(index);
    for (const TableInput& input : tables_[index].inputs) {
      const Table* feeder = input.origin == InputOrigin::Table ? find(input.from) : nullptr;
      if (feeder == nullptr) continue;
      const std::size_t next = static_cast<std::size_t>(feeder - tables_.data());
      if (state[next] == 1) {
        report_cycle(next, tables_[index], input);
      } else {
        visit(next, state, order);
      }
    }
    path_.pop_back();
    state[index] = 2;
    order.push_back(index);
  }

  void report_cycle(std::size_t from, const Table& table, const TableInput& input) {
    std::string way = tables_[from].id;
    for (std::size_t i = path_.size(); i-- > 0;) {
      way = tables_[path_[i]].id + " -> " + way;
      if (path_[i] == from) break;
    }
    const std::string message = "the tables feed each other: " + way;
    if (cycles_.insert(message).second) wrong(table, input.where, "cycle", message);
  }

  std::vector<Table>& tables_;
  BookReader& reader_;
  std::map<std::string, const TableInput*> facts_;
  std::vector<std::size_t> path_;
  std::set<std::string> cycles_;
};

}  // namespace

void link_tables(std::vector<Table>& tables, BookReader& reader) { Linker(tables, reader).run(); }

}  // namespace muster
