// Worlds that were played on real schedulers: tests/cases/played, each with what happened there and what prove says.
#include <map>
#include <sstream>

#include "base/strings.h"
#include "support/cases.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/proofs.h"

using namespace muster;

namespace {

using Json = nlohmann::json;

/// What stands behind `# NAME: ` in the first lines of a case.
std::string said(const std::string& text, const std::string& name) {
  const std::string mark = "# " + name + ": ";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.starts_with("#");) {
    if (line.starts_with(mark)) return line.substr(mark.size());
  }
  return "";
}

/// `placeable holds, all-or-nothing counterexample, ...` for the one world of an answer.
std::string verdicts(const Json& answer) {
  std::vector<std::string> out;
  for (const Json& result : answer["results"])
    out.push_back(result["property"].get<std::string>() + " " + result["verdict"].get<std::string>());
  for (const Json& gang : answer["left_out"]) out.push_back("left out: " + gang["needs"].get<std::string>());
  return join(out, ", ");
}

std::string reasons(const Json& answer) {
  std::string out;
  for (const Json& result : answer["results"]) out += result.value("reason", "") + "\n";
  return out;
}

}  // namespace

TEST_CASE("what prove says of worlds is what real schedulers did with them", "[prove][worlds]") {
  const std::vector<test::Case> cases = test::cases_in("played");
  std::map<std::string, int> of_verdict;
  for (const test::Case& one : cases) {
    const std::string text = test::read_file(one.path);
    INFO(one.name << ": " << text.substr(0, text.find('\n')));
    const test::Ran ran = test::run_command({"prove", one.path, "--format", "json"});
    INFO(ran.err);
    REQUIRE_FALSE(ran.out.empty());
    const Json answer = Json::parse(ran.out);
    CHECK(verdicts(answer) == said(text, "prove"));
    if (const std::string words = said(text, "says"); !words.empty()) CHECK(contains(reasons(answer), words));
    for (const Json& result : answer["results"]) ++of_verdict[result["verdict"]];
    const std::multiset<std::string> found = test::outcomes(one);
    for (const std::string& finding : test::expectations(one)) CHECK(found.contains(finding));
  }
  CHECK(cases.size() >= 29);
  // What is not decided is what another scheduler, or a gang of another bundle, would decide.
  CHECK(of_verdict["unknown"] <= 3);
  CHECK(of_verdict["counterexample"] >= 20);
}
