#include "inventory/pools.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

#include "base/strings.h"
#include "model/fact.h"

namespace muster {
namespace {

/// What makes a class of nodes. Memory as Kubernetes counts it varies by a few MiB from node to node: see
/// split_by_memory.
constexpr std::array<std::string_view, 8> kClassFacts{"accelerator.memory_gib",
                                                      "accelerator.model",
                                                      "accelerator.partitioning",
                                                      "control_plane",
                                                      "gpus_per_node",
                                                      "node.cores_per_socket",
                                                      "node.cpus",
                                                      "node.sockets"};

std::string value_of(const MergedNode& node, std::size_t fact) {
  const std::optional<Believed>& believed = node.facts[fact];
  const bool unsure = node.two_planes && fact == row_of("control_plane");
  return believed && !unsure ? believed->value : "";
}

/// Nodes whose memory differs by less than a twentieth from the next smaller one are of one class.
std::vector<std::vector<std::size_t>> split_by_memory(std::vector<std::size_t> members,
                                                      const std::vector<MergedNode>& nodes,
                                                      const std::vector<Dump>& dumps) {
  const std::size_t memory = row_of("node.memory_mib");
  const auto amount = [&](std::size_t i) { return parse_int(value_of(nodes[i], memory)).value_or(0); };
  // What Slurm is told is told for a class; what a kubelet counts is measured.
  const auto measured = [&](std::size_t i) {
    return nodes[i].facts[memory] && dumps[nodes[i].facts[memory]->dump].scope == Scope::Kubernetes;
  };
  std::ranges::stable_sort(members, {}, amount);
  std::vector<std::vector<std::size_t>> out;
  for (const std::size_t i : members) {
    const std::size_t before = out.empty() ? i : out.back().back();
    const std::int64_t gap = measured(i) && measured(before) && amount(before) > 0 ? amount(before) / 20 : 0;
    if (out.empty() || amount(i) > amount(before) + gap) out.emplace_back();
    out.back().push_back(i);
  }
  for (std::vector<std::size_t>& group : out) std::ranges::sort(group);
  return out;
}

/// What would decide a fact that no dump says.
std::string_view decided_by(std::string_view fact) {
  if (fact == "gpus_per_node")
    return "no dump says; `scontrol show nodes` or `kubectl get nodes -o yaml` does, 0 is an answer";
  if (fact == "accelerator.model") return "no dump says; a type in Gres, GPU Feature Discovery or a ResourceSlice does";
  if (fact == "accelerator.memory_gib")
    return "no dump says; GPU Feature Discovery, a ResourceSlice or nvidia-smi does";
  if (fact == "control_plane")
    return "no dump says who schedules these nodes; `scontrol show nodes` or `kubectl get nodes -o yaml` does";
  if (fact == "node.cpus") return "no dump says; `scontrol show nodes` or `slurmd -C` on a node does";
  if (fact == "node.memory_mib") return "no dump says; `slurmd -C` on a node does";
  return {};
}

class PoolMaker {
 public:
  PoolMaker(const std::vector<MergedNode>& nodes, const std::vector<Dump>& dumps) : nodes_(nodes), dumps_(dumps) {}

  std::vector<Pool> run() {
    std::map<std::vector<std::string>, std::vector<std::size_t>> classes;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      std::vector<std::string> key;
      for (const std::string_view fact : kClassFacts) key.push_back(value_of(nodes_[i], row_of(fact)));
      classes[std::move(key)].push_back(i);
    }
    for (auto& [key, members] : classes) {
      for (std::vector<std::size_t>& group : split_by_memory(std::move(members), nodes_, dumps_))
        pools_.push_back(make(std::move(group)));
    }
    std::ranges::sort(pools_, {}, [](const Pool& pool) { return pool.nodes.front(); });
    return std::move(pools_);
  }

