// What muster holds about releases of Kubernetes and of what goes with it for claims of devices, against rows that were
// written down here by themselves: what is served, which gates are on, which scheduler and driver is new enough.
#include "model/device_releases.h"

#include "base/strings.h"
#include "kubernetes/field_table.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/json.h"

namespace {

using muster::test::FakeDisk;
using muster::test::Ran;
using muster::test::run_command;
using Json = nlohmann::json;
using Files = std::map<std::string, std::string>;
using muster::Version;

Version release_at(std::string_view text) { return *Version::parse(text); }

const std::vector<std::string> kReleases{"1.30", "1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37"};

// kubernetes/api, tags kubernetes-1.26.0 to kubernetes-1.36.0 and the state of 2026-07-24 (1.37): folders of resource/
// and scheduling/, and zz_generated.prerelease-lifecycle.go (introduced, deprecated, removed).
struct Served {
  std::string api_version;
  std::string kind;
  std::string first;
  std::string deprecated;
  std::string removed;
};
const std::vector<Served> kServed{
    {"resource.k8s.io/v1alpha1", "ResourceClass", "1.26", "", "1.27"},
    {"resource.k8s.io/v1alpha1", "ResourceClaim", "1.26", "", "1.27"},
    {"resource.k8s.io/v1alpha1", "ResourceClaimTemplate", "1.26", "", "1.27"},
    {"resource.k8s.io/v1alpha1", "PodScheduling", "1.26", "", "1.27"},
    {"resource.k8s.io/v1alpha2", "ResourceClass", "1.27", "", "1.31"},
    {"resource.k8s.io/v1alpha2", "ResourceClaim", "1.27", "", "1.31"},
    {"resource.k8s.io/v1alpha2", "ResourceClaimTemplate", "1.27", "", "1.31"},
    {"resource.k8s.io/v1alpha2", "PodSchedulingContext", "1.27", "", "1.31"},
    {"resource.k8s.io/v1alpha2", "ResourceSlice", "1.30", "", "1.31"},
    {"resource.k8s.io/v1alpha2", "ResourceClaimParameters", "1.30", "", "1.31"},
    {"resource.k8s.io/v1alpha2", "ResourceClassParameters", "1.30", "", "1.31"},
    {"resource.k8s.io/v1alpha3", "DeviceClass", "1.31", "", "1.34"},
    {"resource.k8s.io/v1alpha3", "ResourceClaim", "1.31", "", "1.34"},
    {"resource.k8s.io/v1alpha3", "ResourceClaimTemplate", "1.31", "", "1.34"},
    {"resource.k8s.io/v1alpha3", "ResourceSlice", "1.31", "", "1.34"},
    {"resource.k8s.io/v1alpha3", "PodSchedulingContext", "1.31", "", "1.32"},
    {"resource.k8s.io/v1alpha3", "DeviceTaintRule", "1.33", "1.36", "1.39"},
    {"resource.k8s.io/v1alpha3", "ResourcePoolStatusRequest", "1.36", "1.39", "1.42"},
    {"resource.k8s.io/v1beta1", "DeviceClass", "1.32", "1.35", "1.38"},
    {"resource.k8s.io/v1beta1", "ResourceClaim", "1.32", "1.35", "1.38"},
    {"resource.k8s.io/v1beta1", "ResourceClaimTemplate", "1.32", "1.35", "1.38"},
    {"resource.k8s.io/v1beta1", "ResourceSlice", "1.32", "1.35", "1.38"},
    {"resource.k8s.io/v1beta2", "DeviceClass", "1.33", "1.36", "1.39"},
    {"resource.k8s.io/v1beta2", "ResourceClaim", "1.33", "1.36", "1.39"},
    {"resource.k8s.io/v1beta2", "ResourceClaimTemplate", "1.33", "1.36", "1.39"},
    {"resource.k8s.io/v1beta2", "ResourceSlice", "1.33", "1.36", "1.39"},
    {"resource.k8s.io/v1beta2", "DeviceTaintRule", "1.36", "1.39", "1.42"},
    {"resource.k8s.io/v1", "DeviceClass", "1.34", "", ""},
    {"resource.k8s.io/v1", "ResourceClaim", "1.34", "", ""},
    {"resource.k8s.io/v1", "ResourceClaimTemplate", "1.34", "", ""},
    {"resource.k8s.io/v1", "ResourceSlice", "1.34", "", ""},
    {"resource.k8s.io/v1", "DeviceTaintRule", "1.37", "", ""},
    {"scheduling.k8s.io/v1alpha1", "Workload", "1.35", "", "1.36"},
    {"scheduling.k8s.io/v1alpha2", "Workload", "1.36", "", "1.37"},
    {"scheduling.k8s.io/v1alpha2", "PodGroup", "1.36", "", "1.37"},
    {"scheduling.k8s.io/v1alpha3", "Workload", "1.37", "", ""},
    {"scheduling.k8s.io/v1alpha3", "PodGroup", "1.37", "", ""},
    {"scheduling.k8s.io/v1alpha3", "CompositePodGroup", "1.37", "", ""},
    {"scheduling.k8s.io/v1beta1", "Workload", "1.37", "", ""},
    {"scheduling.k8s.io/v1beta1", "PodGroup", "1.37", "", ""},
};

// kubernetes/kubernetes: defaultVersionedKubernetesFeatureGates of the scheduler (1.37) and pkg/features/
// kube_features.go (1.32 to 1.35); kubernetes/enhancements: kep.yaml of KEPs 4381, 5018, 4816, 4815, 5055, 5075, 5004,
// 5007, 5729, 5491, 5677, 4817, 3695 and 4680 (2026-07-24); kubernetes.io: the list of feature gates (1.37) for those
// of 1.36 and 1.37 alone. `on`: from which release on it is on as shipped.
struct Gate {
  std::string name;
  std::string alpha;
  std::string beta;
  std::string on;
  std::string stable;
};
const std::vector<Gate> kGateRows{
    {"DRAAdminAccess", "1.32", "1.34", "1.34", "1.36"},
    {"DRAConsumableCapacity", "1.34", "1.36", "1.36", ""},
    {"DRADerivedAttributes", "1.37", "", "", ""},
    {"DRADeviceBindingConditions", "1.34", "1.36", "1.36", ""},
    {"DRADeviceCompatibilityGroups", "1.37", "", "", ""},
    {"DRADeviceTaintRules", "1.35", "1.36", "1.37", "1.37"},
    {"DRADeviceTaints", "1.33", "1.36", "1.36", "1.37"},
    {"DRAExtendedResource", "1.34", "1.36", "1.36", "1.37"},
    {"DRAListTypeAttributes", "1.36", "", "", ""},
    {"DRANodeAllocatableResources", "1.36", "", "", ""},
    {"DRAOptionalNodeOperations", "1.37", "", "", ""},  // its KEP says DRAOptionalNodePreparation
    {"DRAPartitionableDevices", "1.33", "1.36", "1.36", ""},
    {"DRAPartitionableDevicesType", "1.37", "", "", ""},
    {"DRAPrioritizedList", "1.33", "1.34", "1.34", "1.36"},
    {"DRAResourceClaimDeviceStatus", "1.32", "1.33", "1.33", "1.37"},
    {"DRAResourceClaimGranularStatusAuthorization", "", "1.36", "1.36", ""},
    {"DRAResourcePoolStatus", "1.36", "", "", ""},
    {"DRASchedulerFilterTimeout", "", "1.34", "1.34", ""},
    {"DRAWorkloadResourceClaims", "1.36", "1.37", "", ""},
    {"DynamicResourceAllocation", "1.26", "1.32", "1.34", "1.34"},
    {"KubeletPodResourcesDynamicResources", "1.27", "1.34", "1.34", "1.36"},
    {"ResourceHealthStatus", "1.31", "1.36", "1.36", ""},
};

/// Rules that speak of one file under a release of Kubernetes.
std::set<std::string> rules_on(const Files& files, const std::string& release) {
  const FakeDisk disk(files);
  const Ran ran = run_command({"check", "r", "--format", "json", "--target", "kubernetes=" + release}, disk);
  INFO(ran.err);
  REQUIRE(ran.code < 2);
  std::set<std::string> out;
  const Json report = Json::parse(ran.out);
  for (const Json& finding : report["findings"]) out.insert(finding["rule"].get<std::string>());
  return out;
}

bool is_told(const Files& files, const std::string& release, const std::string& rule) {
  return rules_on(files, release).contains(rule);
}

/// What muster review says to a check of readiness.
std::string readiness_check(const Files& files, const std::string& id, const std::vector<std::string>& targets = {}) {
  const FakeDisk disk(files);
  std::vector<std::string> words{"review", "r", "--format", "json"};
  for (const std::string& target : targets) words.insert(words.end(), {"--target", target});
  const Ran ran = run_command(words, disk);
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const Json review = Json::parse(ran.out);
  for (const Json& check : review["dra"]["checks"]) {
    if (check["id"] == id) return check["result"].get<std::string>();
  }
  return "no such check";
}

std::string empty_object(const Served& row) {
  return "apiVersion: " + row.api_version + "\nkind: " + row.kind + "\nmetadata: {name: a}\n";
}

const std::string kPoolFile =
    "muster: fleet/v1\nname: east\nnode_pools:\n  - {name: h100, nodes: \"n[1-8]\", gpus_per_node: 8, control_plane: "
    "kubernetes, accelerator: {model: H100}, fabric: {nvlink_domain_nodes: 1}, runtime: {}}\n";
std::string pool_file(const std::string& from, const std::string& to) {
  return muster::replace_all(kPoolFile, from, to);
}
const std::string kOneClaim =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: gpus}\nspec:\n  spec:\n    devices: "
    "{requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}\n";

