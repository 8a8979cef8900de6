// What is written of charts and operators: the GPU Operator, Slinky's two charts, Karpenter.
#include "generate/kubernetes_fleets.h"
#include "support/skip.h"

using namespace muster;
using namespace muster::test;

namespace {

/// The values in a HelmRelease, as the rules about the chart read them.
std::string helm_release(const std::string& chart, const std::string& values) {
  std::string out = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: " + chart +
                    "\n  namespace: flux\nspec:\n  interval: 10m\n  chart:\n    spec:\n      chart: " + chart +
                    "\n      sourceRef:\n        kind: HelmRepository\n        name: charts\n  values:\n";
  for (const std::string_view line : split(values, '\n'))
    if (!line.empty()) out += "    " + std::string(line) + "\n";
  return out;
}

}  // namespace

TEST_CASE("one driver for all pools is one version in the values, several are an NVIDIADriver each", "[generate]") {
  const std::string one = text_of("gpu-operator", fleet_with_pools(gpu_pool("a", kWhole) + gpu_pool("b", kWhole)));
  CHECK(has(one, "driver:\n  enabled: true\n"));
  CHECK(has(one, "  version: \"580.126.20\"\n"));
  CHECK(has(one, "mig:\n  # Gangs use whole GPUs.\n  strategy: none\n"));
  CHECK_FALSE(has(one, "nvidiaDriverCRD"));

  // One that says nothing gets the version that stands in the values.
  const Result<Generated> some = generate_one(
      "gpu-operator", fleet_with_pools(gpu_pool("a", kWhole) + gpu_pool("b", "runtime: {driver_in_image: false}")));
  CHECK(has(some->files.at(0).text, "  version: \"580.126.20\"\n"));
  CHECK(has(join(some->notes, "\n"), "node pool `b` is missing: it gets 580.126.20, as the others do"));

  const std::string newer = "accelerator: {partitioning: none}, runtime: {driver: 595.91.07, driver_in_image: false}";
  const std::string imaged = "accelerator: {partitioning: none}, runtime: {driver: 595.91.07, driver_in_image: true}";
  const Result<Generated> several = generate_one(
      "gpu-operator", fleet_with_pools(gpu_pool("a", kWhole) + gpu_pool("b", newer) + gpu_pool("c", imaged)));
  REQUIRE(several);
  REQUIRE(several->files.size() == 2);
  CHECK(has(several->files[0].text, "  nvidiaDriverCRD:\n    enabled: true\n    deployDefaultCR: false\n"));
  CHECK(count_of(several->files[1].text, "kind: NVIDIADriver\n") == 2);
  CHECK(has(several->files[1].text, "  version: \"595.91.07\"\n  nodeSelector:\n    muster.dev/pool: b\n"));

  const std::string images = text_of("gpu-operator", fleet_with_pools(gpu_pool("c", imaged)));
  CHECK(has(images, "driver:\n  # The image of the nodes brings it.\n  enabled: false\n"));
}

TEST_CASE("what is not told of a pool's driver is named, and the chart's own counts", "[generate]") {
  const Result<Generated> generated = generate_one("gpu-operator", fleet_with_pools(gpu_pool("a", "")));
  REQUIRE(generated);
  CHECK_FALSE(has(generated->files.at(0).text, "version: \""));
  const std::string notes = join(generated->notes, "\n");
  CHECK(has(notes, "`runtime.driver` of node pool `a` is missing: its driver is the one that the chart names"));
  CHECK(has(notes, "`runtime.driver_in_image` of node pool `a` is missing"));
  CHECK(has(notes, "`accelerator.partitioning` of node pool `a` is missing"));
  CHECK(has(refusal_of("gpu-operator", fleet_with_pools(gpu_pool("a", "runtime: {driver: newest}"))),
            "no release of a driver"));
  CHECK(has(refusal_of("gpu-operator", fleet_with_pools(gpu_pool("a", "accelerator: {model: MI300X}"))),
            "GPUs of NVIDIA"));
}

