#include "worlds/site_fleet.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/capped.h"
#include "base/strings.h"
#include "model/node_table.h"
#include "worlds/batch_asks.h"

namespace muster {
namespace {

std::string label_of(const SlurmPartition& partition) { return "partition/" + partition.name.value; }

/// What tells nodes apart: what jobs get of one, and the partitions they stand in.
struct NodeSort {
  std::int64_t gpus = 0;
  std::string gpu_type;         ///< empty: not said
  std::int64_t cpus = 0;        ///< 0: not said
  std::int64_t memory_mib = 0;  ///< 0: not said
  std::set<std::string> partitions;
  auto operator<=>(const NodeSort&) const = default;
};

/// Whether jobs may be given nodes in that state, by NodeName or DownNodes.
bool runs_jobs(const SiteNodes& nodes) {
  return nodes.state.empty() || nodes.state == "UNKNOWN" || nodes.state == "IDLE" || nodes.is_cloud();
}

/// What is left for jobs of what a node has; nothing where that is not said.
NodeSort sort_of(const SiteNodes& nodes, const SlurmNodes& line, bool spare_cores_kept) {
  NodeSort out;
  out.gpus = nodes.devices_of("gpu");
  const bool kept = spare_cores_kept || !nodes.is_cloud();
  const std::int64_t reserved = kept ? multiply_capped(nodes.core_spec_count, nodes.cpus.threads_per_core) : 0;
  if (line.cpus_each > 0 && nodes.cpus.known) out.cpus = std::max<std::int64_t>(1, nodes.cpus.cpus - reserved);
  if (nodes.real_memory.is_set())
    out.memory_mib = std::max<std::int64_t>(1, nodes.real_memory.value - nodes.memory_spec);
  return out;
}

/// What each node has; nothing where lines disagree, where a node is not there for jobs, or where one has GPUs of
/// several types: which of them a job takes is not counted.
std::optional<std::map<std::string, NodeSort>> machines_of(const SlurmSite& site, bool spare_cores_kept) {
  std::map<std::string, NodeSort> out;
  bool fine = site.table.known;
  for (const SiteNodes& nodes : site.table.groups) {
    const SlurmNodes& line = site.nodes[nodes.record];
    NodeSort machine = sort_of(nodes, line, spare_cores_kept);
    std::set<std::string> types;
    for (const NodeDevices& device : nodes.devices) {
      if (device.name != "gpu" || device.count == 0) continue;
      types.insert(device.type);
      machine.gpu_type = device.type;
    }
    fine = fine && types.size() <= 1;
    const Result<Hostlist> hosts = Hostlist::parse(nodes.names);
    fine = fine && hosts && NodeTable::can_run(line) && runs_jobs(nodes);
    if (!fine) break;
    hosts->each([&](std::string name) { fine = out.emplace(std::move(name), machine).second && fine; });
  }
  return fine ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<std::map<std::string, NodeSort>> sorts_of(const SlurmSite& site, bool spare_cores_kept) {
  std::optional<std::map<std::string, NodeSort>> out = machines_of(site, spare_cores_kept);
  if (!out) return std::nullopt;
  NodeTable table(site);
  for (std::size_t p = 0; p < site.partitions.size(); ++p) {
    const std::optional<NodeTable::Nodes>& nodes = table.of(p);
    if (!nodes) return std::nullopt;
    for (const std::uint32_t node : *nodes) (*out)[table.name(node)].partitions.insert(label_of(site.partitions[p]));
  }
  return out;
}

Located<FactValue> fact(FactValue value, Span where) { return set_to(std::move(value), where); }

NodePool pool_of(const NodeSort& sort, const std::vector<std::string>& names, Span where) {
  NodePool pool;
  pool.name = set_to("nodes of " + std::to_string(sort.gpus) + " GPUs in " +
                         join(std::vector<std::string>(sort.partitions.begin(), sort.partitions.end()), ", "),
                     where);
  pool.nodes = set_to(compress_hostlist(names), where);
  if (Result<Hostlist> hosts = Hostlist::parse(pool.nodes.value)) pool.hosts = std::move(*hosts);
  pool.node_count = static_cast<std::int64_t>(names.size());
  for (const std::string& partition : sort.partitions) pool.labels[partition] = "y";
  pool.facts.resize(pool_facts().size());
  pool.facts[*fact_index(pool_facts(), "control_plane")] = fact("slurm", where);
  pool.facts[*fact_index(pool_facts(), "gpus_per_node")] = fact(sort.gpus, where);
  if (sort.cpus > 0) pool.facts[*fact_index(pool_facts(), "node.cpus")] = fact(sort.cpus, where);
  if (sort.memory_mib > 0) pool.facts[*fact_index(pool_facts(), "node.memory_mib")] = fact(sort.memory_mib, where);
  if (!sort.gpu_type.empty()) pool.labels[gpu_type_label(sort.gpu_type)] = "y";
  pool.where = where;
  return pool;
}

}  // namespace

std::optional<Fleet> fleet_of_site(const SlurmSite& site, bool spare_cores_kept) {
  if (!site.nodes_known || !site.complete || site.fragment) return std::nullopt;
  const std::optional<std::map<std::string, NodeSort>> sorts = sorts_of(site, spare_cores_kept);
  if (!sorts) return std::nullopt;
  Fleet fleet;
  fleet.name = site.name.is_set() ? site.name : set_to<std::string>("slurm", site.where);
  fleet.where = site.where;
  fleet.file = site.file;
  fleet.bundle = site.bundle;
  fleet.facts.resize(fleet_facts().size());
  std::map<NodeSort, std::vector<std::string>> pools;
  for (const auto& [name, sort] : *sorts) pools[sort].push_back(name);
  for (const auto& [sort, names] : pools) fleet.node_pools.push_back(pool_of(sort, names, site.where));
  for (const Topology& topology : site.topologies) {
    if (topology.kind != Topology::Kind::Block || !topology.plugin_reads_it || topology.shadowed) continue;
    fleet.levels = {"block"};
    for (const TopologyBlock& block : topology.blocks) {
      if (!block.nodes) return std::nullopt;
      TopologyDomain domain;
      domain.name = block.name;
      domain.level = set_to<std::string>("block", block.where);
      domain.nodes = block.nodes_text;
      domain.hosts = block.nodes;
      fleet.domains.push_back(std::move(domain));
    }
  }
  return fleet;
}

std::optional<std::string> partition_label(const SlurmSite& site, const SbatchComponent& part, std::string& needs) {
  const auto is_default = [](const SlurmPartition& partition) {
    return std::ranges::any_of(partition.settings, [](const SlurmSetting& setting) {
      return setting.lower_key == "default" && equals_ignoring_case(setting.value.value, "yes");
    });
  };
  const SlurmPartition* found = nullptr;
  std::size_t count = 0;
  for (const SlurmPartition& partition : site.partitions) {
    if (part.partition.state == State::Absent ? !is_default(partition) : partition.name.value != part.partition.value)
      continue;
    found = &partition;
    ++count;
  }
  if (count == 1) return label_of(*found);
  needs = "the one partition it goes to";
  return std::nullopt;
}

}  // namespace muster
