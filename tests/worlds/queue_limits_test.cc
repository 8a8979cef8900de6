// What is known of how much a queue admits.
#include "support/catch.h"
#include "support/proofs.h"

using namespace muster;
using test::plain_fleet;
using test::told_of;

namespace {

const std::string kLocal =
    "---\napiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\nmetadata: {name: q}\nspec: {clusterQueue: c}\n";

std::string flavor(const std::string& name, const std::string& quotas) {
  return "{name: " + name + ", resources: [" + quotas + "]}";
}
std::string gpus(int quota) { return "{name: nvidia.com/gpu, nominalQuota: " + std::to_string(quota) + "}"; }

std::string cluster_queue(const std::string& flavors, const std::string& more = "",
                          const std::string& covered = "nvidia.com/gpu") {
  return "---\napiVersion: kueue.x-k8s.io/v1beta1\nkind: ClusterQueue\nmetadata: {name: c}\nspec: {namespaceSelector: "
         "{}, " +
         more + "resourceGroups: [{coveredResources: [" + covered + "], flavors: [" + flavors + "]}]}\n";
}

/// A Job of four pods of eight GPUs in the queue q.
std::string kueue_job(const std::string& requests = "") {
  std::string job = test::plain_job("t", 4, 8, "torchrun, --nnodes=4", "", ", labels: {kueue.x-k8s.io/queue-name: q}");
  const std::string limits = "resources: {";
  return job.replace(job.find(limits), limits.size(), limits + requests);
}

std::string volcano_job(const std::string& queue) {
  return "---\napiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: v}\nspec:\n  schedulerName: "
         "volcano\n  "
         "minAvailable: 4\n" +
         queue +
         "  tasks:\n    - {name: w, replicas: 4, template: {spec: {containers: [{name: w, image: 'e/t:1', command: "
         "[torchrun, --nnodes=4, t.py], resources: {limits: {nvidia.com/gpu: 8}}}]}}}\n";
}
std::string volcano_queue(const std::string& name, const std::string& spec) {
  return "---\napiVersion: scheduling.volcano.sh/v1beta1\nkind: Queue\nmetadata: {name: " + name + "}\nspec: {" + spec +
         "}\n";
}

std::string kai_job() {
  return test::plain_job("k", 4, 8, "torchrun, --nnodes=4", "schedulerName: kai-scheduler, ",
                         ", labels: {kai.scheduler/queue: team}, annotations: {kai.scheduler/batch-min-member: '4'}");
}
std::string kai_queue(const std::string& name, const std::string& spec) {
  return "---\napiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: {name: " + name + "}\nspec: {" + spec + "}\n";
}

std::string placeable(const std::string& manifest) { return told_of(plain_fleet(8), manifest, "placeable"); }

}  // namespace

TEST_CASE("a gang that its Kueue queue never admits is not placed, and one of unknown quota is left out", "[worlds]") {
  CHECK(placeable(kueue_job() + kLocal + cluster_queue(flavor("f", gpus(32)))) == "holds");
  CHECK(placeable(kueue_job() + kLocal + cluster_queue(flavor("f", gpus(31)))) == "counterexample");
  CHECK(placeable(kueue_job()) == "left out: LocalQueue `q`");
  CHECK(placeable(kueue_job() + kLocal) == "left out: ClusterQueue `c`");
  CHECK(placeable(kueue_job() + kLocal + cluster_queue(flavor("f", gpus(32)), "cohort: team, ")) ==
        "left out: what ClusterQueue `c` may borrow and has to lend in its cohort");
  CHECK(placeable(kueue_job() + kLocal + cluster_queue(flavor("f", gpus(16)) + ", " + flavor("g", gpus(16)))) ==
        "left out: which of the flavors of ClusterQueue `c` it gets");
  CHECK(placeable(kueue_job() + kLocal +
                  cluster_queue(flavor("f", "{name: amd.com/gpu, nominalQuota: 9}"), "", "amd.com/gpu")) ==
        "left out: a quota for `nvidia.com/gpu` in ClusterQueue `c`");
}

TEST_CASE("the nodes that a flavor means are those with its labels", "[worlds]") {
  const std::string of_flavor =
      "---\napiVersion: kueue.x-k8s.io/v1beta1\nkind: ResourceFlavor\nmetadata: {name: f}\nspec: {";
  const std::string queued = kueue_job() + kLocal + cluster_queue(flavor("f", gpus(32))) + of_flavor;
  CHECK(placeable(queued + "}\n") == "holds");
  CHECK(placeable(queued + "nodeLabels: {kind: h100}}\n") == "unknown");
  const auto on = [&](const std::string& labels, const std::string& job) {
    return told_of(plain_fleet(8, ", node: {labels: {" + labels + "}}"),
                   job + kLocal + cluster_queue(flavor("f", gpus(32))) + of_flavor + "nodeLabels: {kind: h100}}\n",
                   "placeable");
  };
  CHECK(on("kind: h100", kueue_job()) == "holds");
  CHECK(on("kind: l40s", kueue_job()) == "counterexample");
  CHECK(on("room: r1", kueue_job()) == "unknown");
  const std::string picks = test::plain_job("t", 4, 8, "torchrun, --nnodes=4", "nodeSelector: {kind: l40s}, ",
                                            ", labels: {kueue.x-k8s.io/queue-name: q}");
  CHECK(on("kind: l40s", picks) == "unknown");
}

