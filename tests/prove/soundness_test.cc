// What a world does not state is never proved, and what bounds a gang bounds every property.
#include "prove/prove.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/model.h"
#include "support/proofs.h"

using namespace muster;
using Json = nlohmann::json;

namespace {

/// Verdict and reason.
std::string reasoned(const Json& answer) {
  if (answer["results"].empty()) return test::told(answer);
  return test::told(answer) + ": " + answer["results"][0]["reason"].get<std::string>();
}

std::string batch(const std::string& directives,
                  const std::string& node = "CPUs=64 RealMemory=500000 Gres=gpu:h100:8") {
  const std::string conf = "ClusterName=c\nSlurmctldHost=h\nGresTypes=gpu\nNodeName=n[1-4] " + node +
                           "\nPartitionName=p Nodes=ALL Default=YES MaxTime=1-00:00:00\n";
  std::string lines;
  for (std::size_t at = 0; at < directives.size();) {
    const std::size_t end = std::min(directives.find(' ', at), directives.size());
    lines += "#SBATCH " + directives.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return reasoned(
      test::prove_files({{"slurm.conf", conf}, {"j.sbatch", "#!/bin/bash\n" + lines + "srun torchrun t.py\n"}},
                        {"--property", "placeable"}));
}

std::string pod(const std::string& spec, const std::string& resources, const std::string& node) {
  const std::string job =
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: t}\nspec:\n  completionMode: Indexed\n  completions: 2\n  "
      "parallelism: 2\n  template:\n    spec:\n      restartPolicy: Never\n" +
      spec +
      "      containers:\n        - name: w\n          image: e/t:1\n          command: [torchrun, --nnodes=2, t.py]\n "
      "         resources: {limits: {nvidia.com/gpu: 8" +
      resources + "}}\n";
  return reasoned(test::prove_jobs(test::plain_fleet(4, node), job, {"--property", "placeable"}));
}

World read(const std::string& rest) {
  const Workspace workspace = test::read_files({{"world.yaml", "muster: world/v1\nname: w\n" + rest}});
  for (const Finding& finding : workspace.findings) UNSCOPED_INFO(finding.message);
  REQUIRE(workspace.model.worlds.size() == 1);
  return workspace.model.worlds.front();
}

ProofResult prove(const World& world, Property property, const ProveLimits& limits = {}) {
  return prove_world(world, {property}, limits).front();
}

const std::string kUnstated = "unknown: by what the world states it holds, but `j.sbatch` asks for ";

}  // namespace

TEST_CASE("a batch job that asks for more than its nodes have is not placeable", "[prove][worlds]") {
  const std::string never = "counterexample: `j.sbatch` needs 2 pods; the empty nodes take 0";
  CHECK(batch("--nodes=2 --gres=gpu:8 --mem=400G --time=12:00:00 --ntasks-per-node=8 --cpus-per-task=8")
            .starts_with("holds"));
  CHECK(batch("--nodes=2 --gres=gpu:16") == never);
  CHECK(batch("--nodes=2 --gres=gpu:16 --exclusive") == never);
  CHECK(batch("--nodes=2 --gres=gpu:a100:8") == never);
  CHECK(batch("--nodes=2 --gres=gpu:8 --mem=600G") == never);
  CHECK(batch("--nodes=2 --gres=gpu:8 --mem-per-gpu=70G") == never);
  CHECK(batch("--nodes=2 --gres=gpu:8 --ntasks-per-node=8 --cpus-per-task=16") == never);
  CHECK(batch("--nodes=2 --gres=gpu:8 --cpus-per-task=65") == never);
  CHECK(batch("--nodes=1 --gres=gpu:16") == "counterexample: `j.sbatch` needs 1 pod; the empty nodes take 0");
}

