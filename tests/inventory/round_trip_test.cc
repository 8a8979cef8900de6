// What is generated from a fleet and read back by `muster inventory` is that fleet again; so is what the real slurmctld
// says when it runs with it.
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "base/strings.h"
#include "generate/generate.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/model.h"
#include "support/skip.h"
#include "support/slurmctld.h"

using namespace muster;

namespace {

struct WorldPool {
  std::string name;
  int first = 0;
  int last = 0;
  int gpus = 0;
  std::string model;
  int cpus = 0;
  int memory = 0;
};

struct WorldDomain {
  std::string name;
  std::string level;
  std::string parent;
  int first = 0;  ///< 0: no nodes of its own
  int last = 0;
};

/// A fleet as this test knows it, kept apart from muster's model.
struct Cluster {
  std::vector<WorldPool> pools;
  std::vector<WorldDomain> domains;
};

std::string range(int first, int last) {
  return first == last ? "n" + std::to_string(first) : "n[" + std::to_string(first) + "-" + std::to_string(last) + "]";
}

std::string fleet_file(const Cluster& world) {
  std::string out = "muster: fleet/v1\nname: east\ncontrol_planes: [{kind: slurm, version: \"25.11\"}]\nnode_pools:\n";
  for (const WorldPool& pool : world.pools) {
    out += "  - {name: " + pool.name + ", nodes: \"" + range(pool.first, pool.last) +
           "\", control_plane: slurm, gpus_per_node: " + std::to_string(pool.gpus) +
           (pool.gpus > 0 ? ", accelerator: {model: " + pool.model + "}" : "") +
           ", node: {cpus: " + std::to_string(pool.cpus) + ", memory_mib: " + std::to_string(pool.memory) + "}}\n";
  }
  std::set<std::string> levels;
  for (const WorldDomain& domain : world.domains) levels.insert(domain.level);
  out +=
      "topology:\n  levels: [" + join(std::vector<std::string>(levels.begin(), levels.end()), ", ") + "]\n  domains:\n";
  for (const WorldDomain& domain : world.domains) {
    out += "    - {name: " + domain.name + ", level: " + domain.level +
           (domain.parent.empty() ? "" : ", parent: " + domain.parent) +
           (domain.first == 0 ? "" : ", nodes: \"" + range(domain.first, domain.last) + "\"") + "}\n";
  }
  return out;
}

/// One line a node and one a domain, sorted: what two descriptions of a fleet have to share.
std::set<std::string> essence(const Cluster& world) {
  std::set<std::string> out;
  for (const WorldPool& pool : world.pools) {
    for (int i = pool.first; i <= pool.last; ++i) {
      out.insert("n" + std::to_string(i) + " of " + pool.name + " with " + std::to_string(pool.gpus) + " " +
                 (pool.gpus > 0 ? to_lower(pool.model) : "") + " " + std::to_string(pool.cpus) + " " +
                 std::to_string(pool.memory));
    }
  }
  for (const WorldDomain& domain : world.domains) {
    std::set<std::string> nodes;
    for (int i = domain.first; domain.first > 0 && i <= domain.last; ++i) nodes.insert("n" + std::to_string(i));
    out.insert(domain.name + " below " + domain.parent + ":" +
               join(std::vector<std::string>(nodes.begin(), nodes.end()), ","));
  }
  return out;
}

/// The same of a fleet file.
std::set<std::string> essence(const std::string& fleet_text) {
  const Workspace workspace = test::read_files({{"fleet.yaml", fleet_text}});
  for (const Finding& finding : workspace.findings) FAIL(finding.message);
  REQUIRE(workspace.model.fleets.size() == 1);
  const Fleet& fleet = workspace.model.fleets.front();
  std::set<std::string> out;
  const auto number = [](const NodePool& pool, const char* fact) {
    const Located<FactValue>& value = pool.fact(fact);
    return value.is_set() ? std::to_string(std::get<std::int64_t>(value.value)) : "?";
  };
  for (const NodePool& pool : fleet.node_pools) {
    const Located<FactValue>& model = pool.fact("accelerator.model");
    pool.hosts->each([&](const std::string& name) {
      out.insert(name + " of " + pool.name.value + " with " + number(pool, "gpus_per_node") + " " +
                 (model.is_set() ? to_lower(std::get<std::string>(model.value)) : "") + " " +
                 number(pool, "node.cpus") + " " + number(pool, "node.memory_mib"));
    });
  }
  for (const TopologyDomain& domain : fleet.domains) {
    std::set<std::string> nodes;
    if (domain.hosts) domain.hosts->each([&](const std::string& name) { nodes.insert(name); });
    out.insert(domain.name.value + " below " + domain.parent.value + ":" +
               join(std::vector<std::string>(nodes.begin(), nodes.end()), ","));
  }
  return out;
}

std::string generated(const std::string& id, const std::string& fleet) {
  static const Result<std::vector<TemplateDef>> templates = embedded_templates();
  REQUIRE(templates);
  const auto def = std::ranges::find(*templates, id, &TemplateDef::id);
  REQUIRE(def != templates->end());
  const Workspace workspace = test::read_files({{"fleet.yaml", fleet}});
  const Result<Generated> made =
      generate(*def, {workspace.model, workspace.decisions, workspace.site.targets, workspace.inputs.sources});
  INFO(id << (made ? "" : made.error().message));
  REQUIRE(made);
  return made->files.at(0).text;
}

std::string inventory_from(const std::map<std::string, std::string>& dumps) {
  std::vector<std::string> words{"inventory", "--quiet", "--name", "east"};
  for (const auto& [name, text] : dumps) words.push_back(name);
  const test::Ran ran = test::run_command(words, MemoryFileSystem(dumps));
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  CHECK(ran.err.empty());
  return ran.out;
}

enum class Shape { Tree, Blocks, BlocksBelowLeaves };

Cluster random_world(std::mt19937& random, int nodes, Shape shape) {
  Cluster world;
  const int kinds = nodes < 64 ? 1 : 1 + static_cast<int>(random() % 3);
  for (int k = 0; k < kinds; ++k) {
    const int first = nodes * k / kinds + 1;
    world.pools.push_back({"pool-" + std::string(1, static_cast<char>('a' + k)), first, nodes * (k + 1) / kinds,
                           k == 1   ? 0
                           : k == 2 ? 4
                                    : 8,
                           k == 2 ? "l40s" : "H100", 64 + 32 * k, 1000000 + 100000 * k});
  }
  const int each = std::max(4, std::min(64, nodes / static_cast<int>(2 + random() % 6)));
  int number = 0;
  for (int first = 1; first <= nodes; first += each) {
    const int last = std::min(nodes, first + each - 1);
    const std::string name = "u" + std::to_string(++number);
    if (shape == Shape::Blocks) world.domains.push_back({name, "block", "", first, last});
    if (shape != Shape::Blocks) {
      const bool split = shape == Shape::BlocksBelowLeaves && last - first > 1;
      world.domains.push_back({name, "leaf", "top", split ? 0 : first, split ? 0 : last});
      const int middle = (first + last) / 2;
      if (split) world.domains.push_back({name + "a", "block", name, first, middle});
      if (split) world.domains.push_back({name + "b", "block", name, middle + 1, last});
    }
  }
  if (shape != Shape::Blocks) world.domains.push_back({"top", "spine", "", 0, 0});
  if (shape == Shape::BlocksBelowLeaves)
    std::erase_if(world.domains,
                  [](const WorldDomain& domain) { return domain.level == "block" && domain.first == 0; });
  return world;
}

}  // namespace