std::string claiming_job(const std::string& scheduler) {
  return kOneClaim +
         "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: train}\nspec:\n  parallelism: 4\n  completions: 4\n  "
         "template:\n    spec:\n      schedulerName: " +
         scheduler +
         "\n      restartPolicy: Never\n      resourceClaims: [{name: gpu, resourceClaimTemplateName: gpus}]\n      "
         "containers: [{name: main, image: \"i:1\", command: [torchrun], resources: {claims: [{name: gpu}]}}]\n";
}

}  // namespace

TEST_CASE("API versions of claims and gangs are in the table as Kubernetes had them", "[dra-versions]") {
  std::size_t kinds = 0;
  for (const muster::DeviceApi& row : muster::device_apis()) kinds += muster::split(row.kinds, ' ').size();
  CHECK(kinds == kServed.size());
  for (const Served& row : kServed) {
    INFO(row.api_version << " " << row.kind);
    const muster::DeviceApi* found = muster::find_device_api(row.api_version, row.kind);
    REQUIRE(found != nullptr);
    CHECK(found->since == row.first);
    CHECK(found->deprecated == row.deprecated);
    CHECK(found->gone == row.removed);
    const muster::FieldTable::ObjectKind* fields = muster::FieldTable::shipped().find(row.api_version, row.kind);
    REQUIRE(fields != nullptr);
    const bool gone = !row.removed.empty() && release_at(row.removed) <= release_at("1.37");
    CHECK(fields->gone == (gone ? row.removed : ""));
  }
}