 private:
  Pool make(std::vector<std::size_t> members) const {
    Pool pool;
    pool.nodes = std::move(members);
    for (std::size_t fact = 0; fact < pool_facts().size(); ++fact) fill(pool, fact);
    const std::string& gpus = pool.facts[row_of("gpus_per_node")];
    for (std::size_t fact = 0; fact < pool_facts().size(); ++fact) {
      const std::string_view name = pool_facts()[fact].name;
      if (pool.facts.contains(fact) && !pool.facts[fact].empty()) continue;
      pool.facts.erase(fact);
      if (pool.missing.contains(fact) || (name.starts_with("accelerator.") && gpus == "0")) continue;
      if (!decided_by(name).empty()) pool.missing[fact] = decided_by(name);
    }
    return pool;
  }

  void fill(Pool& pool, std::size_t fact) const {
    std::map<std::string, std::size_t> values;
    for (const std::size_t i : pool.nodes) ++values[value_of(nodes_[i], fact)];
    if (values.size() == 1) {
      pool.facts[fact] = values.begin()->first;
    } else if (pool_facts()[fact].name == "node.memory_mib" && !values.contains("")) {
      pool.facts[fact] = value_of(
          nodes_[*std::ranges::min_element(
              pool.nodes, {}, [&](std::size_t i) { return parse_int(value_of(nodes_[i], fact)).value_or(0); })],
          fact);
    } else {
      pool.missing[fact] = "the nodes differ: " + list(values);
    }
    if (!pool.facts[fact].empty()) return;
    for (const std::size_t i : pool.nodes) {
      for (const OpenFact* open : nodes_[i].open) {
        if (open->fact == fact) pool.missing.try_emplace(fact, open->why);
      }
    }
    if (fact == row_of("control_plane") && nodes_[pool.nodes.front()].two_planes) {
      pool.missing[fact] = "Slurm and Kubernetes both list these nodes; who starts the jobs on them decides";
    }
  }

  /// 580.95.05 (30 nodes), 535.1 (2 nodes), the first few.
  static std::string list(const std::map<std::string, std::size_t>& values) {
    constexpr std::size_t kShown = 4;
    std::vector<std::string> parts;
    for (const auto& [value, count] : values) {
      if (parts.size() == kShown) {
        parts.emplace_back("...");
        break;
      }
      parts.push_back((value.empty() ? "not said" : value) + " (" + count_of(count, "node") + ")");
    }
    return join(parts, ", ");
  }

  const std::vector<MergedNode>& nodes_;
  const std::vector<Dump>& dumps_;
  std::vector<Pool> pools_;
};

}  // namespace

std::vector<Pool> make_pools(const std::vector<MergedNode>& nodes, const std::vector<Dump>& dumps) {
  std::vector<Pool> pools = PoolMaker(nodes, dumps).run();
  name_pools(pools, nodes, dumps);
  return pools;
}

void count_nvlink_domains(std::vector<Pool>& pools, const std::vector<MergedNode>& nodes,
                          const MergedTopology& topology) {
  std::unordered_map<std::string, std::size_t> size_around;
  const std::set<std::string> nvlink(topology.nvlink.begin(), topology.nvlink.end());
  for (const MergedDomain& domain : topology.domains) {
    if (!nvlink.contains(domain.name)) continue;
    for (const std::string& node : domain.nodes) size_around[node] = domain.nodes.size();
  }
  const std::size_t fact = row_of("fabric.nvlink_domain_nodes");
  for (Pool& pool : pools) {
    std::set<std::size_t> sizes;
    for (const std::size_t i : pool.nodes) {
      const auto found = size_around.find(nodes[i].name);
      sizes.insert(found == size_around.end() ? 0 : found->second);
    }
    if (sizes.size() == 1 && *sizes.begin() > 0) pool.facts[fact] = std::to_string(*sizes.begin());
    if (sizes.size() > 1)
      pool.missing[fact] =
          "the NVLink domains of these nodes differ in size as the dumps show them; the makers of the racks know";
  }
}

}  // namespace muster
