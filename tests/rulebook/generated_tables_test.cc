// Tables that nobody has seen: what the proofs say of them against looking at every case.
#include <algorithm>
#include <set>

#include "rulebook/rule_book.h"
#include "rulebook/slow_table.h"
#include "support/catch.h"
#include "support/share.h"

namespace {

using muster::test::SlowRow;
using muster::test::SlowTable;

muster::BookCheck prove(const SlowTable& table) {
  return muster::RuleBook::check({{"site/decide/generated.yaml", table.yaml("generated")}}, {},
                                 muster::BookOrigin::Site);
}

/// The table itself first, for whoever has to look into a failure.
std::string shown(const SlowTable& table, const muster::BookCheck& checked) {
  std::string out = table.yaml("generated");
  for (const muster::BookProblem& problem : checked.problems) out += to_text(problem) + "\n";
  return out;
}

std::vector<const muster::BookProblem*> problems_of(const muster::BookCheck& checked, const std::string& check) {
  std::vector<const muster::BookProblem*> out;
  for (const muster::BookProblem& problem : checked.problems) {
    if (problem.check == check) out.push_back(&problem);
  }
  return out;
}

std::map<std::string, std::string> values_of(const muster::Witness& witness) {
  std::map<std::string, std::string> out;
  for (const muster::WitnessValue& value : witness) out[value.name] = value.text;
  return out;
}

/// Every gap and overlap that is reported is there, at the very case that it names.
void check_witnesses(const SlowTable& table, const muster::BookCheck& checked) {
  for (const muster::BookProblem& problem : checked.problems) {
    INFO(to_text(problem));
    const bool has_case = problem.check == "gap" || problem.check == "overlap" || problem.check == "shadowed" ||
                          problem.check == "identical";
    if (!has_case) continue;
    CHECK(problem.at.line > 0);
    const auto point = table.point_of(values_of(problem.witness));
    REQUIRE(point);
    const std::vector<std::size_t> hits = table.hits(*point);
    std::set<std::string> outcomes;
    for (const std::size_t r : hits) outcomes.insert(table.rows[r].outcome);
    if (problem.check == "gap") CHECK(hits.empty());
    if (problem.check == "overlap") CHECK(outcomes.size() > 1);
    if (problem.check == "shadowed" || problem.check == "identical") CHECK(hits.size() > 1);
  }
}

struct BruteForce {
  bool gap = false;
  bool overlap = false;
  std::set<std::string> dead;  ///< rows that decide no case
};

BruteForce look_at_every_case(const SlowTable& table) {
  BruteForce out;
  for (const SlowRow& row : table.rows) out.dead.insert(row.id);
  for (std::size_t n = 0; n < table.cases(); ++n) {
    const std::vector<std::size_t> hits = table.hits(table.point(n));
    out.gap = out.gap || hits.empty();
    for (const std::size_t r : hits) {
      out.overlap = out.overlap || (table.unique && table.rows[r].outcome != table.rows[hits.front()].outcome);
      if (r == hits.front()) out.dead.erase(table.rows[r].id);
    }
  }
  return out;
}

}  // namespace

TEST_CASE("gaps, overlaps and dead rows of small tables are those that looking at every case finds", "[rulebook]") {
  std::mt19937 random(7);
  int gaps = 0;
  int complete = 0;
  for (int n = 0; n < (muster::test::kSanitised ? 20 : 80); ++n) {
    const SlowTable table = muster::test::make_random_table(3, 3 + static_cast<std::size_t>(n % 6), random);
    const muster::BookCheck checked = prove(table);
    INFO(shown(table, checked));
    REQUIRE(problems_of(checked, "syntax").empty());
    const BruteForce truth = look_at_every_case(table);
    CHECK(!problems_of(checked, "gap").empty() == truth.gap);
    CHECK(!problems_of(checked, "overlap").empty() == truth.overlap);
    (truth.gap ? gaps : complete) += 1;
    if (!table.unique) {
      std::set<std::string> dead;
      for (const char* check : {"shadowed", "identical"}) {
        for (const muster::BookProblem* problem : problems_of(checked, check))
          dead.insert(problem->message.substr(5, problem->message.find('`', 5) - 5));
      }
      CHECK(dead == truth.dead);
    }
    check_witnesses(table, checked);
  }
  CHECK(gaps > 1);
  CHECK(complete > 3);
}