TEST_CASE("what a batch job asks for that no node line states is named and proves nothing", "[prove][worlds]") {
  const std::string nothing = ", of which it says nothing";
  CHECK(batch("--nodes=2 --gres=gpu:8 --time=2-00:00:00") ==
        kUnstated + "time limit (MaxTime of partition `p`)" + nothing);
  CHECK(batch("--nodes=2 --gres=gpu:8 --time=UNLIMITED") ==
        kUnstated + "time limit (MaxTime of partition `p`)" + nothing);
  for (const std::string option :
       {"constraint", "licenses", "qos", "reservation", "nodelist", "exclude", "tmp", "mincpus"}) {
    CHECK(batch("--nodes=2 --gres=gpu:8 --" + option + "=1") == kUnstated + "`--" + option + "`" + nothing);
  }
  CHECK(batch("--nodes=2 --gres=gpu:8,nvme:1") == kUnstated + "gres `nvme`" + nothing);
  CHECK(batch("--nodes=2 --gres=gpu:h100:8", "CPUs=64 Gres=gpu:8") == kUnstated + "GPU type `h100`" + nothing);
  CHECK(batch("--nodes=2 --gres=gpu:8 --mem=1G", "CPUs=64 Gres=gpu:8") == kUnstated + "memory" + nothing);
  // What changes nothing about the nodes is no demand.
  CHECK(batch("--nodes=2 --gres=gpu:8 --job-name=x --output=o.txt --mail-type=END --requeue").starts_with("holds"));
}

TEST_CASE("what a pod asks of its node is counted where the fleet file states it, and proves nothing else",
          "[prove][worlds]") {
  const std::string unstated = "unknown: by what the world states it holds, but `t` asks for ";
  const std::string stated = ", node: {cpus: 96, memory_mib: 1000, labels: {zone: a}}";
  CHECK(pod("", "", "").starts_with("holds"));
  CHECK(pod("", ", cpu: 96, memory: 1000Mi", stated).starts_with("holds"));
  CHECK(pod("", ", cpu: 97", stated).starts_with("counterexample"));
  CHECK(pod("", ", memory: 1001Mi", stated).starts_with("counterexample"));
  CHECK(pod("", ", cpu: 1", "") == unstated + "CPUs, of which it says nothing");
  CHECK(pod("", ", memory: 1Gi", "") == unstated + "memory, of which it says nothing");
  CHECK(pod("", ", rdma/hca: 1", "") == unstated + "`rdma/hca`, of which it says nothing");
  CHECK(pod("      nodeSelector: {zone: a}\n", "", stated).starts_with("holds"));
  CHECK(pod("      nodeSelector: {zone: b}\n", "", stated).starts_with("counterexample"));
  CHECK(pod("      nodeSelector: {rack: b}\n", "", stated) ==
        unstated + "node selector `rack`, of which it says nothing");
  const std::string affinity =
      "      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
      "kubernetes.io/hostname, labelSelector: {}}]}}\n";
  CHECK(pod(affinity, "", stated) == unstated + "affinity, of which it says nothing");
  CHECK(pod("      hostNetwork: true\n      initContainers: [{name: i, image: e, ports: [{containerPort: 29500}]}]\n",
            "", stated) == unstated + "host ports, of which it says nothing");
  const std::string tainted = ", node: {taints: ['gpu=only:NoSchedule']}";
  CHECK(pod("", "", tainted) == unstated + "taint `gpu=only:NoSchedule`, of which it says nothing");
  CHECK(pod("      tolerations: [{key: gpu, operator: Exists}]\n", "", tainted).starts_with("holds"));
}

TEST_CASE("the limit of a queue bounds every property", "[prove]") {
  const World ten = read(
      "pools: [{name: p, nodes: [{count: 4, gpus: 8}]}]\nqueues: [{name: q, gpus: 8}]\ngangs: [{name: a, pods: 10, "
      "gpus_per_pod: 1, queue: q}]\n");
  const ProofResult never = prove(ten, Property::Placeable);
  CHECK(never.verdict == Verdict::Counterexample);
  CHECK(never.reason == "`a` asks for 10 GPUs; queue `q` admits 8");
  CHECK(prove(ten, Property::AllOrNothing).verdict == Verdict::Counterexample);
  CHECK(prove(ten, Property::NoDeadlock).verdict == Verdict::Counterexample);
  // Two pools, one queue: they stop each other though they share no node.
  const World apart = read(
      "pools: [{name: p, nodes: [{gpus: 4}]}, {name: r, nodes: [{gpus: 4}]}]\nqueues: [{name: q, gpus: 4}]\n"
      "gangs: [{name: a, pool: p, pods: 3, gpus_per_pod: 1, queue: q}, {name: b, pool: r, pods: 3, gpus_per_pod: 1, "
      "queue: q}]\n");
  CHECK(prove(apart, Property::NoDeadlock).verdict == Verdict::Counterexample);
}

