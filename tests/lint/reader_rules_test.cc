#include "lint/lint.h"
#include "rulebook/rule_book.h"
#include "support/catch.h"

using namespace muster;

TEST_CASE("a finding of a reader has what its rule says of it", "[lint]") {
  const Result<RuleBook> book = RuleBook::embedded();
  REQUIRE(book);
  std::vector<Finding> findings{problem("container-root-refused", {}, "container `a` is to run as root"),
                                problem("container-root-refused", {}, "another")};
  findings.back().follows = "what the reader knows better";
  complete_from_rules(findings, *book);
  CHECK(findings.front().severity == Severity::Error);
  CHECK(findings.front().effect == Effect::NeverRuns);
  CHECK(findings.front().follows.find("breaks non-root policy") != std::string::npos);
  CHECK(findings.front().help.find("runAsNonRoot: false") != std::string::npos);
  CHECK(findings.back().follows == "what the reader knows better");
}
