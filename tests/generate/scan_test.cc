// The templates that run muster itself over a folder of repositories: what they write is run, task by task, and merged.
#include <cstdlib>
#include <filesystem>

#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/json.h"

using namespace muster;

namespace {

namespace fs = std::filesystem;

constexpr const char* kFleet =
    "muster: fleet/v1\nname: east\nnode_pools:\n"
    "  - {name: h100, nodes: \"h[1-4]\", gpus_per_node: 8, control_plane: slurm}\n"
    "  - {name: cpus, nodes: \"c[1-2]\", gpus_per_node: 0, control_plane: slurm}\n"
    "  - {name: b200, nodes: \"b[1-4]\", gpus_per_node: 8, control_plane: kubernetes}\n";

/// A fleet of repositories, a fleet file, and room for results.
struct Scan {
  Scan() {
    fs::create_directories(repositories());
    for (const std::string name : {"training-repo", "kubernetes", "research-cluster"}) {
      fs::copy(test::source_dir() + "/examples/" + name, repositories() + "/" + name, fs::copy_options::recursive);
      fs::create_directories(repositories() + "/" + name + "/.git");
    }
    fs::create_directories(results());
    test::write_file(folder.path() + "/fleet.yaml", kFleet);
  }
  std::string repositories() const { return folder.path() + "/repositories"; }
  std::string results() const { return folder.path() + "/results"; }

  std::string generated(const std::string& id, const std::string& file) const {
    const test::Ran ran =
        test::run_command({"generate", id, "--fleet", folder.path() + "/fleet.yaml", "--out", folder.path() + "/made"});
    INFO(ran.err);
    REQUIRE(ran.code == 0);
    return test::read_file(folder.path() + "/made/" + file);
  }

  /// The results, merged, against one run over all of it.
  void check_results(std::size_t count) const {
    std::vector<std::string> words{"merge", "--format", "json"};
    for (const std::string& name : test::entries(results())) words.push_back(results() + "/" + name);
    CHECK(words.size() == count + 3);
    const test::Ran merged = test::run_command(words);
    INFO(merged.err);
    CHECK(merged.code == 1);
    const test::Ran one = test::run_command({"check", "--shard", "1/1", "--format", "json", repositories()});
    CHECK(merged.out == one.out);
  }

  test::TemporaryFolder folder;
};

}  // namespace

TEST_CASE("a generated job array checks each repository once", "[generate][shards]") {
  const Scan scan;
  const std::string script = scan.generated("scan-slurm-array", "scan.sbatch");
  CHECK(contains(script, "#SBATCH --partition=cpus\n"));
  CHECK(contains(script, "#SBATCH --array=1-8\n"));
  const std::string binary = MUSTER_BINARY;
  for (int task = 1; task <= 8; ++task) {
    const std::string command = "PATH='" + binary.substr(0, binary.rfind('/')) +
                                "':$PATH SLURM_ARRAY_TASK_ID=" + std::to_string(task) + " bash '" + scan.folder.path() +
                                "/made/scan.sbatch' '" + scan.repositories() + "' '" + scan.results() + "'";
    CHECK(std::system(command.c_str()) == 0);
  }
  scan.check_results(8);
}

TEST_CASE("a generated Indexed Job checks each repository once", "[generate][shards]") {
  const Scan scan;
  const std::string job = scan.generated("scan-indexed-job", "scan-job.yaml");
  CHECK(contains(job, "completions: 8\n"));
  std::vector<std::string> args;
  const std::string from_args = job.substr(job.find("args:"));
  for (const std::string_view line : split(from_args, '\n')) {
    if (args.empty() && !contains(line, "- check")) continue;
    const std::string_view word = trim(line);
    if (!word.starts_with("- ")) break;
    args.emplace_back(word.substr(2));
  }
  REQUIRE(args.size() > 2);
  CHECK(args.back() == "/repositories");
  for (int index = 0; index < 8; ++index) {
    std::vector<std::string> words;
    for (const std::string& arg : args) {
      std::string word = replace_all(arg, "$(JOB_COMPLETION_INDEX)", std::to_string(index));
      word = replace_all(std::move(word), "/results", scan.results());
      words.push_back(word == "/repositories" ? scan.repositories() : word);
    }
    CHECK(test::run_command(words).code == 0);
  }
  scan.check_results(8);
}

TEST_CASE("a scan is refused where its scheduler has no nodes", "[generate][shards]") {
  const test::TemporaryFolder folder;
  test::write_file(folder.path() + "/fleet.yaml",
                   "muster: fleet/v1\nname: e\nnode_pools: [{name: a, nodes: \"a[1-2]\", control_plane: slurm}]\n");
  const test::Ran ran = test::run_command({"generate", "scan-indexed-job", "--fleet", folder.path() + "/fleet.yaml"});
  CHECK(ran.code == 2);
  CHECK(contains(ran.err, "template scan-slurm-array is for Slurm"));
}