TEST_CASE("memory is counted to the byte", "[prove]") {
  const std::string nodes =
      "pools: [{name: p, nodes: [{gpus: 8, memory: 2000G}]}]\ngangs: [{name: a, pods: 8, gpus_per_pod: 1, mechanism: "
      "atomic, memory_per_pod: ";
  CHECK(prove(read(nodes + "250G}]\n"), Property::Placeable).verdict == Verdict::Holds);
  CHECK(prove(read(nodes + "'250000000001'}]\n"), Property::Placeable).verdict == Verdict::Counterexample);
}

TEST_CASE("pods that work alone finish one by one and leave less than their commit", "[prove]") {
  // Both of `a` are there at first; when one is done, a pod of `b` stands in its place and the other waits.
  const std::string loose = "{name: a, pods: 2, gpus_per_pod: 1, mechanism: atomic, tightly_coupled: false}";
  const World world =
      read("pools: [{name: p, nodes: [{gpus: 2}]}]\ngangs: [" + loose + ", {name: b, pods: 2, gpus_per_pod: 1}]\n");
  CHECK(prove(world, Property::AllOrNothing).verdict == Verdict::Counterexample);
  CHECK(prove(world, Property::NoDeadlock).verdict == Verdict::Holds);
  CHECK(prove(read("pools: [{name: p, nodes: [{gpus: 2}]}]\ngangs: [{name: a, pods: 2, gpus_per_pod: 1, "
                   "tightly_coupled: false, instances: 3}]\n"),
              Property::NoDeadlock)
            .verdict == Verdict::Holds);
}

TEST_CASE("the quota of a pool is its own where a gang joins it to another", "[prove]") {
  const auto world = [](const std::string& quota) {
    return read("pools: [{name: p, quota: " + quota +
                ", nodes: [{gpus: 8}]}, {name: r, quota: 8, nodes: [{gpus: 8}]}]\n"
                "gangs: [{name: a, mechanism: quota, roles: [{pool: p, pods: 4, gpus_per_pod: 1}, {pool: r, pods: 1, "
                "gpus_per_pod: 1}]}]\n");
  };
  CHECK(prove(world("4"), Property::Placeable).verdict == Verdict::Holds);
  const ProofResult less = prove(world("3"), Property::Placeable);
  CHECK(less.verdict == Verdict::Counterexample);
  CHECK(less.reason == "`a` asks for 4 GPUs; the quota admits 3");
}

