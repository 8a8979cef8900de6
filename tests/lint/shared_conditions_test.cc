#include "lint/lint.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/model.h"

namespace {

std::string rule(const std::string& id, const std::string& variable, const std::string& most, const std::string& when) {
  return "id: " + id +
         "\nsince: \"0.1\"\nseverity: warning\nplane: workload\nreversibility: reversible\neffect: risk\nwhy: "
         "w\nsources: [s]\n" +
         (most.empty() ? "" : "params: {most: {type: int, default: " + most + "}}\n") + "for: " + variable +
         " in gangs\nwhen: [" + when + "]\nat: " + variable + ".size\nmessage: m\nfollows: f\nhelp: h\n";
}

const char* const kJob =
    "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: j}\nspec:\n  schedulerName: volcano\n  "
    "minAvailable: 4\n  tasks:\n"
    "    - {name: w, replicas: 4, template: {spec: {containers: [{name: c, image: i:1}]}}}\n";

}  // namespace

TEST_CASE("rules that share the text of a condition share its answer, but not their parameters", "[lint]") {
  const muster::test::FakeDisk disk(
      {{"repo/job.yaml", kJob},
       {"rules/x/few.yaml", rule("few", "g", "3", "g.size > params.most, g.size < 5")},
       {"rules/x/above.yaml", rule("above", "g", "4", "g.size > params.most, g.size < 5")},
       {"rules/x/other.yaml", rule("other", "h", "", "h.size > 3, h.size < 5")},
       {"rules/x/same.yaml", rule("same", "g", "", "g.size > 3, g.size < 5")},
       {"rules/x/wrong.yaml", rule("wrong", "g", "", "g.size < 5, g.size > 4")}});
  const muster::test::Ran ran = muster::test::run_command({"check", "repo", "--rules", "rules"}, disk);
  const auto fires = [&](const std::string& id) { return ran.out.find("warning[" + id + "]") != ran.out.npos; };
  CHECK(ran.err == "");
  CHECK(fires("few"));
  CHECK_FALSE(fires("above"));
  CHECK(fires("other"));
  CHECK(fires("same"));
  CHECK_FALSE(fires("wrong"));
}

TEST_CASE("a rule with too much to compare gives up, and names the object from which on", "[lint]") {
  muster::Workspace w = muster::test::read_files({{"a.yaml", kJob}});
  REQUIRE(w.book);
  const auto gave_up = [&](std::uint64_t most_steps) {
    std::size_t out = 0;
    const std::vector<muster::ObjectSuppression> none;
    for (const muster::Undecided& one :
         muster::lint({w.model, w.decisions, *w.book, w.site.targets, none, 1, nullptr, most_steps}).undecided) {
      if (!one.needs.empty() && one.needs.front().starts_with("a run over fewer files")) ++out;
    }
    return out;
  };
  CHECK(gave_up(100'000) == 0);
  CHECK(gave_up(5) > 0);
}
