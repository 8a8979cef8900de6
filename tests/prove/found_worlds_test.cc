// Worlds that are made of the gangs and the fleet of a repository.
#include <nlohmann/json.hpp>

#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"

using namespace muster;
using Json = nlohmann::json;

namespace {

/// Two leaves of so many nodes of eight GPUs.
std::string fleet(int nodes_of_a_leaf) {
  const std::string last = std::to_string(nodes_of_a_leaf);
  return "muster: fleet/v1\nname: lab\nnode_pools: [{name: gpu, nodes: 'a[1-" + last + "],b[1-" + last +
         "]', gpus_per_node: 8}]\ntopology:\n  levels: [spine, leaf]\n  domains:\n    - {name: s, level: spine}\n    - {name: la, level: leaf, parent: s, nodes: 'a[1-" + last +
         "]'}\n    - {name: lb, level: leaf, parent: s, nodes: 'b[1-" + last + "]'}\n";
}

/// A Job of four pods with eight GPUs each.
std::string job(const std::string& metadata, const std::string& template_metadata, const std::string& spec) {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: train" + metadata +
         "}\nspec:\n  completionMode: Indexed\n  completions: 4\n  parallelism: 4\n  template:\n    metadata: {" + template_metadata +
         "}\n    spec:\n      restartPolicy: Never\n" + spec +
         "      containers:\n        - name: w\n          image: example.com/t:1\n          command: [torchrun, --nnodes=4, t.py]\n          resources: {limits: {nvidia.com/gpu: 8}}\n";
}

Json prove(const std::string& fleet_file, const std::string& manifest, const std::vector<std::string>& more) {
  const test::FakeDisk disk({{"r/fleet.yaml", fleet_file}, {"r/jobs.yaml", manifest}});
  std::vector<std::string> words{"prove", "/r", "--format", "json"};
  words.insert(words.end(), more.begin(), more.end());
  const test::Ran ran = test::run_command(words, disk);
  INFO(ran.err);
  REQUIRE_FALSE(ran.out.empty());
  return Json::parse(ran.out);
}

std::string verdict(const std::string& fleet_file, const std::string& manifest, const std::string& property) {
  const Json answer = prove(fleet_file, manifest, {"--property", property});
  if (answer["results"].empty()) return "left out: " + answer["left_out"][0]["needs"].get<std::string>();
  return answer["results"][0]["verdict"];
}

}  // namespace

TEST_CASE("a gang that has to stand in one domain is held against the domains of the fleet file", "[prove]") {
  const std::string kueue = job(", labels: {kueue.x-k8s.io/queue-name: q}", "annotations: {kueue.x-k8s.io/podset-required-topology: net.example.com/leaf}", "");
  CHECK(verdict(fleet(3), kueue, "placeable") == "counterexample");
  CHECK(verdict(fleet(4), kueue, "placeable") == "holds");
  const std::string wide = job(", labels: {kueue.x-k8s.io/queue-name: q}", "annotations: {kueue.x-k8s.io/podset-required-topology: spine}", "");
  CHECK(verdict(fleet(3), wide, "placeable") == "holds");
  CHECK(verdict(fleet(1), wide, "placeable") == "counterexample");
  const std::string preferred = job(", labels: {kueue.x-k8s.io/queue-name: q}", "annotations: {kueue.x-k8s.io/podset-preferred-topology: leaf}", "");
  CHECK(verdict(fleet(3), preferred, "placeable") == "holds");
  const std::string kai = job(", annotations: {kai.scheduler/batch-min-member: '4', kai.scheduler/topology: t, kai.scheduler/topology-required-placement: leaf}", "",
                              "      schedulerName: kai-scheduler\n");
  CHECK(verdict(fleet(3), kai, "placeable") == "counterexample");
  CHECK(verdict(fleet(4), kai, "placeable") == "holds");
  // Nobody reads Kueue's annotation for KAI.
  CHECK(verdict(fleet(3), job("", "annotations: {kueue.x-k8s.io/podset-required-topology: leaf}", "      schedulerName: kai-scheduler\n"), "placeable") == "holds");
}

