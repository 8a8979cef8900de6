// Every small change to a row of a shipped table breaks an invariant or an answer of docs/decisions.md, leaves a case
// without an answer, or provably changes nothing.
#include <deque>
#include <iostream>
#include <map>
#include <set>

#include "decide/scenarios.h"
#include "rulebook/load_rule.h"
#include "rulebook/prove.h"
#include "rulebook/rule_book.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/share.h"
#include "syntax/yaml_reader.h"

namespace {

/// A table file cut at its rows: each begins with `  - id:` or `  - {id:`.
struct TableText {
  std::string head;
  std::vector<std::string> rows;
  std::string tail;

  std::string whole() const {
    std::string out = head;
    for (const std::string& row : rows) out += row;
    return out + tail;
  }
};

bool begins_row(const std::string& line) { return line.rfind("  - id:", 0) == 0 || line.rfind("  - {id:", 0) == 0; }

TableText cut(const std::string& text) {
  TableText out;
  std::size_t at = 0;
  bool after = false;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at) + 1, text.size());
    const std::string line = text.substr(at, end - at);
    at = end;
    if (begins_row(line)) {
      out.rows.push_back(line);
    } else if (out.rows.empty()) {
      out.head += line;
    } else {
      after = after || line.front() != ' ';
      (after ? out.tail : out.rows.back()) += line;
    }
  }
  return out;
}

struct CellText {
  std::string input;
  std::string value;
};

/// The cells of `when: {a: b, c: [d, e]}`.
std::vector<CellText> cells_of(const std::string& row, std::size_t& begin, std::size_t& end) {
  begin = row.find("when: {");
  if (begin == std::string::npos) return {};
  begin += 7;
  std::vector<CellText> out;
  std::string current;
  int depth = 0;
  const auto flush = [&] {
    const std::size_t colon = current.find(": ");
    const std::size_t first = current.find_first_not_of(' ');
    if (colon != std::string::npos) out.push_back({current.substr(first, colon - first), current.substr(colon + 2)});
    current.clear();
  };
  for (end = begin; end < row.size(); ++end) {
    const char c = row[end];
    if (c == '}' && depth == 0) break;
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && depth == 0) {
      flush();
    } else {
      current += c;
    }
  }
  flush();
  return out;
}

std::string with_cells(const std::string& row, const std::vector<CellText>& cells, std::size_t begin, std::size_t end) {
  std::string text;
  for (const CellText& cell : cells) text += (text.empty() ? "" : ", ") + cell.input + ": " + cell.value;
  return row.substr(0, begin) + text + row.substr(end);
}

/// The row with another word for one of its outputs: `then: {a: b, c: d}`.
std::string with_outcome(const std::string& row, const std::string& output, const std::string& word) {
  const std::size_t then = row.find("then: {");
  REQUIRE(then != std::string::npos);
  const std::size_t at = row.find(output + ": ", then) + output.size() + 2;
  const std::string mark = row.at(at) == '"' ? "\"" : "";
  return row.substr(0, at) + mark + word + mark + row.substr(row.find_first_of(",}", at));
}

/// Every way to let a cell allow more: the whole input, one more word, one more number.
std::vector<std::string> widened(const CellText& cell, const muster::TableInput& input) {
  std::vector<std::string> out{"\"-\""};
  if (input.type == muster::InputType::Enum) {
    std::string words = cell.value.front() == '[' ? cell.value.substr(1, cell.value.size() - 2) : cell.value;
    for (const std::string& word : input.words) {
      if ((", " + words + ",").find(", " + word + ",") == std::string::npos)
        out.push_back("[" + words + ", " + word + "]");
    }
  }
  const std::size_t at = cell.value.find(">= ");
  if (at != std::string::npos) out.push_back("\">= " + std::to_string(std::stoi(cell.value.substr(at + 3)) - 1) + "\"");
  return out;
}

/// Whether a table reads another, at once or through others, or has invariants that could speak of it.
bool may_rest_on(const muster::Table& table, const muster::Table& other, const std::vector<muster::Table>& tables) {
  const auto speaks = [&](const std::string& text) {
    return text.find(other.id) != std::string::npos ||
           std::ranges::any_of(other.outputs, [&](const muster::TableOutput& output) {
             return text.find(output.name) != std::string::npos;
           });
  };
  if (std::ranges::any_of(table.invariants,
                          [&](const muster::Invariant& one) { return speaks(one.premise + " " + one.conclusion); }))
    return true;
  return std::ranges::any_of(table.inputs, [&](const muster::TableInput& input) {
    if (input.from.empty()) return false;
    return input.from == other.id ||
           may_rest_on(*std::ranges::find(tables, input.from, &muster::Table::id), other, tables);
  });
}

