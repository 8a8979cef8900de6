// The organisations of docs/decisions.md: the answers of its tables, and what must and must not turn them.
#include <map>
#include <sstream>

#include "base/strings.h"
#include "decide/decide.h"
#include "support/catch.h"
#include "support/files.h"
#include "support/model.h"

namespace {

using muster::test::read_file;
using muster::test::source_dir;

/// A row of a table of the page: its cells without blanks and backticks.
struct Row {
  std::string organisation;
  std::vector<std::string> cells;
};

std::string plain(std::string cell) { return muster::replace_all(std::string(muster::trim(cell)), "`", ""); }

/// The rows below a heading `### what` of each organisation, a `## ` heading with the name of its folder in backticks.
std::vector<Row> rows_of(const std::string& what) {
  std::vector<Row> out;
  std::istringstream in(read_file(source_dir() + "/docs/decisions.md"));
  std::string organisation;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) {
      const std::size_t begin = line.find('`');
      organisation = begin == std::string::npos ? "" : line.substr(begin + 1, line.rfind('`') - begin - 1);
      inside = false;
    } else if (line.starts_with("### ")) {
      inside = !organisation.empty() && line == "### " + what;
    } else if (inside && line.starts_with("| `")) {
      Row row{organisation, {}};
      std::istringstream cells(line.substr(1));
      for (std::string cell; std::getline(cells, cell, '|');) row.cells.push_back(plain(cell));
      out.push_back(std::move(row));
    }
  }
  return out;
}

using Answers = std::map<std::string, std::string>;

std::string word(const muster::Choice& choice) {
  return choice.value ? *choice.value : "open: " + muster::join(choice.unknown, ", ");
}

const muster::RuleBook& scenario_book() {
  static const muster::Result<muster::RuleBook> book = muster::RuleBook::embedded();
  REQUIRE(book);
  return *book;
}

/// Every answer by `workload choice` and `fleet choice`.
Answers answers_of(const std::string& organisation, const std::vector<std::string>& sets) {
  const muster::RuleBook& book = scenario_book();
  const std::string folder = source_dir() + "/examples/organisations/" + organisation + "/";
  muster::Workspace w = muster::test::read_files(
      {{"fleet.yaml", read_file(folder + "fleet.yaml")}, {"workloads.yaml", read_file(folder + "workloads.yaml")}});
  REQUIRE(w.findings.empty());
  const std::optional<muster::Error> error = muster::set_facts(sets, book, w.model, w.site);
  INFO((error ? error->message : ""));
  REQUIRE_FALSE(error);
  const std::vector<muster::Decision> decisions = muster::decide_all(w.model, book, w.site);
  Answers out;
  for (const muster::Decision& decision : decisions) {
    const std::string name = decision.workload + " ";
    out[name + "control-plane"] = word(decision.primary);
    out[name + "placement"] = word(decision.runs_on);
    out[name + "hybrid"] = word(decision.hybrid);
    for (const std::string& addon : book.find_table("addons")->outputs.front().words)
      out[name + "addon " + addon] = "none";
    for (const muster::AddonChoice& addon : decision.addons) out[name + "addon " + addon.id] = word(addon.level);
    for (const muster::NamedChoice& further : decision.choices) out[name + further.id] = word(further.choice);
    for (const muster::PoolDecision& pool : decision.pools) {
      for (const muster::NamedChoice& further : pool.choices)
        out[name + further.id + " in " + pool.pool] = word(further.choice);
    }
  }
  const muster::FleetDecision fleet = muster::decide_fleet(w.model, book, w.site, decisions);
  out["fleet planes"] = fleet.planes.value ? muster::join(fleet.kinds, " and ") : word(fleet.planes);
  out["fleet hybrid"] = word(fleet.hybrid);
  for (const char* plane : {"kubernetes", "k3s"}) out["fleet gang-scheduler of " + std::string(plane)] = "none";
  for (const muster::ClusterScheduler& one : fleet.gang_schedulers)
    out["fleet gang-scheduler of " + one.plane] = word(one.scheduler);
  for (const muster::NamedChoice& further : fleet.choices) out["fleet " + further.id] = word(further.choice);
  return out;
}

std::string answer(const Answers& answers, const std::string& what) {
  INFO("the answer `" << what << "`");
  REQUIRE(answers.contains(what));
  return answers.at(what);
}

}  // namespace

TEST_CASE("the organisations get the answers that the sources support", "[decide][docs]") {
  std::map<std::string, Answers> all;
  std::size_t rows = 0;
  for (const Row& row : rows_of("Answers")) {
    REQUIRE(row.cells.size() >= 4);
    if (!all.contains(row.organisation)) all[row.organisation] = answers_of(row.organisation, {});
    INFO(row.organisation << ": " << row.cells[0] << ", " << row.cells[1]);
    CHECK(answer(all[row.organisation], row.cells[0] + " " + row.cells[1]) == row.cells[2]);
    CHECK(row.cells[3].size() > 30);  // the passage
    ++rows;
  }
  CHECK(all.size() == 3);
  CHECK(rows > 25);
}

TEST_CASE("what must turn an answer does, and what must not does not", "[decide][docs]") {
  std::size_t turned = 0;
  std::size_t stayed = 0;
  for (const Row& row : rows_of("What turns them")) {
    REQUIRE(row.cells.size() >= 3);
    std::vector<std::string> sets;
    std::istringstream words(row.cells[0]);
    for (std::string one; words >> one;) sets.push_back(one);
    const Answers before = answers_of(row.organisation, {});
    const Answers after = answers_of(row.organisation, sets);
    INFO(row.organisation << " with " << row.cells[0] << ": " << row.cells[1]);
    if (row.cells[2] == "stays") {
      CHECK(answer(after, row.cells[1]) == answer(before, row.cells[1]));
      ++stayed;
    } else {
      CHECK(answer(before, row.cells[1]) != row.cells[2]);
      CHECK(answer(after, row.cells[1]) == row.cells[2]);
      ++turned;
    }
  }
  CHECK(turned > 12);
  CHECK(stayed > 8);
}
