// Slurm in Slinky's pods: all of its pools, large fleets, and domains that are Slurm's alone.
#include "generate/kubernetes_fleets.h"

using namespace muster;
using namespace muster::test;

namespace {

std::string replaced(std::string fleet, const std::string& from, const std::string& to) {
  REQUIRE(fleet.find(from) != fleet.npos);
  return fleet.replace(fleet.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("a pool of Slurm without GPUs is a NodeSet in Slinky, too", "[generate]") {
  const std::string fleet =
      replaced(replaced(joined_fleet("greenfield"), "topology:\n",
                        "  - {name: prep, nodes: \"c[1-2]\", gpus_per_node: 0, control_plane: slurm}\ntopology:\n"),
               "leaf2, level: leaf, parent: spine1, nodes: \"h[5-8]\"",
               "leaf2, level: leaf, parent: spine1, nodes: \"h[5-8],c[1-2]\"");
  const Written written = generate_everything(fleet, joined_work());
  INFO(join(written.all.refused, "\n") << join(written.findings, "\n"));
  CHECK(written.all.refused.empty());
  CHECK(written.findings.empty());
  const std::string values = written.text("slurm-values.yaml");
  const std::size_t prep = values.find("  prep:\n");
  REQUIRE(prep != values.npos);
  CHECK(has(values.substr(prep), "        Default: \"NO\"\n"));
  CHECK(has(values.substr(prep), "        muster.dev/pool: prep\n"));
  CHECK_FALSE(has(values.substr(prep), "gpu"));
  CHECK(has(written.text("slinky-nodes.sh"), "nodes muster.dev/pool=prep c1 c2\n"));
  const std::string untold = replaced(fleet, "gpus_per_node: 0, ", "");
  CHECK(has(refusal_of("slinky-slurm-operator", untold, joined_work()),
            "`gpus_per_node` of node pool `prep` is missing"));
}

TEST_CASE("Slurm's topology has its own nodes alone, where domains have those of other planes, too", "[generate]") {
  const auto mixed = [](const std::string& stage) {
    return replaced(
        replaced(joined_fleet(stage, "slurm: {controller: ctl1}\n"), "nodes: \"h[5-8]\"", "nodes: \"h[5-8],l[1-2]\""),
        "tenants:", "    - {name: leaf3, level: leaf, parent: spine1, nodes: \"l[3-4]\"}\ntenants:");
  };
  const Written pods = generate_everything(mixed("greenfield"), joined_work());
  INFO(join(pods.all.refused, "\n") << join(pods.findings, "\n"));
  CHECK(pods.findings.empty());
  const std::string yaml = pods.text("topology.yaml");
  CHECK(has(yaml, "      - switch: leaf2\n        nodes: \"h[5-8]\"\n"));
  CHECK(has(yaml, "children: \"leaf[1-2]\"\n"));
  CHECK_FALSE(has(yaml, "leaf3"));
  CHECK_FALSE(has(pods.text("slinky-nodes.sh"), " l1"));
  const Written beside = generate_everything(mixed("production"), joined_work());
  INFO(join(beside.all.refused, "\n") << join(beside.findings, "\n"));
  CHECK(beside.all.refused.empty());
  CHECK(beside.findings.empty());
  CHECK(has(beside.text("topology.conf"), "SwitchName=leaf2 Nodes=h[5-8]\n"));
  CHECK(has(beside.text("topology.conf"), "Switches=leaf[1-2]\n"));
  CHECK_FALSE(has(beside.text("topology.conf"), "leaf3"));
}

TEST_CASE("nodes of a block below a switch are told both, and nothing of it depends on the size", "[generate]") {
  std::string domains = "    - {name: core, level: spine}\n";
  for (int i = 0; i < 1024; ++i) {
    const std::string name = std::to_string(i);
    if (i % 32 == 0) domains += "    - {name: s" + std::to_string(i / 32) + ", level: leaf, parent: core}\n";
    domains += "    - {name: b" + name + ", level: block, parent: s" + std::to_string(i / 32) + ", nodes: \"h[" +
               std::to_string(i * 16 + 1) + "-" + std::to_string(i * 16 + 16) + "]\"}\n";
  }
  std::string fleet = joined_fleet("greenfield", "slurm: {controller: ctl1}\n");
  const std::size_t begin = fleet.find("    - {name: spine1");
  fleet.replace(begin, fleet.find("tenants:") - begin, domains);
  fleet = replaced(replaced(fleet, "[spine, leaf]", "[spine, leaf, block]"), "h[1-8]", "h[1-16384]");
  const Written written = generate_everything(fleet, joined_work());
  INFO(join(written.all.refused, "\n") << join(written.findings, "\n"));
  CHECK(written.all.refused.empty());
  CHECK(written.findings.empty());
  const std::string nodes = written.text("slinky-nodes.sh");
  CHECK(has(nodes, " h16384 topology.slinky.slurm.net/spec=tree:s31,block:b1023\n"));
  CHECK(count_of(nodes, "kubectl label ") == 164);
  CHECK(has(written.text("slurm-values.yaml"), "    MaxNodeCount: \"17408\"\n"));
}

TEST_CASE("pods of slurmd whose nodes are joined by NVLink claim the channels of a ComputeDomain", "[generate]") {
  const std::string plain = joined_fleet("greenfield");
  const std::string fleet =
      replaced(plain, "partitioning: none}, node:", "partitioning: none}, fabric: {nvlink_domain_nodes: 4}, node:");
  const Written written = generate_everything(fleet, joined_work());
  INFO(join(written.all.refused, "\n") << join(written.findings, "\n"));
  CHECK(written.all.refused.empty());
  CHECK(written.findings.empty());
  const std::string values = written.text("slurm-values.yaml");
  CHECK(has(values, "    SwitchType: switch/nvidia_imex\n"));
  CHECK(has(values, "        claims:\n          - name: channels\n"));
  CHECK(has(values, "        - name: channels\n          resourceClaimTemplateName: h100-channels\n"));
  const std::string domains = written.text("slurm-compute-domains.yaml");
  CHECK(has(domains, "  name: h100\n  namespace: slurm\n"));
  CHECK(has(domains, "    allocationMode: All\n    resourceClaimTemplate:\n      name: h100-channels\n"));
  const Written without = generate_everything(plain, joined_work());
  CHECK_FALSE(has(without.text("slurm-values.yaml"), "imex"));
  CHECK_FALSE(has(without.text("slurm-values.yaml"), "channels"));
}