muster::Table load(muster::SourceMap& sources, const std::string& path, const std::string& text,
                   muster::Document& document, muster::BookReader& reader) {
  const muster::FileId file = sources.add(path, text);
  const std::string_view whole = sources.file(file).text();
  std::vector<muster::Finding> findings;
  REQUIRE(muster::read_yaml(whole, {file, 0, static_cast<std::uint32_t>(whole.size())}, document, findings));
  return muster::load_table(document.root(), path, reader);
}

/// The tables as they are shipped, read once.
struct Shipped {
  muster::SourceMap sources;
  std::deque<muster::Document> documents;
  std::vector<muster::Table> tables;
};

/// The shipped tables with another text for one of them, proved: what speaks against it, and the table as it was read.
/// Rules and the proofs of tables that the change cannot touch are left out: there are hundreds of mutants.
struct Proved {
  std::vector<muster::BookProblem> problems;
  muster::Table table;

  bool has(std::string_view check) const {
    return std::ranges::any_of(problems, [&](const muster::BookProblem& one) { return one.check == check; });
  }
};

Proved prove(Shipped& shipped, const std::string& path, const std::string& text) {
  muster::BookReader reader(shipped.sources);
  muster::Document document;
  std::vector<muster::Table> tables = shipped.tables;
  const auto place = std::ranges::find(tables, path, &muster::Table::file);
  REQUIRE(place != tables.end());
  *place = load(shipped.sources, path, text, document, reader);
  const std::set<std::string> changed{place->id};
  const muster::Table mutant = *std::ranges::find(tables, *changed.begin(), &muster::Table::id);
  for (muster::Table& table : tables) {
    if (table.id != mutant.id && !may_rest_on(table, mutant, tables)) table.invariants.clear();
  }
  Proved out;
  muster::link_tables(tables, reader);
  if (reader.good()) {
    std::vector<muster::TableInvariants> invariants;
    for (const muster::Table& table : tables) invariants.push_back(muster::compile_invariants(tables, table, reader));
    const muster::Space space(tables, muster::cuts_of(invariants));
    muster::prove_tables(space, invariants, muster::BookOrigin::Shipped, reader, &changed);
  }
  out.problems = reader.all();
  out.table = *std::ranges::find(tables, *changed.begin(), &muster::Table::id);
  return out;
}

/// Whether an answer that docs/decisions.md states becomes another one, or is open then.
bool breaks_scenario(const std::vector<muster::test::ScenarioCase>& scenarios, const muster::Table& mutant) {
  return std::ranges::any_of(scenarios, [&](const muster::test::ScenarioCase& one) {
    if (one.table != mutant.id) return false;
    const std::vector<std::string> answers = muster::test::possible_answers(mutant, one);
    return std::ranges::find(answers, one.answer) == answers.end();
  });
}

/// What became of the mutants.
struct Tally {
  std::size_t all = 0;
  std::size_t judged = 0;
  std::size_t invariants = 0;
  std::size_t scenarios = 0;
  std::size_t both = 0;
  std::size_t gaps = 0;
  std::size_t equivalent = 0;
};

struct Mutant {
  std::string what;
  std::string text;
};

std::vector<Mutant> mutants_of(const TableText& table, const muster::Table& loaded) {
  std::vector<Mutant> out;
  const auto add = [&](const std::string& what, TableText changed) { out.push_back({what, changed.whole()}); };
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::string& id = loaded.rows[r].id;
    TableText changed = table;
    changed.rows.erase(changed.rows.begin() + static_cast<std::ptrdiff_t>(r));
    add("without " + id, changed);
    changed = table;
    std::string copy = table.rows[r];
    copy.replace(copy.find(id), id.size(), id + "-again");
    changed.rows.insert(changed.rows.begin() + static_cast<std::ptrdiff_t>(r) + 1, copy);
    add("twice " + id, changed);
    for (std::size_t other = r + 1; other < table.rows.size(); ++other) {
      changed = table;
      std::swap(changed.rows[r], changed.rows[other]);
      add("swapped " + id + " and " + loaded.rows[other].id, changed);
    }
    for (const muster::TableOutput& output : loaded.outputs) {
      // A site may say that it has no k3s; the shipped answers are held by the reference cases.
      if (loaded.id == "control-plane") continue;
      for (const std::string& word : output.words) {
        if (word == loaded.rows[r].then.at(output.name)) continue;
        changed = table;
        changed.rows[r] = with_outcome(table.rows[r], output.name, word);
        add("other " + id + ": " + output.name + " " + word, changed);
      }
    }
    std::size_t begin = 0;
    std::size_t end = 0;
    const std::vector<CellText> cells = cells_of(table.rows[r], begin, end);
    REQUIRE(cells.size() == loaded.rows[r].when.size());  // the shape that this test can read
    for (std::size_t c = 0; c < cells.size(); ++c) {
      for (const std::string& wider : widened(cells[c], *loaded.find_input(cells[c].input))) {
        std::vector<CellText> more = cells;
        more[c].value = wider;
        changed = table;
        changed.rows[r] = with_cells(table.rows[r], more, begin, end);
        add("wider " + id + ": " + cells[c].input + " " + wider, changed);
      }
    }
  }
  return out;
}

}  // namespace

