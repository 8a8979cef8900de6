// Generated topologies: the general model accepts them for every release they are for, and the real slurmctld loads
// them.
#include <algorithm>
#include <random>
#include <set>

#include "base/strings.h"
#include "generate/generate.h"
#include "support/catch.h"
#include "support/model.h"
#include "support/skip.h"
#include "support/slurmctld.h"

using namespace muster;

namespace {

Result<Generated> generate_topology(const std::string& id, const std::map<std::string, std::string>& files) {
  static const Result<std::vector<TemplateDef>> templates = embedded_templates();
  REQUIRE(templates);
  const auto def = std::ranges::find(*templates, id, &TemplateDef::id);
  REQUIRE(def != templates->end());
  const Workspace workspace = test::read_files(files);
  CHECK(workspace.findings.empty());
  return generate(*def, {workspace.model, workspace.decisions, workspace.site.targets, workspace.inputs.sources});
}

std::string written(const std::string& id, const std::string& fleet) {
  const Result<Generated> generated = generate_topology(id, {{"fleet.yaml", fleet}});
  INFO((generated ? "" : generated.error().message));
  REQUIRE(generated);
  return generated->files.at(0).text;
}

std::string refusal(const std::string& id, const std::string& fleet) {
  const Result<Generated> generated = generate_topology(id, {{"fleet.yaml", fleet}});
  REQUIRE_FALSE(generated);
  return generated.error().message;
}

std::string without_comments(const std::string& text) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) {
    if (!line.empty() && !trim(line).starts_with('#')) out += std::string(line) + "\n";
  }
  return out;
}

std::string range(int first, int last) {
  return "n" + (first == last ? std::to_string(first) : "[" + std::to_string(first) + "-" + std::to_string(last) + "]");
}

/// A fleet of Slurm nodes n1 to nN; `domains` are lines below topology.domains.
std::string fleet_of(int nodes, const std::string& levels, const std::string& domains,
                     const std::string& release = "25.05") {
  return "muster: fleet/v1\nname: east\ncontrol_planes: [{kind: slurm, version: \"" + release +
         "\"}]\nnode_pools:\n  - {name: h100, nodes: \"" + range(1, nodes) +
         "\", gpus_per_node: 8, control_plane: slurm, accelerator: {model: H100}, node: {cpus: 96, sockets: 2, "
         "cores_per_socket: 48, memory_mib: 2000000}}\n" +
         "topology:\n  levels: [" + levels + "]\n  domains:\n" + domains;
}

/// Blocks of the given sizes, one behind the other.
std::string blocks_of(const std::vector<int>& sizes, const std::string& release) {
  std::string domains;
  int next = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    domains += "    - {name: b" + std::to_string(i + 1) + ", level: block, nodes: \"" +
               range(next, next + sizes[i] - 1) + "\"}\n";
    next += sizes[i];
  }
  return fleet_of(next - 1, "block", domains, release);
}

std::string sizes_line(const std::string& conf) {
  const std::size_t at = conf.find("\nBlockSizes=");
  return conf.substr(at + 1, conf.find('\n', at + 1) - at - 1);
}

std::string slurm_conf(const std::string& plugin, int nodes) {
  return "ClusterName=lab\nSlurmctldHost=ctl\n" + plugin + "NodeName=" + range(1, nodes) +
         " CPUs=96 RealMemory=8000\nPartitionName=all Nodes=ALL Default=YES\n";
}

std::string checked(const std::string& name, const std::string& text, const std::string& plugin, int nodes,
                    const std::string& release) {
  const test::Checked result = test::check_files({{"etc/slurm.conf", slurm_conf(plugin, nodes)}, {"etc/" + name, text}},
                                                 {{"slurm", *Version::parse(release)}});
  return test::summary_of(result);
}

/// A tree: its fleet, and what `scontrol show topology` has to say of it.
struct Tree {
  std::string fleet;
  int nodes = 0;
  std::set<std::string> shown;
};