TEST_CASE("what a release does not serve is a finding in that release, and no error in another", "[dra-versions]") {
  for (const Served& row : kServed) {
    for (const std::string& release : kReleases) {
      INFO(row.api_version << " " << row.kind << " on " << release);
      const std::set<std::string> said = rules_on({{"r/a.yaml", empty_object(row)}}, release);
      CHECK(said.contains("api-version-too-new") == (release_at(release) < release_at(row.first)));
      CHECK(said.contains("api-version-removed") ==
            (!row.removed.empty() && release_at(row.removed) <= release_at(release)));
    }
  }
}

TEST_CASE("beta versions are off as shipped once there is another, and their end is told", "[dra-versions]") {
  for (const auto& [version, rule, kind, end] :
       std::vector<std::array<std::string, 4>>{{"v1beta1", "claim-version-not-served", "ResourceClaimTemplate", "1.38"},
                                               {"v1beta2", "claim-version-not-served", "ResourceClaimTemplate", "1.39"},
                                               {"v1beta1", "device-class-version-not-served", "DeviceClass", "1.38"},
                                               {"v1beta2", "device-class-version-not-served", "DeviceClass", "1.39"}}) {
    const Files files{{"r/a.yaml", "apiVersion: resource.k8s.io/" + version + "\nkind: " + kind +
                                       "\nmetadata: {name: a}\nspec: {}\n"}};
    for (const std::string& release : kReleases) {
      INFO(version << " " << kind << " on " << release);
      CHECK(is_told(files, release, rule) == (release_at(release) >= release_at("1.34")));
    }
    const FakeDisk disk(files);
    for (const char* release : {"1.37", "1.38", "1.39"}) {
      const Ran ran = run_command({"check", "r", "--target", std::string("kubernetes=") + release}, disk);
      CHECK(muster::contains(ran.out, (release_at(release) >= release_at(end) ? "error[" : "warning[") + rule));
      CHECK(muster::contains(ran.out, end));
    }
  }
}

