// What platforms, container runtimes and autoscalers make of claims, against rows that were written down here by
// themselves, and what review, decide and check say of each.
#include "model/device_platforms.h"

#include "base/date.h"
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/json.h"
#include "support/reviews.h"

namespace {

using muster::Version;
using muster::test::FakeDisk;
using muster::test::Ran;
using muster::test::readiness_of;
using muster::test::run_command;
using Json = nlohmann::json;
using Files = std::map<std::string, std::string>;

const std::string kClaimOfOneGpu =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: gpus}\nspec:\n  spec:\n    devices: "
    "{requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}\n";

std::string plane(const std::string& platform, const std::string& release, const std::string& more = "") {
  return "muster: fleet/v1\nname: east\nstage: greenfield\ncontrol_planes: [{kind: kubernetes" +
         (release.empty() ? "" : ", version: \"" + release + "\"") +
         (platform.empty() ? "" : ", platform: " + platform) + more +
         "}]\nnode_pools:\n  - {name: h100, nodes: \"n[1-8]\", gpus_per_node: 8, control_plane: kubernetes, "
         "accelerator: {model: H100, partitioning: none}, fabric: {kind: infiniband, nvlink_domain_nodes: 1}, "
         "runtime: {containerd: 2.1.4, driver: 580.126.20}}\nrequirements: {keep_default_scheduler: true, "
         "support_contract: false, vendor_neutral: true}\ntenants: []\n";
}
const std::string kWorkOfFour =
    "muster: workloads/v1\nworkloads:\n  - {name: train, kind: job, nodes: 4, gpus_per_node: 8, tightly_coupled: true, "
    "bare_metal: false, edge_or_dev: false, fractional_gpu: false, multi_tenant: false, long_lived_services: false, "
    "python_native_pipeline: false}\n";

/// `fail: what is said`
std::string check_of(const Files& files, const std::string& id, const std::vector<std::string>& more = {}) {
  const Json dra = readiness_of(files, more);
  for (const Json& check : dra["checks"]) {
    if (check["id"] == id) return check["result"].get<std::string>() + ": " + check["evidence"].get<std::string>();
  }
  return "no such check";
}
std::string result_of(const Files& files, const std::string& id, const std::vector<std::string>& more = {}) {
  const std::string all = check_of(files, id, more);
  return all.substr(0, all.find(':'));
}

std::string findings_of(const Files& files, const std::vector<std::string>& more = {}) {
  const FakeDisk disk(files);
  std::vector<std::string> words{"check", "r"};
  words.insert(words.end(), more.begin(), more.end());
  return run_command(words, disk).out;
}

/// The verdict of the table dra for the one workload.
std::string decided(const Files& files) {
  const FakeDisk disk(files);
  const Ran ran = run_command({"decide", "r", "--format", "json"}, disk);
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const Json answer = Json::parse(ran.out);
  for (const Json& choice : answer["decisions"][0]["choices"]) {
    if (choice["id"] == "dra") return choice["value"].dump();
  }
  return "no such choice";
}

