// Readiness for Dynamic Resource Allocation: each verdict, and each check with its results.
#include "base/strings.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/fake_disk.h"
#include "support/json.h"
#include "support/reviews.h"

namespace {

using muster::test::FakeDisk;
using muster::test::Ran;
using muster::test::readiness_of;
using muster::test::run_command;
using Json = nlohmann::json;
using Files = std::map<std::string, std::string>;

/// The result of a check and what is said to it.
std::string found(const Json& dra, const std::string& id) {
  for (const Json& check : dra["checks"]) {
    if (check["id"] == id) return check["result"].get<std::string>() + ": " + check["evidence"].get<std::string>();
  }
  return "no such check";
}

std::string result(const Files& files, const std::string& id, const std::vector<std::string>& more = {}) {
  const std::string all = found(readiness_of(files, more), id);
  return all.substr(0, all.find(':'));
}

std::string fleet(const std::string& version, const std::string& runtime, const std::string& more = "",
                  const std::string& stage = "greenfield") {
  return "muster: fleet/v1\nname: east\nstage: " + stage + "\ncontrol_planes: [{kind: kubernetes, version: \"" +
         version +
         "\"}]\nnode_pools:\n  - {name: h100, nodes: \"n[1-8]\", gpus_per_node: 8, control_plane: kubernetes, "
         "accelerator: {model: H100, partitioning: none}, fabric: {kind: infiniband, nvlink_domain_nodes: 1}, runtime: "
         "{" +
         runtime +
         "}}\nrequirements: {keep_default_scheduler: true, support_contract: false, vendor_neutral: true}\n"
         "tenants: []\n" +
         more;
}
const std::string kRuntime = "containerd: 2.1.4, driver: 580.126.20";
const std::string kWork =
    "muster: workloads/v1\nworkloads:\n  - {name: train, kind: job, nodes: 4, gpus_per_node: 8, tightly_coupled: true, "
    "bare_metal: "
    "false, edge_or_dev: false, fractional_gpu: false, multi_tenant: false, long_lived_services: false, "
    "python_native_pipeline: false}\n";
const std::string kClaim =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: gpus}\nspec:\n  spec:\n    "
    "devices:\n"
    "      requests:\n        - {name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}\n";
const std::string kSharing =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: share}\nspec:\n  devices:\n    requests:\n"
    "      - {name: gpu, exactly: {deviceClassName: gpu.nvidia.com, capacity: {requests: {memory: 10Gi}}}}\n";
const std::string kPolicy =
    "apiVersion: nvidia.com/v1\nkind: ClusterPolicy\nmetadata: {name: policy}\nspec: {devicePlugin: {enabled: false}, "
    "driver: {version: 580.126.20}, dcgmExporter: {enabled: true}}\n";
const std::string kCluster =
    "apiVersion: nvidia.com/v1alpha1\nkind: GPUCluster\nmetadata: {name: gpu-cluster}\nspec: {draDriver: "
    "{featureGates: {";

std::string node(const std::string& kubelet, const std::string& runtime, const std::string& gpus,
                 const std::string& labels) {
  return "apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {nvidia.com/gpu.present: \"true\"" + labels +
         "}}\nstatus:\n  allocatable: {nvidia.com/gpu: \"" + gpus + "\"}\n  nodeInfo: {kubeletVersion: " + kubelet +
         ", containerRuntimeVersion: \"" + runtime + "\"}\n";
}

}  // namespace

TEST_CASE("where no work runs on Kubernetes there is nothing to be ready for, whatever claims there are",
          "[readiness]") {
  const Json dra =
      readiness_of({{"r/fleet.yaml",
                     "muster: fleet/v1\nname: east\nstage: production\ncontrol_planes: [{kind: slurm, "
                     "version: \"25.05\"}]\nrequirements: {keep_default_scheduler: true, support_contract: "
                     "false, vendor_neutral: true}\ntenants: []\nnode_pools:\n  - {name: h100, nodes: "
                     "\"n[1-8]\", gpus_per_node: 8, control_plane: slurm, accelerator: {model: H100, "
                     "partitioning: none}, fabric: {kind: infiniband, nvlink_domain_nodes: 1}}\n"},
                    {"r/work.yaml", muster::replace_all(kWork, "bare_metal: false", "bare_metal: true")},
                    {"r/claim.yaml", kClaim}});
  CHECK(dra["verdict"] == "none");
  CHECK_FALSE(dra["because"].get<std::string>().empty());
}

