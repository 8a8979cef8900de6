// Worlds that are made of the gangs and the fleet of a repository.
#include <set>

#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/fleets.h"
#include "support/proofs.h"

using namespace muster;
using Json = nlohmann::json;
using test::prove_jobs;
using test::told;
using test::told_of;
using test::two_leaf_fleet;

namespace {

/// The Kueue queue q, which admits all there is.
const std::string kQueue =
    "---\napiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\nmetadata: {name: q}\nspec: {clusterQueue: c}\n"
    "---\napiVersion: kueue.x-k8s.io/v1beta1\nkind: ClusterQueue\nmetadata: {name: c}\nspec: {namespaceSelector: {}, "
    "resourceGroups: [{coveredResources: [nvidia.com/gpu], flavors: [{name: f, resources: [{name: nvidia.com/gpu, "
    "nominalQuota: 1000}]}]}]}\n";

/// A Job of four pods with eight GPUs each.
std::string job(const std::string& metadata, const std::string& template_metadata, const std::string& spec) {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: train" + metadata +
         "}\nspec:\n  completionMode: Indexed\n  completions: 4\n  parallelism: 4\n  template:\n    metadata: {" +
         template_metadata + "}\n    spec:\n      restartPolicy: Never\n" + spec +
         "      containers:\n        - name: w\n          image: example.com/t:1\n          command: [torchrun, "
         "--nnodes=4, t.py]\n          resources: {limits: {nvidia.com/gpu: 8}}\n" +
         (metadata.find("queue-name: q") == std::string::npos ? "" : kQueue);
}

/// A HyperNode with these members.
std::string hyper_node(const std::string& name, int tier, const std::vector<std::string>& members,
                       const std::string& selector = "", const std::string& type = "Node") {
  std::string out = "---\napiVersion: topology.volcano.sh/v1alpha1\nkind: HyperNode\nmetadata: {name: " + name +
                    "}\nspec:\n  tier: " + std::to_string(tier) + "\n  members:\n";
  for (const std::string& member : members)
    out += "    - {type: " + type + ", selector: {exactMatch: {name: " + member + "}}}\n";
  if (!selector.empty()) out += "    - {type: " + type + ", selector: {" + selector + "}}\n";
  return out;
}

}  // namespace

TEST_CASE("a gang that has to stand in one domain is held against the domains of the fleet file", "[prove]") {
  const std::string kueue = job(", labels: {kueue.x-k8s.io/queue-name: q}",
                                "annotations: {kueue.x-k8s.io/podset-required-topology: net.example.com/leaf}", "");
  CHECK(told_of(two_leaf_fleet(3), kueue, "placeable") == "counterexample");
  CHECK(told_of(two_leaf_fleet(4), kueue, "placeable") == "holds");
  const std::string wide = job(", labels: {kueue.x-k8s.io/queue-name: q}",
                               "annotations: {kueue.x-k8s.io/podset-required-topology: spine}", "");
  CHECK(told_of(two_leaf_fleet(3), wide, "placeable") == "holds");
  CHECK(told_of(two_leaf_fleet(1), wide, "placeable") == "counterexample");
  const std::string preferred = job(", labels: {kueue.x-k8s.io/queue-name: q}",
                                    "annotations: {kueue.x-k8s.io/podset-preferred-topology: leaf}", "");
  CHECK(told_of(two_leaf_fleet(3), preferred, "placeable") == "holds");
  const std::string kai =
      job(", annotations: {kai.scheduler/batch-min-member: '4', kai.scheduler/topology: t, "
          "kai.scheduler/topology-required-placement: leaf}",
          "", "      schedulerName: kai-scheduler\n");
  CHECK(told_of(two_leaf_fleet(3), kai, "placeable") == "counterexample");
  CHECK(told_of(two_leaf_fleet(4), kai, "placeable") == "holds");
  // Nobody reads Kueue's annotation for KAI.
  CHECK(told_of(two_leaf_fleet(3),
                job("", "annotations: {kueue.x-k8s.io/podset-required-topology: leaf}",
                    "      schedulerName: kai-scheduler\n"),
                "placeable") == "holds");
}

