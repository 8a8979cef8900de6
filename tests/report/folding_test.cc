// One cause is one finding in the text; all are kept elsewhere.
#include "report/folding.h"

#include "report/render.h"
#include "support/catch.h"

namespace {

using muster::Finding;

Finding at(const std::string& rule, muster::Span where, const std::string& message, const std::string& object = "") {
  Finding finding = muster::problem(rule, where, message);
  finding.object = object;
  return finding;
}

std::string shape_of(const std::vector<Finding>& findings) {
  std::string out;
  for (const muster::FoldedFinding& folded : muster::fold_findings(findings))
    out += folded.first->rule + ":" + folded.first->message + "+" + std::to_string(folded.more.size()) + " ";
  return out;
}

}  // namespace

TEST_CASE("findings of one rule in the same words are one, wherever they stand", "[report][folding]") {
  muster::SourceMap sources;
  const muster::FileId a = sources.add("a", "1\n2\n3\n");
  const muster::FileId b = sources.add("b", "1\n2\n3\n");
  CHECK(shape_of({at("r", {a, 0, 1}, "x"), at("s", {a, 0, 1}, "x"), at("r", {a, 2, 3}, "x"), at("r", {b, 0, 1}, "x"),
                  at("r", {b, 2, 3}, "y")}) == "r:x+2 s:x+0 r:y+0 ");
}

TEST_CASE("the fourth of one rule in a file or on an object is one more like the third", "[report][folding]") {
  muster::SourceMap sources;
  std::vector<Finding> one_file;
  std::vector<Finding> one_object;
  const muster::FileId a = sources.add("a", "text");
  for (int i = 0; i < 6; ++i) {
    one_file.push_back(at("r", {a, 0, 1}, std::to_string(i)));
    one_object.push_back(at("r", {sources.add(std::to_string(i), "text"), 0, 1}, std::to_string(i), "site"));
  }
  CHECK(shape_of(one_file) == "r:0+0 r:1+0 r:2+3 ");
  CHECK(shape_of(one_object) == "r:0+0 r:1+0 r:2+3 ");
}

TEST_CASE("what is folded is told with its places", "[report][folding]") {
  muster::test::SmallReport small;
  const muster::FileId a = small.sources.add("a.yaml", "1\n2\n3\n");
  const muster::FileId b = small.sources.add("b.yaml", "1\n2\n3\n");
  small.report.coverage.read = 1;
  small.report.findings = {at("r", {a, 0, 1}, "x"), at("r", {a, 2, 3}, "x"), at("r", {a, 4, 5}, "x"),
                           at("r", {b, 2, 3}, "x")};
  const std::string text = muster::render_text(small.report, muster::test::plain_options());
  CHECK(text.find("   ... and 3 more like it: a.yaml:2, 3; b.yaml:2\n") != std::string::npos);
  const std::string json = muster::render_json(small.report, muster::test::plain_options());
  std::size_t findings = 0;
  for (std::size_t at = json.find("\"rule\": \"r\""); at != json.npos; at = json.find("\"rule\": \"r\"", at + 1))
    ++findings;
  CHECK(findings == 4);
}