TEST_CASE("where the domains are not known a gang is left out and not judged without them", "[prove]") {
  const std::string rack = job(", labels: {kueue.x-k8s.io/queue-name: q}", "annotations: {kueue.x-k8s.io/podset-required-topology: example.com/rack}", "");
  CHECK(verdict(fleet(4), rack, "placeable") == "left out: which level of the fleet file's topology `example.com/rack` is");
  const std::string volcano =
      "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: v}\nspec:\n  schedulerName: volcano\n  minAvailable: 4\n  MODE  tasks:\n"
      "    - name: w\n      replicas: 4\n      template:\n        spec:\n          containers:\n            - {name: w, image: 'e/t:1', command: [torchrun, --nnodes=4, t.py], resources: {limits: {nvidia.com/gpu: 8}}}\n";
  const auto with = [&](const std::string& mode) {
    std::string text = volcano;
    return text.replace(text.find("MODE  "), 6, mode);
  };
  CHECK(verdict(fleet(4), with("networkTopology: {mode: hard, highestTierAllowed: 1}\n  "), "placeable") ==
        "left out: whether Volcano runs the plugin network-topology-aware, and which nodes its HyperNodes have");
  CHECK(verdict(fleet(4), with("networkTopology: {mode: soft, highestTierAllowed: 1}\n  "), "placeable") == "holds");
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
  for (std::size_t at = ran.out.find("url(#stuck)"); at != std::string::npos; at = ran.out.find("url(#stuck)", at + 1)) ++hatched;
  CHECK(hatched == 10);
  const test::Ran fine = test::run_command({"prove", "/w.yaml", "--format", "svg", "--property", "placeable"}, disk);
  CHECK(fine.code == 0);
  CHECK(fine.out.find(">no counterexample<") != std::string::npos);
}

TEST_CASE("SARIF tells a deadlock as one thread for each gang", "[prove]") {
  std::string other = job("", "", "");
  other.replace(other.find("train"), 5, "other");
  const test::FakeDisk disk({{"r/fleet.yaml", fleet(3)}, {"r/jobs.yaml", job("", "", "") + "---\n" + other}});
  const test::Ran ran = test::run_command({"check", "/r", "--format", "sarif"}, disk);
  const Json log = Json::parse(ran.out);
  std::vector<std::string> told;
  for (const Json& result : log["runs"][0]["results"]) {
    if (result["ruleId"] != "gang-deadlock-reachable") {
      CHECK_FALSE(result.contains("codeFlows"));
      continue;
    }
    REQUIRE(result["codeFlows"].size() == 1);
    std::set<int> orders;
    for (const Json& flow : result["codeFlows"][0]["threadFlows"]) {
      told.push_back(flow["id"]);
      for (const Json& place : flow["locations"]) {
        CHECK(orders.insert(place["executionOrder"].get<int>()).second);
        CHECK(place["location"]["physicalLocation"]["artifactLocation"]["uri"] == "r/jobs.yaml");
        CHECK(place["location"]["message"]["text"].get<std::string>().find("`" + told.back() + "` places 1 pod") == 0);
      }
    }
    CHECK(orders.size() == 6);
    CHECK(*orders.rbegin() == 6);
  }
  CHECK(std::set<std::string>(told.begin(), told.end()) == std::set<std::string>{"train", "other"});
}

TEST_CASE("a batch job takes as many different nodes as it needs to start, and whole ones where it says so", "[prove]") {
  const auto placeable = [](const std::string& directives) {
    const test::FakeDisk disk({{"r/fleet.yaml", "muster: fleet/v1\nname: lab\nnode_pools: [{name: gpu, nodes: 'n[1-8]', gpus_per_node: 8}]\n"},
                               {"r/job.sbatch", "#!/bin/bash\n" + directives + "srun torchrun t.py\n"}});
    const Json answer = Json::parse(test::run_command({"prove", "/r", "--format", "json", "--property", "placeable", "--concurrent", "2"}, disk).out);
    if (answer["results"].empty()) return answer["left_out"].empty() ? std::string("nothing") : "left out: " + answer["left_out"][0]["needs"].get<std::string>();
    return answer["results"][0]["verdict"].get<std::string>();
  };
  CHECK(placeable("#SBATCH --nodes=8\n#SBATCH --gpus-per-node=8\n") == "holds");
  CHECK(placeable("#SBATCH --nodes=9\n#SBATCH --gpus-per-node=8\n") == "counterexample");
  CHECK(placeable("#SBATCH --nodes=4-16\n#SBATCH --gpus-per-node=8\n") == "holds");
  // Nine nodes of which each takes two: but they are different nodes.
  CHECK(placeable("#SBATCH --nodes=9\n#SBATCH --gpus-per-node=4\n") == "counterexample");
  CHECK(placeable("#SBATCH --nodes=8\n#SBATCH --exclusive\n#SBATCH --gres=gpu:1\n") == "holds");
  CHECK(placeable("#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\n#SBATCH --nodelist=n[1-2]\n") == "left out: which nodes its --nodelist, --constraint or --exclude means");
  CHECK(placeable("#SBATCH --nodes=8\n#SBATCH --gpus-per-node=8\n#SBATCH --segment=4\n") == "left out: where its segments fit the blocks");
}