TEST_CASE("where the domains are not known a gang is left out and not judged without them", "[prove]") {
  const std::string rack = job(", labels: {kueue.x-k8s.io/queue-name: q}",
                               "annotations: {kueue.x-k8s.io/podset-required-topology: example.com/rack}", "");
  CHECK(told_of(two_leaf_fleet(4), rack, "placeable") ==
        "left out: which level of the fleet file's topology `example.com/rack` is");
  const std::string volcano =
      "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: v}\nspec:\n  schedulerName: volcano\n  "
      "minAvailable: 4\n  MODE  tasks:\n"
      "    - name: w\n      replicas: 4\n      template:\n        spec:\n          containers:\n            - {name: "
      "w, image: 'e/t:1', command: [torchrun, --nnodes=4, t.py], resources: {limits: {nvidia.com/gpu: 8}}}\n";
  const auto with = [&](const std::string& mode) {
    std::string text = volcano;
    return text.replace(text.find("MODE  "), 6, mode);
  };
  const std::string hard = with("networkTopology: {mode: hard, highestTierAllowed: 1}\n  ");
  CHECK(told_of(two_leaf_fleet(4), hard, "placeable") == "left out: the HyperNodes");
  CHECK(told_of(two_leaf_fleet(4), with("networkTopology: {mode: soft, highestTierAllowed: 1}\n  "), "placeable") ==
        "holds");
  CHECK(told_of(two_leaf_fleet(4), with("networkTopology: {mode: hard}\n  "), "placeable") == "holds");
  CHECK(told_of(two_leaf_fleet(4), with("networkTopology: {highestTierName: rack}\n  "), "placeable") ==
        "left out: which tier `highestTierName` means");
  CHECK(told_of(two_leaf_fleet(4), hard + hyper_node("la", 1, {}, "regexMatch: {pattern: ^a}"), "placeable") ==
        "left out: which nodes its HyperNodes have");
  CHECK(told_of(two_leaf_fleet(4), hard + hyper_node("la", 1, {"a1", "a2"}) + hyper_node("lb", 1, {"a2", "b1"}),
                "placeable") == "left out: which nodes its HyperNodes have");
}

TEST_CASE("Volcano's hard tier is held against the HyperNodes", "[prove]") {
  const auto job_of = [](int tier) {
    return "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: v}\nspec:\n  schedulerName: volcano\n  "
           "minAvailable: 4\n  networkTopology: {mode: hard, highestTierAllowed: " +
           std::to_string(tier) +
           "}\n  tasks:\n    - name: w\n      replicas: 4\n      template:\n        spec:\n          containers:\n"
           "            - {name: w, image: 'e/t:1', command: [torchrun, --nnodes=4, t.py], resources: {limits: "
           "{nvidia.com/gpu: 8}}}\n";
  };
  const std::string leaves = hyper_node("la", 1, {"a1", "a2", "a3"}) + hyper_node("lb", 1, {"b1", "b2", "b3"}) +
                             hyper_node("lc", 1, {"a4"}) + hyper_node("s", 2, {"la", "lc"}, "", "HyperNode") +
                             hyper_node("t", 3, {"s", "lb"}, "", "HyperNode");
  CHECK(told_of(two_leaf_fleet(4), job_of(1) + leaves, "placeable") == "counterexample");
  CHECK(told_of(two_leaf_fleet(4), job_of(2) + leaves, "placeable") == "holds");
  CHECK(told_of(two_leaf_fleet(4), job_of(3) + leaves, "placeable") == "holds");
  const Json answer = prove_jobs(two_leaf_fleet(4), job_of(1) + leaves, {"--property", "placeable"});
  CHECK(answer["results"][0]["reason"] ==
        "`v` needs 4 pods; the empty nodes take 3 of them within one hyper node of tier 1");
  CHECK(answer["results"][0]["assumes"][0] ==
        "Volcano runs its plugin `network-topology-aware`, which it does not as shipped");
  // The whole cluster stands above the highest tier.
  const std::string one_leaf = hyper_node("la", 1, {"a1", "a2", "a3"});
  CHECK(told_of(two_leaf_fleet(4), job_of(1) + one_leaf, "placeable") == "counterexample");
  CHECK(told_of(two_leaf_fleet(4), job_of(2) + one_leaf, "placeable") == "holds");
}

