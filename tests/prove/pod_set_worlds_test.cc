// Worlds of gangs that nest: partitions, sub-groups, scaling groups.
#include "support/catch.h"
#include "support/fleets.h"
#include "support/proofs.h"

using namespace muster;
using test::prove_jobs;
using test::told_of;
using test::two_leaf_fleet;

namespace {

constexpr std::string_view kContainer =
    "{name: c, image: 'e/t:1', command: [torchrun, --nnodes=4, t.py], resources: {limits: {nvidia.com/gpu: 8}}}";

/// A Volcano Job of four pods in two partitions, and HyperNodes of tier 1 with so many nodes each.
std::string partitioned(const std::string& policy, int nodes_of_a_leaf) {
  std::string out =
      "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: v}\nspec:\n  tasks:\n    - name: w\n      "
      "replicas: 4\n      partitionPolicy: {totalPartitions: 2, partitionSize: 2" +
      policy + "}\n      template: {spec: {containers: [" + std::string(kContainer) + "]}}\n";
  for (const std::string leaf : {"a", "b"}) {
    out += "---\napiVersion: topology.volcano.sh/v1alpha1\nkind: HyperNode\nmetadata: {name: l" + leaf +
           "}\nspec:\n  tier: 1\n  members:\n";
    for (int i = 1; i <= nodes_of_a_leaf; ++i)
      out += "    - {type: Node, selector: {exactMatch: {name: " + leaf + std::to_string(i) + "}}}\n";
  }
  return out;
}

/// A JobSet of two pods in two replicated jobs, each of which is a sub-group of one PodGroup.
std::string grouped(const std::string& group) {
  std::string out = "apiVersion: scheduling.run.ai/v2alpha2\nkind: PodGroup\nmetadata: {name: g}\nspec: {" + group +
                    "}\n---\napiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: js}\nspec:\n  "
                    "replicatedJobs:\n";
  for (const std::string name : {"x", "y"}) {
    out += "    - name: " + name +
           "\n      template: {spec: {parallelism: 2, completions: 2, template: {metadata: {annotations: "
           "{pod-group-name: g, kai.scheduler/skip-podgrouper: 'true'}, labels: {kai.scheduler/subgroup-name: " +
           name + "}}, spec: {schedulerName: kai-scheduler, containers: [" + std::string(kContainer) + "]}}}}\n";
  }
  return out;
}

/// A PodCliqueSet with a scaling group of a leader and a worker.
std::string cliques(const std::string& group, const std::string& of_set = "",
                    const std::string& scheduler = "schedulerName: kai-scheduler, ") {
  std::string out =
      "apiVersion: grove.io/v1alpha1\nkind: PodCliqueSet\nmetadata: {name: pcs}\nspec:\n  replicas: 1\n  "
      "template:\n    podCliqueScalingGroups: [{name: decode, cliqueNames: [leader, worker]" +
      group + "}]\n" + of_set + "    cliques:\n";
  for (const std::string name : {"leader", "worker"}) {
    out += "      - {name: " + name + ", spec: {roleName: " + name + ", replicas: 1, podSpec: {" + scheduler +
           "containers: [" + std::string(kContainer) + "]}}}\n";
  }
  return out;
}

}  // namespace

TEST_CASE("each partition of a Volcano task stands in a HyperNode of its own choice", "[prove]") {
  const std::string tier = ", networkTopology: {highestTierAllowed: 1}";
  CHECK(told_of(two_leaf_fleet(4), partitioned(tier, 2), "placeable") == "holds");
  CHECK(told_of(two_leaf_fleet(4), partitioned(tier, 1), "placeable") == "counterexample");
  CHECK(told_of(two_leaf_fleet(4), partitioned("", 1), "placeable") == "holds");
  // A node in each leaf, where each partition needs two.
  CHECK(told_of(two_leaf_fleet(1), partitioned(tier, 1), "placeable") == "counterexample");
  CHECK(told_of(two_leaf_fleet(4), partitioned(tier, 2), "all-or-nothing") == "holds");
  CHECK(prove_jobs(two_leaf_fleet(4), partitioned(tier, 2), {})["results"][0]["assumes"][0] ==
        "Volcano runs its plugin `network-topology-aware`, which it does not as shipped");
}

TEST_CASE("a gang of which only some partitions have to come first is left out", "[prove]") {
  CHECK(told_of(two_leaf_fleet(4), partitioned(", minPartitions: 1", 2), "all-or-nothing") ==
        "left out: which instances of its pod set `w` come first");
  CHECK(told_of(two_leaf_fleet(4), partitioned(", minPartitions: 2", 2), "all-or-nothing") == "holds");
  CHECK(told_of(two_leaf_fleet(4), partitioned(", networkTopology: {highestTierName: rack}", 2), "placeable") ==
        "left out: which tier `highestTierName` means");
}

