// What a change does to findings, decisions, settings and topology.
#include <filesystem>
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/git.h"
#include "support/json.h"
#include "support/volcano_job.h"

using namespace muster;
using muster::test::FakeDisk;
using muster::test::Ran;
using muster::test::run_command;
using muster::test::volcano_job;
using Json = nlohmann::json;
using Files = std::map<std::string, std::string>;

namespace {

std::string workloads(bool bare_metal) {
  return std::string(
             "muster: workloads/v1\nworkloads:\n- {name: llm, nodes: 8, gpus_per_node: 8, tightly_coupled: true, "
             "bare_metal: ") +
         (bare_metal ? "true" : "false") +
         ", long_lived_services: false, multi_tenant: false, python_native_pipeline: false, edge_or_dev: false}\n";
}

std::string conf(const std::string& nodes, const std::string& plugin) {
  return "ClusterName=c\nSlurmctldHost=h\nTopologyPlugin=topology/" + plugin + "\nNodeName=" + nodes +
         " CPUs=8 RealMemory=1000\nPartitionName=p Nodes=" + nodes + " MaxTime=1-0\n";
}

/// Of two folders, `old` and `new`.
Ran diff(const Files& before, const Files& after, const std::vector<std::string>& more = {}) {
  FakeDisk disk(Files{});
  for (const auto& [name, text] : before) disk.files["old/" + name] = text;
  for (const auto& [name, text] : after) disk.files["new/" + name] = text;
  std::vector<std::string> words{"diff", "old", "new"};
  words.insert(words.end(), more.begin(), more.end());
  return run_command(words, disk);
}

}  // namespace

TEST_CASE("findings come, go and move", "[diff]") {
  const Ran ran = diff({{"a.yaml", volcano_job("a")}, {"b.yaml", volcano_job("b")}, {"c.yaml", volcano_job("c")}},
                       {{"a.yaml", "# shifted\n" + volcano_job("a")},
                        {"c.yaml", volcano_job("c", 8) + "---\n" + volcano_job("d")},
                        {"e.yaml", volcano_job("b")}});
  CHECK(ran.code == 0);
  CHECK(ran.out ==
        "findings\n"
        "  + error[gang-min-above-size] new/c.yaml:17:17: `d` wants 9 pods placed together but has only 8\n"
        "  - error[gang-min-above-size] old/c.yaml:5:17: `c` wants 9 pods placed together but has only 8\n"
        "  > error[gang-min-above-size] new/e.yaml:5:17: `b` wants 9 pods placed together but has only 8 (it was in "
        "old/b.yaml)\n"
        "\n"
        "settings\n"
        "  + batch.volcano.sh/v1alpha1/Job/d: scheduler: volcano (gang-scheduler, costly)\n"
        "\n"
        "1 finding added, 1 removed, 1 moved, 1 as before\n");
}

TEST_CASE("a decision that changes says how hard it is to undo, and can fail", "[diff]") {
  const Files before{{"workloads.yaml", workloads(true)}};
  const Files after{{"workloads.yaml", workloads(false)}};
  const Ran ran = diff(before, after, {"--format", "json"});
  CHECK(ran.code == 0);
  const Json json = Json::parse(ran.out);
  CHECK(json["decisions"][0]["subject"] == "llm");
  CHECK(json["decisions"][0]["choice"] == "control-plane");
  CHECK(json["decisions"][0]["from"] == "slurm");
  CHECK(json["decisions"][0]["to"] == "kubernetes");
  CHECK(json["decisions"][0]["reversibility"] == "baked-in");
  CHECK(json["decisions"][0]["touched"] == true);
  CHECK(json["summary"]["baked_in"].get<int>() > 0);
  CHECK(diff(before, after, {"--fail-on-change", "baked-in"}).code == 1);
  CHECK(diff(before, after, {"--fail-on-change", "costly"}).code == 1);
  CHECK(diff(before, before, {"--fail-on-change", "costly"}).code == 0);
  // A workload that is new undoes nothing, and one whose facts become known neither.
  CHECK(diff({{"a.yaml", "a: 1\n"}}, after, {"--fail-on-change", "costly"}).code == 0);
  const Files open{{"workloads.yaml", replace_all(workloads(true), "bare_metal: true, ", "")}};
  CHECK(diff(open, before, {"--fail-on-change", "baked-in"}).code == 0);
  CHECK(diff(before, open, {"--fail-on-change", "baked-in"}).code == 1);
  const Ran wrong = diff(before, after, {"--fail-on-change", "reversible"});
  CHECK(wrong.code == 2);
  CHECK(wrong.err == "muster: --fail-on-change: expected baked-in or costly, got `reversible`\n");
}

