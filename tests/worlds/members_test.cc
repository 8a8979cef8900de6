// Who is in a world, and who is not and why.
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/proofs.h"

using namespace muster;
using test::plain_fleet;
using test::plain_job;
using test::prove_jobs;
using test::told;
using test::told_of;

namespace {

/// An MPIJob of a launcher that asks for so many CPUs and two workers of eight GPUs.
std::string mpi_job(const std::string& cpus) {
  return "apiVersion: kubeflow.org/v2beta1\nkind: MPIJob\nmetadata: {name: m}\nspec:\n  mpiReplicaSpecs:\n    "
         "Launcher: "
         "{replicas: 1, template: {spec: {containers: [{name: l, image: 'e/t:1', resources: {requests: {cpu: " +
         cpus +
         "}}}]}}}\n    Worker: {replicas: 2, template: {spec: {containers: [{name: w, image: 'e/t:1', resources: "
         "{requests: {cpu: 8}, limits: {nvidia.com/gpu: 8}}}]}}}\n";
}

}  // namespace

TEST_CASE("a job of one pod takes part where others compete for the nodes", "[worlds]") {
  const std::string one = plain_job("one", 1, 8, "python, t.py");
  CHECK(told_of(plain_fleet(2), plain_job("a", 2, 8), "all-or-nothing") == "holds");
  const nlohmann::json answer =
      prove_jobs(plain_fleet(2), plain_job("a", 2, 8) + one, {"--property", "all-or-nothing"});
  CHECK(told(answer) == "counterexample");
  CHECK(answer["results"][0]["gangs"] == nlohmann::json({"a", "one"}));
  CHECK(told_of(plain_fleet(2), one, "all-or-nothing") == "nothing");
}

TEST_CASE("a world names the gangs that compete and were left out of it", "[worlds]") {
  std::string open = plain_job("open", 4, 8);
  for (std::size_t at = open.find(": 4\n"); at != std::string::npos; at = open.find(": 4\n"))
    open.replace(at, 4, ": {{ .Values.n }}\n");
  const std::map<std::string, std::string> files{{"r/fleet.yaml", plain_fleet(2)},
                                                 {"r/jobs.yaml", plain_job("a", 2, 8)},
                                                 {"r/pod.yaml",
                                                  "apiVersion: v1\nkind: Pod\nmetadata: {name: sliced}\nspec: "
                                                  "{containers: [{name: c, image: 'e/t:1', resources: {limits: "
                                                  "{nvidia.com/mig-1g.5gb: 1}}}]}\n"}};
  const test::FakeDisk disk(files);
  const test::Ran ran = test::run_command({"prove", "/r", "--format", "json", "--property", "all-or-nothing"}, disk);
  const nlohmann::json answer = nlohmann::json::parse(ran.out);
  CHECK(told(answer) == "unknown");
  const nlohmann::json& besides = answer["results"][0]["besides"];
  REQUIRE(besides.size() == 1);
  CHECK(besides[0]["gang"] == "sliced");
  CHECK(besides[0]["needs"] == "how many `nvidia.com/mig-1g.5gb` a node has");
  const test::Ran text = test::run_command({"prove", "/r", "--property", "all-or-nothing"}, disk);
  CHECK(text.out.find("besides, left out: `sliced` (how many `nvidia.com/mig-1g.5gb` a node has)") !=
        std::string::npos);
}

TEST_CASE("a pod without accelerators may go to nodes that have none", "[worlds]") {
  const auto fleet_with = [](int cpus, const std::string& more) {
    return "muster: fleet/v1\nname: lab\nnode_pools:\n  - {name: gpu, nodes: 'n[1-2]', gpus_per_node: 8, node: "
           "{cpus: " +
           std::to_string(cpus) + "}}\n" + more;
  };
  const std::string others = "  - {name: cpu, nodes: 'c[1-2]', gpus_per_node: 0, node: {cpus: 64}}\n";
  CHECK(told_of(fleet_with(8, others), mpi_job("4"), "placeable") == "holds");
  CHECK(told_of(fleet_with(8, others), mpi_job("65"), "placeable") == "counterexample");
  CHECK(told_of(fleet_with(8, ""), mpi_job("4"), "placeable") == "counterexample");
  CHECK(told_of(fleet_with(12, ""), mpi_job("4"), "placeable") == "holds");
}

