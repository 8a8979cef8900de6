// A process that checks once reads only those of the shipped rules that its input can need.
#include <algorithm>
#include <string_view>

#include "pipeline/check.h"
#include "report/report.h"
#include "rulebook/rule_book.h"
#include "support/cases.h"
#include "support/catch.h"
#include "support/files.h"

using namespace muster;

namespace {

constexpr std::size_t kEvery = 19;  // of the rules' cases: each reads a book of its own

std::string report_of(const std::string& path, bool one_run) {
  const DiskFileSystem disk;
  Options options;
  options.paths = {path};
  options.today = *parse_date("2026-06-01");
  options.one_run = one_run;
  Workspace workspace;
  const Result<Report> report = check(options, disk, workspace);
  REQUIRE(report);
  CHECK(workspace.book->rules().size() > 200);
  return find_report_format("sarif")->render(*report, {});
}

}  // namespace

TEST_CASE("a check with the rules that its input can need finds what one with all rules finds", "[needed-rules]") {
  const std::vector<test::Case> cases = test::cases_in("rules");
  for (std::size_t i = 0; i < cases.size(); i += kEvery) {
    INFO(cases[i].name);
    CHECK(report_of(cases[i].path, true) == report_of(cases[i].path, false));
  }
  const std::string example = test::source_dir() + "/examples/training-repo";
  CHECK(report_of(example, true) == report_of(example, false));
}

TEST_CASE("of rules about other objects, and of those that C++ judges, only the names are read", "[needed-rules]") {
  const Result<RuleBook> book = RuleBook::embedded_for({{"gangs"}, nullptr});
  REQUIRE(book);
  const Result<RuleBook> whole = RuleBook::embedded();
  REQUIRE(whole);
  REQUIRE(book->rules().size() == whole->rules().size());
  for (std::size_t i = 0; i < whole->rules().size(); ++i) {
    const Rule& rule = whole->rules()[i];
    INFO(rule.info.id);
    const Rule& part = book->rules()[i];
    CHECK(part.info.id == rule.info.id);
    CHECK(part.info.family == rule.info.family);
    CHECK(part.named_only == (rule.collection == nullptr || rule.collection->name != "gangs"));
    CHECK(part.info.why.empty() == part.named_only);
  }
}

TEST_CASE("a rule that was only named is read when somebody asks for it", "[needed-rules]") {
  const Result<RuleBook> book = RuleBook::embedded_for({{"gangs"}, nullptr});
  const Result<RuleBook> whole = RuleBook::embedded();
  REQUIRE(book);
  REQUIRE(whole);
  for (const std::string_view id : {"probe-port-name-unknown", "gang-never-fits", "gang-of-one"}) {
    const Rule* rule = book->find(id);
    REQUIRE(rule != nullptr);
    CHECK(rule->info.why == whole->find(id)->info.why);
    CHECK(rule->info.suppressible == whole->find(id)->info.suppressible);
    CHECK(book->find(id) == rule);
  }
  CHECK(book->find("no-such-rule") == nullptr);
}

TEST_CASE("a rule whose first condition holds for nothing is only named", "[needed-rules]") {
  std::size_t asked = 0;
  const auto never = [&](const Collection&, std::string_view variable, std::string_view condition) {
    CHECK(!variable.empty());
    CHECK(!condition.empty());
    ++asked;
    return false;
  };
  const Result<RuleBook> book = RuleBook::embedded_for({{"gangs"}, never});
  REQUIRE(book);
  CHECK(asked > 20);
  const auto read = [](const Rule& rule) { return rule.collection != nullptr; };
  CHECK(std::ranges::count_if(book->rules(), read) < 5);  // those whose conditions are not a plain list
}
