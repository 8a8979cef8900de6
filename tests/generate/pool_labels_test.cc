// The label of a pool: whatever finds nodes by it finds some, for something that is written gives it to them.
#include <set>

#include "generate/kubernetes_fleets.h"

using namespace muster;
using namespace muster::test;

namespace {

/// The values that stand behind this text, each up to what is no letter, digit or dash.
void add_values(const std::string& text, const std::string& before, std::set<std::string>& out) {
  for (std::size_t at = text.find(before); at != text.npos; at = text.find(before, at + 1)) {
    const std::size_t begin = at + before.size();
    out.insert(text.substr(begin, text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-", begin) - begin));
  }
}

/// Pools by whose label something that was written looks for nodes, and that no node gets.
std::string never_set(const Written& written) {
  std::set<std::string> set;
  std::set<std::string> used;
  for (const GeneratedFile& file : written.all.generated.files) {
    const bool sets = file.path.ends_with(".sh") || file.path == "karpenter-nodepool.yaml";
    add_values(file.text, "muster.dev/pool: ", sets ? set : used);
    add_values(file.text, "overwrite nodes muster.dev/pool=", set);
    add_values(file.text, "-l muster.dev/pool=", used);
    add_values(
        file.text,
        "key: muster.dev/pool\n                  operator: In\n                  values:\n                    - ",
        used);
  }
  std::string out;
  for (const std::string& name : used)
    if (!set.contains(name)) out += name + "\n";
  return used.empty() ? "nothing is looked for\n" : out;
}

}  // namespace

TEST_CASE("nodes have the label of their pool wherever something finds them by it", "[generate]") {
  const std::string gang = workloads_of(work("train", std::string("kind: job, ") + kBatch));
  const std::string slurm_disks = "slurm: {controller: ctl1, database: db1, rest_api: \"http://ctl1:6820\"}\n";
  std::string rooted = joined_fleet("greenfield", "storage: {disk_class: local-ssd}\n");
  rooted.replace(rooted.find("shared_root: false"), 18, "shared_root: true");
  rooted.replace(rooted.find("memory_mib: 1000000}"), 20,
                 "memory_mib: 1000000, pod_cpus: 120, pod_memory_mib: 900000}");
  // The operator brings the driver, another one for each plane.
  std::string bridged = joined_fleet("production", slurm_disks);
  for (const char* driver : {"580.126.20", "595.91.07"})
    bridged.replace(bridged.find("driver_in_image: true"), 21,
                    "driver_in_image: false, driver: " + std::string(driver));
  const std::string sharing = "accelerator: {partitioning: time-slicing, shares: 4}";
  const std::string slicing = "accelerator: {partitioning: mig, mig_config: all-1g.10gb}";
  const std::string burst =
      "  - {name: burst, gpus_per_node: 8, control_plane: kubernetes, autoscaling: {by: karpenter, max_nodes: 8, "
      "instance_types: p5.48xlarge, node_class: EC2NodeClass.karpenter.k8s.aws/gpu}}\n";
  const std::string server =
      "  - {name: chat, kind: deployment, nodes: 1, gpus_per_node: 1, tightly_coupled: false, "
      "bare_metal: false, edge_or_dev: false, python_native_pipeline: false, "
      "long_lived_services: true, multi_tenant: true}\n";
  const std::vector<std::pair<std::string, std::string>> fleets{
      {joined_fleet("greenfield", slurm_disks), joined_work()},
      {bridged, joined_work()},
      {rooted, joined_work()},
      {fleet_with_pools(gpu_pool("a", sharing)), workloads_of(server)},
      {fleet_with_pools(gpu_pool("a", kWhole) + gpu_pool("b", slicing)), gang},
      {fleet_with_pools(gpu_pool("a", kWhole) + burst), gang},
      {fleet_for("kueue-topology"), gang}};
  for (const auto& [fleet, workloads] : fleets) {
    INFO(fleet << workloads);
    const Written written = generate_everything(fleet, workloads);
    INFO(join(written.all.refused, "\n") << join(written.findings, "\n"));
    CHECK(written.all.refused.empty());
    CHECK(written.findings.empty());
    CHECK(never_set(written) == "");
  }
}

TEST_CASE("a pool whose nodes another autoscaler makes is named where its label is needed", "[generate]") {
  const std::string grown =
      "  - {name: grown, gpus_per_node: 8, control_plane: kubernetes, autoscaling: {by: cluster-autoscaler, max_nodes: "
      "8}}\n";
  const std::string gang = workloads_of(work("train", std::string("kind: job, ") + kBatch));
  const Written written = generate_everything(fleet_with_pools(gpu_pool("a", kWhole) + grown), gang);
  CHECK(written.all.refused.empty());
  CHECK(has(join(written.all.generated.notes, "\n"),
            "nodes of pool `grown` need the label muster.dev/pool=grown as they are made"));
}