/// Leaves of `each` nodes, and above them levels of switches with `fan` children until one is left.
Tree tree_of(int leaves, int each, int fan) {
  struct Unit {
    std::string name;
    int first;
    int last;
  };
  Tree tree;
  tree.nodes = leaves * each;
  std::string domains;
  std::vector<Unit> units;
  std::map<std::string, std::string> parent;
  for (int i = 0; i < leaves; ++i) {
    units.push_back({"s0x" + std::to_string(i + 1), i * each + 1, (i + 1) * each});
    tree.shown.insert("SwitchName=" + units.back().name +
                      " Level=0 LinkSpeed=1 Nodes=" + range(units.back().first, units.back().last));
  }
  std::vector<std::vector<Unit>> levels{units};
  while (levels.back().size() > 1) {
    const std::string prefix = "s" + std::to_string(levels.size()) + "x";
    std::vector<Unit> above;
    for (std::size_t i = 0; i < levels.back().size(); i += static_cast<std::size_t>(fan)) {
      const std::size_t end = std::min(levels.back().size(), i + static_cast<std::size_t>(fan));
      above.push_back({prefix + std::to_string(above.size() + 1), levels.back()[i].first, levels.back()[end - 1].last});
      for (std::size_t c = i; c < end; ++c) parent[levels.back()[c].name] = above.back().name;
      const std::string below = "s" + std::to_string(levels.size() - 1) + "x";
      const std::string list =
          end - i == 1 ? std::to_string(i + 1) : "[" + std::to_string(i + 1) + "-" + std::to_string(end) + "]";
      tree.shown.insert("SwitchName=" + above.back().name + " Level=" + std::to_string(levels.size()) +
                        " LinkSpeed=1 Nodes=" + range(above.back().first, above.back().last) + " Switches=" + below +
                        list);
    }
    levels.push_back(above);
  }
  // From the top down: the order of the fleet file does not matter.
  for (std::size_t l = levels.size(); l-- > 0;) {
    for (const Unit& unit : levels[l]) {
      domains += "    - {name: " + unit.name + ", level: " + (l == 0 ? "leaf" : "inner") +
                 (parent.contains(unit.name) ? ", parent: " + parent[unit.name] : "") +
                 (l == 0 ? ", nodes: \"" + range(unit.first, unit.last) + "\"" : "") + "}\n";
    }
  }
  tree.fleet = fleet_of(tree.nodes, "inner, leaf", domains);
  return tree;
}

std::set<std::string> shown_by(const test::SlurmVerdict& verdict) {
  std::set<std::string> out;
  for (const std::string& line : verdict.topology) {
    if (!trim(line).empty()) out.insert(std::string(trim(line)));
  }
  return out;
}

}  // namespace

TEST_CASE("BlockSizes begin with the smallest block and go on in powers of two, or with whole groups", "[generate]") {
  CHECK(sizes_line(written("topology-conf", blocks_of({18, 18, 18, 18}, "24.11"))) == "BlockSizes=18,36,72");
  CHECK(sizes_line(written("topology-conf", blocks_of({18, 16, 17}, "24.11"))) == "BlockSizes=16,32");
  CHECK(sizes_line(written("topology-conf", blocks_of({8}, "24.11"))) == "BlockSizes=8");
  const std::string groups = fleet_of(32, "pod, block",
                                      "    - {name: p1, level: pod}\n    - {name: p2, level: pod}\n"
                                      "    - {name: b1, level: block, parent: p1, nodes: \"n[1-4]\"}\n    - {name: b5, "
                                      "level: block, parent: p2, nodes: \"n[17-20]\"}\n"
                                      "    - {name: b2, level: block, parent: p1, nodes: \"n[5-8]\"}\n    - {name: b6, "
                                      "level: block, parent: p2, nodes: \"n[21-24]\"}\n"
                                      "    - {name: b3, level: block, parent: p1, nodes: \"n[9-12]\"}\n    - {name: "
                                      "b7, level: block, parent: p2, nodes: \"n[25-28]\"}\n"
                                      "    - {name: b4, level: block, parent: p1, nodes: \"n[13-16]\"}\n    - {name: "
                                      "b8, level: block, parent: p2, nodes: \"n[29-32]\"}\n");
  const std::string conf = without_comments(written("topology-conf", groups));
  CHECK(
      conf ==
      "BlockName=b1 Nodes=n[1-4]\nBlockName=b2 Nodes=n[5-8]\nBlockName=b3 Nodes=n[9-12]\nBlockName=b4 Nodes=n[13-16]\n"
      "BlockName=b5 Nodes=n[17-20]\nBlockName=b6 Nodes=n[21-24]\nBlockName=b7 Nodes=n[25-28]\nBlockName=b8 "
      "Nodes=n[29-32]\nBlockSizes=4,16\n");
}

TEST_CASE("generated blocks pass the check of every release that reads them", "[generate][topology]") {
  std::mt19937 random(7);
  for (int round = 0; round < 6; ++round) {
    std::vector<int> sizes(1 + random() % 9);
    for (int& size : sizes) size = static_cast<int>(1 + random() % 20);
    int nodes = 0;
    for (const int size : sizes) nodes += size;
    const char* release = round % 3 == 0 ? "24.05" : round % 3 == 1 ? "24.11" : "26.05";
    INFO(release << " " << nodes << " nodes in " << sizes.size() << " blocks");
    CHECK(checked("topology.conf", written("topology-conf", blocks_of(sizes, release)),
                  "TopologyPlugin=topology/block\n", nodes, release) == "");
    if (round % 3 == 2)
      CHECK(checked("topology.yaml", written("topology-yaml", blocks_of(sizes, release)), "", nodes, release) == "");
  }
}