TEST_CASE("gates of devices are in the table as Kubernetes had them", "[dra-versions]") {
  CHECK(muster::device_gates().size() == kGateRows.size());
  for (const Gate& row : kGateRows) {
    INFO(row.name);
    const muster::DeviceGate& found = muster::device_gate(row.name);
    CHECK(found.alpha == row.alpha);
    CHECK(found.beta == row.beta);
    CHECK(found.on == row.on);
    CHECK(found.stable == row.stable);
  }
}

TEST_CASE("a field whose gate is off in a release is a finding in that release, unless the fleet has it on",
          "[dra-versions]") {
  const auto claim = [](const std::string& request, const std::string& more = "") {
    return "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a}\nspec:\n  devices: {requests: "
           "[{name: gpu, " +
           request + "}]" + more + "}\n";
  };
  const std::string exactly = "exactly: {deviceClassName: gpu.nvidia.com, ";
  struct Row {
    std::string gate;
    std::string rule;
    std::string from;  ///< the first release in which it is a finding
    std::string file;
    std::string counts;  ///< the first release in which the gate helps
  };
  const std::vector<Row> rows{
      {"DRAAdminAccess", "claim-admin-access-gated", "1.32", claim(exactly + "adminAccess: true}"), "1.32"},
      {"DRAPrioritizedList", "claim-alternatives-gated", "1.32",
       claim("firstAvailable: [{name: a, deviceClassName: gpu.nvidia.com}]"), "1.33"},
      {"DRAConsumableCapacity", "claim-field-gated", "1.32", claim(exactly + "capacity: {requests: {memory: 10Gi}}}"),
       "1.32"},
      {"DRADeviceTaints", "claim-field-gated", "1.32", claim(exactly + "tolerations: [{operator: Exists}]}"), "1.32"},
      {"DRAConsumableCapacity", "claim-distinct-gated", "1.32",
       claim(exactly + "count: 2}", ", constraints: [{distinctAttribute: gpu.nvidia.com/uuid}]"), "1.32"},
      {"DRAExtendedResource", "device-class-resource-gated", "1.30",
       "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: a}\nspec: {extendedResourceName: "
       "example.com/gpu}\n",
       "1.30"},
      {"DRAExtendedResource", "pod-device-class-resource-gated", "1.30",
       "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: m, image: \"i:1\", resources: "
       "{limits: {deviceclass.resource.kubernetes.io/gpu.nvidia.com: 1}}}]}\n",
       "1.35"},
      {"DRADeviceTaintRules", "device-taint-rule-gated", "1.30",
       "apiVersion: resource.k8s.io/v1beta2\nkind: DeviceTaintRule\nmetadata: {name: a}\nspec: {deviceSelector: "
       "{driver: gpu.nvidia.com}, taint: {key: a/b, effect: NoSchedule}}\n",
       "1.30"},
      {"DRAWorkloadResourceClaims", "pod-group-claims-gated", "1.36",
       "apiVersion: scheduling.k8s.io/v1beta1\nkind: PodGroup\nmetadata: {name: a}\nspec: {schedulingPolicy: {gang: "
       "{minCount: 2}}, resourceClaims: [{name: c, resourceClaimName: c}]}\n",
       "1.36"},
  };
  for (const Row& row : rows) {
    const auto gate = std::ranges::find(kGateRows, row.gate, &Gate::name);
    REQUIRE(gate != kGateRows.end());
    for (const std::string& release : kReleases) {
      INFO(row.rule << " " << row.gate << " on " << release);
      const bool off = release_at(release) >= release_at(row.from) &&
                       (gate->on.empty() || release_at(release) < release_at(gate->on));
      CHECK(is_told({{"r/a.yaml", row.file}}, release, row.rule) == off);
      const std::string fleet_file = "muster: fleet/v1\nname: east\ncontrol_planes: [{kind: kubernetes, version: \"" +
                                     release + "\", feature_gates: {" + row.gate + ": true}}]\n";
      CHECK(is_told({{"r/a.yaml", row.file}, {"r/fleet.yaml", fleet_file}}, release, row.rule) ==
            (off && release_at(release) < release_at(row.counts)));
    }
  }
}