TEST_CASE("slices of a pod set stand in a domain each", "[prove]") {
  const auto sliced = [](const std::string& annotations) {
    return job(", labels: {kueue.x-k8s.io/queue-name: q}", "annotations: {" + annotations + "}", "");
  };
  const std::string pairs =
      "kueue.x-k8s.io/podset-slice-required-topology: leaf, kueue.x-k8s.io/podset-slice-size: '2'";
  CHECK(told_of(two_leaf_fleet(2), sliced(pairs), "placeable") == "holds");
  CHECK(told_of(two_leaf_fleet(3), sliced(pairs), "placeable") == "holds");
  CHECK(told_of(two_leaf_fleet(1), sliced(pairs), "placeable") == "counterexample");
  // Four nodes, but in two leaves of which neither takes a slice of four.
  CHECK(told_of(two_leaf_fleet(2),
                sliced("kueue.x-k8s.io/podset-slice-required-topology: leaf, kueue.x-k8s.io/podset-slice-size: '4'"),
                "placeable") == "counterexample");
  CHECK(told_of(two_leaf_fleet(2),
                sliced("kueue.x-k8s.io/podset-slice-required-topology: leaf, kueue.x-k8s.io/podset-slice-size: '3'"),
                "placeable") == "left out: a number of pods that its slices of 3 divide");
  CHECK(told_of(two_leaf_fleet(2), sliced("kueue.x-k8s.io/podset-slice-required-topology: leaf"), "placeable") ==
        "left out: the size of its slices");
  CHECK(told_of(two_leaf_fleet(2), sliced(pairs + ", kueue.x-k8s.io/podset-group-name: g"), "placeable") ==
        "left out: what `podset-group-name` leaves");
  // Within one leaf, and there in pairs.
  CHECK(told_of(two_leaf_fleet(2), sliced(pairs + ", kueue.x-k8s.io/podset-required-topology: leaf"), "placeable") ==
        "counterexample");
  CHECK(told_of(two_leaf_fleet(4), sliced(pairs + ", kueue.x-k8s.io/podset-required-topology: leaf"), "placeable") ==
        "holds");
}

