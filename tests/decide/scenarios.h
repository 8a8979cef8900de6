// The organisations of docs/decisions.md: what the page says of them, and what the tables were asked for it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rulebook/rule_book.h"

namespace muster::test {

/// A row of a table of the page: its cells without blanks and backticks.
struct ScenarioRow {
  std::string organisation;
  std::vector<std::string> cells;
};

/// The rows below a heading `### what` of each organisation, a `## ` heading with the name of its folder in backticks.
std::vector<ScenarioRow> scenario_rows(const std::string& what);

const RuleBook& scenario_book();

/// Every answer by `workload choice` and `fleet choice`, with facts set as `--set` does.
std::map<std::string, std::string> scenario_answers(const std::string& organisation,
                                                    const std::vector<std::string>& sets);

/// One answer that the page states, as its table was asked for it: what was known of the table's inputs.
struct ScenarioCase {
  std::string table;
  std::string output;  ///< of a collecting table the item that it gives
  std::string answer;
  std::map<std::string, TableValue> known;  ///< by input
};

/// Those of answers that one table gives by itself, each once.
std::vector<ScenarioCase> scenario_cases();

/// What a table can answer in a case, its rows tried one after the other; an input that is open may match.
std::vector<std::string> possible_answers(const Table& table, const ScenarioCase& one);

}  // namespace muster::test
