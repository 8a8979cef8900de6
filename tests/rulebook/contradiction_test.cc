#include "rulebook/rule_book.h"
#include "support/catch.h"

namespace {

/// What is wrong with a rule that has these conditions.
std::string problems_with(const std::string& conditions) {
  const std::string text =
      "id: site-rule\nfamily: gang\nsince: \"1\"\nseverity: error\neffect: risk\nfor: g in gangs\nwhen: [" +
      conditions + "]\nmessage: something\nhelp: something\nwhy: because\nsources: [own]\n";
  std::string out;
  for (const muster::BookProblem& problem :
       muster::RuleBook::check({{"site/gang/site-rule.yaml", text}}, {}, muster::BookOrigin::Site).problems)
    out += problem.message + "\n";
  return out;
}

}  // namespace

TEST_CASE("conditions that exclude each other are refused, those that only look so are not", "[rulebook]") {
  const std::string never = "the conditions can never hold together: ";
  CHECK(problems_with("g.size > 8, g.size < 4") ==
        never + "with `g.size < 4` nothing is left that `g.size` could be\n");
  CHECK(problems_with("g.size >= 8 && 8 > g.size") ==
        never + "with `g.size >= 8 && 8 > g.size` nothing is left that `g.size` could be\n");
  CHECK(problems_with("'g.path == \"in\"', 'g.path != \"in\"'") ==
        never + "with `g.path != \"in\"` nothing is left that `g.path` could be\n");
  CHECK(problems_with("g.tightly_coupled, '!g.tightly_coupled'") ==
        never + "with `!g.tightly_coupled` nothing is left that `g.tightly_coupled` could be\n");
  CHECK(problems_with("g.size > 1 && false") == never + "`g.size > 1 && false` is false whatever the fields say\n");
  CHECK(problems_with("g.size >= 8, g.size <= 8") == "");
  CHECK(problems_with("'g.size > 8 || g.size < 4', g.size < 4") == "");
  CHECK(problems_with("'g.path in [\"in\", \"out\"]', 'g.path != \"in\"'") == "");
}
