// What is said of the words of a container's command.
#include "base/utf8.h"
#include "support/catch.h"
#include "support/model.h"

using namespace muster;

TEST_CASE("a message shows the beginning of a long command without a broken letter", "[commands]") {
  for (const std::string blanks : {"", " ", "  "}) {
    std::string line = "train " + blanks;
    for (int i = 0; i < 80; ++i) line += "\xe2\x82\xac";
    const test::Checked checked =
        test::check_files({{"a.yaml",
                            "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, "
                            "image: i, command: [\"" +
                                line + "\"]}]}\n"}});
    REQUIRE(checked.report.findings.size() == 1);
    CHECK(checked.report.findings.front().rule == "container-command-unsplit");
    CHECK_FALSE(first_invalid_utf8(checked.report.findings.front().message));
  }
}
