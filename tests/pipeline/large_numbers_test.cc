// Numbers from the input at the end of their range: a build with UBSan ends the test where one overflows.
#include "support/catch.h"
#include "support/model.h"

using namespace muster::test;

namespace {

const std::string kMost = "9223372036854775807";

std::string job_of(const std::string& name, const std::string& count, const std::string& gpus) {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: " + name + "}\nspec:\n  parallelism: " + count +
         "\n  template:\n    metadata: {labels: {scheduling.x-k8s.io/pod-group: g}}\n    spec:\n      schedulerName: "
         "scheduler-plugins-scheduler\n" +
         "      containers: [{name: c, image: \"example.com/a:1\", resources: {limits: {nvidia.com/gpu: " + gpus +
         "}}}]\n---\n";
}

}  // namespace

TEST_CASE("ports, CPUs and counts of GPUs of a node may be as large as a number gets", "[large-numbers]") {
  const Checked checked = check_files(
      {{"slurm.conf", "ClusterName=c\nSlurmctldHost=h\nNodeName=n[1-2] Port=0-" + kMost + " Gres=gpu:" + kMost +
                          ",gpu:" + kMost + "\nNodeName=m[1-2] CPUs=" + kMost + " Sockets=" + kMost +
                          " CoresPerSocket=" + kMost + " ThreadsPerCore=" + kMost + " RealMemory=" + kMost +
                          "\nPartitionName=p Nodes=ALL MaxNodes=" + kMost + "\n"}});
  CHECK(summary_of(checked).find("names 9223372036854775808, the record 2") != std::string::npos);
}

TEST_CASE("the members of a PodGroup are counted up to the largest number", "[large-numbers]") {
  const Checked checked = check_files(
      {{"a.yaml", "apiVersion: scheduling.x-k8s.io/v1alpha1\nkind: PodGroup\nmetadata: {name: g}\nspec: {minMember: " +
                      kMost + "}\n---\n" + job_of("a", kMost, kMost) + job_of("b", kMost, kMost)}});
  const auto& groups = checked.workspace.model.pod_groups;
  REQUIRE(groups.size() == 1);
  CHECK(groups.front().members.value == 9223372036854775807);
}

TEST_CASE("a negative number of pods or GPUs is no number of them", "[large-numbers]") {
  const Checked checked = check_files({{"a.yaml", job_of("a", "-1", "-8")}});
  const std::string found = summary_of(checked);
  CHECK(found.find("`parallelism`: expected an integer that is not negative, got `-1`") != std::string::npos);
  CHECK(found.find("`nvidia.com/gpu`: expected a quantity that is not negative, got `-8`") != std::string::npos);
  for (const muster::Gang& gang : checked.workspace.model.gangs) CHECK(gang.size.unknown());
}

TEST_CASE("quotas and sizes of blocks may be as large as a number gets", "[large-numbers]") {
  check_files(
      {{"a.yaml",
        "apiVersion: kueue.x-k8s.io/v1beta1\nkind: ClusterQueue\nmetadata: {name: q}\nspec: {resourceGroups: "
        "[{coveredResources: [nvidia.com/gpu], flavors: [{name: f, resources: [{name: nvidia.com/gpu, nominalQuota: " +
            kMost + ", borrowingLimit: " + kMost +
            "}]}, {name: g, resources: [{name: nvidia.com/gpu, nominalQuota: " + kMost + "}]}]}]}\n"},
       {"slurm.conf", "ClusterName=c\nSlurmctldHost=h\nNodeName=n1\nTopologyPlugin=topology/block\n"},
       {"topology.conf", "BlockName=b Nodes=n1\nBlockSizes=" + kMost + "," + kMost + "0\n"},
       {"fleet.yaml", "muster: fleet/v1\nname: c\nnode_pools: [{name: p, nodes: n1, gpus_per_node: " + kMost +
                          "}]\ntenants: [{name: t, guaranteed_gpus: " + kMost +
                          "}, {name: u, guaranteed_gpus: " + kMost + "}]\n"}});
  SUCCEED();
}

TEST_CASE("of a long list of tasks the last one counts as the first", "[large-numbers]") {
  const auto found = [](const std::string& policies) {
    std::string text =
        "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: ddp}\nspec:\n  minAvailable: 2000\n"
        "  plugins: {pytorch: [\"--master=master\"]}\n  tasks:\n";
    for (int i = 0; i < 2000; ++i)
      text += "  - {name: w" + std::to_string(i) + ", replicas: 1, " + (i == 1999 ? policies : "") +
              "template: {spec: {containers: [{name: c, image: example.com/train:1, command: [python, train.py], "
              "resources: {limits: {nvidia.com/gpu: 8}}}]}}}\n";
    return summary_of(check_files({{"a.yaml", text}}));
  };
  CHECK(found("").find("gang-without-restart-policy") != std::string::npos);
  CHECK(found("policies: [{event: PodFailed, action: RestartJob}], ").find("gang-without-restart-policy") ==
        std::string::npos);
}