TEST_CASE("batch jobs without a fleet file meet the nodes of their partitions", "[prove]") {
  const auto answer_of = [](const std::string& conf, const std::string& topology, const std::string& directives,
                            const std::string& property) {
    const std::string slurm = "ClusterName=c\nSlurmctldHost=h\nGresTypes=gpu\n" + conf;
    return told(test::prove_files({{"slurm.conf", slurm},
                                   {"topology.conf", topology},
                                   {"j.sbatch", "#!/bin/bash\n" + directives + "srun torchrun t.py\n"}},
                                  {"--property", property}));
  };
  const std::string nodes = "NodeName=a[1-4] CPUs=8 Gres=gpu:8\nNodeName=b[1-4] CPUs=8 Gres=gpu:4\n";
  const std::string parts =
      "PartitionName=all Nodes=ALL Default=YES\nPartitionName=small Nodes=b[1-4]\nPartitionName=mixed "
      "Nodes=a[3-4],b[1-2]\n";
  const auto job_of = [](int count, int gpus, const std::string& more = "") {
    return "#SBATCH --nodes=" + std::to_string(count) + "\n#SBATCH --gpus-per-node=" + std::to_string(gpus) + "\n" +
           more;
  };
  const std::string small = "#SBATCH --partition=small\n";
  const std::string mixed = "#SBATCH --partition=mixed\n";
  CHECK(answer_of(nodes + parts, "", job_of(8, 4), "placeable") == "holds");
  CHECK(answer_of(nodes + parts, "", job_of(5, 8), "placeable") == "counterexample");
  CHECK(answer_of(nodes + parts, "", job_of(4, 4, small), "placeable") == "holds");
  CHECK(answer_of(nodes + parts, "", job_of(5, 4, small), "placeable") == "counterexample");
  CHECK(answer_of(nodes + parts, "", job_of(2, 8, mixed), "placeable") == "holds");
  CHECK(answer_of(nodes + parts, "", job_of(3, 8, mixed), "placeable") == "counterexample");
  CHECK(answer_of(nodes + parts, "", job_of(2, 8, "#SBATCH --partition=all,small\n"), "placeable") ==
        "left out: the one partition it goes to");
  const std::string outside = "left out: a fleet file with the node pools, or the whole slurm.conf with its nodes";
  CHECK(answer_of(nodes + parts + "Include elsewhere.conf\n", "", job_of(2, 8), "placeable") == outside);
  CHECK(answer_of(nodes + parts, "", job_of(2, 8, "#SBATCH --partition=gone\n"), "placeable") == outside);
  CHECK(answer_of("NodeName=a[1-4] CPUs=8 Gres=gpu:8 State=DOWN\n" + parts, "", job_of(2, 8), "placeable") == outside);
  CHECK(answer_of("NodeName=a[1-4] CPUs=8 Gres=gpu:h100:8\nNodeName=b[1-4] CPUs=8 Gres=gpu:a100:8\n" + parts, "",
                  job_of(2, 8), "placeable") == "holds");
  // Components of a heterogeneous job take the nodes that stand first, where these are alike.
  const std::string het = job_of(4, 4) + "#SBATCH hetjob\n" + job_of(4, 4, small);
  CHECK(answer_of(nodes + parts, "", het, "placeable") == "unknown");
  const std::string alike =
      "NodeName=a[1-8] CPUs=8 Gres=gpu:8\nPartitionName=all Nodes=ALL Default=YES\nPartitionName=small Nodes=";
  CHECK(answer_of(alike + "a[1-4]\n", "", het, "placeable") == "counterexample");
  CHECK(answer_of(alike + "a[5-8]\n", "", het, "placeable") == "holds");
  CHECK(answer_of(alike + "a[2-5]\n", "", het, "placeable") == "counterexample");
  CHECK(answer_of(alike + "a[5-8] PriorityTier=2\n", "", het, "placeable") == "unknown");
  CHECK(answer_of("SelectTypeParameters=CR_LLN\n" + alike + "a[5-8]\n", "", het, "placeable") == "unknown");
  // Segments in blocks.
  const std::string blocks =
      "TopologyPlugin=topology/block\nNodeName=a[1-9] CPUs=8 Gres=gpu:8\nPartitionName=all Nodes=ALL Default=YES\n";
  const std::string two = "BlockName=b1 Nodes=a[1-5]\nBlockName=b2 Nodes=a[6-9]\nBlockSizes=4\n";
  CHECK(answer_of(blocks, two, job_of(6, 8, "#SBATCH --segment=3\n"), "placeable") == "holds");
  CHECK(answer_of(blocks, two, job_of(9, 8, "#SBATCH --segment=3\n"), "placeable") == "counterexample");
}