TEST_CASE("settings that go with a choice, and the names of a topology", "[diff]") {
  const Ran ran =
      diff({{"slurm.conf", conf("n[1-4]", "tree")}, {"topology.conf", "SwitchName=s1 Nodes=n[1-4]\n"}},
           {{"slurm.conf", conf("n[2-6]", "block")}, {"topology.conf", "BlockName=b1 Nodes=n[2-6]\nBlockSizes=5\n"}});
  CHECK(contains(ran.out,
                 "  ~ slurm.conf: TopologyPlugin: topology/tree -> topology/block (topology-model, baked-in)\n"
                 "      to undo, years: cabling, job sizes and generators follow from it"));
  CHECK(contains(ran.out, "  ~ slurm.conf: topologies: tree -> block (topology-model, baked-in)\n"));
  CHECK(contains(
      ran.out,
      "topology\n  ~ slurm.conf: blocks: +b1\n  ~ slurm.conf: nodes: +n[5-6] -n1\n  ~ slurm.conf: switches: -s1\n"));
  CHECK(contains(ran.out, "2 baked-in choices touched"));
}

TEST_CASE("how GPUs are handed out and shared, and what scales a service, go with a choice", "[diff]") {
  const auto fleet = [](const std::string& how) {
    return "muster: fleet/v1\nname: east\nnode_pools:\n  - {name: a, nodes: \"n[1-4]\", gpus_per_node: 8, accelerator: "
           "{partitioning: " +
           how + "}}\n";
  };
  const auto policy = [](const std::string& strategy) {
    return "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: p}\nspec: {mig: {strategy: " + strategy +
           "}}\n";
  };
  const auto pod = [](const std::string& asks) {
    return "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: [{name: a, image: \"x:1\", resources: "
           "{" +
           asks;
  };
  const std::string plain = pod("limits: {nvidia.com/gpu: 1}}}]\n");
  const std::string claims =
      pod("claims: [{name: g}]}}]\n  resourceClaims: [{name: g, resourceClaimTemplateName: t}]\n");
  const std::string scaled =
      "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: s}\nspec: {minReplicaCount: 2, "
      "scaleTargetRef: "
      "{name: chat}, triggers: [{type: cpu, metadata: {value: \"50\"}, metricType: Utilization}]}\n";
  const Ran ran = diff(
      {{"fleet.yaml", fleet("none")}, {"policy.yaml", policy("single")}, {"pod.yaml", plain}, {"scaled.yaml", scaled}},
      {{"fleet.yaml", fleet("mig")},
       {"policy.yaml", policy("mixed")},
       {"pod.yaml", claims},
       {"scaled.yaml", replace_all(scaled, "Count: 2", "Count: 0")}});
  INFO(ran.out);
  CHECK(contains(ran.out,
                 "  ~ east, pool a: accelerator.partitioning: none -> mig (isolation, baked-in)\n"
                 "      to undo, years: contracts, networks and accounts are built along the boundary\n"));
  CHECK(contains(ran.out, ": mig.strategy: single -> mixed (isolation, baked-in)\n"));
  CHECK(contains(ran.out,
                 ": GPUs by: extended resources -> claims (dra, costly)\n"
                 "      to undo, months: manifests ask for GPUs in another way, and a node is moved drained\n"));
  CHECK(contains(ran.out, "  ~ chat: fewest replicas: 2 -> 0 (serving, reversible)\n"));
}

TEST_CASE("a revision is compared with the work tree", "[diff]") {
  if (!test::has_git()) return;
  const test::Repository repository;
  repository.write("a.yaml", volcano_job("a"));
  repository.commit();
  repository.write("b.yaml", volcano_job("b"));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(repository.path());
  const Ran ran = run_command({"diff", "HEAD", "."});
  const Ran unknown = run_command({"diff", "nowhere", "."});
  const Ran one = run_command({"diff", "HEAD"});
  std::filesystem::current_path(before);
  CHECK(ran.code == 0);
  CHECK(contains(ran.out, "  + error[gang-min-above-size] b.yaml:5:17: "));
  CHECK(contains(ran.out, "1 finding added, 0 removed, 1 as before\n"));
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.err, "`nowhere` is no file or folder here, and as a revision: `nowhere` is no commit of "));
  CHECK(one.code == 2);
}

