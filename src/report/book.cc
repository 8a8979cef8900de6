#include "report/book.h"

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/json_text.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

Json witness_json(const Witness& witness) {
  Json json = Json::object();
  for (const WitnessValue& value : witness)
    json[value.name] = value.quoted ? Json(value.text) : Json::parse(value.text, nullptr, false);
  return json;
}

Json problem_json(const BookProblem& problem) {
  Json json{{"severity", name_of(problem.severity)},
            {"check", problem.check},
            {"subject", problem.subject},
            {"message", problem.message}};
  json["location"] = problem.file.empty()
                         ? Json(nullptr)
                         : Json{{"file", problem.file}, {"line", problem.at.line}, {"column", problem.at.column}};
  json["witness"] = problem.witness.empty() ? Json(nullptr) : witness_json(problem.witness);
  return json;
}

}  // namespace

std::string book_text(const BookCheck& checked) {
  std::string out;
  for (const BookProblem& problem : checked.problems) {
    out += std::string(name_of(problem.severity)) + (problem.check.empty() ? "" : "[" + problem.check + "]") + ": " +
           printable(problem.message) + "\n";
    if (!problem.file.empty())
      out += "  --> " + printable(problem.file) + ":" + std::to_string(problem.at.line) + ":" +
             std::to_string(problem.at.column) + "\n";
    if (!problem.witness.empty()) out += "   = witness: " + printable(to_text(problem.witness)) + "\n";
    out += "\n";
  }
  if (!checked.book) return out + "refused\n";
  const ProofStats& stats = checked.stats;
  out += count_of(stats.tables, "table") + " proved: " + count_of(stats.rows, "row") + ", " +
         with_thousands(stats.cells) + (stats.cells == 1 ? " cell" : " cells") + ", " +
         count_of(stats.invariants, "invariant") + "; " + count_of(checked.book->rules().size(), "rule") + "\n";
  return out;
}

std::string book_json(const BookCheck& checked) {
  Json problems = Json::array();
  for (const BookProblem& problem : checked.problems) problems.push_back(problem_json(problem));
  const ProofStats& stats = checked.stats;
  Json proved{{"tables", stats.tables}, {"rows", stats.rows}, {"cells", stats.cells}, {"invariants", stats.invariants}};
  return to_json_text({{"version", "muster.rules-check/v1"},
                       {"accepted", checked.book.has_value()},
                       {"problems", std::move(problems)},
                       {"proved", std::move(proved)}});
}

}  // namespace muster
