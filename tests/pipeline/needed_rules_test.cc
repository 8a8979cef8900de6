// A process that checks once reads only those of the shipped rules that its input can need.
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

TEST_CASE("of rules about other objects, and of what no reader said, only the names are read", "[needed-rules]") {
  const Result<RuleBook> book = RuleBook::embedded_for({{"gangs"}, {"probe-port-name-unknown"}});
  REQUIRE(book);
  const Result<RuleBook> whole = RuleBook::embedded();
  REQUIRE(whole);
  CHECK(book->rules().size() == whole->rules().size());
  for (const Rule& rule : whole->rules()) {
    INFO(rule.info.id);
    const Rule* part = book->find(rule.info.id);
    REQUIRE(part != nullptr);
    CHECK(part->info.family == rule.info.family);
    const bool said =
        rule.check != "reader" || rule.info.family == "input" || rule.info.id == "probe-port-name-unknown";
    const bool about = rule.collection == nullptr || rule.collection->name == "gangs" || !rule.info.suppressible;
    CHECK(part->info.why.empty() == !(said && about));
  }
}