TEST_CASE("a new cluster with what it takes is ready for claims", "[review][readiness]") {
  const Json dra = readiness_of({{"r/fleet.yaml", fleet("1.35.2", kRuntime)},
                                 {"r/w.yaml", kWork},
                                 {"r/policy.yaml", kPolicy},
                                 {"r/claim.yaml", kClaim},
                                 {"r/nodes.yaml", node("v1.35.2", "containerd://2.1.4", "0", "")}},
                                {});
  INFO(dra.dump(1));
  CHECK(dra["verdict"] == "ready");
  CHECK(dra["checks"].size() == 14);
  for (const Json& check : dra["checks"]) {
    CHECK(check["result"] != "fail");
    CHECK_FALSE(check["source"].get<std::string>().empty());
    CHECK_FALSE(check["evidence"].get<std::string>().empty());
  }
}

TEST_CASE("what fails decides whether it is blocked or a pilot", "[review][readiness]") {
  const Files ready{{"r/fleet.yaml", fleet("1.35.2", kRuntime)},
                    {"r/w.yaml", kWork},
                    {"r/policy.yaml", kPolicy},
                    {"r/nodes.yaml", node("v1.35.2", "containerd://2.1.4", "0", "")}};
  Files old = ready;
  old["r/fleet.yaml"] = fleet("1.31", kRuntime);
  CHECK(readiness_of(old)["verdict"] == "blocked");
  Files preempts = ready;
  preempts["r/class.yaml"] =
      "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: urgent}\nvalue: 1000\n";
  const Json pilot = readiness_of(preempts);
  CHECK(pilot["verdict"] == "pilot");
  CHECK(found(pilot, "preemption").starts_with("fail: PriorityClass `urgent` preempts"));
  Files unknown = ready;
  unknown.erase("r/nodes.yaml");
  const Json open = readiness_of(unknown);
  CHECK(open["verdict"].is_null());
  CHECK(open["because"] == "it is not known: `kubelets`");
  Files runs = ready;
  runs["r/fleet.yaml"] = fleet("1.35.2", kRuntime, "", "production");
  CHECK(readiness_of(runs)["verdict"] == "stay");
}

