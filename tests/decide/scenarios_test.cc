// The organisations of docs/decisions.md: the answers of its tables, and what must and must not turn them.
#include "decide/scenarios.h"

#include <sstream>

#include "support/catch.h"

namespace {

using muster::test::scenario_answers;
using muster::test::scenario_rows;
using muster::test::ScenarioRow;
using Answers = std::map<std::string, std::string>;

std::string answer(const Answers& answers, const std::string& what) {
  INFO("the answer `" << what << "`");
  REQUIRE(answers.contains(what));
  return answers.at(what);
}

}  // namespace

TEST_CASE("the organisations get the answers that the sources support", "[decide][docs]") {
  std::map<std::string, Answers> all;
  std::size_t rows = 0;
  for (const ScenarioRow& row : scenario_rows("Answers")) {
    REQUIRE(row.cells.size() >= 4);
    if (!all.contains(row.organisation)) all[row.organisation] = scenario_answers(row.organisation, {});
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
  for (const ScenarioRow& row : scenario_rows("What turns them")) {
    REQUIRE(row.cells.size() >= 3);
    std::vector<std::string> sets;
    std::istringstream words(row.cells[0]);
    for (std::string one; words >> one;) sets.push_back(one);
    const Answers before = scenario_answers(row.organisation, {});
    const Answers after = scenario_answers(row.organisation, sets);
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