TEST_CASE("topology.yaml holds a tree and the blocks below it", "[generate][topology]") {
  const std::string fleet = fleet_of(8, "spine, leaf, block",
                                     "    - {name: core, level: spine}\n    - {name: l1, level: leaf, parent: core}\n  "
                                     "  - {name: l2, level: leaf, parent: core}\n"
                                     "    - {name: b1, level: block, parent: l1, nodes: \"n[1-4]\"}\n    - {name: b2, "
                                     "level: block, parent: l2, nodes: \"n[5-8]\"}\n");
  const std::string yaml = written("topology-yaml", fleet);
  CHECK(without_comments(yaml) ==
        "- topology: tree\n  cluster_default: false\n  tree:\n    switches:\n      - switch: l1\n        nodes: "
        "\"n[1-4]\"\n      - switch: l2\n        nodes: \"n[5-8]\"\n"
        "      - switch: core\n        children: \"l[1-2]\"\n- topology: block\n  cluster_default: true\n  block:\n    "
        "block_sizes:\n      - 4\n      - 8\n"
        "    blocks:\n      - block: b1\n        nodes: \"n[1-4]\"\n      - block: b2\n        nodes: \"n[5-8]\"\n");
  for (const char* release : {"25.05", "25.11", "26.05"}) CHECK(checked("topology.yaml", yaml, "", 8, release) == "");
}

TEST_CASE("topologies are refused where the release or the fleet does not allow them", "[generate]") {
  CHECK(refusal("topology-yaml", blocks_of({8, 8}, "24.11")).find("does not read topology.yaml") != std::string::npos);
  CHECK(refusal("topology-conf", blocks_of({8, 8}, "23.11")).find("since Slurm 24.05") != std::string::npos);
  const std::string tree = "    - {name: l1, level: leaf, nodes: \"n[1-6]\"}\n";
  CHECK(refusal("topology-yaml", fleet_of(8, "leaf", tree)).find("no place in topology.domains: n[7-8]") !=
        std::string::npos);
  CHECK(
      refusal("topology-conf", fleet_of(8, "leaf, block", tree + "    - {name: b1, level: block, nodes: \"n[7-8]\"}\n"))
          .find("a domain that is no block, and topology.conf has either a tree or blocks: n") != std::string::npos);
  std::string silent = blocks_of({8, 8}, "24.11");
  silent.erase(silent.find("control_planes"), silent.find("node_pools") - silent.find("control_planes"));
  CHECK(refusal("topology-conf", silent).find("the version of slurm is missing") != std::string::npos);
}

TEST_CASE("the real slurmctld loads generated trees of 16 to 16,384 nodes and shows the same trees",
          "[generate][slurmctld]") {
  if (!test::slurmctld_path()) return test::skip("real slurmctld", "slurmctld is not installed, or this is not root");
  std::vector<Tree> trees{tree_of(1, 16, 2), tree_of(5, 7, 2), tree_of(16, 64, 4), tree_of(256, 64, 256)};
  std::mt19937 random(11);
  for (int i = 0; i < 3; ++i)
    trees.push_back(tree_of(static_cast<int>(2 + random() % 20), static_cast<int>(1 + random() % 12),
                            static_cast<int>(2 + random() % 4)));
  for (const Tree& tree : trees) {
    const std::string conf = written("topology-conf", tree.fleet);
    INFO(tree.nodes << " nodes\n" << (tree.nodes < 200 ? conf : ""));
    const test::SlurmVerdict verdict = test::run_slurmctld(range(1, tree.nodes), {{"topology.conf", conf}});
    REQUIRE(verdict.up);
    CHECK(shown_by(verdict) == tree.shown);
  }
}

TEST_CASE("the real slurmctld starts with generated nodes, partitions, GPUs and cgroups", "[generate][slurmctld]") {
  if (!test::slurmctld_path()) return test::skip("real slurmctld", "slurmctld is not installed, or this is not root");
  const Tree tree = tree_of(4, 4, 4);
  std::string nodes = written("slurm-nodes", tree.fleet);
  // Nothing resolves the names of these nodes; slurmctld looks up those of all nodes but cloud nodes.
  nodes.replace(nodes.find("State=UNKNOWN"), 13, "State=CLOUD");
  const std::map<std::string, std::string> files{{"nodes.conf", nodes},
                                                 {"topology.conf", written("topology-conf", tree.fleet)},
                                                 {"gres.conf", written("gres-conf", tree.fleet)},
                                                 {"cgroup.conf", written("cgroup-conf", tree.fleet)}};
  const test::SlurmVerdict verdict = test::run_slurmctld("", files);
  std::string log;
  for (const std::string& line : verdict.log) log += line + "\n";
  INFO(log);
  REQUIRE(verdict.up);
  CHECK(shown_by(verdict) == tree.shown);
  CHECK(log.find("gres") == std::string::npos);
}

