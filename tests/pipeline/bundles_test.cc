// What may be joined: Kubernetes objects within a bundle, Slurm files within a site.
#include "pipeline/check.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"

namespace {

using muster::test::FakeDisk;
using Files = std::map<std::string, std::string>;

const std::string kQueue =
    "apiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: research}\nspec: {capability: "
    "{nvidia.com/gpu: 32}}\n";
/// 64 GPUs at once in a queue that grants 32, where the two may meet.
const std::string kJob =
    "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: big}\nspec:\n  queue: research\n  "
    "minAvailable: 8\n  plugins: {pytorch: [\"--master=master\"]}\n"
    "  policies: [{event: PodEvicted, action: RestartJob}]\n"
    "  tasks: [{name: worker, replicas: 8, template: {spec: {containers: [{name: c, image: e/t:1, command: [python, "
    "t.py], resources: {limits: {nvidia.com/gpu: 8}}}]}}}]\n";

/// Rules that fired, `?` before those that could not be judged.
std::string rules_of(const Files& files, const std::vector<std::string>& paths = {"r"}) {
  const FakeDisk disk(files);
  muster::Options options;
  options.paths = paths;
  options.today = *muster::parse_date("2026-06-01");
  muster::Workspace workspace;
  const muster::Result<muster::Report> report = muster::check(options, disk, workspace);
  if (!report) return report.error().message;
  std::string out;
  for (const muster::Finding& finding : report->findings) out += finding.rule + " ";
  for (const muster::Undecided& open : report->undecided) out += "?" + open.rule + " ";
  return out;
}

}  // namespace

TEST_CASE("a Job meets its queue in the same bundle, however deep each stands", "[bundles]") {
  CHECK(rules_of({{"r/a/job.yaml", kJob}, {"r/b/c/queue.yaml", kQueue}}) == "queue-below-gang ");
  CHECK(rules_of({{"r/job.yaml", kJob}, {"r/queue.yaml", kQueue}}) == "queue-below-gang ");
}

TEST_CASE("bundles do not meet", "[bundles]") {
  const std::string open = rules_of({{"r/a/job.yaml", kJob}});
  CHECK(open == "?queue-missing ");
  for (const std::string mark : {"kustomization.yaml", "kustomization.yml", "Chart.yaml", "muster.yaml", ".git/HEAD"}) {
    INFO(mark);
    const std::string text = mark == "muster.yaml" ? "muster: config/v1\n" : "name: x\n";
    CHECK(rules_of({{"r/a/job.yaml", kJob}, {"r/b/queue.yaml", kQueue}, {"r/b/" + mark, text}}) == open);
    CHECK(rules_of({{"r/a/job.yaml", kJob}, {"r/a/" + mark, text}, {"r/b/queue.yaml", kQueue}}) == open);
    CHECK(rules_of({{"r/a/job.yaml", kJob}, {"r/a/deep/queue.yaml", kQueue}, {"r/a/" + mark, text}}) ==
          "queue-below-gang ");
  }
  CHECK(rules_of({{"r/a/job.yaml", kJob}, {"r/b/queue.yaml", kQueue}}, {"r/a", "r/b"}) == open);
}

TEST_CASE("a bundle is the same whether its folder or a folder in it is named", "[bundles]") {
  const Files files{
      {"r/a/kustomization.yaml", "resources: []\n"}, {"r/a/x/job.yaml", kJob}, {"r/a/y/queue.yaml", kQueue}};
  CHECK(rules_of(files, {"r"}) == "queue-below-gang ");
  CHECK(rules_of(files, {"r/a/x", "r/a/y"}) == "queue-below-gang ");
  CHECK(rules_of(files, {"r/a/x/job.yaml", "r/a/y/queue.yaml"}) == "queue-below-gang ");
}

