// Adoption in a repository that has findings already: what is known does not fail, and nothing new gets lost in it.
#include "pipeline/baseline.h"

#include <filesystem>
#include "base/strings.h"
#include "report/baseline.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/files.h"
#include "support/json.h"
#include "support/volcano_job.h"

using namespace muster;
using muster::test::Ran;
using muster::test::run_command;
using muster::test::TemporaryFolder;
using muster::test::volcano_job;
using muster::test::write_file;
using Json = nlohmann::json;

namespace {

/// The same as JSON, which takes one line.
std::string job_in_json(const std::string& name) {
  return "{\"kind\": \"Job\", \"spec\": {\"tasks\": [{\"replicas\": 8, \"name\": \"worker\", \"template\": {\"spec\": "
         "{\"containers\": [{\"image\": \"e/t:1\", \"command\": [\"python\", \"t.py\"], \"name\": \"c\", "
         "\"resources\": {\"limits\": {\"nvidia.com/gpu\": 8}}}]}}}], "
         "\"plugins\": {\"pytorch\": [\"--master=master\"]}, \"policies\": [{\"event\": \"PodEvicted\", \"action\": "
         "\"RestartJob\"}], \"minAvailable\": 9}, \"metadata\": {\"name\": \"" +
         name + "\"}, \"apiVersion\": \"batch.volcano.sh/v1alpha1\"}\n";
}

std::string jobs(int file, int from, int to) {
  std::string out;
  for (int i = from; i < to; ++i) out += "---\n" + volcano_job("j" + std::to_string(file) + "-" + std::to_string(i));
  return out;
}

/// A folder with a baseline.
class Adopted {
 public:
  void write(const std::string& name, const std::string& text) const { write_file(folder_.path() + "/" + name, text); }
  void remove(const std::string& name) const { std::filesystem::remove(folder_.path() + "/" + name); }
  std::string baseline() const { return folder_.path() + "/.muster-baseline.json"; }
  std::string text() const { return test::read_file(baseline()); }
  Ran run(std::vector<std::string> words) const {
    words.push_back(folder_.path());
    words.push_back("--baseline");
    words.push_back(baseline());
    Ran ran = run_command(words);
    for (std::string* stream : {&ran.out, &ran.err})
      *stream = replace_all(std::move(*stream), folder_.path() + "/", "");
    return ran;
  }
  std::string last_line(const std::vector<std::string>& words) const {
    const Ran ran = run(words);
    const std::vector<std::string_view> lines = split(ran.out, '\n');
    return std::to_string(ran.code) + " " + (lines.size() < 2 ? ran.err : std::string(lines[lines.size() - 2]));
  }
  std::string check() const { return last_line({"check"}); }