TEST_CASE("sub-groups of a KAI PodGroup stand where each of them has to", "[prove]") {
  const std::string leaf = ", topologyConstraint: {topology: t, requiredTopologyLevel: example.com/leaf}";
  const std::string apart = "subGroups: [{name: x, minMember: 2" + leaf + "}, {name: y, minMember: 2" + leaf + "}]";
  CHECK(told_of(two_leaf_fleet(2), grouped(apart), "placeable") == "holds");
  CHECK(told_of(two_leaf_fleet(1), grouped(apart), "placeable") == "counterexample");
  CHECK(told_of(two_leaf_fleet(1), grouped("subGroups: [{name: x, minMember: 2}, {name: y, minMember: 2}]"),
                "all-or-nothing") == "holds");
  // Both within one.
  const std::string both =
      "subGroups: [{name: p" + leaf + "}, {name: x, parent: p, minMember: 2}, {name: y, parent: p, minMember: 2}]";
  CHECK(told_of(two_leaf_fleet(4), grouped(both), "placeable") == "holds");
  CHECK(told_of(two_leaf_fleet(3), grouped(both), "placeable") == "counterexample");
  const nlohmann::json answer = prove_jobs(two_leaf_fleet(3), grouped(both), {"--property", "placeable"});
  CHECK(answer["results"][0]["reason"] ==
        "`js` needs 4 pods; the empty nodes take 3, each pod set of it within one leaf");
}

TEST_CASE("the minimum of each sub-group is what is placed at once", "[prove]") {
  const std::string one_each = "subGroups: [{name: x, minMember: 1}, {name: y, minMember: 1}]";
  CHECK(told_of(two_leaf_fleet(2), grouped(one_each), "all-or-nothing") == "holds");
  const nlohmann::json two =
      prove_jobs(two_leaf_fleet(2), grouped(one_each), {"--property", "all-or-nothing", "--concurrent", "2"});
  CHECK(two["results"][0]["verdict"] == "counterexample");
  CHECK(told_of(two_leaf_fleet(2), grouped("minSubGroup: 1, " + one_each), "all-or-nothing") ==
        "left out: which instances of its pod set `y` come first");
  CHECK(told_of(two_leaf_fleet(2), grouped("subGroups: [{name: x, minMember: 1}]"), "all-or-nothing") ==
        "left out: sub-group `y` of PodGroup `g`");
}

TEST_CASE("each replica of a Grove scaling group stands in a domain of its own choice", "[prove]") {
  const std::string leaf = ", topologyConstraint: {pack: {required: leaf}}";
  const std::string two = ", replicas: 2, minAvailable: 2";
  CHECK(told_of(two_leaf_fleet(2), cliques(two + leaf), "placeable") == "holds");
  CHECK(told_of(two_leaf_fleet(1), cliques(two + leaf), "placeable") == "counterexample");
  CHECK(told_of(two_leaf_fleet(2), cliques(two + leaf), "all-or-nothing") == "holds");
  CHECK(told_of(two_leaf_fleet(2), cliques(two, "    topologyConstraint: {pack: {required: leaf}}\n"), "placeable") ==
        "counterexample");
  CHECK(told_of(two_leaf_fleet(2), cliques(two + ", topologyConstraint: {pack: {required: rack}}"), "placeable") ==
        "left out: which level of the fleet file's topology `rack` is");
  CHECK(prove_jobs(two_leaf_fleet(2), cliques(two + leaf), {})["results"][0]["assumes"][0] ==
        "Grove runs with topologyAwareScheduling.enabled, which it does not as shipped (0.1.0-alpha.12)");
}

TEST_CASE("replicas of a Grove scaling group that the gang can do without are gangs of their own", "[prove]") {
  // Three of two pods each on two nodes a leaf: each fits alone, whole or not at all.
  const nlohmann::json answer = prove_jobs(two_leaf_fleet(2), cliques(", replicas: 3, minAvailable: 1"), {});
  CHECK(answer["results"][0]["gangs"] == nlohmann::json({"pcs", "pcs/decode+1", "pcs/decode+2"}));
  for (const nlohmann::json& result : answer["results"]) CHECK(result["verdict"] == "holds");
  // Without a gang scheduler they stop each other.
  const nlohmann::json loose =
      prove_jobs(two_leaf_fleet(1), cliques(", replicas: 2, minAvailable: 1", "", ""), {"--property", "no-deadlock"});
  CHECK(loose["results"][0]["verdict"] == "counterexample");
  // Nor does anybody keep them within a leaf then.
  const std::string rack = ", topologyConstraint: {pack: {required: rack}}";
  CHECK(told_of(two_leaf_fleet(1), cliques(rack, "", ""), "placeable") == "holds");
}