TEST_CASE("what is installed, what serves and which devices a class has go with a choice", "[diff]") {
  const auto release = [](const std::string& chart, const std::string& values = "") {
    return "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: r, namespace: n}\nspec:\n  "
           "interval: 10m\n  chart: {spec: {chart: " +
           chart + ", sourceRef: {kind: HelmRepository, name: h}}}\n" + values;
  };
  const auto device_class = [](const std::string& driver) {
    return "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec:\n  selectors: [{cel: "
           "{expression: device.driver == '" +
           driver + "'}}]\n";
  };
  const auto service = [](const std::string& mode) {
    return "apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nmetadata: {name: chat, annotations: "
           "{serving.kserve.io/deploymentMode: " +
           mode +
           "}}\nspec: {predictor: {minReplicas: 1, model: {modelFormat: {name: huggingface}, storageUri: "
           "\"pvc://m/a\"}}}\n";
  };
  const auto fleet = [](const std::string& by) {
    return "muster: fleet/v1\nname: east\nnode_pools:\n  - {name: a, gpus_per_node: 8, autoscaling: {by: " + by +
           "}}\n";
  };
  const Ran ran = diff({{"a/release.yaml", release("volcano")},
                        {"b/release.yaml", release("nvidia-device-plugin")},
                        {"class.yaml", device_class("gpu.nvidia.com")},
                        {"service.yaml", service("Serverless")},
                        {"fleet.yaml", fleet("cluster-autoscaler")}},
                       {{"a/release.yaml", release("kai-scheduler")},
                        {"b/release.yaml", release("nvidia-dra-driver-gpu")},
                        {"class.yaml", device_class("gpu.example.com")},
                        {"service.yaml", service("RawDeployment")},
                        {"fleet.yaml", fleet("karpenter")}});
  INFO(ran.out);
  CHECK(contains(ran.out, ": chart: volcano -> kai-scheduler (gang-scheduler, costly)\n      to undo, months: "));
  CHECK(contains(ran.out, ": chart: nvidia-device-plugin -> nvidia-dra-driver-gpu (dra, costly)\n      to undo, "));
  CHECK(contains(
      ran.out, ": selectors: device.driver == 'gpu.nvidia.com' -> device.driver == 'gpu.example.com' (dra, costly)\n"));
  CHECK(contains(ran.out, ": served by: KServe, Serverless -> KServe, RawDeployment (serving, reversible)\n"));
  CHECK(contains(ran.out, "  ~ east, pool a: autoscaling.by: cluster-autoscaler -> karpenter (addons, costly)\n"));
}

TEST_CASE("revisions are compared with the submodules that they name", "[diff]") {
  if (!test::has_git()) return;
  const test::Repository inner;
  inner.write("i.yaml", volcano_job("i"));
  inner.commit();
  const test::Repository repository;
  repository.write("a.yaml", volcano_job("a"));
  REQUIRE(repository.git("submodule add -q 'file://" + inner.path() + "' inner"));
  repository.commit();
  inner.write("j.yaml", volcano_job("j"));
  inner.commit();
  REQUIRE(repository.git("-C inner pull -q"));
  repository.commit("two");
  REQUIRE(repository.git("update-index --cacheinfo 160000,1234567890123456789012345678901234567890,inner"));
  REQUIRE(repository.git("commit -q -m lost"));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(repository.path());
  const Ran read = run_command({"diff", "HEAD~2", "HEAD~1"});
  const Ran lost = run_command({"diff", "HEAD~2", "HEAD"});
  const Json json = Json::parse(run_command({"diff", "HEAD", "HEAD~2", "--format", "json"}).out);
  const Ran same = run_command({"diff", "HEAD", "HEAD"});
  std::filesystem::current_path(before);
  CHECK(contains(read.out, "  + error[gang-min-above-size] inner/j.yaml:5:17: "));
  CHECK(contains(read.out, "1 finding added, 0 removed, 2 as before\n"));
  CHECK_FALSE(contains(read.out, "not compared"));
  CHECK(contains(lost.out, "not compared\n  ! submodule `inner` changed from `"));
  CHECK(contains(lost.out, "` to `123456789012`, of which `123456789012` is not here: not compared"));
  CHECK(contains(lost.out, "0 findings added, 0 removed, "));
  CHECK(json["not_compared"].size() == 1);
  CHECK(json["findings"]["added"].empty());
  CHECK(json["findings"]["removed"].empty());
  CHECK_FALSE(contains(same.out, "submodule"));
}