 private:
  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("of a thousand findings and one more, exactly that one is reported", "[baseline]") {
  const Adopted repository;
  for (int file = 0; file < 50; ++file) repository.write("f" + std::to_string(file) + ".yaml", jobs(file, 0, 20));
  REQUIRE(repository.run({"baseline", "write"}).out == ".muster-baseline.json: 1,000 findings\n");
  CHECK(repository.check() == "0 no new findings, 1,000 in the baseline in 1,000 artifacts (1 file skipped)");
  // Every line moves.
  for (int file = 0; file < 50; ++file)
    repository.write("f" + std::to_string(file) + ".yaml", "# one\n\n# more\n" + jobs(file, 0, 20));
  repository.write("f7.yaml", "# one\n" + volcano_job("one-more") + jobs(7, 0, 20));
  const Ran ran = repository.run({"check", "--format", "json"});
  CHECK(ran.code == 1);
  const Json report = Json::parse(ran.out);
  REQUIRE(report["findings"].size() == 1);
  CHECK(report["findings"][0]["object"] == "batch.volcano.sh/v1alpha1/Job/one-more");
  CHECK(report["findings"][0]["location"]["line"] == 6);
  CHECK(report["known"].size() == 1000);
  CHECK(report["known"][0]["by"] == "baseline");
  CHECK(report["summary"]["known"] == 1000);
  CHECK(report["summary"]["errors"] == 1);
  CHECK(report["compared"]["stale"].empty());
  CHECK(repository.check() == "1 1 error, 1,000 in the baseline in 1,001 artifacts (1 file skipped)");
  const Json sarif = Json::parse(repository.run({"check", "--format", "sarif"}).out);
  std::map<std::string, int> states;
  for (const Json& result : sarif["runs"][0]["results"]) ++states[result["baselineState"]];
  CHECK(states == std::map<std::string, int>{{"new", 1}, {"unchanged", 1000}});
}

TEST_CASE("findings stay known when their text moves about", "[baseline]") {
  const Adopted repository;
  repository.write("a.yaml", volcano_job("a") + "---\n" + volcano_job("b"));
  repository.write("c.yaml", volcano_job("c"));
  repository.run({"baseline", "write"});
  const std::string before = repository.text();
  const std::string all_known = "0 no new findings, 3 in the baseline in 3 artifacts (1 file skipped)";
  REQUIRE(repository.check() == all_known);
  SECTION("documents in another order") { repository.write("a.yaml", volcano_job("b") + "---\n" + volcano_job("a")); }
  SECTION("another format") { repository.write("c.yaml", job_in_json("c")); }
  SECTION("a file that is called otherwise") {
    repository.remove("c.yaml");
    repository.write("deep/er/d.yaml", volcano_job("c"));
  }
  SECTION("an object that goes to another file") {
    repository.write("a.yaml", volcano_job("a"));
    repository.write("c.yaml", volcano_job("c") + "---\n" + volcano_job("b"));
  }
  SECTION("a number that muster counts") {
    repository.write("a.yaml", volcano_job("a", 10) + "---\n" + volcano_job("b", 12));
  }
  CHECK(repository.check() == all_known);
  CHECK(repository.run({"baseline", "check"}).code == 0);
  // Written again it says where things are now.
  CHECK(repository.run({"baseline", "write"}).out == ".muster-baseline.json: 3 findings; 0 taken out, 0 taken in\n");
  CHECK(repository.check() == all_known);
}

TEST_CASE("a line of slurm.conf that gets more nodes keeps its findings", "[baseline]") {
  const Adopted repository;
  const std::string conf =
      "ClusterName=c\nSlurmctldHost=h\nNodeName=n[1-4] CPUs=8 Gres=gpu:8\nPartitionName=p Nodes=n[1-4]\n";
  repository.write("slurm.conf", conf);
  repository.run({"baseline", "write"});
  repository.write("slurm.conf", replace_all(conf, "n[1-4]", "n[1-8,12]"));
  CHECK(repository.run({"check", "--fail-on", "info"}).code == 0);
  repository.write("slurm.conf", conf + "NodeName=m[1-4] CPUs=8 Gres=gpu:8\n");
  CHECK(repository.run({"check"}).code == 1);
}

TEST_CASE("a finding elsewhere is new, although the same one was fixed", "[baseline]") {
  const Adopted repository;
  repository.write("dev/kustomization.yaml", "resources: [a.yaml]\n");
  repository.write("dev/a.yaml", volcano_job("a"));
  repository.write("prod/kustomization.yaml", "resources: [a.yaml]\n");
  repository.write("prod/a.yaml", volcano_job("a", 8));
  repository.run({"baseline", "write"});
  repository.write("dev/a.yaml", volcano_job("a", 8));
  repository.write("prod/a.yaml", volcano_job("a"));
  const Ran ran = repository.run({"check"});
  CHECK(ran.code == 1);
  CHECK(contains(ran.out, "--> prod/a.yaml:5:17"));
  CHECK(contains(ran.out, "1 finding of .muster-baseline.json is there no more"));
}

TEST_CASE("a baseline only gets shorter unless one says otherwise", "[baseline]") {
  const Adopted repository;
  repository.write("a.yaml", volcano_job("a"));
  repository.write("b.yaml", volcano_job("b"));
  repository.run({"baseline", "write"});
  repository.remove("a.yaml");
  repository.write("c.yaml", volcano_job("c"));
  CHECK(contains(repository.run({"check"}).out,
                 "1 finding of .muster-baseline.json is there no more; `muster baseline write` takes it out\n"
                 "1 error, 1 in the baseline in 2 artifacts"));
  const Ran checked = repository.run({"baseline", "check"});
  CHECK(checked.code == 1);
  CHECK(checked.out ==
        ".muster-baseline.json: 2 findings, 1 of them there no more; 1 new in the input\n"
        "  error[gang-min-above-size] a.yaml: batch.volcano.sh/v1alpha1/Job/a\n"
        "`muster baseline write` takes them out\n");
  const Ran written = repository.run({"baseline", "write"});
  CHECK(written.code == 0);
  CHECK(written.out ==
        ".muster-baseline.json: 1 finding; 1 taken out, 0 taken in\n1 new finding is not in it; --grow takes it in:\n"
        "  error[gang-min-above-size] c.yaml: batch.volcano.sh/v1alpha1/Job/c\n");
  CHECK(repository.run({"check"}).code == 1);
  CHECK(repository.run({"baseline", "write", "--grow"}).out ==
        ".muster-baseline.json: 2 findings; 0 taken out, 1 taken in\n");
  CHECK(repository.run({"check"}).code == 0);
}

TEST_CASE("what a run does not look at is not missed in the baseline", "[baseline]") {
  const Adopted repository;
  repository.write("a/a.yaml", volcano_job("a"));
  repository.write("b/b.yaml", volcano_job("b"));
  repository.run({"baseline", "write"});
  const std::string before = repository.text();
  const std::string folder = std::filesystem::path(repository.baseline()).parent_path().string();
  const auto of_a = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = words;
    for (const std::string& word : {folder + "/a", std::string("--baseline"), repository.baseline()})
      all.push_back(word);
    return run_command(all);
  };
  CHECK_FALSE(contains(of_a({"check"}).out, "no more"));
  CHECK(of_a({"baseline", "check"}).code == 0);
  REQUIRE(of_a({"baseline", "write"}).code == 0);
  CHECK(repository.text() == before);
  CHECK_FALSE(contains(repository.run({"check", "--ignore", "gang"}).out, "no more"));
  repository.remove("a/a.yaml");
  CHECK(of_a({"baseline", "check"}).code == 2);  // there is no file
  repository.write("a/c.yaml", volcano_job("c", 8));
  CHECK(of_a({"baseline", "check"}).code == 1);
}

TEST_CASE("a baseline is the same wherever one stands, and from one end of a merge to the other", "[baseline]") {
  const Adopted repository;
  repository.write("jobs/a.yaml", volcano_job("a") + "---\n" + volcano_job("b"));
  repository.write("slurm/slurm.conf",
                   "ClusterName=c\nSlurmctldHost=h\nNodeName=n[1-4] CPUs=8 Gres=gpu:8\nPartitionName=p Nodes=n[1-4]\n");
  repository.run({"baseline", "write"});
  const std::string text = repository.text();
  CHECK(contains(
      text,
      "    {\"file\":\"jobs/a.yaml\",\"object\":\"batch.volcano.sh/v1alpha1/Job/b\",\"rule\":\"gang-min-above-size\","
      "\"field\":\"spec.minAvailable\",\"about\":\"b\",\"severity\":\"error\"}"));
  CHECK(contains(text, "{\"file\":\"slurm/slurm.conf\",\"object\":\"slurm/slurm.conf/NodeName/n[]\","));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(repository.baseline()).parent_path() / "slurm");
  const Ran ran = run_command({"check", "..", "--baseline", "../.muster-baseline.json", "--fail-on", "info"});
  const Ran here = run_command({"check", "--baseline", "../.muster-baseline.json", "--fail-on", "info"});
  std::filesystem::remove(repository.baseline());
  const Ran again = run_command({"baseline", "write", "..", "--baseline", "../.muster-baseline.json"});
  std::filesystem::current_path(before);
  CHECK(ran.code == 0);
  CHECK(here.code == 0);
  CHECK(again.code == 0);
  CHECK(repository.text() == text);
}

