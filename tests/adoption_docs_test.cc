// docs/adoption.md is walked through in a repository of its own: each block is run, and prints what stands below it.
#include <array>
#include <cstdio>
#include <cstdlib>

#include "base/strings.h"
#include "support/catch.h"
#include "support/git.h"

namespace {

using muster::contains;
using muster::test::Repository;

struct Block {
  std::string language;
  std::string text;
};

std::vector<Block> blocks_of(const std::string& document) {
  std::vector<Block> out;
  bool inside = false;
  for (const std::string_view line : muster::split(document, '\n')) {
    if (line.starts_with("```")) {
      if (!inside) out.push_back({std::string(line.substr(3)), ""});
      inside = !inside;
    } else if (inside) {
      out.back().text += std::string(line) + "\n";
    }
  }
  return out;
}

struct Ran {
  int code = 0;
  std::string out;
};

/// Runs a script in a folder, where `muster` is the program that was built.
Ran run_script(const std::string& folder, const std::string& script) {
  const std::string binary = MUSTER_BINARY;
  muster::test::write_file(folder + "/.git/script.sh",
                           "set -e\ncd '" + folder + "'\nexport PATH='" + binary.substr(0, binary.rfind('/')) +
                               "':$PATH GIT_AUTHOR_NAME=x GIT_AUTHOR_EMAIL=x@example.com GIT_COMMITTER_NAME=x "
                               "GIT_COMMITTER_EMAIL=x@example.com SOURCE_DATE_EPOCH=1780272000\n" +
                               script);
  Ran out;
  FILE* pipe = popen(("bash '" + folder + "/.git/script.sh' 2>&1").c_str(), "r");  // NOLINT
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> block{};
  while (const std::size_t bytes = fread(block.data(), 1, block.size(), pipe)) out.out.append(block.data(), bytes);
  out.code = WEXITSTATUS(pclose(pipe));
  return out;
}

/// A gang that asks for more members than it has.
std::string job(const std::string& name) {
  return "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: " + name +
         "}\nspec:\n  minAvailable: 9\n  policies: [{event: PodEvicted, action: RestartJob}]\n  plugins: {pytorch: "
         "[\"--master=master\"]}\n  tasks:\n  - name: worker\n    replicas: 8\n    template: {spec: {containers: "
         "[{name: c, image: e/t:1, command: [python, t.py], resources: {limits: {nvidia.com/gpu: 8}}}]}}\n";
}

void fill(const Repository& repository) {
  repository.write("jobs/train.yaml", job("train"));
  repository.write("jobs/tune.yaml", job("tune"));
  repository.write("slurm/slurm.conf",
                   "ClusterName=c\nSlurmctldHost=h\nProctrackType=proctrack/cgroup\nTaskPlugin=task/cgroup\n"
                   "NodeName=n[1-4] CPUs=8 Gres=gpu:8\nPartitionName=p Nodes=n[1-4] MaxTime=1-0\n");
  repository.commit();
}

std::string document() { return muster::test::read_file(muster::test::source_dir() + "/docs/adoption.md"); }

}  // namespace

TEST_CASE("every block of docs/adoption.md does what it says", "[docs][adoption]") {
  if (!muster::test::has_git()) return;
  const Repository repository;
  fill(repository);
  Ran last;
  int ran = 0;
  for (const Block& block : blocks_of(document())) {
    INFO(block.text << "printed\n" << last.out);
    if (block.language == "sh") {
      last = run_script(repository.path(), block.text);
      INFO("now\n" << last.out);
      CHECK(last.code == 0);
      ++ran;
    }
    if (block.language == "text") CHECK(last.out == block.text);
  }
  CHECK(ran >= 5);
}