TEST_CASE("CPUs that a queue may not admit leave open what is admitted", "[worlds]") {
  const auto with_cpus = [](const std::string& quota) {
    return kLocal + cluster_queue(flavor("f", gpus(32) + ", {name: cpu, nominalQuota: " + quota + "}"), "",
                                  "nvidia.com/gpu, cpu");
  };
  const std::string job = kueue_job("requests: {cpu: 10}, ");
  const std::string fleet = plain_fleet(8, ", node: {cpus: 96}");
  CHECK(told_of(fleet, job + with_cpus("40"), "placeable") == "holds");
  CHECK(told_of(fleet, job + with_cpus("39"), "placeable") == "unknown");
  CHECK(told_of(fleet, kueue_job() + with_cpus("1"), "placeable") == "holds");
}

TEST_CASE("the limits of a Volcano queue and of those above it are known or not", "[worlds]") {
  const std::string queued = volcano_job("  queue: research\n");
  CHECK(placeable(volcano_job("")) == "holds");
  CHECK(placeable(volcano_job("  queue: default\n")) == "holds");
  CHECK(placeable(queued) == "unknown");
  CHECK(told_of(plain_fleet(8), queued, "all-or-nothing") == "holds");
  CHECK(placeable(queued + volcano_queue("research", "weight: 1")) == "holds");
  CHECK(placeable(queued + volcano_queue("research", "capability: {nvidia.com/gpu: 32}")) == "holds");
  CHECK(placeable(queued + volcano_queue("research", "capability: {nvidia.com/gpu: 24}")) == "counterexample");
  CHECK(placeable(volcano_job("") + volcano_queue("default", "capability: {nvidia.com/gpu: 24}")) == "counterexample");
  const std::string child = queued + volcano_queue("research", "parent: lab, capability: {nvidia.com/gpu: 32}");
  CHECK(placeable(child) == "unknown");
  CHECK(placeable(child + volcano_queue("lab", "parent: root")) == "holds");
  CHECK(placeable(child + volcano_queue("lab", "capability: {nvidia.com/gpu: 64}")) == "unknown");
  CHECK(placeable(queued + volcano_queue("research", "parent: root, weight: 1")) == "holds");
}

TEST_CASE("the limits of a KAI queue and of those above it are known or not", "[worlds]") {
  const std::string open =
      "resources: {cpu: {quota: -1, limit: -1}, gpu: {quota: 8, limit: -1}, memory: {quota: -1, "
      "limit: -1}}";
  const std::string tight = "resources: {gpu: {quota: 8, limit: 24}}";
  const std::string wide = "resources: {gpu: {quota: 8, limit: 32}}";
  CHECK(placeable(kai_job()) == "unknown");
  CHECK(placeable(kai_job() + kai_queue("team", open)) == "holds");
  CHECK(placeable(kai_job() + kai_queue("team", wide)) == "holds");
  CHECK(placeable(kai_job() + kai_queue("team", tight)) == "counterexample");
  CHECK(placeable(kai_job() + kai_queue("team", "parentQueue: lab, " + open)) == "unknown");
  CHECK(placeable(kai_job() + kai_queue("team", "parentQueue: lab, " + open) + kai_queue("lab", open)) == "holds");
  CHECK(placeable(kai_job() + kai_queue("team", "parentQueue: lab, " + open) + kai_queue("lab", tight)) == "unknown");
  CHECK(placeable(kai_job() + kai_queue("team", "parentQueue: team, " + open)) == "unknown");
}

TEST_CASE("what another queue of Volcano is guaranteed is not said to be free", "[worlds]") {
  CHECK(placeable(volcano_job("") + volcano_queue("other", "capability: {nvidia.com/gpu: 8}")) == "holds");
  CHECK(placeable(volcano_job("") + volcano_queue("other", "guarantee: {resource: {nvidia.com/gpu: 40}}")) ==
        "unknown");
  CHECK(placeable(volcano_job("  queue: own\n") +
                  volcano_queue("own", "guarantee: {resource: {nvidia.com/gpu: 40}}")) == "holds");
}
