#include "worlds/world_nodes.h"

#include <algorithm>

namespace muster {
namespace {

constexpr std::int64_t kBytesOfMiB = 1024 * 1024;

using Domains = std::map<std::string, std::string>;  // level -> domain

constexpr std::size_t kMostStretches = 256;  // of like nodes in a row
constexpr std::size_t kMostLevels = 64;      // of one node; a network has four or five

using ByName = std::map<std::string_view, const TopologyDomain*>;

/// Domain and all that it is part of. A cycle of parents ends where it closes.
Domains domains_above(const ByName& by_name, const TopologyDomain* domain) {
  Domains out;
  while (domain != nullptr && out.size() < kMostLevels && out.emplace(domain->level.value, domain->name.value).second) {
    const auto parent = by_name.find(domain->parent.value);
    domain = domain->parent.is_set() && parent != by_name.end() ? parent->second : nullptr;
  }
  return out;
}

/// A node of the pool.
WorldNodes nodes_like(const NodePool& from) {
  WorldNodes nodes;
  nodes.gpus = std::get<std::int64_t>(from.fact("gpus_per_node").value);
  nodes.labels = from.labels;
  if (const Located<FactValue>& cpus = from.fact("node.cpus"); cpus.known())
    nodes.milli_cpus = std::get<std::int64_t>(cpus.value) * 1000;
  if (const Located<FactValue>& memory = from.fact("node.memory_mib"); memory.known())
    nodes.memory = std::get<std::int64_t>(memory.value) * kBytesOfMiB;
  nodes.where = from.where;
  return nodes;
}

}  // namespace

NodePlaces places_in(const Fleet& fleet) {
  NodePlaces out;
  ByName by_name;
  for (const TopologyDomain& domain : fleet.domains) by_name.emplace(domain.name.value, &domain);
  for (const TopologyDomain& domain : fleet.domains) {
    if (!domain.hosts) continue;
    const Domains above = domains_above(by_name, &domain);
    domain.hosts->each([&](std::string name) { out[std::move(name)].insert(above.begin(), above.end()); });
  }
  return out;
}

std::optional<std::string> level_of_label(const Fleet& fleet, std::string_view label) {
  const std::string_view last = label.substr(label.find_last_of('/') + 1);
  for (const std::string_view wanted : {label, last}) {
    const auto found = std::ranges::find(fleet.levels, wanted);
    if (found != fleet.levels.end()) return *found;
  }
  return std::nullopt;
}

WorldPool world_pool(const std::vector<const NodePool*>& pools, const std::optional<NodePlaces>& places) {
  WorldPool out;
  std::string name;
  for (const NodePool* from : pools) {
    name += (name.empty() ? "" : "+") + from->name.value;
    WorldNodes nodes = nodes_like(*from);
    if (pools.size() > 1) nodes.of = from->name.value;
    if (!places) {
      nodes.count = from->node_count;
      out.nodes.push_back(std::move(nodes));
      continue;
    }
    std::map<Domains, std::int64_t> counts;
    from->hosts->each([&](const std::string& host) {
      const auto found = places->find(host);
      ++counts[found == places->end() ? Domains() : found->second];
    });
    for (const auto& [where, count] : counts) {
      nodes.count = count;
      nodes.domains = where;
      out.nodes.push_back(nodes);
    }
  }
  out.name = set_to(name, pools.front()->where);
  out.where = pools.front()->where;
  return out;
}

std::optional<std::vector<WorldNodes>> nodes_in_order(const std::vector<const NodePool*>& pools,
                                                      const std::optional<NodePlaces>& places,
                                                      const std::vector<std::string>& names) {
  std::unordered_map<std::string, std::size_t> pool_of;
  for (std::size_t p = 0; p < pools.size(); ++p)
    pools[p]->hosts->each([&](std::string host) { pool_of.emplace(std::move(host), p); });
  std::vector<WorldNodes> out;
  std::optional<std::pair<std::size_t, Domains>> last;
  for (const std::string& name : names) {
    const auto pool = pool_of.find(name);
    std::pair<std::size_t, Domains> now{pool == pool_of.end() ? pools.size() : pool->second, {}};
    if (places && places->contains(name)) now.second = places->at(name);
    if (!last || now != *last) {
      if (out.size() == kMostStretches) return std::nullopt;
      out.push_back(now.first < pools.size() ? nodes_like(*pools[now.first]) : WorldNodes{0, 0, 0, 0, {}, {}, {}});
      if (pools.size() > 1 && now.first < pools.size()) out.back().of = pools[now.first]->name.value;
      out.back().domains = now.second;
      out.back().where = pools.front()->where;
    }
    ++out.back().count;
    last = std::move(now);
  }
  return out;
}

}  // namespace muster