TEST_CASE("what is generated from a fleet is read back as that fleet, from 16 to 16,384 nodes", "[inventory]") {
  std::mt19937 random(23);
  for (int round = 0; round < 18; ++round) {
    const int nodes = round == 17  ? 16384
                      : round == 0 ? 16
                                   : static_cast<int>(16 + random() % (round < 12 ? 200 : 2000));
    const Shape shape = round % 3 == 0 ? Shape::Tree : round % 3 == 1 ? Shape::Blocks : Shape::BlocksBelowLeaves;
    const Cluster world = random_world(random, nodes, round == 17 ? Shape::Tree : shape);
    const std::string fleet = fleet_file(world);
    INFO("round " << round << ", " << nodes << " nodes\n" << (nodes < 300 ? fleet : ""));
    std::map<std::string, std::string> dumps{{"nodes.conf", generated("slurm-nodes", fleet)},
                                             {"gres.conf", generated("gres-conf", fleet)}};
    const bool yaml = world.domains.size() > 1 && shape == Shape::BlocksBelowLeaves && round != 17;
    if (yaml || round % 2 == 0) {
      dumps["topology.yaml"] = generated("topology-yaml", fleet);
    } else {
      dumps["topology.conf"] = generated("topology-conf", fleet);
    }
    const std::set<std::string> expected = essence(world);
    const std::set<std::string> actual = essence(inventory_from(dumps));
    std::vector<std::string> lost;
    std::ranges::set_difference(expected, actual, std::back_inserter(lost));
    lost.resize(std::min<std::size_t>(lost.size(), 3));
    CHECK(lost.empty());
    CHECK(actual.size() == expected.size());
  }
}

TEST_CASE("what the real slurmctld says of its nodes, partitions and switches is the fleet it was generated from",
          "[inventory][slurmctld]") {
  if (!test::slurmctld_path()) return test::skip("real slurmctld", "slurmctld is not installed, or this is not root");
  std::mt19937 random(5);
  for (const int nodes : {16, 96, 600}) {
    const Cluster world = random_world(random, nodes, Shape::Tree);
    const std::string fleet = fleet_file(world);
    std::string conf = generated("slurm-nodes", fleet);
    // Nothing resolves the names of these nodes; slurmctld looks up those of all nodes but cloud nodes.
    for (std::size_t at = conf.find("State=UNKNOWN"); at != std::string::npos; at = conf.find("State=UNKNOWN"))
      conf.replace(at, 13, "State=CLOUD");
    const test::SlurmVerdict verdict = test::run_slurmctld("",
                                                           {{"nodes.conf", conf},
                                                            {"topology.conf", generated("topology-conf", fleet)},
                                                            {"gres.conf", generated("gres-conf", fleet)}},
                                                           {}, {"show nodes", "show partitions", "show topology"});
    INFO(join(verdict.log, "\n"));
    REQUIRE(verdict.up);
    REQUIRE(verdict.answers.size() == 3);
    const std::set<std::string> actual = essence(inventory_from({{"nodes.txt", verdict.answers[0]},
                                                                 {"partitions.txt", verdict.answers[1]},
                                                                 {"topology.txt", verdict.answers[2]}}));
    CHECK(actual == essence(world));
  }
}
