#include "pipeline/selection.h"

#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"

using namespace muster;
using muster::test::FakeDisk;
using muster::test::Ran;
using muster::test::run_command;

namespace {

const std::string kSelectedJob =
    "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: e}\nspec:\n  minAvailable: 9\n"
    "  tasks: [{name: worker, replicas: 8, template: {spec: {containers: [{name: c, image: e/t:1, command: [python, "
    "t.py], resources: {limits: {nvidia.com/gpu: 8}}}]}}}]\n";
const std::string kBroken = "apiVersion: v1\nkind: Pod\nspec: [\n";

Ran check_selected(const std::vector<std::string>& more, const std::string& muster_yaml = "") {
  FakeDisk disk({{"r/j.yaml", kSelectedJob}, {"r/broken.yaml", kBroken}});
  if (!muster_yaml.empty()) disk.files["r/muster.yaml"] = muster_yaml;
  std::vector<std::string> words{"check", "r"};
  words.insert(words.end(), more.begin(), more.end());
  return run_command(words, disk);
}

/// The rules that a report names.
std::string rules(const std::vector<std::string>& more, const std::string& muster_yaml = "") {
  std::set<std::string> out;
  const Ran ran = check_selected(more, muster_yaml);
  for (const std::string_view line : split(ran.out, '\n')) {
    const std::size_t open = line.find('[');
    const std::size_t close = line.find("]: ");
    if (open != line.npos && close != line.npos && open < 8) out.emplace(line.substr(open + 1, close - open - 1));
  }
  return join(std::vector<std::string>(out.begin(), out.end()), " ");
}

}  // namespace

TEST_CASE("rules are selected and ignored by id, pattern, family and plane", "[selection]") {
  REQUIRE(rules({}) == "gang-min-above-size gang-without-restart-policy yaml-syntax");
  // A file that cannot be read is no file without findings.
  CHECK(rules({"--select", "gang-min-above-size"}) == "gang-min-above-size yaml-syntax");
  CHECK(rules({"--select", "gang-min-*"}) == "gang-min-above-size yaml-syntax");
  CHECK(rules({"--select", "gang"}) == "gang-min-above-size gang-without-restart-policy yaml-syntax");
  CHECK(rules({"--select", "slurm,topology"}) == "yaml-syntax");
  CHECK(rules({"--select", "node-runtime", "--select", "gang-without-*"}) == "gang-without-restart-policy yaml-syntax");
  CHECK(rules({"--ignore", "gang-*"}) == "yaml-syntax");
  CHECK(rules({"--ignore", "input, gang-min-above-size"}) == "gang-without-restart-policy");
  CHECK(rules({"--ignore", "workload"}).find("gang") == std::string::npos);
  CHECK(rules({"--select", "gang", "--ignore", "gang-min-above-size"}) == "gang-without-restart-policy yaml-syntax");
}

TEST_CASE("a word that means no rule is told what was meant", "[selection]") {
  for (const std::string option : {"--select", "--ignore"}) {
    const Ran ran = check_selected({option, "gang-min-above-sise"});
    CHECK(ran.code == 2);
    CHECK(ran.err == "muster: " + option +
                         ": no rule, family or plane is called `gang-min-above-sise`; did you mean "
                         "`gang-min-above-size`?\n");
    CHECK(check_selected({option, "nothing-like-*"}).code == 2);
    CHECK(contains(check_selected({option, "xyzzy"}).err, "called `xyzzy`; families are fleet, gang, hybrid"));
    CHECK(check_selected({option, ""}).code == 2);
  }
}

TEST_CASE("what the command line leaves out is said", "[selection]") {
  const Ran ran = check_selected({"--select", "slurm", "--ignore", "input", "--exclude", "r/broken*"});
  CHECK(ran.code == 0);
  CHECK(contains(ran.out,
                 "the command line selects only slurm; ignores input (2 findings left out); excludes r/broken* (1 left "
                 "out)\n"));
  const Ran json = check_selected({"--ignore", "gang", "--format", "json"});
  CHECK(contains(json.out, "\"selected\": {\n    \"select\": [],\n    \"ignore\": [\n      \"gang\"\n    ],"));
  CHECK(contains(check_selected({"--format", "json"}).out, "\"selected\": null"));
  CHECK(contains(check_selected({"--ignore", "gang", "--format", "github"}).out,
                 "::notice title=muster::the command line ignores gang"));
  CHECK(contains(check_selected({"--ignore", "gang", "--format", "sarif"}).out, "the command line ignores gang"));
}

TEST_CASE("a suppression of a rule that is not selected is not called unused", "[selection]") {
  const std::string config = "muster: config/v1\nsuppress: [{rule: gang-min-above-size, reason: the lab}]\n";
  CHECK(rules({"--select", "slurm"}, config) == "yaml-syntax");
}

TEST_CASE("globs of the command line are those of muster.yaml", "[selection]") {
  CHECK(rules({"--exclude", "r/broken.yaml"}) == "gang-min-above-size gang-without-restart-policy");
  CHECK(rules({"--exclude", "*.yaml"}, "muster: config/v1\n") == rules({"--exclude", "**/*.yaml"}));
  CHECK(check_selected({"--exclude", "**"}).code == 2);
  CHECK(contains(check_selected({"--exclude", "**"}).err, "there is not one file in `r` that no glob excludes"));
  CHECK(rules({"--exclude", "nothing"}, "muster: config/v1\nexclude: [broken.yaml]\n") ==
        "gang-min-above-size gang-without-restart-policy");
}

TEST_CASE("standard input is taken for the file that it is called", "[selection]") {
  FakeDisk disk({{"r/muster.yaml", "muster: config/v1\nsuppress: [{rule: gang-*, path: jobs/**, reason: x}]\n"},
                 {"r/jobs/j.yaml", kSelectedJob},
                 {"r/other.yaml", kSelectedJob}});
  disk.files["r/muster.yaml"] =
      "muster: config/v1\nsuppress: [{rule: gang-min-above-size, path: jobs/**, reason: x}]\n";
  disk.standard_input = kSelectedJob;
  const auto summary = [&](const std::vector<std::string>& words) {
    const Ran ran = run_command(words, disk);
    const std::vector<std::string_view> lines = split(ran.out, '\n');
    return lines.size() < 2 ? ran.err : std::string(lines[lines.size() - 2]);
  };
  CHECK(summary({"check", "-"}) == "1 error, 1 warning in 1 artifact");
  CHECK(summary({"check", "-", "--stdin-filename", "r/jobs/new.yaml"}) == "1 warning, 1 suppressed in 1 artifact");
  CHECK(contains(run_command({"check", "-", "--stdin-filename", "r/jobs/new.yaml"}, disk).out,
                 "--> r/jobs/new.yaml:3:18"));
  // It stands for the file of that name: what an editor has not written yet, among the rest.
  disk.standard_input = "a: 1\n";
  CHECK(summary({"check", "r", "-", "--stdin-filename", "r/other.yaml"}) ==
        "1 warning, 1 suppressed in 1 artifact (2 files skipped)");
  const Ran ran = run_command({"check", "r", "--stdin-filename", "x.yaml"}, disk);
  CHECK(ran.code == 2);
  CHECK(ran.err == "muster: --stdin-filename is about standard input: name `-` among the paths\n");
}