TEST_CASE("the CI recipes of docs/adoption.md pass what is known and stop what is new", "[docs][adoption]") {
  if (!muster::test::has_git()) return;
  const Repository repository;
  fill(repository);
  REQUIRE(run_script(repository.path(), "muster baseline write").code == 0);
  repository.commit();
  REQUIRE(repository.git("update-ref refs/remotes/origin/main HEAD"));
  std::vector<std::string> commands;
  for (const Block& block : blocks_of(document())) {
    if (block.language != "yaml") continue;
    for (const std::string_view line : muster::split(block.text, '\n')) {
      const std::size_t at = line.find("muster ");
      const std::string_view before = at == line.npos ? "" : muster::trim(line.substr(0, at));
      if (before == "run:" || before == "- run:" || before == "-") commands.emplace_back(line.substr(at));
    }
  }
  REQUIRE(commands.size() == 5);
  const std::string names = "export GITHUB_BASE_REF=main CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main\n";
  const auto codes = [&] {
    std::string out;
    for (const std::string& command : commands)
      out += std::to_string(run_script(repository.path(), names + command).code);
    return out;
  };
  CHECK(codes() == "00000");
  repository.write("jobs/more.yaml", job("more"));
  CHECK(codes() == "11010");
  repository.write("jobs/more.yaml", "a: 1\n");
  repository.write("jobs/tune.yaml", "a: 1\n");
  CHECK(codes() == "00101");  // the baseline has to get shorter
}

/// The text of a block that begins behind a line and ends before the next line that is less far in.
std::string block_behind(const std::string& text, std::string_view key, std::size_t nth) {
  std::size_t at = 0;
  for (std::size_t i = 0; i <= nth; ++i) at = text.find(key, at) + key.size();
  at = text.find('\n', at) + 1;
  const std::size_t indent = text.find_first_not_of(' ', at) - at;
  std::string out;
  while (at < text.size() && text.find_first_not_of(' ', at) - at >= indent) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += text.substr(at + indent, end - at - indent) + "\n";
    at = end + 1;
  }
  return out;
}

TEST_CASE("the action and the job for GitLab stop what a change brings, and pass what was there", "[docs][adoption]") {
  if (!muster::test::has_git()) return;
  const std::string root = muster::test::source_dir();
  const std::string action = block_behind(muster::test::read_file(root + "/action.yml"), "run: |", 1);
  const std::string gitlab =
      block_behind(muster::test::read_file(root + "/packaging/gitlab/muster.gitlab-ci.yml"), "- >-", 0);
  REQUIRE(contains(action, "muster\" check"));
  REQUIRE(contains(gitlab, "muster check"));
  const Repository repository;
  fill(repository);
  REQUIRE(repository.git("update-ref refs/remotes/origin/main HEAD"));
  const std::string settings =
      "export RUNNER_TEMP=\"$PWD/.git\" MUSTER_OPTIONS= MUSTER_FAIL_ON=warning GITHUB_BASE_REF=main\n"
      "export CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main\nln -sf \"$(command -v muster)\" .git/muster\n";
  const std::string folded = muster::replace_all(gitlab, "\n", " ") + "\n";
  for (const std::string& script : {action, folded}) CHECK(run_script(repository.path(), settings + script).code == 0);
  repository.write("jobs/more.yaml", job("more"));
  for (const std::string& script : {action, folded}) {
    const Ran ran = run_script(repository.path(), settings + script);
    CHECK(ran.code == 1);
    CHECK(contains(ran.out, "jobs/more.yaml"));
    CHECK(!contains(ran.out, "jobs/tune.yaml"));
  }
}

TEST_CASE("the hook of pre-commit looks at the files that docs/formats.md says", "[docs][adoption]") {
  const std::string root = muster::test::source_dir();
  const auto files_of = [&](const std::string& path) {
    const std::string text = muster::test::read_file(root + path);
    const std::size_t at = text.find("files: '");
    return text.substr(at, text.find('\n', at) - at);
  };
  CHECK(files_of("/.pre-commit-hooks.yaml") == files_of("/docs/formats.md"));
  CHECK(files_of("/docs/formats.md") == files_of("/docs/install.md"));
}