TEST_CASE("a label that a pool does not list is not known, be it listed by another", "[worlds]") {
  const std::string fleet =
      "muster: fleet/v1\nname: lab\nnode_pools:\n  - {name: a, nodes: 'a[1-2]', gpus_per_node: 8, node: {labels: "
      "{kind: "
      "h100}}}\n  - {name: b, nodes: 'b[1-2]', gpus_per_node: 8";
  const std::string job = plain_job("t", 3, 8, "torchrun, --nnodes=3", "nodeSelector: {kind: h100}, ");
  CHECK(told_of(fleet + "}\n", job, "placeable") == "left out: which of the pools its node selector or affinity means");
  CHECK(told_of(fleet + ", node: {labels: {kind: a100}}}\n", job, "placeable") == "counterexample");
  CHECK(told_of(fleet + ", node: {labels: {kind: h100}}}\n", job, "placeable") == "holds");
}

TEST_CASE("a taint keeps away whom no toleration fits, by key, value and effect", "[worlds]") {
  const auto verdict = [](const std::string& taint, const std::string& toleration) {
    return told_of(plain_fleet(2, ", node: {taints: [" + taint + "]}"),
                   plain_job("t", 2, 8, "torchrun, --nnodes=2", "tolerations: [" + toleration + "], "), "placeable");
  };
  CHECK(verdict("'team=a:NoSchedule'", "{key: team, value: a}") == "holds");
  CHECK(verdict("'team=a:NoSchedule'", "{key: team, operator: Exists, effect: NoSchedule}") == "holds");
  CHECK(verdict("'team=a:NoSchedule'", "{operator: Exists}") == "holds");
  CHECK(verdict("'team=a:NoSchedule'", "{key: team, value: b}") == "unknown");
  CHECK(verdict("'team=a:NoExecute'", "{key: team, operator: Exists, effect: NoSchedule}") == "unknown");
  CHECK(verdict("{key: team, value: a, effect: NoSchedule}", "{key: team, value: a, effect: NoSchedule}") == "holds");
  CHECK(verdict("'team:NoSchedule'", "{key: team, value: b}") == "unknown");
  CHECK(verdict("'team=7:NoSchedule'", "{key: team, operator: Gt, value: '7'}") == "unknown");
  // What the fleet file does not say is not known.
  CHECK(verdict("team", "{key: team, operator: Exists, effect: NoSchedule}") == "unknown");
  CHECK(verdict("team", "{key: team, operator: Exists}") == "holds");
}

TEST_CASE("a scheduler that nobody knows is not believed to place gangs, and a switch is none", "[worlds]") {
  const std::string job =
      "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: p}\nspec: {pytorchReplicaSpecs: {Worker: "
      "{replicas: "
      "4, template: {spec: {containers: [{name: pytorch, image: 'e/t:1', resources: {limits: {nvidia.com/gpu: "
      "8}}}]}}}}}\n";
  const auto under = [&](const std::string& scheduler) {
    return told(
        prove_jobs(plain_fleet(4), job, {"--set", "operators.training-operator.gang-scheduler-name=" + scheduler}));
  };
  CHECK(under("volcano") == "holds");
  CHECK(under("homegrown") == "left out: what scheduler `homegrown` does with gangs");
  CHECK(under("true") == "left out: what scheduler `true` does with gangs");
  std::string native = plain_job("n", 4, 8);
  native.replace(native.find("  template"), 0, "  scheduling: {schedulingPolicy: {gang: {minCount: 4}}}\n");
  const test::FakeDisk disk({{"r/fleet.yaml", plain_fleet(4)}, {"r/jobs.yaml", native}});
  const test::Ran worlds =
      test::run_command({"dump", "worlds", "/r", "--set", "operators.kubernetes.workload-with-job=true"}, disk);
  CHECK(worlds.out.find("scheduler: \"native\"") != std::string::npos);
}

TEST_CASE("worlds stay within what the prover is made for, and say whom they leave out", "[worlds]") {
  const auto many = [](const std::string& manifest) {
    return told(prove_jobs(plain_fleet(2), manifest, {"--property", "placeable", "--concurrent", "1000"}));
  };
  const std::string set =
      "apiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: l}\nspec: {replicas: 6, "
      "leaderWorkerTemplate: {size: 2, workerTemplate: {spec: {containers: [{name: w, image: 'e/t:1', resources: "
      "{limits: {nvidia.com/gpu: 8}}}]}}}}\n";
  CHECK(many(set) == "left out: a world of at most 5000 gangs (it makes 6000)");
  std::string six;
  for (int i = 0; i < 6; ++i) six += plain_job("j" + std::to_string(i), 2, 8);
  const nlohmann::json answer =
      prove_jobs(plain_fleet(2), six, {"--property", "quota-consistent", "--concurrent", "1000"});
  REQUIRE(answer["left_out"].size() == 1);
  CHECK(answer["left_out"][0]["needs"] == "a world of at most 5000 gangs (with it there are 6000)");
  CHECK(told_of(plain_fleet(2), plain_job("wide", 2'000'000, 1), "placeable") ==
        "left out: fewer pods of role `pods` than 2000000");
}

