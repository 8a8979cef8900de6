#include "support/cases.h"
#include "support/catch.h"
#include "support/files.h"

using muster::test::Case;

TEST_CASE("every case of every rule finds exactly what its comments say", "[cases]") {
  const std::vector<Case> cases = muster::test::cases_in("rules");
  REQUIRE_FALSE(cases.empty());
  for (const Case& test_case : cases) {
    const std::multiset<std::string> expected = muster::test::expectations(test_case);
    const std::multiset<std::string> found = muster::test::outcomes(test_case);
    INFO(test_case.name);
    CHECK(found == expected);
  }
}