TEST_CASE("of more than 32 gangs each is told apart when pods are lost", "[prove]") {
  // The last one was once whole: what a fault leaves of it is not given back.
  std::string gangs;
  for (int i = 0; i < 33; ++i) gangs += "{name: g" + std::to_string(i) + ", pods: 1, gpus_per_pod: 9}, ";
  const World world = read("pools: [{name: p, nodes: [{gpus: 2}]}]\ngangs: [" + gangs +
                           "{name: last, pods: 2, gpus_per_pod: 1, mechanism: hold-and-release, timeout_seconds: 60}, "
                           "{name: one, pods: 1, gpus_per_pod: 1, tightly_coupled: false}, "
                           "{name: short, pods: 2, gpus_per_pod: 1}]\n");
  const ProofResult result = prove(world, Property::NoDeadlock, {200'000, 64, 1, 1});
  REQUIRE(result.counterexample);
  CHECK(replay(world, Property::NoDeadlock, *result.counterexample, 1).empty());
}

TEST_CASE("a gang whose single pods are evicted is left short unless it restarts as a whole", "[prove]") {
  const auto verdict = [](const std::string& preempts, const std::string& restarts) {
    const World world = read(
        "pools: [{name: p, nodes: [{gpus: 5}]}]\ngangs: [{name: low, pods: 5, gpus_per_pod: 1, mechanism: atomic, "
        "restarts: " +
        restarts + "}, {name: high, pods: 2, gpus_per_pod: 1, mechanism: atomic, priority: 10, preempts: " + preempts +
        "}]\n");
    const ProofResult result = prove(world, Property::AllOrNothing);
    if (result.counterexample) CHECK(replay(world, Property::AllOrNothing, *result.counterexample, 0).empty());
    return result.verdict;
  };
  CHECK(verdict("pods", "pods") == Verdict::Counterexample);
  CHECK(verdict("pods", "whole") == Verdict::Holds);
  CHECK(verdict("gangs", "pods") == Verdict::Holds);
  CHECK(verdict("true", "pods") == Verdict::Holds);
  CHECK(verdict("false", "pods") == Verdict::Holds);
}

TEST_CASE("gangs whose single pods are evicted are proved to go on where there is room for all", "[prove]") {
  const std::string gangs =
      "]}]\ngangs: [{name: low, pods: 5, gpus_per_pod: 1, mechanism: atomic, instances: 40}, {name: high, pods: 20, "
      "gpus_per_pod: 1, mechanism: atomic, priority: 10, preempts: pods}]\n";
  const ProofResult wide =
      prove(read("pools: [{name: p, nodes: [{count: 220, gpus: 1}" + gangs), Property::AllOrNothing);
  CHECK(wide.verdict == Verdict::Holds);
  CHECK(wide.certificate.checked);
  CHECK(prove(read("pools: [{name: p, nodes: [{count: 219, gpus: 1}" + gangs), Property::AllOrNothing).verdict !=
        Verdict::Holds);
}

TEST_CASE("what is found of roles with a domain or a minimum of their own replays", "[prove]") {
  const World world = read(
      "pools: [{name: p, nodes: [{count: 2, gpus: 2, domains: {leaf: x}}, {count: 1, gpus: 2, domains: {leaf: y}}]}]\n"
      "gangs: [{name: a, mechanism: atomic, guaranteed: 2, instances: 3, roles: [{name: u, pods: 2, gpus_per_pod: 1, "
      "guaranteed: 1, domain: leaf}, {name: v, pods: 2, gpus_per_pod: 1, guaranteed: 1}]}]\n");
  for (const Property property : {Property::AllOrNothing, Property::NoDeadlock}) {
    const ProofResult result = prove(world, property);
    CHECK(result.verdict == Verdict::Counterexample);
    REQUIRE(result.counterexample);
    CHECK(replay(world, property, *result.counterexample, 0).empty());
  }
}

TEST_CASE("of a world file that was not read as it was meant nothing is proved", "[prove]") {
  const test::FakeDisk disk({{"notes.txt", ""},
                             {"w.yaml",
                              "muster: world/v1\nname: w\npools: [{name: p, nodes: [{gpus: 8}]}]\ngangs: [{name: a, "
                              "pods: 9, gpus_per_pod: 1, mechanim: atomic}]\n"}});
  const test::Ran ran = test::run_command({"prove", "/w.yaml", "--format", "json"}, disk);
  CHECK(ran.code == 1);
  CHECK(Json::parse(ran.out)["results"].empty());
  CHECK(ran.err.find("`mechanim` is not a key of a gang; did you mean `mechanism`?") != std::string::npos);
  CHECK(ran.err.find("w.yaml:4") != std::string::npos);
}

TEST_CASE("every engine keeps to its budget", "[prove][prove-large]") {
  std::string gangs;
  for (int i = 0; i < 500; ++i) {
    gangs += "  - {name: g" + std::to_string(i) + ", pods: " + std::to_string(2 + i % 7) +
             ", gpus_per_pod: " + std::to_string(1 + i % 3) + ", priority: " + std::to_string(i % 11) +
             ", preempts: true}\n";
  }
  const World world =
      read("pools: [{name: p, nodes: [{count: 300, gpus: 8}, {count: 40, gpus: 4}]}]\ngangs:\n" + gangs);
  for (const Property property : {Property::AllOrNothing, Property::NoDeadlock}) {
    const ProofResult result = prove(world, property, {2'000, 16, 1, 0});
    CHECK(result.states <= result.budget);
    CHECK(result.budget == 2'000);
  }
}