TEST_CASE("muster.yaml names the baseline", "[baseline]") {
  test::FakeDisk disk(
      {{"r/muster.yaml", "muster: config/v1\nbaseline: ci/known.json\n"}, {"r/a.yaml", volcano_job("a")}});
  disk.files["r/ci/known.json"] =
      "{\"muster\": \"baseline/v1\", \"findings\": [{\"file\": \"../a.yaml\", \"object\": "
      "\"batch.volcano.sh/v1alpha1/Job/a\", \"rule\": \"gang-min-above-size\", \"field\": \"spec.minAvailable\", "
      "\"about\": \"a\", \"severity\": \"error\"}]}";
  const Ran ran = run_command({"check", "r"}, disk);
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "no new findings, 1 in the baseline in 1 artifact"));
  CHECK(contains(run_command({"check", "r", "--format", "github"}, disk).out,
                 "::notice title=muster::1 in the baseline"));
  disk.files.erase("r/ci/known.json");
  const Ran without = run_command({"check", "r"}, disk);
  CHECK(without.code == 2);
  CHECK(contains(without.err, "there is no baseline `/r/ci/known.json`; `muster baseline write --baseline "));
}

TEST_CASE("a warning that became an error is new", "[baseline]") {
  test::FakeDisk disk({{"r/muster.yaml", "muster: config/v1\nbaseline: b.json\n"}, {"r/a.yaml", volcano_job("a")}});
  disk.files["r/b.json"] =
      "{\"muster\": \"baseline/v1\", \"findings\": [{\"file\": \"a.yaml\", \"object\": "
      "\"batch.volcano.sh/v1alpha1/Job/a\", \"rule\": \"gang-min-above-size\", \"field\": \"spec.minAvailable\", "
      "\"about\": \"a\", \"severity\": \"warning\"}]}";
  CHECK(run_command({"check", "r"}, disk).code == 1);
}