TEST_CASE("a table of 16 inputs and 60 rows without a fault is accepted", "[rulebook]") {
  std::mt19937 random(11);
  for (int n = 0; n < 4; ++n) {
    const SlowTable table = muster::test::make_clean_table(16, 60, random);
    REQUIRE(table.rows.size() >= 50);
    const muster::BookCheck checked = prove(table);
    INFO(shown(table, checked));
    CHECK(checked.book);
  }
}

TEST_CASE("a fault planted into a table of 16 inputs and 60 rows is found, with a case that shows it", "[rulebook]") {
  std::mt19937 random(13);
  for (int n = 0; n < 4; ++n) {
    const SlowTable clean = muster::test::make_clean_table(16, 60, random);
    const std::size_t victim = random() % clean.rows.size();

    SlowTable gap = clean;
    gap.rows.erase(gap.rows.begin() + static_cast<std::ptrdiff_t>(victim));
    muster::BookCheck checked = prove(gap);
    CHECK_FALSE(checked.book);
    CHECK(problems_of(checked, "gap").size() == 1);
    check_witnesses(gap, checked);

    SlowTable overlap = clean;
    overlap.unique = true;
    overlap.rows.push_back(clean.rows[victim]);
    overlap.rows.back().id = "again";
    overlap.rows.back().outcome = clean.rows[victim].outcome == "a" ? "b" : "a";
    overlap.rows.back().cells.erase(overlap.rows.back().cells.begin());
    checked = prove(overlap);
    CHECK_FALSE(checked.book);
    CHECK_FALSE(problems_of(checked, "overlap").empty());
    check_witnesses(overlap, checked);

    SlowTable shadowed = clean;
    shadowed.unique = false;
    shadowed.rows.push_back(clean.rows[victim]);
    shadowed.rows.back().id = "again";
    checked = prove(shadowed);
    CHECK_FALSE(checked.book);
    REQUIRE(problems_of(checked, "identical").size() == 1);
    check_witnesses(shadowed, checked);
  }
}

TEST_CASE(
    "an invariant that one row of a large table breaks is found, with a case that breaks it; one that holds is not",
    "[rulebook]") {
  std::mt19937 random(17);
  for (int n = 0; n < 4; ++n) {
    SlowTable table = muster::test::make_clean_table(16, 60, random);
    const SlowRow& victim = table.rows[random() % table.rows.size()];
    std::string premise;
    for (const auto& [i, allowed] : victim.cells) {
      const muster::test::SlowInput& input = table.inputs[i];
      const std::size_t at = static_cast<std::size_t>(std::ranges::find(allowed, true) - allowed.begin());
      const std::string& text = input.universe[at].text;
      const std::string value = input.type == muster::test::SlowType::Enum       ? "\"" + text + "\""
                                : input.type == muster::test::SlowType::Version  ? "version(\"" + text + "\")"
                                : input.type == muster::test::SlowType::Quantity ? "quantity(\"" + text + "\")"
                                                                                 : text;
      premise += (premise.empty() ? "" : " && ") + input.name + " == " + value;
    }
    table.invariants = "invariants:\n  - if: '" + premise + "'\n    then: out == \"" + victim.outcome + "\"\n";
    CHECK(prove(table).book);
    table.invariants = "invariants:\n  - if: '" + premise + "'\n    then: out != \"" + victim.outcome + "\"\n";
    const muster::BookCheck checked = prove(table);
    INFO(shown(table, checked));
    CHECK_FALSE(checked.book);
    REQUIRE(problems_of(checked, "invariant").size() == 1);
    const auto point = table.point_of(values_of(problems_of(checked, "invariant").front()->witness));
    REQUIRE(point);
    REQUIRE(table.hits(*point).size() >= 1);
    CHECK(table.rows[table.hits(*point).front()].id == victim.id);
  }
}