TEST_CASE("what a pod asks for besides the first accelerator is not lost", "[worlds]") {
  const auto verdict = [](const std::string& limits, const std::string& spec = "") {
    std::string job = plain_job("t", 2, 8, "torchrun, --nnodes=2", spec);
    const std::string amount = "{nvidia.com/gpu: 8}";
    return told_of(plain_fleet(2), job.replace(job.find(amount), amount.size(), "{nvidia.com/gpu: 8" + limits + "}"),
                   "placeable");
  };
  CHECK(verdict("") == "holds");
  CHECK(verdict(", nvidia.com/mig-1g.5gb: 1") == "unknown");
  CHECK(verdict(", ephemeral-storage: 9Ti") == "unknown");
  CHECK(verdict("", "resourceClaims: [{name: nic, resourceClaimTemplateName: nic}], ") == "unknown");
  CHECK(verdict("", "schedulingGates: [{name: example.com/wait}], ") == "unknown");
  CHECK(verdict("", "schedulingGates: [], ephemeralContainers: [], runtimeClassName: nvidia, ") == "holds");
}

TEST_CASE("a world says that a priority evicts nobody in it", "[worlds]") {
  const nlohmann::json answer =
      prove_jobs(plain_fleet(4), plain_job("t", 2, 8, "torchrun, --nnodes=2", "priorityClassName: high, "), {});
  CHECK(test::rests_on(answer) ==
        std::vector<std::string>{"nobody is evicted for a gang of a higher priority (`priorityClassName: high`)"});
}

TEST_CASE("accelerators of another maker, or of several, are not counted as those that a gang asks for", "[worlds]") {
  const std::string job = plain_job("a", 2, 8, "torchrun, --nnodes=2");
  std::string other = plain_job("b", 2, 8, "torchrun, --nnodes=2");
  other.replace(other.find("nvidia.com"), 10, "amd.com");
  const auto fleet = [](const std::string& model) {
    return plain_fleet(4, ", accelerator: {model: " + model + ", memory_gib: 80}");
  };
  CHECK(told_of(fleet("H100-SXM"), job, "placeable") == "holds");
  CHECK(told_of(fleet("MI300X"), job, "placeable") == "unknown");
  CHECK(told_of(fleet("MI300X"), other, "placeable") == "holds");
  CHECK(told_of(fleet("unheard-of"), job, "placeable") == "holds");
  CHECK(told_of(plain_fleet(4), job + other, "placeable") == "unknown");
}

TEST_CASE("which pools of a fleet file a partition has is not known", "[worlds]") {
  const auto fleet = [](const std::string& more) {
    return "muster: fleet/v1\nname: lab\ncontrol_planes: [{kind: slurm, version: '25.11'}]\nnode_pools:\n  - {name: a, "
           "nodes: 'a[1-2]', gpus_per_node: 8, control_plane: slurm}\n" +
           more;
  };
  const auto placeable = [](const std::string& file) {
    const std::string script = "#!/bin/bash\n#SBATCH -p b -N2 --gres=gpu:8\nsrun t\n";
    return told(test::prove_files({{"fleet.yaml", file}, {"j.sbatch", script}}, {"--property", "placeable"}));
  };
  CHECK(placeable(fleet("")) == "holds");
  CHECK(placeable(fleet("  - {name: b, nodes: 'b[1-2]', gpus_per_node: 8, control_plane: slurm}\n")) == "unknown");
}

TEST_CASE("gangs of kube-scheduler itself and of unequal priority are not said to stay whole", "[worlds]") {
  const auto gang_of = [](const std::string& name, const std::string& priority) {
    return plain_job(name, 2, 8, "torchrun, --nnodes=2",
                     "priorityClassName: " + priority + ", schedulingGroup: {podGroupName: g" + name + "}, ") +
           "---\napiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\nmetadata: {name: g" + name +
           "}\nspec: {schedulingPolicy: {gang: {minCount: 2}}}\n";
  };
  const auto whole = [&](const std::string& a, const std::string& b) {
    return told(prove_jobs(plain_fleet(2), gang_of("a", a) + gang_of("b", b),
                           {"--property", "all-or-nothing", "--set", "operators.kubernetes.generic-workload=true"}));
  };
  CHECK(whole("high", "high") == "holds");
  CHECK(whole("high", "low") == "unknown");
}