TEST_CASE("shares and slices of GPUs have names of their own, and a missing number is asked for", "[generate]") {
  const std::string mixed =
      fleet_with_pools(gpu_pool("a", kWhole) + gpu_pool("b", "accelerator: {partitioning: time-slicing, shares: 4}") +
                       gpu_pool("c", "accelerator: {partitioning: mig, mig_config: all-1g.10gb}"));
  const std::string values = text_of("gpu-operator", mixed);
  CHECK(
      has(values, "  strategy: mixed\n# kubectl label nodes -l muster.dev/pool=c nvidia.com/mig.config=all-1g.10gb\n"));
  CHECK(has(values, "    default: whole\n"));
  CHECK(has(values,
            "      b: |-\n        version: v1\n        sharing:\n          timeSlicing:\n            renameByDefault: "
            "true\n"));
  CHECK(has(values, "replicas: 4\n"));
  const std::string shares = "accelerator: {partitioning: mps, shares: 2}";
  std::string switched = gpu_pool("a", shares);
  switched.replace(switched.find("name: a"), 7, "name: \"on\"");
  CHECK(has(text_of("gpu-operator", fleet_with_pools(switched)), "      \"on\": |-\n"));
  CHECK(has(refusal_of("gpu-operator", fleet_with_pools(gpu_pool("Whole", shares))), "cannot have that name"));
  const std::string alike = text_of(
      "gpu-operator", fleet_with_pools(gpu_pool("c", "accelerator: {partitioning: mig, mig_config: all-balanced}")));
  CHECK(has(alike, "migManager:\n  config:\n    default: all-balanced\n"));
  const Result<Generated> untold =
      generate_one("gpu-operator", fleet_with_pools(gpu_pool("b", "accelerator: {partitioning: mps}")));
  REQUIRE(untold);
  CHECK_FALSE(has(untold->files.at(0).text, "devicePlugin"));
  CHECK(has(join(untold->notes, "\n"), "`accelerator.shares` of node pool `b` is missing"));
}

TEST_CASE("the rules about the GPU Operator's values have nothing to say of those that are written", "[generate]") {
  const std::string gang = workloads_of(work("train", std::string("kind: job, ") + kBatch));
  const std::string values =
      text_of("gpu-operator",
              fleet_with_pools(gpu_pool("a", kWhole) + gpu_pool("b", "accelerator: {partitioning: mps, shares: 2}") +
                               gpu_pool("c", "accelerator: {partitioning: mig, mig_config: all-1g.10gb}")),
              gang);
  CHECK(has(values, "    autoUpgrade: false\n"));
  const Checked checked = check_files({{"release.yaml", helm_release("gpu-operator", values)}});
  CHECK(summary_of(checked) == "");
  // The same with a key that the chart does not read is seen.
  const Checked wrong =
      check_files({{"release.yaml", helm_release("gpu-operator", values + "nodeSelector:\n  a: b\n")}});
  CHECK(has(summary_of(wrong), "gpu-operator-value-unread"));
}

TEST_CASE("a Slurm that works places pods as well: values, partition and services", "[generate]") {
  const std::string big =
      "  - {name: Big_Chat, kind: leader-worker-set, tenant: nlp, nodes: 2, gpus_per_node: 8, tightly_coupled: true, "
      "bare_metal: true, long_lived_services: true, gpu_hours_share: 0.0, serving: {min_replicas: 2, max_replicas: 3, "
      "user_facing: true, series: waiting, target_per_replica: 1}, edge_or_dev: false, python_native_pipeline: false, "
      "multi_tenant: false, fractional_gpu: false}\n";
  const std::string fleet = joined_fleet("production", "slurm: {controller: ctl1, rest_api: \"http://ctl1:6820\"}\n");
  const Written written = generate_everything(fleet, joined_work(big));
  INFO(join(written.all.refused, "\n") << join(written.findings, "\n"));
  CHECK(written.all.refused.empty());
  CHECK(written.findings.empty());
  CHECK(written.wrote("slinky-slurm-bridge"));
  CHECK_FALSE(written.wrote("slinky-slurm-operator"));
  CHECK_FALSE(written.wrote("soperator"));
  CHECK(has(written.text("slurm-bridge-values.yaml"), "sharedConfig:\n  slurmRestApi: \"http://ctl1:6820\"\n"));
  CHECK(has(written.text("slurm-bridge.conf"),
            "NodeSet=bridged Nodes=h[1-8]\nPartitionName=slurm-bridge Nodes=bridged Default=NO MaxTime=UNLIMITED "
            "State=UP\n"));
  CHECK(has(written.text("slurm.conf"), "\nInclude slurm-bridge.conf\n"));
  const std::string services = written.text("slurm-bridge-services.yaml");
  CHECK(has(services, "  name: big-chat\n  namespace: slurm-bridge\n"));
  CHECK(has(services, "    slurmjob.slinky.slurm.net/account: nlp\n"));
  CHECK(has(services, "  replicas: 2\n"));
  CHECK(count_of(services, "\"nvidia.com/gpu\": 8\n") == 2);
  // Its replicas are jobs of Slurm, whose number stands there.
  CHECK_FALSE(written.wrote("hpa"));
  CHECK(has(join(written.all.generated.notes, "\n"), "no autoscaler is written for `Big_Chat`: each of its replicas"));
  CHECK(written.text("Big_Chat.sbatch").empty());
  CHECK(written.text("big-chat.sbatch").empty());
  // Its operator has to be on Slurm's nodes, too, whatever keeps pods away there.
  CHECK(has(written.text("gpu-operator-values.yaml"), "- {key: slinky.slurm.net/managed-node, operator: Exists}\n"));

  const Result<Generated> untold = generate_one("slinky-slurm-bridge", joined_fleet("production"), joined_work());
  REQUIRE(untold);
  CHECK_FALSE(has(untold->files.at(0).text, "sharedConfig"));
  CHECK(has(join(untold->notes, "\n"), "`slurm.rest_api` of the fleet is missing"));
  CHECK(has(refusal_of("slinky-slurm-bridge", joined_fleet("production", "slurm: {rest_api: \"ctl1 6820\"}\n")),
            "`slurm.rest_api` is no URL"));
}