// Read on 2026-11-27. docs.aws.amazon.com/eks/latest/userguide/device-management.html: "EKS Auto Mode: Includes the
// NVIDIA DRA driver and the EFA DRA driver ... Requires Kubernetes version 1.36 or later" (the pages of the regions in
// China: "not currently supported with EKS Auto Mode"). docs.coreweave.com .../dynamic-reasource-featuregates:
// DynamicResourceAllocation from 1.30, DRAResourceClaimDeviceStatus from 1.32. blog.aks.azure.com 2026-03-03: 1.34 or
// above. docs.cloud.google.com .../set-up-dra: "Node auto-provisioning isn't supported. Autopilot clusters don't
// support DRA"; 1.34 or later. openshift/api features.md: 4.18 (1.31) to 4.20 (1.33) TechPreviewNoUpgrade and
// DevPreviewNoUpgrade; 4.21 (1.34) has no such gate; DRAPartitionableDevices in 4.22 (1.35) TechPreview.
struct PlatformFact {
  std::string id;
  std::string gate;
  std::string release;
  std::string has;  ///< shipped, on, off, none
};
const std::vector<PlatformFact> kPlatformFacts{
    {"aks", "DynamicResourceAllocation", "1.33", "shipped"},
    {"aks", "DynamicResourceAllocation", "1.34", "shipped"},
    {"cks", "DynamicResourceAllocation", "1.29", ""},
    {"cks", "DynamicResourceAllocation", "1.30", "on"},
    {"cks", "DynamicResourceAllocation", "1.33", "on"},
    {"cks", "DynamicResourceAllocation", "1.34", "shipped"},
    {"cks", "DRAResourceClaimDeviceStatus", "1.31", ""},
    {"cks", "DRAResourceClaimDeviceStatus", "1.32", "on"},
    {"eks", "DynamicResourceAllocation", "1.34", "shipped"},
    {"eks-auto-mode", "DynamicResourceAllocation", "1.34", "none"},
    {"eks-auto-mode", "DynamicResourceAllocation", "1.35", "none"},
    {"eks-auto-mode", "DynamicResourceAllocation", "1.36", "shipped"},
    {"gke", "DynamicResourceAllocation", "1.34", "shipped"},
    {"gke-autopilot", "DynamicResourceAllocation", "1.33", "none"},
    {"gke-autopilot", "DynamicResourceAllocation", "1.37", "none"},
    {"openshift", "DynamicResourceAllocation", "1.31", "off"},
    {"openshift", "DynamicResourceAllocation", "1.33", "off"},
    {"openshift", "DynamicResourceAllocation", "1.34", "shipped"},
    {"openshift", "DRAPartitionableDevices", "1.34", ""},
    {"openshift", "DRAPartitionableDevices", "1.35", "off"},
    {"openshift", "DRAPartitionableDevices", "1.36", ""},
};

std::string word_of_gate(const muster::DevicePlatform* row) {
  if (row == nullptr) return "";
  switch (row->has) {
    case muster::PlatformGate::AsShipped: return "shipped";
    case muster::PlatformGate::On: return "on";
    case muster::PlatformGate::Off: return "off";
    case muster::PlatformGate::None: return "none";
  }
  return "";
}

const std::string kNodeHead =
    "apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {nvidia.com/gpu.present: \"true\", ";
std::string node_with(const std::string& label, const std::string& runtime = "containerd://2.1.4") {
  return kNodeHead + label +
         "}}\nstatus:\n  allocatable: {nvidia.com/gpu: \"0\"}\n  nodeInfo: {kubeletVersion: v1.35.2, "
         "containerRuntimeVersion: \"" +
         runtime + "\"}\n";
}

std::string karpenter_chart(const std::string& release, const std::string& settings) {
  return "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: karpenter, namespace: "
         "kube-system}\nspec:\n  interval: 1h\n  chart:\n    spec: {chart: karpenter, version: \"" +
         release + "\", sourceRef: {kind: HelmRepository, name: aws}}\n  values: {settings: {clusterName: east" +
         settings + "}}\n";
}

std::string node_pool_of(const std::string& group) {
  return "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: gpu}\nspec: {template: {spec: {nodeClassRef: "
         "{group: " +
         group + ", kind: NodeClass, name: default}, requirements: []}}}\n";
}

}  // namespace

TEST_CASE("platforms are in the table as their papers have them", "[dra-versions]") {
  std::set<std::string> ids;
  for (const PlatformFact& fact : kPlatformFacts) {
    INFO(fact.id << " " << fact.gate << " " << fact.release);
    ids.insert(fact.id);
    CHECK(word_of_gate(muster::platform_row(fact.id, fact.gate, *Version::parse(fact.release))) == fact.has);
  }
  CHECK(ids == std::set<std::string>(muster::platform_ids().begin(), muster::platform_ids().end()));
  CHECK(muster::device_platforms().size() == 12);
  for (const muster::DevicePlatform& row : muster::device_platforms()) {
    CHECK_FALSE(row.source.empty());
    CHECK(muster::parse_date(std::string(row.read) + "-01"));
    // Google's page alone has no date.
    CHECK(row.dated == !row.id.starts_with("gke"));
  }
  CHECK(muster::platform_claims_from("eks-auto-mode") == "1.36");
  CHECK(muster::platform_claims_from("openshift") == "1.34");
  CHECK(muster::platform_claims_from("gke-autopilot") == "");
  for (const char* id : {"aks", "cks", "eks", "gke"}) CHECK_FALSE(muster::platform_claims_from(id));
}