TEST_CASE("a gate that is stated before Kubernetes has it is a finding", "[dra-versions]") {
  for (const Gate& row : kGateRows) {
    const Version first = release_at(row.alpha.empty() ? row.beta : row.alpha);
    for (const std::string& release : kReleases) {
      INFO(row.name << " on " << release);
      const std::string fleet_file = "muster: fleet/v1\nname: east\ncontrol_planes: [{kind: kubernetes, version: \"" +
                                     release + "\", feature_gates: {" + row.name + ": true}}]\n";
      CHECK(is_told({{"r/fleet.yaml", fleet_file}}, release, "own-file-value") == (release_at(release) < first));
    }
  }
}

TEST_CASE("exporters learn from kubelets of 1.34 and later whose pods hold a device", "[dra-versions]") {
  const auto at = [](const std::string& release) {
    return readiness_check({{"r/c.yaml", kOneClaim}}, "attribution", {"kubernetes=" + release});
  };
  CHECK(at("1.33") == "fail");
  CHECK(at("1.34") == "unknown");  // the release of the operator is not said
}

// kubernetes-sigs/dra-driver-nvidia-gpu:pkg/featuregates/featuregates.go (0.5).
TEST_CASE("features of NVIDIA's driver that are alpha make it a pilot", "[dra-versions]") {
  const auto with = [](const std::string& gate) {
    return readiness_check({{"r/c.yaml", kOneClaim},
                            {"r/g.yaml",
                             "apiVersion: nvidia.com/v1alpha1\nkind: GPUCluster\nmetadata: {name: gpu-cluster}\nspec: "
                             "{draDriver: {featureGates: {" +
                                 gate + ": true}}}\n"}},
                           "alpha-features");
  };
  for (const char* alpha :
       {"ConsumableShares", "DRAListTypeAttributes", "DeviceMetadata", "DynamicMIG", "FabricManagerPartitioning",
        "HostManagedIMEXDaemon", "MPSSupport", "NVMLDeviceHealthCheck", "PassthroughSupport", "TimeSlicingSettings"})
    CHECK(with(alpha) == "fail");
  for (const char* beta : {"ComputeDomainCliques", "CrashOnNVLinkFabricErrors", "IMEXDaemonsWithDNSNames"})
    CHECK(with(beta) == "pass");
}

TEST_CASE("the gate of claims themselves decides up to 1.34", "[dra-versions]") {
  const auto served = [](const std::string& release, const std::string& gate) {
    return readiness_check({{"r/c.yaml", kOneClaim},
                            {"r/f.yaml", pool_file("node_pools", "control_planes: [{kind: kubernetes, version: \"" +
                                                                     release + "\"" + gate + "}]\nnode_pools")}},
                           "api-served");
  };
  const std::string on = ", feature_gates: {DynamicResourceAllocation: true}";
  const std::string off = ", feature_gates: {DynamicResourceAllocation: false}";
  // Alpha before 1.32, beta and off in 1.32 and 1.33, on in 1.34, locked from 1.35 on.
  CHECK(served("1.31", on) == "fail");
  CHECK(served("1.32", "") == "unknown");
  CHECK(served("1.32", on) == "pass");
  CHECK(served("1.33", off) == "fail");
  CHECK(served("1.34", "") == "pass");
  CHECK(served("1.34", off) == "fail");
  CHECK(served("1.35", off) == "pass");
}