TEST_CASE("Slurm in pods has a NodeSet a pool, nodes that are prepared, and no slurm.conf beside it", "[generate]") {
  const Written written =
      generate_everything(joined_fleet("greenfield", "slurm: {controller: ctl1, database: db1}\n"), joined_work());
  INFO(join(written.all.refused, "\n") << join(written.findings, "\n"));
  CHECK(written.all.refused.empty());
  CHECK(written.findings.empty());
  CHECK(written.wrote("slinky-slurm-operator"));
  for (const char* id : {"slinky-slurm-bridge", "slurm-conf", "slurm-nodes", "gres-conf", "cgroup-conf",
                         "topology-conf", "prolog", "health-check"}) {
    INFO(id);
    CHECK_FALSE(written.wrote(id));
  }
  const std::string values = written.text("slurm-values.yaml");
  CHECK(has(values,
            "  h100:\n    # One slurmd on each node of the pool, called as the node.\n    scalingMode: DaemonSet\n"));
  CHECK(has(values, "requests:\n          \"nvidia.com/gpu\": 8\n        limits:\n          \"nvidia.com/gpu\": 8\n"));
  CHECK(has(values, "Gres: [\"gpu:h100:8\"]\n"));
  CHECK(has(values, "    host: db1\n"));
  CHECK(has(values, "    GresTypes: [gpu]\n"));
  CHECK(has(values, "    AccountingStorageTRES: [gres/gpu]\n"));
  CHECK(has(values, "    AccountingStorageEnforce: [associations, limits, qos, safe]\n"));
  CHECK_FALSE(has(values, "MaxNodeCount"));
  CHECK(has(values, "configFiles.topology\\.yaml=topology.yaml"));
  CHECK(has(written.text("topology.yaml"), "- topology: tree\n"));
  const std::string nodes = written.text("slinky-nodes.sh");
  CHECK(has(nodes, "kubectl label --overwrite nodes muster.dev/pool=h100 h1 h2"));
  CHECK(has(nodes, " h8 slinky.slurm.net/slurm=:NoSchedule\n"));
  CHECK(has(nodes, "nodes h1 h2 h3 h4 topology.slinky.slurm.net/spec=tree:leaf1\n"));
  // The GPUs of Slurm's nodes come from the same operator.
  CHECK(has(written.text("node-problem-detector.yaml"), "name: gpu-problem-detector-h100\n"));
  CHECK(has(refusal_of("slurm-conf", joined_fleet("greenfield", "slurm: {controller: ctl1}\n"), joined_work()),
            "its operator writes slurm.conf"));
}