TEST_CASE("a stated platform decides whether claims are served", "[dra-versions][readiness]") {
  const auto served = [](const std::string& platform, const std::string& release, const std::string& more = "") {
    return check_of({{"r/c.yaml", kClaimOfOneGpu}, {"r/f.yaml", plane(platform, release, more)}}, "api-served");
  };
  const std::string preview = ", feature_gates: {DynamicResourceAllocation: true}";
  CHECK(served("", "1.33").starts_with("unknown"));
  CHECK(served("cks", "1.33").starts_with("pass"));
  CHECK(muster::contains(served("cks", "1.32"), "CoreWeave CKS turns it on from Kubernetes 1.30 on"));
  CHECK(served("cks", "1.33", ", feature_gates: {DynamicResourceAllocation: false}").starts_with("fail"));
  CHECK(served("openshift", "1.33").starts_with("fail"));
  CHECK(served("openshift", "1.33", preview).starts_with("pass"));
  CHECK(served("openshift", "1.34").starts_with("pass"));
  CHECK(served("eks-auto-mode", "1.35").starts_with("fail"));
  CHECK(served("eks-auto-mode", "1.36").starts_with("pass"));
  CHECK(served("eks-auto-mode", "").starts_with("unknown"));
  CHECK(served("eks", "1.34").starts_with("pass"));
  CHECK(muster::contains(served("aks", "1.34"), "no flag"));
  CHECK(served("gke-autopilot", "1.36").starts_with("fail"));
  // Also where the release is not said: it is so in all of them.
  CHECK(served("gke-autopilot", "").starts_with("fail"));
  CHECK(muster::contains(served("gke-autopilot", "1.36"), "no date of its own: look it up again"));
  CHECK_FALSE(muster::contains(served("eks-auto-mode", "1.35"), "look it up again"));
}

TEST_CASE("nodes and what makes a control plane show the platform", "[dra-versions][readiness]") {
  const auto shown = [](const std::string& label, const std::string& release) {
    return check_of({{"r/c.yaml", kClaimOfOneGpu}, {"r/n.yaml", node_with(label)}}, "api-served",
                    {"--target", "kubernetes=" + release});
  };
  CHECK(shown("eks.amazonaws.com/compute-type: auto", "1.35").starts_with("fail: EKS Auto Mode has no DRA"));
  CHECK(shown("eks.amazonaws.com/nodegroup: gpu", "1.35").starts_with("pass"));
  CHECK(shown("node.openshift.io/os_id: rhel", "1.33").starts_with("fail"));
  CHECK(shown("node.coreweave.cloud/type: gb200-4x", "1.33").starts_with("pass"));
  CHECK(muster::contains(shown("kubernetes.azure.com/cluster: MC_a", "1.34"), "AKS has it"));
  CHECK(muster::contains(shown("cloud.google.com/gke-nodepool: a", "1.34"), "GKE has it"));
  CHECK(shown("kubernetes.io/os: linux", "1.33").starts_with("unknown"));
  // Two of them say nothing, but Auto Mode stands beside other nodes of its cluster.
  const auto both = [](const std::string& other) {
    return check_of({{"r/c.yaml", kClaimOfOneGpu},
                     {"r/n.yaml", node_with("eks.amazonaws.com/compute-type: auto") + "---\n" +
                                      muster::replace_all(node_with(other), "name: n1", "name: n2")}},
                    "api-served", {"--target", "kubernetes=1.35"});
  };
  CHECK(muster::contains(both("eks.amazonaws.com/nodegroup: gpu"), "pass: Kubernetes is `1.35`; EKS names it"));
  CHECK(both("cloud.google.com/gke-nodepool: a") == "pass: Kubernetes is `1.35`");
  const std::string eksctl =
      "apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: {name: east, version: \"1.34\"}\n";
  CHECK(muster::contains(check_of({{"r/c.yaml", kClaimOfOneGpu}, {"r/e.yaml", eksctl}}, "api-served"), "EKS names it"));
}