TEST_CASE("segments of a batch job stand in a block each", "[prove]") {
  const auto answer_of = [](int nodes, const std::string& segment, const std::string& level) {
    const std::string fleet_file =
        "muster: fleet/v1\nname: f\nnode_pools: [{name: p, nodes: 'n[1-9]', control_plane: slurm, gpus_per_node: "
        "8}]\ntopology:\n  levels: [" +
        level + "]\n  domains: [{name: b1, level: " + level + ", nodes: 'n[1-5]'}, {name: b2, level: " + level +
        ", nodes: 'n[6-9]'}]\n";
    const std::string job = "#!/bin/bash\n#SBATCH --nodes=" + std::to_string(nodes) +
                            "\n#SBATCH --gpus-per-node=8\n#SBATCH --segment=" + segment + "\nsrun torchrun t.py\n";
    return told(test::prove_files({{"fleet.yaml", fleet_file}, {"j.sbatch", job}}, {"--property", "placeable"}));
  };
  CHECK(answer_of(8, "4", "block") == "holds");
  CHECK(answer_of(6, "3", "block") == "holds");
  CHECK(answer_of(9, "3", "block") == "counterexample");
  CHECK(answer_of(9, "1", "block") == "holds");
  CHECK(answer_of(10, "5", "block") == "counterexample");
  CHECK(answer_of(8, "3", "block") == "left out: a number of pods that its slices of 3 divide");
  CHECK(answer_of(6, "6", "block") == "left out: how Slurm joins blocks for a segment larger than one");
  CHECK(answer_of(6, "x", "block") == "left out: the size of its segments");
  CHECK(answer_of(8, "4", "leaf") == "left out: the blocks of the fleet file's topology, in which its segments stand");
}

TEST_CASE("gangs of one name are told apart, however many there are", "[prove]") {
  std::string manifests = job(", namespace: x", "", "");
  manifests.replace(manifests.find("name: train"), 11, "name: 'train (2)'");
  for (int i = 0; i < 1500; ++i) manifests += "---\n" + job(", namespace: n" + std::to_string(i), "", "");
  const test::FakeDisk disk({{"r/fleet.yaml", two_leaf_fleet(3)}, {"r/jobs.yaml", manifests}});
  const std::string worlds = test::run_command({"dump", "worlds", "/r"}, disk).out;
  std::set<std::string> names;
  std::size_t gangs = 0;
  const std::string start = "  - {name: \"";
  for (std::size_t at = worlds.find(start); at != std::string::npos; at = worlds.find(start, at + 1)) {
    names.insert(worlds.substr(at + start.size(), worlds.find('"', at + start.size()) - at - start.size()));
    ++gangs;
  }
  CHECK(gangs == 1501);
  CHECK(names.size() == gangs);
  CHECK(names.contains("train"));
  CHECK(names.contains("train (1501)"));
}