TEST_CASE("Slurm with one root file system has a NodeSet and a partition a pool, of what pods may have", "[generate]") {
  std::string fleet = joined_fleet("greenfield", "storage: {disk_class: local-ssd}\n");
  const auto replace = [&](const std::string& from, const std::string& to) {
    REQUIRE(fleet.find(from) != fleet.npos);
    fleet.replace(fleet.find(from), from.size(), to);
  };
  replace("shared_root: false", "shared_root: true");
  CHECK(has(refusal_of("soperator", fleet, joined_work()), "`node.pod_cpus` of node pool `h100` is missing"));
  CHECK(has(refusal_of("soperator", fleet, joined_work()), "`node.pod_memory_mib` of node pool `h100` is missing"));
  replace("memory_mib: 1000000}", "memory_mib: 1000000, pod_cpus: 120, pod_memory_mib: 900000}");
  const Written written = generate_everything(fleet, joined_work());
  INFO(join(written.all.refused, "\n") << join(written.findings, "\n"));
  CHECK(written.all.refused.empty());
  CHECK(written.findings.empty());
  CHECK(written.wrote("soperator"));
  for (const char* id : {"slinky-slurm-operator", "slinky-slurm-bridge", "slurm-nodes", "topology-yaml"}) {
    INFO(id);
    CHECK_FALSE(written.wrote(id));
  }
  const std::string cluster = written.text("slurm-cluster-values.yaml");
  CHECK(has(cluster,
            "    - name: h100\n      nodeSetRefs: [h100]\n      config: \"Default=YES MaxTime=INFINITE State=UP\"\n"));
  CHECK(has(cluster, "          storageClassName: local-ssd\n"));
  CHECK(has(cluster, "    sshRootPublicKeys: []\n"));
  CHECK_FALSE(has(cluster, "controller-spool-pvc"));
  CHECK(has(join(written.all.generated.notes, "\n"), "the disk of slurmctld itself, of the StorageClass local-ssd"));
  // Filters that the chart names by itself (nebius/soperator:helm/slurm-cluster/values.yaml, 4.1.7), and where.
  const std::map<std::string, std::string> filters{
      {"gpu", ""}, {"no-gpu", ""}, {"system", "sConfigController:\n  node:\n"}};
  for (const auto& [filter, where] : filters) {
    INFO(filter);
    CHECK(where.empty() == has(cluster, "  - name: " + filter + "\n"));
    const std::size_t at = cluster.find(where) + where.size();
    if (!where.empty()) CHECK(cluster.find("    k8sNodeFilterName: no-gpu\n", at) < at + 120);
  }
  CHECK_FALSE(has(cluster, "blockSize"));
  const std::string sets = written.text("nodesets-values.yaml");
  CHECK(has(sets, "    replicas: 8\n"));
  CHECK(has(sets, "        cpu: \"118\"\n        memory: \"895904Mi\"\n        gpu: 8\n"));
  CHECK(has(written.text("node-labels.sh"), "muster.dev/pool=h100 h1 h2"));
  replace("partitioning: none}, node:", "partitioning: none}, fabric: {nvlink_domain_nodes: 4}, node:");
  CHECK(
      has(text_of("soperator", fleet, joined_work()), "topology:\n  # Nodes of one NVLink domain.\n  blockSize: 4\n"));
  replace("{cpus: 128,", "{cpus: 128, sockets: 2, cores_per_socket: 96,");
  CHECK(has(refusal_of("soperator", fleet, joined_work()), "`node.cpus` of node pool `h100` is no multiple"));
  replace("cores_per_socket: 96", "cores_per_socket: 32");
  CHECK(has(generate_one("soperator", fleet, joined_work())->files.at(1).text, " ThreadsPerCore=2\""));
  replace("topology:\n", "  - {name: login, nodes: \"c[1-2]\", gpus_per_node: 0, control_plane: slurm}\ntopology:\n");
  CHECK(has(join(generate_one("soperator", fleet, joined_work())->notes, "\n"), "pool `login` is left out: it has no"));
  replace("pod_cpus: 120", "pod_cpus: 2");
  CHECK(has(refusal_of("soperator", fleet, joined_work()), "no room for slurmd beside munge"));
}

TEST_CASE("nothing of Slinky is written where the planes do not share the fleet, and what is open is named",
          "[generate]") {
  const Written apart = generate_everything(fleet_for("volcano"), every_kind());
  for (const char* id : {"slinky-slurm-bridge", "slinky-slurm-operator"}) CHECK_FALSE(apart.wrote(id));
  const std::string fleet = joined_fleet("production");
  const std::string silent = fleet.substr(0, fleet.find("economics:"));
  const Written open = generate_everything(silent, joined_work());
  for (const char* id : {"slinky-slurm-bridge", "slinky-slurm-operator"}) CHECK_FALSE(open.wrote(id));
  CHECK(has(join(open.all.generated.notes, "\n"), "how Slurm and Kubernetes share the fleet is open"));
  CHECK(has(join(open.all.generated.notes, "\n"), "economics.convergence_pays"));
}