TEST_CASE("a platform without claims blocks the decision, and one with them leaves it", "[dra-versions][decide]") {
  const auto verdict = [](const std::string& platform, const std::string& release, const std::string& more = "") {
    const Files files{{"r/f.yaml", plane(platform, release, more)}, {"r/w.yaml", kWorkOfFour}};
    CHECK(readiness_of(files)["verdict"].is_null() == (decided(files) != "\"blocked\""));
    return decided(files);
  };
  CHECK(verdict("", "1.35") == "\"ready\"");
  CHECK(verdict("aks", "1.35") == "\"ready\"");
  CHECK(verdict("eks", "1.35") == "\"ready\"");
  CHECK(verdict("eks-auto-mode", "1.35") == "\"blocked\"");
  CHECK(verdict("eks-auto-mode", "1.36") == "\"ready\"");
  CHECK(verdict("gke-autopilot", "1.36") == "\"blocked\"");
  CHECK(verdict("openshift", "1.33") == "\"blocked\"");
  CHECK(verdict("openshift", "1.33", ", feature_gates: {DynamicResourceAllocation: true}") == "\"pilot\"");
  CHECK(verdict("cks", "1.33") == "\"pilot\"");
}

TEST_CASE("pods that claim devices where the platform has none are told so", "[dra-versions]") {
  const std::string pod =
      kClaimOfOneGpu +
      "---\napiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  resourceClaims: [{name: gpu, "
      "resourceClaimTemplateName: gpus}]\n  containers: [{name: m, image: \"i:1\", resources: {claims: [{name: "
      "gpu}]}}]\n";
  const std::string rule = "[pod-claims-on-platform-without]";
  const auto said = [&](const std::string& platform, const std::string& release, const std::string& more = "") {
    return findings_of({{"r/f.yaml", plane(platform, release, more)}, {"r/p.yaml", pod}});
  };
  for (const PlatformFact& fact : kPlatformFacts) {
    if (fact.gate != "DynamicResourceAllocation" || fact.has.empty()) continue;
    INFO(fact.id << " " << fact.release);
    CHECK(muster::contains(said(fact.id, fact.release), rule) == (fact.has == "none" || fact.has == "off"));
  }
  CHECK(muster::contains(said("eks-auto-mode", "1.35"), "error" + rule));
  CHECK(muster::contains(said("openshift", "1.33"), "error" + rule));
  CHECK_FALSE(muster::contains(said("openshift", "1.33", ", feature_gates: {DynamicResourceAllocation: true}"), rule));
  CHECK(muster::contains(said("gke-autopilot", "1.36"), "warning" + rule));  // the page has no date
}