TEST_CASE("a counterexample is drawn with each gang, and names cannot leave their text", "[prove]") {
  const std::string world =
      "muster: world/v1\nname: 'two \"jobs\" & more'\npools: [{name: p, nodes: [{count: 1, gpus: 8}]}]\n"
      "gangs: [{name: 'a\"/></text', pods: 5, gpus_per_pod: 1}, {name: b, pods: 5, gpus_per_pod: 1}]\n";
  const test::FakeDisk disk({{"w.yaml", world}});
  const test::Ran ran = test::run_command({"prove", "/w.yaml", "--format", "svg", "--property", "no-deadlock"}, disk);
  CHECK(ran.code == 1);
  CHECK(ran.out.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(ran.out.ends_with("</svg>\n"));
  CHECK(ran.out.find("two &quot;jobs&quot; &amp; more: no-deadlock is broken") != std::string::npos);
  CHECK(ran.out.find(">a&quot;/&gt;&lt;/text holds 4 of 5 pods<") != std::string::npos);
  CHECK(ran.out.find("a\"/>") == std::string::npos);
  CHECK(ran.out.find(">b holds 4 of 5 pods<") != std::string::npos);
  // Eight placements of one GPU each, all of gangs that are stuck, and two entries of the legend.
  std::size_t hatched = 0;
  for (std::size_t at = ran.out.find("url(#stuck)"); at != std::string::npos; at = ran.out.find("url(#stuck)", at + 1))
    ++hatched;
  CHECK(hatched == 10);
  const test::Ran fine = test::run_command({"prove", "/w.yaml", "--format", "svg", "--property", "placeable"}, disk);
  CHECK(fine.code == 0);
  CHECK(fine.out.find(">no counterexample<") != std::string::npos);
}

TEST_CASE("SARIF tells a deadlock as one thread for each gang", "[prove]") {
  std::string other = job("", "", "");
  other.replace(other.find("train"), 5, "other");
  const test::FakeDisk disk({{"r/fleet.yaml", two_leaf_fleet(3)}, {"r/jobs.yaml", job("", "", "") + "---\n" + other}});
  const test::Ran ran = test::run_command({"check", "/r", "--format", "sarif"}, disk);
  const Json log = Json::parse(ran.out);
  std::vector<std::string> names;
  for (const Json& result : log["runs"][0]["results"]) {
    if (result["ruleId"] != "gang-deadlock-reachable") {
      CHECK_FALSE(result.contains("codeFlows"));
      continue;
    }
    REQUIRE(result["codeFlows"].size() == 1);
    std::set<int> orders;
    for (const Json& flow : result["codeFlows"][0]["threadFlows"]) {
      names.push_back(flow["id"]);
      for (const Json& place : flow["locations"]) {
        CHECK(orders.insert(place["executionOrder"].get<int>()).second);
        CHECK(place["location"]["physicalLocation"]["artifactLocation"]["uri"] == "r/jobs.yaml");
        CHECK(place["location"]["message"]["text"].get<std::string>().find("`" + names.back() + "` places 1 pod") == 0);
      }
    }
    CHECK(orders.size() == 6);
    CHECK(*orders.rbegin() == 6);
  }
  CHECK(std::set<std::string>(names.begin(), names.end()) == std::set<std::string>{"train", "other"});
}

TEST_CASE("a batch job takes as many different nodes as it needs to start, and whole ones where it says so",
          "[prove]") {
  const auto placeable = [](const std::string& directives) {
    return told(test::prove_files(
        {{"fleet.yaml", test::plain_fleet(8)}, {"job.sbatch", "#!/bin/bash\n" + directives + "srun torchrun t.py\n"}},
        {"--property", "placeable", "--concurrent", "2"}));
  };
  CHECK(placeable("#SBATCH --nodes=8\n#SBATCH --gpus-per-node=8\n") == "holds");
  CHECK(placeable("#SBATCH --nodes=9\n#SBATCH --gpus-per-node=8\n") == "counterexample");
  CHECK(placeable("#SBATCH --nodes=4-16\n#SBATCH --gpus-per-node=8\n") == "holds");
  // Nine nodes of which each takes two: but they are different nodes.
  CHECK(placeable("#SBATCH --nodes=9\n#SBATCH --gpus-per-node=4\n") == "counterexample");
  CHECK(placeable("#SBATCH --nodes=8\n#SBATCH --exclusive\n#SBATCH --gres=gpu:1\n") == "holds");
  CHECK(placeable("#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\n#SBATCH --nodelist=n[1-2]\n") == "unknown");
  CHECK(placeable("#SBATCH --nodes=8\n#SBATCH --gpus-per-node=8\n#SBATCH --segment=4\n") ==
        "left out: the blocks of the fleet file's topology, in which its segments stand");
}

TEST_CASE("an object that makes several gangs makes all of them in its world", "[prove]") {
  const auto set_of = [](const std::string& replicas) {
    return "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: llm}\nspec:\n  "
           "replicas: " +
           replicas +
           "\n  leaderWorkerTemplate:\n    size: 4\n    workerTemplate:\n      spec:\n        containers:\n          - "
           "{name: w, image: example/llm, resources: {limits: {nvidia.com/gpu: 8}}}\n";
  };
  // Six nodes: one group of four fits, three of them can each hold a part.
  CHECK(told_of(two_leaf_fleet(3), set_of("1"), "no-deadlock") == "holds");
  const Json answer = prove_jobs(two_leaf_fleet(3), set_of("3"), {"--property", "no-deadlock"});
  CHECK(answer["results"][0]["gangs"].size() == 3);
  CHECK(answer["results"][0]["verdict"] == "counterexample");
  CHECK(told_of(two_leaf_fleet(3), set_of("9000"), "no-deadlock") ==
        "left out: a world of at most 5000 gangs (it makes 9000)");
}