TEST_CASE(
    "each row of a shipped table that is deleted, widened, duplicated, swapped or answers otherwise is caught, "
    "unless that changes nothing",
    "[rulebook]") {
  const muster::Result<muster::RuleBook> book = muster::RuleBook::embedded();
  REQUIRE(book);
  std::map<std::string, std::string> texts;
  Shipped shipped;
  muster::BookReader reader(shipped.sources);
  for (const muster::Table& table : book->tables()) {
    const std::string& text = texts[table.file] =
        muster::test::read_file(muster::test::source_dir() + "/" + table.file);
    shipped.tables.push_back(load(shipped.sources, table.file, text, shipped.documents.emplace_back(), reader));
  }
  REQUIRE(reader.good());
  const std::vector<muster::test::ScenarioCase> scenarios = muster::test::scenario_cases();
  Tally sum;
  for (const muster::Table& table : book->tables()) {
    const TableText text = cut(texts.at(table.file));
    REQUIRE(text.rows.size() == table.rows.size());
    for (const Mutant& mutant : mutants_of(text, table)) {
      if (sum.all++ % muster::test::every(11) != 0) continue;
      ++sum.judged;
      const Proved proved = prove(shipped, table.file, mutant.text);
      INFO(table.id << ": " << mutant.what);
      CHECK_FALSE(proved.has("syntax"));  // caught by a proof, not because the mutant cannot be read
      const bool invariant = proved.has("invariant");
      const bool scenario = breaks_scenario(scenarios, proved.table);
      sum.invariants += invariant ? 1 : 0;
      sum.scenarios += scenario ? 1 : 0;
      sum.both += invariant && scenario ? 1 : 0;
      if (invariant || scenario) continue;
      // A case without an answer is a difference that no comparison needs to find.
      const bool copied =
          mutant.what.starts_with("twice ") && proved.has("identical");  // behind the same cells and words
      const std::optional<muster::Witness> difference =
          copied || proved.has("gap") ? std::nullopt : muster::find_difference(book->tables(), proved.table);
      INFO((difference ? "differs where " + to_text(*difference) : ""));
      if (proved.has("gap")) {
        ++sum.gaps;
        CHECK(mutant.what.starts_with("without "));
      } else {
        ++sum.equivalent;
        CHECK_FALSE(difference);
      }
    }
  }
  std::cout << sum.judged << " of " << sum.all << " mutants of the decision tables: " << sum.invariants
            << " break an invariant, " << sum.scenarios << " an answer of docs/decisions.md (" << sum.both << " both), "
            << sum.gaps << " only leave a case without an answer, " << sum.equivalent << " proved equivalent\n";
  CHECK(sum.scenarios > sum.judged / 20);
  CHECK(sum.all > sum.equivalent);
}

TEST_CASE("any row taken out of the control-plane table leaves a case open or breaks an invariant, with a witness",
          "[rulebook]") {
  const muster::Result<muster::RuleBook> book = muster::RuleBook::embedded();
  REQUIRE(book);
  const muster::Table& table = *book->find_table("control-plane");
  const TableText text = cut(muster::test::read_file(muster::test::source_dir() + "/" + table.file));
  for (std::size_t r = 0; r < text.rows.size(); ++r) {
    TableText changed = text;
    changed.rows.erase(changed.rows.begin() + static_cast<std::ptrdiff_t>(r));
    const muster::BookCheck checked =
        muster::RuleBook::check({{"site/decide/control-plane.yaml", changed.whole()}}, {}, muster::BookOrigin::Site);
    INFO(table.rows[r].id);
    CHECK_FALSE(checked.book);
    CHECK(std::ranges::any_of(checked.problems, [](const muster::BookProblem& problem) {
      return problem.severity == muster::Severity::Error && !problem.witness.empty() && problem.at.line > 0;
    }));
  }
}