// containerd RELEASES.md and docs/cri/config.md: 1.7 `enable_cdi`, 2.0 on by default, the key deprecated in 2.2 and
// gone in 2.4. CRI-O: 1.27 (prerequisites.md of NVIDIA's DRA driver 0.5). Docker: 25.0 `"features": {"cdi": true}`,
// 28.2.0 (2025-05-28) "CDI is now enabled by default".
TEST_CASE("container runtimes take devices by CDI from the releases on that their papers name", "[dra-versions]") {
  struct Runtime {
    std::string name, able, on, key_gone;
  };
  const std::vector<Runtime> rows{
      {"containerd", "1.7", "2.0", "2.4"}, {"cri-o", "1.27", "1.27", ""}, {"docker", "25.0", "28.2", ""}};
  CHECK(muster::device_runtimes().size() == rows.size());
  for (const Runtime& row : rows) {
    INFO(row.name);
    const muster::DeviceRuntime* found = muster::find_device_runtime(row.name);
    REQUIRE(found != nullptr);
    CHECK(found->able == row.able);
    CHECK(found->on == row.on);
    CHECK(found->key_gone == row.key_gone);
  }
  const auto cdi = [](const std::string& runtime, const std::string& more = "") {
    return result_of({{"r/c.yaml", kClaimOfOneGpu}, {"r/n.yaml", node_with("a: b", runtime)}, {"r/m.yaml", more}},
                     "cdi");
  };
  const std::string toolkit =
      "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: p}\nspec: {cdi: "
      "{enabled: true}, toolkit: {enabled: true}}\n";
  CHECK(cdi("containerd://1.6.39") == "fail");
  CHECK(cdi("containerd://1.7.0") == "unknown");
  CHECK(cdi("containerd://1.7.0", toolkit) == "pass");
  CHECK(cdi("containerd://2.0.0") == "pass");
  CHECK(cdi("containerd://2.4.0") == "pass");
  CHECK(cdi("cri-o://1.26.4") == "fail");
  CHECK(cdi("cri-o://1.27.0") == "pass");
  CHECK(cdi("docker://24.0.7") == "fail");
  CHECK(cdi("docker://28.1.1") == "unknown");
  CHECK(cdi("docker://28.2.0") == "unknown");  // whether cri-dockerd asks for them no paper says
  CHECK(cdi("containerd://2.1.0", muster::replace_all(toolkit, "cdi: {enabled: true}", "cdi: {enabled: false}")) ==
        "fail");
}

// kubernetes/autoscaler: the flag came with 1.32 (off), is on from 1.35 and then refuses `false`. Karpenter:
// `settings.ignoreDRARequests` (true) 1.12 to 1.14, `settings.enableDRA` (false, alpha) from 1.15 on AWS. EKS: 1.15.
TEST_CASE("autoscalers make nodes for claims from the releases on that their papers name", "[dra-versions]") {
  const auto has = [](const std::string& name, const std::string& release) -> std::string {
    const std::optional<Version> version = Version::parse(release);
    const muster::DeviceAutoscaler* row = muster::autoscaler_row(name, version ? &*version : nullptr);
    if (row == nullptr) return "";
    switch (row->has) {
      case muster::ClaimScaling::None: return "none";
      case muster::ClaimScaling::Told: return std::string(row->setting);
      case muster::ClaimScaling::On: return "on";
    }
    return "";
  };
  CHECK(has("cluster-autoscaler", "1.31.4") == "none");
  CHECK(has("cluster-autoscaler", "1.32.0") == "--enable-dynamic-resource-allocation");
  CHECK(has("cluster-autoscaler", "1.34.9") == "--enable-dynamic-resource-allocation");
  CHECK(has("cluster-autoscaler", "1.35.0") == "on");
  CHECK(has("karpenter", "1.12.0") == "none");
  CHECK(has("karpenter", "1.13.0") == "none");
  CHECK(has("karpenter", "1.14.1") == "settings.ignoreDRARequests=false");
  CHECK(has("karpenter", "1.15.0") == "settings.enableDRA=true");
  CHECK(has("karpenter", "") == "");
  CHECK(has("node-auto-provisioning", "") == "none");
  CHECK(muster::device_autoscalers().size() == 7);

  const auto with = [](const std::string& more, const std::string& pool = node_pool_of("karpenter.k8s.aws")) {
    return result_of({{"r/c.yaml", kClaimOfOneGpu}, {"r/p.yaml", pool}, {"r/m.yaml", more}}, "autoscaler",
                     {"--target", "kubernetes=1.35"});
  };
  CHECK(with("") == "unknown");
  CHECK(with(karpenter_chart("1.13.0", ", ignoreDRARequests: false")) == "fail");
  CHECK(with(karpenter_chart("1.14.1", "")) == "fail");
  CHECK(with(karpenter_chart("1.14.1", ", ignoreDRARequests: true")) == "fail");
  CHECK(with(karpenter_chart("1.14.1", ", ignoreDRARequests: false")) == "unknown");
  CHECK(with(karpenter_chart("1.15.0", "")) == "fail");
  CHECK(with(karpenter_chart("1.15.0", ", enableDRA: false")) == "fail");
  CHECK(with(karpenter_chart("1.15.0", ", enableDRA: true")) == "pass");
  CHECK(with(karpenter_chart("1.15.0", ", enableDRA: true"), node_pool_of("eks.amazonaws.com")) == "fail");
  const auto auto_mode = [](const std::string& release) {
    std::vector<std::string> more;
    if (!release.empty()) more = {"--target", "kubernetes=" + release};
    return result_of({{"r/c.yaml", kClaimOfOneGpu}, {"r/p.yaml", node_pool_of("eks.amazonaws.com")}}, "autoscaler",
                     more);
  };
  CHECK(auto_mode("") == "unknown");
  CHECK(auto_mode("1.35") == "fail");
  CHECK(auto_mode("1.36") == "pass");
  const auto stated = [](const std::string& by) {
    return result_of({{"r/c.yaml", kClaimOfOneGpu},
                      {"r/f.yaml", muster::replace_all(plane("", "1.35"), "control_plane: kubernetes",
                                                       "control_plane: kubernetes, autoscaling: {by: " + by + "}")}},
                     "autoscaler");
  };
  CHECK(stated("karpenter") == "unknown");
  CHECK(stated("cluster-autoscaler") == "unknown");
  CHECK(stated("node-auto-provisioning") == "fail");
}