TEST_CASE("a Slurm site is the folder of a slurm.conf, and its neighbour is another", "[bundles]") {
  const std::string slurm =
      "ClusterName=c\nSlurmctldHost=h\nTaskPlugin=task/cgroup\nTopologyPlugin=topology/"
      "tree\nGresTypes=gpu\nNodeName=n[1-4] CPUs=8 RealMemory=1000 "
      "Gres=gpu:8\nPartitionName=p Nodes=ALL Default=YES\n";
  const std::string short_of_one = "SwitchName=s Nodes=n[1-3]\n";
  CHECK(rules_of({{"r/one/slurm.conf", slurm}, {"r/one/topology.conf", short_of_one}}) == "topology-node-in-no-leaf ");
  const std::string apart = rules_of({{"r/one/slurm.conf", slurm}, {"r/two/topology.conf", short_of_one}});
  CHECK(apart.find("topology-node-in-no-leaf") == std::string::npos);
  // Two clusters side by side with nodes of the same names.
  const std::string other =
      "ClusterName=d\nSlurmctldHost=h\nTaskPlugin=task/cgroup\nTopologyPlugin=topology/"
      "tree\nGresTypes=gpu\nNodeName=n[1-3] CPUs=8 RealMemory=1000 "
      "Gres=gpu:8\nPartitionName=p Nodes=ALL Default=YES\n";
  CHECK(rules_of({{"r/one/slurm.conf", slurm},
                  {"r/one/topology.conf", "SwitchName=s Nodes=n[1-4]\n"},
                  {"r/two/slurm.conf", other},
                  {"r/two/topology.conf", short_of_one}})
            .empty());
  // A linked file belongs to each folder it appears in.
  FakeDisk disk(Files{{"r/one/slurm.conf", slurm}, {"r/common/topology.conf", short_of_one}});
  disk.links = {{"r/one/topology.conf", "r/common/topology.conf"}};
  CHECK(muster::test::run_command({"check", "r"}, disk).out.find("warning[topology-node-in-no-leaf]") !=
        std::string::npos);
}

TEST_CASE("a fleet file that is named speaks for every bundle", "[bundles]") {
  const Files files{{"r/a/kustomization.yaml", "resources: []\n"},
                    {"r/a/w.yaml", "muster: workloads/v1\nworkloads: [{name: x}]\n"},
                    {"fleet.yaml", "muster: fleet/v1\nname: f\ncontrol_planes: [{kind: slurm, version: \"25.11\"}]\n"}};
  const FakeDisk disk(files);
  muster::Options options;
  options.paths = {"r"};
  options.fleet = "fleet.yaml";
  const muster::Result<muster::Workspace> workspace = muster::read_workspace(options, disk);
  REQUIRE(workspace);
  CHECK(workspace->site.targets.contains("slurm"));
  bool found = false;
  for (const muster::InputFile& file : workspace->inputs.files)
    found = found || (file.context.path == "fleet.yaml" && file.context.bundle.empty());
  CHECK(found);
}

TEST_CASE("the book is loaded where a workload asks for a decision or the site changes a rule", "[pipeline]") {
  const auto book_of = [](const Files& files, muster::BookUse use) {
    const FakeDisk disk(files);
    muster::Options options;
    options.paths = {"r"};
    const muster::Result<muster::Workspace> workspace = muster::read_workspace(options, disk, use);
    REQUIRE(workspace);
    return workspace->book != nullptr;
  };
  Files files{{"r/fleet.yaml", "muster: fleet/v1\nname: f\n"}};
  CHECK(book_of(files, muster::BookUse::Always));
  CHECK_FALSE(book_of(files, muster::BookUse::ForDecisions));
  files["r/w.yaml"] = "muster: workloads/v1\nworkloads: [{name: x}]\n";
  CHECK(book_of(files, muster::BookUse::ForDecisions));
  files.erase("r/w.yaml");
  files["r/muster.yaml"] = "muster: config/v1\nrules:\n  severity: {gang-partial: off}\n";
  const FakeDisk disk(files);
  muster::Options options;
  options.paths = {"r"};
  const muster::Result<muster::Workspace> refused =
      muster::read_workspace(options, disk, muster::BookUse::ForDecisions);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("there is no rule `gang-partial`") != std::string::npos);
}