TEST_CASE("nodes, GPUs and cgroups fit each other and pass the check", "[generate]") {
  const Tree tree = tree_of(4, 4, 4);
  const std::string nodes = without_comments(written("slurm-nodes", tree.fleet));
  CHECK(nodes ==
        "GresTypes=gpu\nTopologyPlugin=topology/tree\n"
        "NodeName=n[1-16] CPUs=96 SocketsPerBoard=2 CoresPerSocket=48 ThreadsPerCore=1 RealMemory=2000000 "
        "Gres=gpu:h100:8 State=UNKNOWN\n"
        "NodeSet=h100 Nodes=n[1-16]\nPartitionName=h100 Nodes=h100 Default=YES DefMemPerCPU=20833 MaxTime=7-00:00:00 "
        "State=UP\n");
  CHECK(without_comments(written("gres-conf", tree.fleet)) ==
        "NodeName=n[1-16] Name=gpu Type=h100 File=/dev/nvidia[0-7]\n");
  CHECK(without_comments(written("cgroup-conf", tree.fleet)) ==
        "ConstrainDevices=yes\nConstrainCores=yes\nConstrainRAMSpace=yes\n");
  const test::Checked result = test::check_files(
      {{"etc/slurm.conf", "ClusterName=lab\nSlurmctldHost=ctl\nTaskPlugin=task/cgroup\nInclude nodes.conf\n"},
       {"etc/nodes.conf", written("slurm-nodes", tree.fleet)},
       {"etc/gres.conf", written("gres-conf", tree.fleet)},
       {"etc/topology.conf", written("topology-conf", tree.fleet)}});
  CHECK(test::summary_of(result) == "");
}

TEST_CASE("accounts come with their shares and limits, parents first", "[generate]") {
  const std::string fleet = fleet_of(4, "leaf", "    - {name: l1, level: leaf, nodes: \"n[1-4]\"}\n") +
                            "tenants:\n  - {name: nlp, parent: research, guaranteed_gpus: 8, limit_gpus: 16}\n  - "
                            "{name: research, guaranteed_gpus: 24}\n";
  CHECK(without_comments(written("slurm-fairshare", fleet)) ==
        "Cluster - 'east':Fairshare=1\nParent - 'root'\nAccount - "
        "'research':Description='research':Organization='root':Fairshare=24\n"
        "Parent - 'research'\nAccount - "
        "'nlp':Description='nlp':Organization='research':Fairshare=8:GrpTRES=gres/gpu=16\n");
  const std::string lost = fleet_of(4, "leaf", "") + "tenants:\n  - {name: nlp, parent: nobody}\n";
  CHECK(refusal("slurm-fairshare", lost).find("a parent that does not exist") != std::string::npos);
}

TEST_CASE("a job script asks for the whole gang and nothing less", "[generate]") {
  const std::string fleet =
      fleet_of(16, "leaf", "    - {name: l1, level: leaf, nodes: \"n[1-16]\"}\n") + "tenants:\n  - {name: research}\n";
  const std::string workload =
      "muster: workloads/v1\nworkloads:\n  - {name: pretrain, tenant: research, tightly_coupled: true, nodes: 16, "
      "gpus_per_node: 8, bare_metal: true, "
      "python_native_pipeline: false, edge_or_dev: false, multi_tenant: false, long_lived_services: false}\n";
  const Result<Generated> generated = generate_topology("sbatch", {{"fleet.yaml", fleet}, {"w.yaml", workload}});
  INFO((generated ? "" : generated.error().message));
  REQUIRE(generated);
  REQUIRE(generated->files.size() == 1);
  CHECK(generated->files.front().path == "pretrain.sbatch");
  const test::Checked result = test::check_files({{"pretrain.sbatch", generated->files.front().text}});
  CHECK(test::summary_of(result) == "");
  REQUIRE(result.workspace.model.sbatch_jobs.size() == 1);
  const SbatchJob& job = result.workspace.model.sbatch_jobs.front();
  CHECK(job.min_nodes.value == 16);
  CHECK(job.max_nodes.value == 16);
  CHECK(job.gpus_per_node.value == "8");
  CHECK(job.ignored_directives.empty());
}