TEST_CASE("a fleet file cannot state a platform, release or gate that is none", "[dra-versions][own]") {
  const auto said = [](const std::string& platform, const std::string& release, const std::string& more = "") {
    return findings_of({{"r/f.yaml", plane(platform, release, more)}});
  };
  CHECK(muster::contains(said("eks-automode", "1.35"), "did you mean `eks-auto-mode`"));
  CHECK(muster::contains(said("openshift", "4.20"), "`4.20` is a release of OpenShift"));
  CHECK_FALSE(muster::contains(said("openshift", "1.33"), "own-file-value"));
  CHECK(muster::contains(findings_of({{"r/f.yaml",
                                       "muster: fleet/v1\nname: east\ncontrol_planes: [{kind: slurm, "
                                       "platform: eks}]\n"}}),
                         "`platform` is of a control plane of Kubernetes"));
  CHECK(muster::contains(said("", "1.32", ", feature_gates: {DRAPartitionableDevices: true}"),
                         "Kubernetes has the gate `DRAPartitionableDevices` from 1.33 on"));
  CHECK_FALSE(muster::contains(said("", "1.33", ", feature_gates: {DRAPartitionableDevices: true}"), "own-file-value"));
}

// kubernetes-sigs/dra-driver-nvidia-gpu: upgrade.md and featuregates.go of 25.3 to 0.5: the chart's two names, releases
// in their order (0.4 comes after 25.12), and the first release that knows a gate.
TEST_CASE("the DRA driver's charts, the order of its releases and their gates are those of its papers",
          "[dra-versions]") {
  const std::vector<std::string> releases{"25.3.2", "25.8.0", "25.12.0", "0.4.0", "0.4.1", "0.5.0"};
  const auto said = [](const std::string& chart, const std::string& release, const std::string& gate,
                       const std::string& rule) {
    const std::string file =
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: dra, namespace: gpu}\nspec:\n  "
        "interval: 1h\n  chart: {spec: {chart: " +
        chart + ", version: " + release + ", sourceRef: {kind: HelmRepository, name: n}}}\n  values: {featureGates: {" +
        gate + ": true}}\n";
    return muster::contains(findings_of({{"r/h.yaml", file}}), "[" + rule + "]");
  };
  const std::string chart_rule = "dra-driver-chart-of-other-release";
  for (std::size_t i = 0; i < releases.size(); ++i) {
    INFO(releases[i]);
    const bool renamed = i >= 3;
    CHECK(said("nvidia-dra-driver-gpu", releases[i], "DynamicMIG", chart_rule) == renamed);
    CHECK(said("dra-driver-nvidia-gpu", releases[i], "DynamicMIG", chart_rule) == !renamed);
    for (const auto& [gate, first] : std::map<std::string, std::size_t>{{"ComputeDomainCliques", 2},
                                                                        {"ConsumableShares", 5},
                                                                        {"CrashOnNVLinkFabricErrors", 2},
                                                                        {"DRAListTypeAttributes", 5},
                                                                        {"DeviceMetadata", 3},
                                                                        {"DynamicMIG", 2},
                                                                        {"FabricManagerPartitioning", 5},
                                                                        {"HostManagedIMEXDaemon", 5},
                                                                        {"IMEXDaemonsWithDNSNames", 1},
                                                                        {"MPSSupport", 1},
                                                                        {"NVMLDeviceHealthCheck", 2},
                                                                        {"PassthroughSupport", 2},
                                                                        {"TimeSlicingSettings", 1}}) {
      INFO(gate);
      CHECK(said(renamed ? "dra-driver-nvidia-gpu" : "nvidia-dra-driver-gpu", releases[i], gate,
                 "dra-driver-gate-too-new") == (i < first));
    }
  }
}