// containerd RELEASES.md and docs/cri/config.md; kubernetes-sigs/dra-driver-nvidia-gpu:site/content/docs/
// prerequisites.md (0.5); NVIDIA/gpu-operator 26.7; kubernetes/autoscaler:cluster-autoscaler/docs/dra_support.md
// (1.36). Of Karpenter and Auto Mode: tests/review/device_platforms_test.cc.
TEST_CASE("runtimes, drivers and autoscalers pass from the releases on that their papers name", "[dra-versions]") {
  const auto with = [](const std::string& runtime, const std::string& nodes = "1") {
    return Files{{"r/c.yaml", kOneClaim},
                 {"r/f.yaml", muster::replace_all(pool_file("runtime: {}", "runtime: {" + runtime + "}"),
                                                  "nvlink_domain_nodes: 1", "nvlink_domain_nodes: " + nodes)}};
  };
  CHECK(readiness_check(with("containerd: 1.6.30"), "cdi") == "fail");
  CHECK(readiness_check(with("containerd: 1.7.0"), "cdi") == "unknown");  // enable_cdi has to be set
  CHECK(readiness_check(with("containerd: 2.0.0"), "cdi") == "pass");
  CHECK(readiness_check(with("driver: 564.99"), "gpu-driver") == "fail");
  CHECK(readiness_check(with("driver: 565.57.01"), "gpu-driver") == "pass");
  CHECK(readiness_check(with("driver: 570.133.20", "18"), "gpu-driver") == "fail");
  CHECK(readiness_check(with("driver: 570.158.01", "18"), "gpu-driver") == "pass");
  Files managed = with("driver: 570.158.01");
  managed["r/g.yaml"] = "apiVersion: nvidia.com/v1alpha1\nkind: GPUCluster\nmetadata: {name: gpu-cluster}\nspec: {}\n";
  CHECK(readiness_check(managed, "gpu-driver") == "fail");
  managed["r/f.yaml"] = with("driver: 580.65.06").at("r/f.yaml");
  CHECK(readiness_check(managed, "gpu-driver") == "pass");
  const auto autoscaler = [](const std::string& release) {
    return Files{
        {"r/c.yaml", kOneClaim},
        {"r/d.yaml",
         "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cluster-autoscaler}\nspec: {template: {spec: "
         "{containers: [{name: a, image: \"registry.k8s.io/autoscaling/cluster-autoscaler:v" +
             release + "\", command: [./cluster-autoscaler, --enable-dynamic-resource-allocation=false]}]}}}\n"}};
  };
  CHECK(readiness_check(autoscaler("1.34.1"), "autoscaler") == "fail");
  CHECK(readiness_check(autoscaler("1.35.0"), "autoscaler") == "pass");
  CHECK_FALSE(is_told(autoscaler("1.34.1"), "1.34", "cluster-autoscaler-claims-off"));
  CHECK(is_told(autoscaler("1.35.0"), "1.35", "cluster-autoscaler-claims-off"));
}

// Informers and go.mod by release: volcano-sh/volcano 1.12 and 1.13 v1beta1, 1.14 v1; KAI 0.9 v1beta1, 0.12 v1; Kueue
// 0.14 v1beta2, 0.15 v1; YuniKorn 1.9 none; slurm-bridge 1.2 refuses claims.
TEST_CASE("schedulers read claims from the releases on that have v1 in their imports", "[dra-versions]") {
  const auto of = [](const std::string& name, const std::string& target) {
    return readiness_check({{"r/j.yaml", claiming_job(name)}}, "scheduler",
                           target.empty() ? std::vector<std::string>{} : std::vector<std::string>{target});
  };
  CHECK(of("volcano", "volcano=1.13") == "fail");
  CHECK(of("volcano", "volcano=1.14") == "pass");
  CHECK(of("kai-scheduler", "kai=0.10") == "fail");
  CHECK(of("kai-scheduler", "kai=0.12") == "pass");
  CHECK(of("yunikorn", "") == "fail");
  // KAI-Scheduler CHANGELOG, v0.15.0: rights for `resourceclaims/binding`, which 1.36 asks for.
  const auto kai_on = [](const std::string& release, const std::string& kai) {
    return readiness_check({{"r/j.yaml", claiming_job("kai-scheduler")}}, "scheduler",
                           {"kubernetes=" + release, "kai=" + kai});
  };
  CHECK(kai_on("1.35", "0.14") == "pass");
  CHECK(kai_on("1.36", "0.14") == "fail");
  CHECK(kai_on("1.36", "0.15") == "pass");
  struct Scheduler {
    std::string name;
    std::string since;
  };
  for (const Scheduler& row : std::vector<Scheduler>{{"kai", "0.12"},
                                                     {"kueue", "0.15"},
                                                     {"kueue-topology", "0.15"},
                                                     {"slurm-bridge", ""},
                                                     {"volcano", "1.14"},
                                                     {"yunikorn", ""}}) {
    INFO(row.name);
    const auto found = std::ranges::find(muster::device_schedulers(), row.name, &muster::DeviceScheduler::name);
    REQUIRE(found != muster::device_schedulers().end());
    CHECK(found->since == row.since);
    CHECK(found->why_not.empty() == !row.since.empty());
  }
  CHECK(muster::device_schedulers().size() == 6);
  // The decision table asks for the same.
  const Ran table = run_command({"explain", "dra"});
  for (const char* said : {"volcano before 1.14", "KAI before 0.12", "Kueue before 0.15", "YuniKorn up to 1.9",
                           "before containerd 1.7", "GPU driver 565", "570.158.01", "before Kubernetes 1.32"})
    CHECK(muster::contains(muster::to_lower(table.out), muster::to_lower(said)));
}