TEST_CASE("Karpenter gets a NodePool where the fleet says that it makes the nodes, and nowhere else", "[generate]") {
  const auto burst = [](const std::string& facts) {
    return "  - {name: Burst 1, gpus_per_node: 8, control_plane: kubernetes, accelerator: {model: H100, partitioning: "
           "none}, autoscaling: {by: karpenter" +
           facts + "}}\n";
  };
  const std::string whole =
      ", max_nodes: 16, instance_types: \"p5.48xlarge, p5e.48xlarge,p5.48xlarge\", node_class: "
      "EC2NodeClass.karpenter.k8s.aws/gpu";
  const std::string gang = workloads_of(work("train", std::string("kind: job, ") + kBatch));
  const Written written = generate_everything(fleet_with_pools(burst(whole)), gang);
  INFO(join(written.all.refused, "\n") << join(written.findings, "\n"));
  CHECK(written.all.refused.empty());
  CHECK(written.findings.empty());
  const std::string text = written.text("karpenter-nodepool.yaml");
  CHECK(has(text, "  name: burst-1\n"));
  CHECK(has(text, "        group: karpenter.k8s.aws\n        kind: EC2NodeClass\n        name: gpu\n"));
  CHECK(has(text, "            - p5.48xlarge\n            - p5e.48xlarge\n        #"));
  CHECK(has(text, "          values: [reserved, on-demand]\n"));
  CHECK(has(text, "    consolidateAfter: 10m\n"));
  CHECK(has(text, "    \"nvidia.com/gpu\": 128\n"));
  CHECK(has(text, "      expireAfter: Never\n"));
  CHECK(has(text, "        reasons: [Drifted]\n"));
  std::string sliced = burst(whole);
  sliced.replace(sliced.find("partitioning: none"), 18, "partitioning: mps");
  CHECK(has(text_of("karpenter-nodepool", fleet_with_pools(sliced)), "    nodes: 16\n"));
  // Room for a gang is what it may grow to.
  CHECK(written.wrote("volcano-job"));
  CHECK_FALSE(generate_everything(fleet_for("volcano"), gang).wrote("karpenter-nodepool"));
  for (const char* fact : {"max_nodes", "instance_types", "node_class"}) {
    std::string without = whole;
    const std::size_t at = without.find(std::string(", ") + fact + ":");
    std::size_t end = without.find(": ", at) + 2;
    end = without[end] == '"' ? without.find('"', end + 1) + 1 : without.find(',', end);
    without.erase(at, end == without.npos ? end : end - at);
    INFO(without);
    CHECK(has(refusal_of("karpenter-nodepool", fleet_with_pools(burst(without))),
              std::string("`autoscaling.") + fact + "`"));
  }
  CHECK(has(refusal_of("karpenter-nodepool", fleet_with_pools(gpu_pool("a", kWhole))), "autoscaling: {by: karpenter}"));
  CHECK(has(
      refusal_of("karpenter-nodepool", fleet_with_pools(burst(", max_nodes: 1, instance_types: x, node_class: gpu"))),
      "no KIND.GROUP/NAME"));
}

TEST_CASE("objects for operators are valid by their CustomResourceDefinitions", "[generate]") {
  const std::string newer = "accelerator: {partitioning: none}, runtime: {driver: 595.91.07, driver_in_image: false}";
  const std::string big =
      "  - {name: big, kind: leader-worker-set, tenant: nlp, nodes: 2, gpus_per_node: 8, tightly_coupled: true, "
      "bare_metal: true, long_lived_services: true, gpu_hours_share: 0.0, serving: {min_replicas: 2}}\n";
  const std::string burst =
      "  - {name: burst, gpus_per_node: 8, control_plane: kubernetes, autoscaling: {by: karpenter, max_nodes: 2, "
      "instance_types: p5.48xlarge, node_class: EC2NodeClass.karpenter.k8s.aws/gpu}}\n";
  std::vector<GeneratedFile> files;
  const auto add = [&](const Result<Generated>& generated) {
    INFO((generated ? "" : generated.error().message));
    REQUIRE(generated);
    for (const GeneratedFile& file : generated->files)
      if (file.path.ends_with(".yaml")) files.push_back(file);
  };
  add(generate_one("gpu-operator", fleet_with_pools(gpu_pool("a", kWhole) + gpu_pool("b", newer))));
  add(generate_one("karpenter-nodepool", fleet_with_pools(burst)));
  add(generate_one("slinky-slurm-bridge", joined_fleet("production"), joined_work(big)));
  const std::optional<std::string> said = said_by_definitions(files);
  if (!said) return skip("reference material", "there is no folder of CustomResourceDefinitions");
  CHECK(has(*said, "4 valid, 0 invalid"));
}