// kubernetes-sigs/kueue:pkg/features/kube_features.go (0.14 to 0.19).
TEST_CASE("Kueue's gates for claims have the names of their releases", "[dra-versions]") {
  struct KueueGate {
    std::string name, from, until;
  };
  for (const KueueGate& gate : std::vector<KueueGate>{{"DynamicResourceAllocation", "0.14", "0.18"},
                                                      {"DRAExtendedResources", "0.17", "0.18"},
                                                      {"KueueDRAIntegration", "0.18", "1"},
                                                      {"KueueDRAIntegrationExtendedResource", "0.18", "1"},
                                                      {"KueueDRAIntegrationPartitionableDevices", "0.18", "1"},
                                                      {"KueueDRARejectWorkloadsWhenDRADisabled", "0.18", "1"},
                                                      {"KueueDRAIntegrationConsumableCapacity", "0.19", "1"}}) {
    for (const char* release : {"0.17", "0.18", "0.19"}) {
      INFO(gate.name << " in " << release);
      // Its libraries of Kubernetes have a gate of that name again, and what becomes of it is not said.
      const bool open = gate.name == "DynamicResourceAllocation" && release == std::string("0.19");
      const bool knows = open || (*Version::parse(gate.from) <= *Version::parse(release) &&
                                  *Version::parse(release) < *Version::parse(gate.until));
      const std::string out = findings_of({{"r/k.yaml",
                                            "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
                                            "featureGates: {" +
                                                gate.name + ": true}\n"}},
                                          {"--target", std::string("kueue=") + release});
      CHECK(muster::contains(out, "[kueue-claim-gate-of-other-release]") == !knows);
    }
  }
}

// volcano-sh/volcano:pkg/scheduler/plugins/predicates/predicates.go (1.14, 1.15): dynamicResourceAllocationEnable is
// false unless the argument says otherwise.
TEST_CASE("Volcano looks at claims where its predicates are told to", "[dra-versions][readiness]") {
  const auto looks = [](const std::string& argument) {
    const std::string conf =
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: volcano-scheduler-configmap, namespace: volcano-system}\n"
        "data:\n  volcano-scheduler.conf: |\n    actions: \"enqueue, allocate\"\n    tiers:\n      - plugins:\n"
        "          - name: gang\n          - name: predicates\n" +
        argument;
    const std::string job =
        kClaimOfOneGpu +
        "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: train}\nspec:\n  parallelism: 4\n  completions: 4\n  "
        "template:\n    spec:\n      schedulerName: volcano\n      restartPolicy: Never\n      resourceClaims: [{name: "
        "gpu, resourceClaimTemplateName: gpus}]\n      containers: [{name: m, image: \"i:1\", resources: {claims: "
        "[{name: gpu}]}}]\n";
    const Files files{{"r/conf.yaml", conf}, {"r/job.yaml", job}};
    const std::string result = result_of(files, "scheduler", {"--target", "volcano=1.14"});
    CHECK(muster::contains(findings_of(files), "[pod-claims-unread-by-volcano]") == (result == "fail"));
    return result;
  };
  CHECK(looks("") == "fail");
  CHECK(looks("            arguments: {predicate.DynamicResourceAllocationEnable: false}\n") == "fail");
  CHECK(looks("            arguments: {predicate.DynamicResourceAllocationEnable: true}\n") == "pass");
}