TEST_CASE("each check by itself takes a cluster that is ready to blocked, or to a pilot", "[review][readiness]") {
  const Files ready{{"r/fleet.yaml", fleet("1.35.2", kRuntime)},
                    {"r/w.yaml", kWork},
                    {"r/policy.yaml", kPolicy},
                    {"r/claim.yaml", kClaim},
                    {"r/nodes.yaml", node("v1.35.2", "containerd://2.1.4", "0", "")}};
  CHECK(readiness_of(ready)["verdict"] == "ready");
  const std::string class_that_preempts =
      "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: urgent}\nvalue: 1000\n";
  const std::string slice_of_node =
      "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {driver: gpu.nvidia.com, "
      "nodeName: n1, pool: {name: n1, generation: 1, resourceSliceCount: 1}, devices: []}\n";
  const std::string scaler =
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cluster-autoscaler}\nspec: {selector: {matchLabels: {a: "
      "b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: "
      "\"registry.k8s.io/autoscaling/cluster-autoscaler:v1.33.0\"}]}}}\n";
  struct Row {
    std::string check;
    std::string file, from, to;  ///< an empty `from`: a further file
    std::string verdict = "blocked";
    std::vector<std::string> more = {};
  };
  const std::vector<Row> rows{
      {"api-served", "r/fleet.yaml", "1.35.2\"", "1.34.2\", feature_gates: {DynamicResourceAllocation: false}"},
      {"object-versions", "r/claim.yaml", "resource.k8s.io/v1\n", "resource.k8s.io/v1alpha3\n"},
      {"kubelets", "r/nodes.yaml", "v1.35.2", "v1.33.5"},
      {"features", "r/more.yaml", "", kSharing},
      {"cdi", "r/nodes.yaml", "containerd://2.1.4", "containerd://1.6.39"},
      {"gpu-driver", "r/fleet.yaml", "driver: 580.126.20", "driver: 550.54.15"},
      {"one-advertiser", "r/more.yaml", "", slice_of_node},
      {"operator-mode", "r/more.yaml", "", kCluster + "}}}\n"},
      {"scheduler",
       "r/fleet.yaml",
       "keep_default_scheduler: true",
       "keep_default_scheduler: false",
       "blocked",
       {"--target", "volcano=1.13"}},
      {"nvlink-labels", "r/fleet.yaml", "nvlink_domain_nodes: 1", "nvlink_domain_nodes: 18"},
      {"autoscaler", "r/more.yaml", "", scaler, "pilot"},
      {"alpha-features", "r/fleet.yaml", "partitioning: none", "partitioning: mps", "pilot"},
      {"preemption", "r/more.yaml", "", class_that_preempts, "pilot"},
      {"attribution", "r/policy.yaml", "dcgmExporter: {enabled: true}", "dcgmExporter: {enabled: false}", "pilot"},
  };
  CHECK(rows.size() == 14);
  for (const Row& row : rows) {
    INFO(row.check);
    Files files = ready;
    files[row.file] = row.from.empty() ? row.to : muster::replace_all(files.at(row.file), row.from, row.to);
    // The device plugin's GPUs count for one check alone.
    if (row.check == "one-advertiser") files["r/nodes.yaml"] = node("v1.35.2", "containerd://2.1.4", "8", "");
    const Json dra = readiness_of(files, row.more);
    CHECK(found(dra, row.check).starts_with("fail: "));
    CHECK(dra["verdict"] == row.verdict);
  }
}

TEST_CASE("nobody asks where nothing goes to Kubernetes", "[review][readiness]") {
  const Json dra = readiness_of({{"r/job.sh", "#!/bin/sh\n#SBATCH --nodes=2\nsrun true\n"}});
  CHECK(dra["verdict"] == "none");
  CHECK(dra["checks"].empty());
}

TEST_CASE("each check of the cluster passes, fails or asks", "[review][readiness]") {
  const auto with = [](const std::string& more) { return Files{{"r/claim.yaml", kClaim}, {"r/more.yaml", more}}; };
  const Files alone{{"r/claim.yaml", kClaim}};
  CHECK(result(alone, "api-served") == "unknown");
  CHECK(result(with(fleet("1.35", kRuntime)), "api-served") == "pass");
  CHECK(result(with(fleet("1.33", kRuntime)), "api-served") == "unknown");
  CHECK(result(with(fleet("1.31", kRuntime)), "api-served") == "fail");

  CHECK(result(alone, "object-versions") == "unknown");
  CHECK(result(with(fleet("1.35", kRuntime)), "object-versions") == "pass");
  CHECK(result(with(fleet("1.33", kRuntime)), "object-versions") == "fail");
  const std::string new_slice =
      "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {driver: gpu.nvidia.com, "
      "nodeName: n, "
      "pool: {name: n, generation: 1, resourceSliceCount: 1}, devices: []}\n";
  CHECK(result({{"r/s.yaml", new_slice}, {"r/f.yaml", fleet("1.33", kRuntime)}}, "object-versions") == "fail");
  const std::string gone =
      "apiVersion: resource.k8s.io/v1alpha2\nkind: ResourceClass\nmetadata: {name: c}\ndriverName: d\n";
  CHECK(result({{"r/a.yaml", gone}, {"r/c.yaml", kClaim}, {"r/f.yaml", fleet("1.35", kRuntime)}}, "object-versions") ==
        "fail");

  CHECK(result(alone, "kubelets") == "unknown");
  CHECK(result(with(node("v1.35.0", "containerd://2.0.0", "8", "")), "kubelets") == "pass");
  CHECK(result(with(node("v1.33.5", "containerd://2.0.0", "8", "")), "kubelets") == "fail");

  CHECK(result(alone, "features") == "not-needed");
  CHECK(result({{"r/s.yaml", kSharing}}, "features") == "unknown");
  CHECK(result({{"r/s.yaml", kSharing}, {"r/f.yaml", fleet("1.35", kRuntime)}}, "features") == "fail");
  CHECK(result({{"r/s.yaml", kSharing}, {"r/f.yaml", fleet("1.36", kRuntime)}}, "features") == "pass");

  // A gate that the fleet file states goes before what is usual, as far as the release has it.
  const auto gated = [](const std::string& release, const std::string& gates) {
    return Files{{"r/s.yaml", kSharing},
                 {"r/f.yaml", muster::replace_all(fleet(release, kRuntime), release + "\"}",
                                                  release + "\", feature_gates: {" + gates + "}}")}};
  };
  CHECK(result(gated("1.35", "DRAConsumableCapacity: true"), "features") == "pass");
  CHECK(result(gated("1.33", "DRAConsumableCapacity: true"), "features") == "fail");
  CHECK(result(gated("1.36", "DRAConsumableCapacity: false"), "features") == "fail");
  CHECK(result(gated("1.36", "DRADeviceTaints: false"), "features") == "pass");

  CHECK(result(alone, "cdi") == "unknown");
  CHECK(result(with(fleet("1.35", "containerd: 2.0.1")), "cdi") == "pass");
  CHECK(result(with(fleet("1.35", "containerd: 1.7.20")), "cdi") == "unknown");
  CHECK(result(with(fleet("1.35", "containerd: 1.6.2")), "cdi") == "fail");
  CHECK(result(with(node("v1.35.0", "cri-o://1.26.0", "8", "")), "cdi") == "fail");

  CHECK(result(alone, "gpu-driver") == "unknown");
  CHECK(result(with(fleet("1.35", "driver: 570.86.10")), "gpu-driver") == "pass");
  CHECK(result(with(fleet("1.35", "driver: 550.54.15")), "gpu-driver") == "fail");
  const Files managed{{"r/f.yaml", fleet("1.35", "driver: 570.86.10")}, {"r/g.yaml", kCluster + "}}}\n"}};
  CHECK(result(managed, "gpu-driver") == "fail");
  CHECK(found(readiness_of(with(node("v1.35.0", "containerd://2.0.0", "8",
                                     ", nvidia.com/cuda.driver-version.full: "
                                     "550.54.15"))),
              "gpu-driver")
            .starts_with("fail"));

  const std::string slice =
      "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: n1-gpus}\nspec:\n  driver: "
      "gpu.nvidia.com\n"
      "  nodeName: n1\n  pool: {name: n1, generation: 1, resourceSliceCount: 1}\n  devices: []\n";
  CHECK(result(alone, "one-advertiser") == "unknown");
  CHECK(result({{"r/s.yaml", slice}, {"r/n.yaml", node("v1.35.0", "containerd://2.0.0", "8", "")}}, "one-advertiser") ==
        "fail");
  CHECK(result({{"r/s.yaml", slice}, {"r/n.yaml", node("v1.35.0", "containerd://2.0.0", "0", "")}}, "one-advertiser") ==
        "pass");
  CHECK(result(with(kPolicy), "one-advertiser") == "pass");

  CHECK(result(alone, "operator-mode") == "not-needed");
  CHECK(result(with(kPolicy), "operator-mode") == "pass");
  CHECK(result({{"r/p.yaml", kPolicy}, {"r/g.yaml", kCluster + "}}}\n"}}, "operator-mode") == "fail");

  CHECK(result(alone, "nvlink-labels") == "not-needed");
  const std::string domain =
      "apiVersion: resource.nvidia.com/v1beta1\nkind: ComputeDomain\nmetadata: {name: d}\nspec: {numNodes: 0, channel: "
      "{resourceClaimTemplate: {name: c}}}\n";
  CHECK(result({{"r/d.yaml", domain}}, "nvlink-labels") == "unknown");
  CHECK(result({{"r/d.yaml", domain}, {"r/n.yaml", node("v1.35.0", "containerd://2.0.0", "8", "")}}, "nvlink-labels") ==
        "fail");
  CHECK(result({{"r/d.yaml", domain},
                {"r/n.yaml", node("v1.35.0", "containerd://2.0.0", "8", ", nvidia.com/gpu.clique: a.1")}},
               "nvlink-labels") == "pass");
}

TEST_CASE("a feature of claims is on from its release on, as shipped", "[review][readiness]") {
  const auto claim = [](const std::string& request, const std::string& more) {
    return "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\nspec:\n  devices:\n    "
           "requests:\n      - {name: gpu, " +
           request + "}\n" + more;
  };
  const auto exactly = [&](const std::string& more) {
    return claim("exactly: {deviceClassName: gpu.nvidia.com" + more + "}", "");
  };
  const auto slice = [](const std::string& more, const std::string& device) {
    return "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: "
           "gpu.nvidia.com\n  nodeName: n1\n  pool: {name: n1, generation: 1, resourceSliceCount: 1}\n" +
           more + "  devices: [{name: gpu-0" + device + "}]\n";
  };
  struct Row {
    std::string text;
    std::string last_off, first_on;  ///< first_on empty: in none
  };
  const std::vector<Row> rows{
      {exactly(", adminAccess: true"), "1.33", "1.34"},
      {claim("firstAvailable: [{name: a, deviceClassName: gpu.nvidia.com}]", ""), "1.33", "1.34"},
      {exactly(", tolerations: [{key: a, operator: Exists}]"), "1.35", "1.36"},
      {exactly(", capacity: {requests: {memory: 10Gi}}"), "1.35", "1.36"},
      {claim("exactly: {deviceClassName: gpu.nvidia.com}", "    constraints: [{distinctAttribute: a.b/c}]\n"), "1.35",
       "1.36"},
      {"apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: c.d}\nspec: {extendedResourceName: "
       "e.f/g}\n",
       "1.35", "1.36"},
      {"apiVersion: resource.k8s.io/v1beta2\nkind: DeviceTaintRule\nmetadata: {name: t}\nspec:\n  deviceSelector: "
       "{driver: gpu.nvidia.com}\n  taint: {key: a, effect: NoSchedule}\n",
       "1.36", "1.37"},
      {slice("  sharedCounters: [{name: c, counters: {memory: {value: 1Gi}}}]\n", ""), "1.35", "1.36"},
      {slice("", ", bindsToNode: true, bindingConditions: [a.b]"), "1.35", "1.36"},
      {slice("", ", attributes: {a: {strings: [b, c]}}"), "1.37", ""},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const auto at = [&](const std::string& release) {
      return result({{"r/a.yaml", row.text}, {"r/c.yaml", kClaim}, {"r/f.yaml", fleet(release, kRuntime)}}, "features");
    };
    CHECK(at(row.last_off) == "fail");
    if (!row.first_on.empty()) CHECK(at(row.first_on) == "pass");
  }
}

TEST_CASE("each release serves the versions of claims that its API server has", "[review][readiness]") {
  // By release: versions of a ResourceClaim that are known there, on by default or where it was told to.
  const std::vector<std::pair<std::string, std::string>> served{
      {"resource.k8s.io/v1beta1", "1.32"}, {"resource.k8s.io/v1beta2", "1.33"}, {"resource.k8s.io/v1", "1.34"}};
  for (const auto& [version, since] : served) {
    const std::string claim = muster::replace_all(kClaim, "resource.k8s.io/v1", version);
    for (const std::string release : {"1.32", "1.33", "1.34", "1.35", "1.36", "1.37"}) {
      INFO(version << " on " << release);
      const bool asks = version != "resource.k8s.io/v1" && release >= "1.34";  // beta versions are off as shipped
      CHECK(result({{"r/c.yaml", claim}, {"r/f.yaml", fleet(release, kRuntime)}}, "object-versions") ==
            (release < since ? "fail"
             : asks          ? "unknown"
                             : "pass"));
    }
    CHECK(result({{"r/c.yaml", claim}, {"r/f.yaml", fleet("1.31", kRuntime)}}, "object-versions") == "fail");
  }
  const auto at = [](const std::string& version, const std::string& release) {
    return result({{"r/c.yaml", muster::replace_all(kClaim, "resource.k8s.io/v1", version)},
                   {"r/f.yaml", fleet(release, kRuntime)}},
                  "object-versions");
  };
  CHECK(at("resource.k8s.io/v1beta1", "1.38") == "fail");
  CHECK(at("resource.k8s.io/v1beta2", "1.38") == "unknown");
  CHECK(at("resource.k8s.io/v1beta2", "1.39") == "fail");
}

TEST_CASE("each check of the work passes, fails or asks", "[review][readiness]") {
  const Files alone{{"r/claim.yaml", kClaim}};
  const Files work{{"r/f.yaml", fleet("1.35", kRuntime)}, {"r/w.yaml", kWork}};
  CHECK(result(alone, "scheduler") == "unknown");
  CHECK(result(work, "scheduler") == "pass");  // plugins of kube-scheduler
  Files volcano = work;
  volcano["r/f.yaml"] =
      muster::replace_all(work.at("r/f.yaml"), "keep_default_scheduler: true", "keep_default_scheduler: false");
  CHECK(result(volcano, "scheduler") == "unknown");
  CHECK(result(volcano, "scheduler", {"--target", "volcano=1.15"}) == "pass");
  CHECK(result(volcano, "scheduler", {"--target", "volcano=1.13"}) == "fail");
  const auto placed_by = [](const std::string& scheduler) {
    return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec:\n  parallelism: 2\n  completions: 2\n  "
           "template:\n    spec:\n      schedulerName: " +
           scheduler +
           "\n      restartPolicy: Never\n      containers: [{name: c, image: \"e/t:1\", resources: {claims: [{name: "
           "g}]}}]\n      resourceClaims: [{name: g, resourceClaimTemplateName: gpus}]\n";
  };
  CHECK(found(readiness_of({{"r/c.yaml", kClaim}, {"r/j.yaml", placed_by("slurm-bridge-scheduler")}}), "scheduler")
            .starts_with("fail: `slurm-bridge` refuses pods that list claims"));
  CHECK(found(readiness_of({{"r/c.yaml", kClaim}, {"r/j.yaml", placed_by("yunikorn")}}), "scheduler") ==
        "fail: `yunikorn` up to 1.9 does not look at claims");

  CHECK(result(alone, "autoscaler") == "not-needed");
  const std::string scaler =
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cluster-autoscaler}\nspec:\n  selector: {matchLabels: "
      "{a: "
      "b}}\n  template:\n    metadata: {labels: {a: b}}\n    spec: {containers: [{name: c, image: "
      "\"registry.k8s.io/autoscaling/cluster-autoscaler:v";
  CHECK(result({{"r/c.yaml", kClaim}, {"r/a.yaml", scaler + "1.35.0\"}]}\n"}}, "autoscaler") == "pass");
  CHECK(result({{"r/c.yaml", kClaim}, {"r/a.yaml", scaler + "1.33.0\"}]}\n"}}, "autoscaler") == "fail");
  const std::string trial = scaler + "1.33.0\", command: [ca, --enable-dynamic-resource-allocation=true]}]}\n";
  CHECK(muster::contains(found(readiness_of({{"r/c.yaml", kClaim}, {"r/a.yaml", trial}}), "autoscaler"),
                         "on trial here"));
  const std::string pool =
      "apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: gpu}\nspec: {template: {spec: {nodeClassRef: "
      "{group: "
      "karpenter.k8s.aws, kind: EC2NodeClass, name: gpu}, requirements: []}}}\n";
  CHECK(result({{"r/c.yaml", kClaim}, {"r/p.yaml", pool}}, "autoscaler") == "unknown");

  CHECK(result(alone, "alpha-features") == "unknown");
  CHECK(result(work, "alpha-features") == "pass");
  CHECK(result({{"r/g.yaml", kCluster + "DynamicMIG: true}}}\n"}}, "alpha-features") == "fail");

  CHECK(result(alone, "preemption") == "pass");

  CHECK(result(alone, "attribution") == "unknown");
  CHECK(result({{"r/g.yaml", kCluster + "}}}\n"}}, "attribution") == "pass");
}

TEST_CASE("the page has a row for each check, with its place", "[review][readiness]") {
  const FakeDisk disk({{"r/fleet.yaml", fleet("1.31", kRuntime)}, {"r/claim.yaml", kClaim}});
  const Ran ran = run_command({"review", "r"}, disk);
  INFO(ran.out);
  CHECK(muster::contains(ran.out, "## Dynamic Resource Allocation"));
  CHECK(muster::contains(ran.out, "Blocked: Dynamic Resource Allocation cannot hand out the GPUs"));
  CHECK(
      muster::contains(ran.out, "| `api-served`: the API server has resource.k8s.io/v1, and its gate is on | fail |"));
  CHECK(muster::contains(ran.out, "`r/fleet.yaml:4`"));
}
