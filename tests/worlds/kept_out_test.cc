// What other objects of the input do to the pods of a gang: never `holds` over it.
#include "support/catch.h"
#include "support/proofs.h"

using namespace muster;
using test::plain_fleet;
using test::plain_job;
using test::prove_jobs;
using test::told_of;

namespace {

/// Two pods of eight GPUs, for which there are nodes.
std::string job(const std::string& spec = "", const std::string& metadata = "") {
  return plain_job("t", 2, 8, "torchrun, --nnodes=2", spec, metadata);
}
std::string asking(std::string manifest, const std::string& requests) {
  const std::string limits = "resources: {";
  return manifest.replace(manifest.find(limits), limits.size(), limits + "requests: {" + requests + "}, ");
}
std::string object(const std::string& api, const std::string& kind, const std::string& name, const std::string& rest) {
  return "---\napiVersion: " + api + "\nkind: " + kind + "\nmetadata: {name: " + name + "}\n" + rest + "\n";
}

const std::string kFleet = plain_fleet(2, ", node: {cpus: 64, memory_mib: 500000}");

/// That all its pods stay whole and fit, and what is said where that is not known.
void expect_holds(const std::string& manifest) {
  CHECK(told_of(kFleet, manifest, "placeable") == "holds");
  CHECK(told_of(kFleet, manifest, "all-or-nothing") == "holds");
}
void expect_open(const std::string& manifest, const std::string& word) {
  INFO(manifest);
  for (const std::string property : {"placeable", "all-or-nothing"}) {
    const nlohmann::json answer = prove_jobs(kFleet, manifest, {"--property", property});
    REQUIRE_FALSE(answer["results"].empty());
    CHECK(answer["results"][0]["verdict"] == "unknown");
    CHECK(answer["results"][0]["reason"].get<std::string>().find(word) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("a ResourceQuota that may be too small for the gangs of its namespace leaves open what they hold",
          "[worlds]") {
  const auto quota = [](const std::string& hard) {
    return object("v1", "ResourceQuota", "q", "spec: {hard: {" + hard + "}}");
  };
  expect_holds(job() + quota("requests.nvidia.com/gpu: '16', pods: 2, services: 0"));
  expect_holds(job() + quota("requests.amd.com/gpu: 0"));
  expect_open(job() + quota("requests.nvidia.com/gpu: 15"), "room in ResourceQuota `q` (`requests.nvidia.com/gpu`)");
  expect_open(job() + quota("pods: 1"), "room in ResourceQuota `q` (`pods`)");
  expect_open(job() + quota("limits.cpu: 1000"), "`limits.cpu`");
  expect_open(job() + quota("cpu: 1000"), "`cpu`");  // a pod that names none is refused
  expect_holds(asking(job(), "cpu: 4, memory: 1Gi") + quota("cpu: 8, requests.memory: 2Gi"));
  expect_open(asking(job(), "cpu: 4, memory: 1Gi") + quota("cpu: 7900m"), "`cpu`");
  expect_open(asking(job(), "cpu: 4, memory: 1Gi") + quota("memory: '{{ .Values.m }}'"), "`memory`");
  // Of another namespace it says nothing; of this one it counts for all.
  expect_holds(job("", ", namespace: a") + quota("pods: 1"));
  CHECK(told_of(plain_fleet(4), job() + plain_job("u", 2, 8) + quota("requests.nvidia.com/gpu: 16"), "placeable") ==
        "unknown");
}

TEST_CASE("a LimitRange that fills in or refuses what pods ask for leaves open where they fit", "[worlds]") {
  const auto range = [](const std::string& limits) {
    return object("v1", "LimitRange", "l", "spec: {limits: [{" + limits + "}]}");
  };
  const std::string word = "what LimitRange `l` adds or refuses";
  expect_open(job() + range("type: Container, defaultRequest: {cpu: 100}"), word);
  expect_open(asking(job(), "cpu: 4, memory: 1Gi") + range("type: Pod, max: {cpu: 1}"), word);
  expect_holds(asking(job(), "cpu: 4, memory: 1Gi") + range("type: Container, default: {cpu: 100}"));
  expect_holds(job() + range("type: PersistentVolumeClaim, max: {storage: 1Gi}"));
}

TEST_CASE("a RuntimeClass that adds to its pods, and a claim that one node mounts, leave open where they go",
          "[worlds]") {
  const auto runtime = [](const std::string& rest) {
    return object("node.k8s.io/v1", "RuntimeClass", "r", "handler: r\n" + rest);
  };
  expect_holds(job("runtimeClassName: r, ") + runtime(""));
  expect_open(job("runtimeClassName: r, ") + runtime("overhead: {podFixed: {cpu: 100}}"), "RuntimeClass `r`");
  expect_open(job("runtimeClassName: r, ") + runtime("scheduling: {nodeSelector: {a: b}}"), "RuntimeClass `r`");
  const std::string volume = "volumes: [{name: d, persistentVolumeClaim: {claimName: c}}], ";
  const auto claim = [](const std::string& mode) {
    return object("v1", "PersistentVolumeClaim", "c",
                  "spec: {accessModes: [" + mode + "], storageClassName: gp3, resources: {requests: {storage: 1Gi}}}");
  };
  expect_holds(job(volume) + claim("ReadWriteMany"));
  expect_open(job(volume) + claim("ReadWriteOnce"), "the one node that mounts claim `c`");
}

TEST_CASE("what Kueue asks beside quotas leaves open whether it admits a gang", "[worlds]") {
  const auto queued = [](const std::string& local, const std::string& cluster, const std::string& flavor,
                         const std::string& metadata = "") {
    return job("", ", labels: {kueue.x-k8s.io/queue-name: q}" + metadata) +
           object("kueue.x-k8s.io/v1beta1", "LocalQueue", "q", "spec: {clusterQueue: c" + local + "}") +
           object("kueue.x-k8s.io/v1beta1", "ResourceFlavor", "f", "spec: {" + flavor + "}") +
           object("kueue.x-k8s.io/v1beta1", "ClusterQueue", "c",
                  "spec: {" + cluster +
                      ", resourceGroups: [{coveredResources: [nvidia.com/gpu], flavors: [{name: f, resources: "
                      "[{name: nvidia.com/gpu, nominalQuota: 16}]}]}]}");
  };
  const std::string all = "namespaceSelector: {}";
  expect_holds(queued("", all, ""));
  expect_holds(queued("", all + ", stopPolicy: None", ""));
  expect_open(queued("", all + ", stopPolicy: Hold", ""), "the end of `stopPolicy` of ClusterQueue `c`");
  expect_open(queued(", stopPolicy: HoldAndDrain", all, ""), "the end of `stopPolicy` of queue `q`");
  expect_open(queued("", all + ", admissionChecks: [p]", ""), "the admission checks of ClusterQueue `c`");
  expect_open(queued("", "preemption: {}", ""), "`namespaceSelector` of ClusterQueue `c`");
  expect_open(queued("", "namespaceSelector: {matchLabels: {a: b}}", ""), "`namespaceSelector` of ClusterQueue `c`");
  const std::string named = "namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ml}}";
  expect_open(queued("", named, ""), "`namespaceSelector` of ClusterQueue `c`");
  expect_holds(queued("", named, "", ", namespace: ml"));
  expect_open(queued("", all, "nodeTaints: [{key: a, value: b, effect: NoSchedule}]"),
              "the taints of ResourceFlavor `f`");
  const std::string partial = queued("", all, "", ", annotations: {kueue.x-k8s.io/job-min-parallelism: '1'}");
  CHECK(told_of(kFleet, partial, "placeable") ==
        "left out: with how many of its pods it is admitted (`kueue.x-k8s.io/job-min-parallelism`)");
}

TEST_CASE("a gang whose scheduler waits for pods that come only after others is not said to be placed", "[worlds]") {
  const auto set_of = [](const std::string& policy) {
    return "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: s}\nspec: {replicas: 2, serviceName: s, " +
           policy +
           "template: {metadata: {annotations: {scheduling.k8s.io/group-name: g}}, spec: {schedulerName: volcano, "
           "containers: [{name: w, image: 'e/t:1', command: [torchrun, --nnodes=2, t.py], resources: {limits: "
           "{nvidia.com/gpu: 8}}}]}}}\n";
  };
  const auto group = [](int min, const std::string& more = "") {
    return object("scheduling.volcano.sh/v1beta1", "PodGroup", "g",
                  "spec: {minMember: " + std::to_string(min) + more + "}");
  };
  CHECK(told_of(kFleet, set_of("") + group(2), "placeable") == "unknown");
  CHECK(told_of(kFleet, set_of("") + group(1), "placeable") == "holds");
  CHECK(told_of(kFleet, set_of("podManagementPolicy: Parallel, ") + group(2), "placeable") == "holds");
  const auto wants = [&](const std::string& resources) {
    return told_of(kFleet, set_of("podManagementPolicy: Parallel, ") + group(2, ", minResources: {" + resources + "}"),
                   "placeable");
  };
  CHECK(wants("nvidia.com/gpu: 16") == "holds");
  CHECK(wants("nvidia.com/gpu: 17") == "unknown");
  CHECK(wants("cpu: 1") == "unknown");
}

TEST_CASE("a domain that a LeaderWorkerSet wants for each group is not taken for any nodes", "[worlds]") {
  const auto set_of = [](const std::string& annotation, const std::string& spec) {
    return "---\napiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: l, annotations: {" +
           annotation + "}}\nspec: {replicas: 1, leaderWorkerTemplate: {size: 2, workerTemplate: {spec: {" + spec +
           "containers: [{name: w, image: 'e/t:1', resources: {limits: {nvidia.com/gpu: 8}}}]}}}}\n";
  };
  const std::string rack = "leaderworkerset.sigs.k8s.io/exclusive-topology: rack";
  CHECK(told_of(kFleet, set_of("", ""), "placeable") == "holds");
  CHECK(told_of(kFleet, set_of(rack, ""), "placeable").find("left out: ") == 0);
  CHECK(told_of(kFleet, set_of(rack, "schedulerName: volcano, "), "placeable") == "unknown");
}

TEST_CASE("a group of a Workload of Kubernetes 1.35 is placed as a gang only where its gate is on", "[worlds]") {
  const std::string workload = object("scheduling.k8s.io/v1alpha1", "Workload", "g",
                                      "spec: {podGroups: [{name: w, policy: {gang: {minCount: 2}}}]}");
  const std::string grouped = job("workloadRef: {name: g, podGroup: w}, ");
  CHECK(told_of(kFleet, grouped + workload, "all-or-nothing").find("GenericWorkload") != std::string::npos);
}

TEST_CASE("a gang that was left out stands against what follows from how much the others hold", "[worlds]") {
  // Four slots, two pods each: nobody is ever short, unless others come.
  const std::string fleet = plain_fleet(4);
  const std::string pair = plain_job("a", 2, 8) + plain_job("b", 2, 8);
  CHECK(told_of(fleet, pair, "all-or-nothing") == "holds");
  const std::string sliced =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: sliced}\nspec: {containers: [{name: c, image: 'e/t:1', resources: "
      "{limits: {nvidia.com/mig-1g.5gb: 1}}}]}\n";
  const auto beside = [&](const std::string& property) {
    return test::prove_files({{"fleet.yaml", fleet}, {"jobs.yaml", pair}, {"pod.yaml", sliced}},
                             {"--property", property});
  };
  const nlohmann::json answer = beside("all-or-nothing");
  REQUIRE_FALSE(answer["results"].empty());
  CHECK(answer["results"][0]["verdict"] == "unknown");
  CHECK(answer["results"][0]["reason"].get<std::string>().find("`sliced` goes to the same nodes") != std::string::npos);
  CHECK(test::told(beside("placeable")) == "holds");
}

TEST_CASE("a gang whose scheduler waits for more pods than it has is not said to be placed", "[worlds]") {
  const auto placeable = [](int min) {
    return told_of(
        kFleet,
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: t}\nspec:\n  completions: 2\n  parallelism: 2\n  "
        "template: {metadata: {annotations: {scheduling.k8s.io/group-name: g}}, spec: {schedulerName: "
        "volcano, restartPolicy: Never, containers: [{name: w, image: 'e/t:1', resources: {limits: "
        "{nvidia.com/gpu: 8}}}]}}\n" +
            object("scheduling.volcano.sh/v1beta1", "PodGroup", "g", "spec: {minMember: " + std::to_string(min) + "}"),
        "placeable");
  };
  CHECK(placeable(2) == "holds");
  CHECK(placeable(3) == "unknown");
}

TEST_CASE("what an autoscaler scales has a number of gangs that is not known", "[worlds]") {
  const std::string set =
      "---\napiVersion: leaderworkerset.x-k8s.io/v1\nkind: LeaderWorkerSet\nmetadata: {name: l}\nspec: {replicas: 1, "
      "leaderWorkerTemplate: {size: 2, workerTemplate: {spec: {containers: [{name: w, image: 'e/t:1', resources: "
      "{limits: {nvidia.com/gpu: 8}}}]}}}}\n";
  expect_holds(set);
  expect_open(set + object("autoscaling/v2", "HorizontalPodAutoscaler", "h",
                           "spec: {maxReplicas: 4, scaleTargetRef: {apiVersion: leaderworkerset.x-k8s.io/v1, kind: "
                           "LeaderWorkerSet, name: l}}"),
              "HorizontalPodAutoscaler `h`");
}
