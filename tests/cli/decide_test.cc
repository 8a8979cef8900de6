// The command `decide`: what it says of the files themselves is what `check` says.
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"

namespace {

using muster::test::FakeDisk;
using muster::test::Ran;
using muster::test::run_command;
using Files = std::map<std::string, std::string>;

/// A job larger than its pool, with a comment on its line.
FakeDisk too_large(const std::string& comment, const std::string& config = "") {
  Files files{
      {"r/fleet.yaml", "muster: fleet/v1\nname: f\nnode_pools:\n  - {name: p, nodes: \"n[1-4]\", gpus_per_node: 8}\n"},
      {"r/workloads.yaml",
       "muster: workloads/v1\nworkloads:\n  - {name: w, pool: p, nodes: 8, gpus_per_node: 8}   " + comment + "\n"}};
  if (!config.empty()) files["r/muster.yaml"] = "muster: config/v1\n" + config;
  return FakeDisk(files);
}

}  // namespace

TEST_CASE("decide says of the files what check says of them", "[cli]") {
  const std::string allow = "# muster: allow workload-above-pool -- the order is out";
  struct Case {
    std::string comment, config;
    int code;
  };
  for (const Case& one :
       {Case{"", "", 1}, Case{allow, "", 0}, Case{"# muster: allow workload-above-pool", "", 1},
        Case{"", "rules: {severity: {workload-above-pool: warning}}\n", 0},
        Case{"", "rules: {severity: {workload-above-pool: off}}\n", 0},
        Case{"", "suppress: [{rule: workload-above-pool, path: \"workloads.yaml\", reason: ordered}]\n", 0}}) {
    INFO(one.comment << " " << one.config);
    const FakeDisk disk = too_large(one.comment, one.config);
    CHECK(run_command({"check", "r"}, disk).code == one.code);
    CHECK(run_command({"decide", "r"}, disk).code == one.code);
  }
  const Ran allowed = run_command({"decide", "r"}, too_large(allow));
  CHECK(allowed.err.empty());
  CHECK_FALSE(allowed.out.empty());
}

TEST_CASE("a permission for what only check looks at is not called unused by decide", "[cli]") {
  const Ran ran = run_command({"decide", "r", "--set", "nodes=4"},
                              too_large("# muster: allow workload-above-pool -- the order is out"));
  CHECK(ran.code == 0);
  CHECK(ran.err.empty());
}

TEST_CASE("--set changes what cannot be true", "[cli]") {
  CHECK(run_command({"decide", "r", "--set", "nodes=4"}, too_large("")).code == 0);
  const Ran larger = run_command({"decide", "r", "--set", "nodes=9", "--why"}, too_large(""));
  CHECK(larger.code == 1);
  CHECK(muster::contains(larger.err, "`w` spans 9 nodes"));
  const Ran whole =
      run_command({"decide", "r", "--set", "gpu_hours_share=1", "--set", "elastic.max_nodes=2"}, too_large(""));
  CHECK(whole.code == 1);
  CHECK(muster::contains(whole.err, "`nodes` of `w` is above its `elastic.max_nodes`"));
}

TEST_CASE("shares that --set gives are added up, too", "[cli]") {
  const FakeDisk disk(Files{{"r/workloads.yaml", "muster: workloads/v1\nworkloads:\n  - {name: a}\n  - {name: b}\n"}});
  const Ran ran = run_command({"decide", "r", "--set", "gpu_hours_share=0.6"}, disk);
  CHECK(ran.code == 1);
  CHECK(
      muster::contains(ran.err, "r/workloads.yaml:4:12: the shares of the GPU-hours of all workloads add up to 120 %"));
}