TEST_CASE("a broken baseline is refused with places and what to do", "[baseline]") {
  const auto refusal = [](const std::string& text) {
    const test::FakeDisk disk(std::map<std::string, std::string>{{"r/a.yaml", volcano_job("a")}, {"b.json", text}});
    const Ran ran = run_command({"check", "r", "--baseline", "b.json"}, disk);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    return ran.err;
  };
  const std::string start =
      "muster: the baseline cannot be used; write it anew with `muster baseline write`, or take it from git again:\n";
  CHECK(refusal("{}") == start + "muster: b.json:1:1: expected {\"muster\": \"baseline/v1\", \"findings\": [...]}\n");
  CHECK(
      refusal("{\"muster\": \"baseline/v1\",\n \"findings\": [{\"rule\": 5, \"severity\": \"bad\", \"cuont\": 1}]}") ==
      start +
          "muster: b.json:2:46: unknown key `cuont`; did you mean `count`?\n"
          "muster: b.json:2:24: `rule`: expected a text\n"
          "muster: b.json:2:39: `severity`: expected error, warning or info\n");
  CHECK(contains(refusal("{\"muster\": \"baseline/v1\",\n<<<<<<< ours\n"), "b.json:2:1: "));
  CHECK(contains(refusal(""), "b.json:1:1: "));
  std::string many = "{\"muster\": \"baseline/v1\", \"findings\": [";
  for (int i = 0; i < 100; ++i) many += i == 0 ? "1" : ",1";
  CHECK(contains(refusal(many + "]}"), "muster: ... and 90 more\n"));
  const test::FakeDisk disk(std::map<std::string, std::string>{{"a.yaml", "a: 1\n"}});
  CHECK(contains(run_command({"baseline", "prune"}, disk).err, "baseline: expected write or check, got `prune`"));
}

TEST_CASE("fifty thousand findings are written, read and matched in a moment", "[baseline][growth]") {
  std::vector<KeyedFindings> findings;
  for (int i = 0; i < 50'000; ++i) {
    findings.push_back({{"f" + std::to_string(i % 100) + ".yaml", "batch/v1/Job/j" + std::to_string(i), "a-rule",
                         "spec.tasks[worker].replicas", "j" + std::to_string(i)},
                        Severity::Error,
                        1,
                        true});
  }
  const std::string text = render_baseline(findings);
  CHECK(text.size() < kMaxFileSize / 2);
  const test::FakeDisk disk(std::map<std::string, std::string>{{"b.json", text}});
  const Result<Baseline> read = read_baseline("b.json", disk);
  REQUIRE(read);
  CHECK(read->entries.size() == findings.size());
  std::ranges::reverse(findings);
  const Matching matching = match_findings(read->entries, findings, [](const auto&, const auto&) { return true; });
  CHECK(std::ranges::count(matching.known, false) == 0);
  CHECK(render_baseline(read->entries) == text);
}
