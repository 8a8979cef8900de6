#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/strings.h"
#include "review/fill.h"

namespace muster {
namespace {

constexpr std::size_t kMostUnlike = 12;  ///< below one domain; the smallest of more are put together
constexpr std::size_t kMostBoxes = 400;
constexpr std::size_t kMostLevels = 12;

/// A domain as its file has it.
struct RawDomain {
  std::string name;
  std::string level;
  std::int64_t own = 0;  ///< nodes that stand in it and in nothing below it
  std::vector<std::size_t> below;
  std::set<std::string> pools;  ///< of its own nodes
  // Filled in by Grouping.
  std::int64_t nodes = 0;
  std::size_t shape = 0;
};

/// Puts domains of one shape together, so that a fleet of any size is drawn by what is different in it.
class Grouping {
 public:
  /// `order`: children before their parents; what is not in it is left out.
  Grouping(std::vector<RawDomain> domains, const std::vector<std::size_t>& order) : raw_(std::move(domains)) {
    std::map<std::string, std::size_t> shapes;
    for (const std::size_t d : order) {
      RawDomain& one = raw_[d];
      one.nodes = one.own;
      std::vector<std::size_t> below;
      for (const std::size_t child : one.below) {
        one.nodes += raw_[child].nodes;
        one.pools.insert(raw_[child].pools.begin(), raw_[child].pools.end());
        below.push_back(raw_[child].shape);
      }
      std::ranges::sort(below);
      std::string key = one.level + "\n" + std::to_string(one.nodes);
      for (const std::string& pool : one.pools) key += "\n" + pool;
      for (const std::size_t shape : below) key += "\n" + std::to_string(shape);
      one.shape = shapes.try_emplace(key, shapes.size()).first->second;
    }
  }

  void run(const std::vector<std::size_t>& roots, ReviewTopology& out) {
    out.roots = add(roots, 0, out);
    for (const std::size_t root : roots) out.nodes += raw_[root].nodes;
  }

 private:
  std::vector<std::size_t> add(const std::vector<std::size_t>& domains, std::size_t depth, ReviewTopology& out) {
    if (domains.empty() || depth >= kMostLevels || out.domains.size() >= kMostBoxes) return {};
    std::vector<std::vector<std::size_t>> groups;
    std::map<std::size_t, std::size_t> group_of;
    for (const std::size_t d : domains) {
      const auto [at, fresh] = group_of.try_emplace(raw_[d].shape, groups.size());
      if (fresh) groups.emplace_back();
      groups[at->second].push_back(d);
    }
    std::vector<std::size_t> made;
    std::vector<std::size_t> rest;
    if (groups.size() > kMostUnlike) {
      std::ranges::stable_sort(groups, std::ranges::greater{}, [&](const std::vector<std::size_t>& group) {
        return raw_[group.front()].nodes * static_cast<std::int64_t>(group.size());
      });
      for (std::size_t i = kMostUnlike - 1; i < groups.size(); ++i)
        rest.insert(rest.end(), groups[i].begin(), groups[i].end());
      groups.resize(kMostUnlike - 1);
    }
    for (const std::vector<std::size_t>& group : groups) made.push_back(box(group, depth, out));
    if (!rest.empty()) made.push_back(unlike(rest, out));
    return made;
  }

  std::size_t box(const std::vector<std::size_t>& group, std::size_t depth, ReviewTopology& out) {
    const RawDomain& first = raw_[group.front()];
    const std::size_t at = out.domains.size();
    out.domains.push_back({first.level, {}, first.nodes, false, {}, pools_of(first.pools)});
    std::vector<std::size_t> below;
    for (const std::size_t d : group) {
      out.domains[at].names.push_back(raw_[d].name);
      below.insert(below.end(), raw_[d].below.begin(), raw_[d].below.end());
    }
    std::vector<std::size_t> children = add(below, depth + 1, out);
    out.domains[at].below = std::move(children);
    return at;
  }

  std::size_t unlike(const std::vector<std::size_t>& rest, ReviewTopology& out) {
    ReviewDomain one{raw_[rest.front()].level, {}, 0, true, {}, ""};
    std::set<std::string> pools;
    for (const std::size_t d : rest) {
      one.names.push_back(raw_[d].name);
      one.nodes += raw_[d].nodes;
      pools.insert(raw_[d].pools.begin(), raw_[d].pools.end());
    }
    one.pools = pools_of(pools);
    out.domains.push_back(std::move(one));
    return out.domains.size() - 1;
  }

  static std::string pools_of(const std::set<std::string>& pools) {
    if (pools.empty()) return "";
    if (pools.size() > 3) return std::to_string(pools.size()) + " pools";
    return (pools.size() == 1 ? "pool " : "pools ") + join(std::vector<std::string>(pools.begin(), pools.end()), ", ");
  }

  std::vector<RawDomain> raw_;
};

std::unordered_map<std::string, std::string> pool_of_nodes(const Fleet& fleet) {
  std::unordered_map<std::string, std::string> out;
  for (const NodePool& pool : fleet.node_pools) {
    if (!pool.hosts || pool.hosts->size() > Hostlist::kMaxExpanded) continue;
    pool.hosts->each([&](const std::string& node) { out.try_emplace(node, pool.name.value); });
  }
  return out;
}

ReviewTopology of_fleet(const Fleet& fleet) {
  const std::unordered_map<std::string, std::string> pools = pool_of_nodes(fleet);
  std::set<std::string> placed;
  std::vector<RawDomain> raw;
  for (const TopologyDomain& domain : fleet.domains) {
    RawDomain one{domain.name.value, domain.level.value, 0, {}, {}};
    if (domain.hosts && domain.hosts->size() <= Hostlist::kMaxExpanded) {
      domain.hosts->each([&](const std::string& node) {
        if (!placed.insert(node).second) return;
        ++one.own;
        if (const auto found = pools.find(node); found != pools.end()) one.pools.insert(found->second);
      });
    }
    raw.push_back(std::move(one));
  }
  const std::vector<std::size_t> order = domains_bottom_up(fleet);
  std::vector<char> has_parent(raw.size());
  for (std::size_t parent = 0; parent < raw.size(); ++parent) {
    for (const std::size_t child : fleet.domains[parent].children_at) {
      // What stands in a cycle is in no order.
      if (has_parent[child] != 0 || child == parent) continue;
      has_parent[child] = 1;
      raw[parent].below.push_back(child);
    }
  }
  std::vector<std::size_t> roots;
  for (const std::size_t d : order) {
    if (has_parent[d] == 0) roots.push_back(d);
  }
  std::ranges::sort(roots);
  ReviewTopology out;
  out.from = fleet.file;
  out.levels = fleet.levels;
  Grouping(std::move(raw), order).run(roots, out);
  for (const auto& [node, pool] : pools) out.unplaced += placed.contains(node) ? 0 : 1;
  return out;
}

/// Switches below each other, children first; nothing where they go round.
std::vector<std::size_t> bottom_up(const std::vector<RawDomain>& raw, const std::vector<std::size_t>& roots) {
  std::vector<std::size_t> order = roots;
  for (std::size_t i = 0; i < order.size(); ++i)
    order.insert(order.end(), raw[order[i]].below.begin(), raw[order[i]].below.end());
  std::ranges::reverse(order);
  return order;
}

ReviewTopology of_slurm(const Topology& topology, const SlurmSite& site) {
  std::vector<RawDomain> raw;
  std::unordered_map<std::string, std::size_t> index;
  for (const Switch& one : topology.switches) {
    index.try_emplace(one.name.value, raw.size());
    raw.push_back({one.name.value, "switch", one.children.empty() ? one.size : 0, {}, {}});
  }
  for (const TopologyBlock& one : topology.blocks)
    raw.push_back({one.name.value, std::string(name_of(topology.kind)), one.size, {}, {}});
  std::vector<char> has_parent(raw.size());
  for (std::size_t s = 0; s < topology.switches.size(); ++s) {
    for (const SwitchChild& child : topology.switches[s].children) {
      const auto found = index.find(child.name);
      if (found == index.end() || has_parent[found->second] != 0 || found->second == s) continue;
      has_parent[found->second] = 1;
      raw[s].below.push_back(found->second);
    }
  }
  std::vector<std::size_t> roots;
  for (std::size_t d = 0; d < raw.size(); ++d) {
    if (has_parent[d] == 0) roots.push_back(d);
  }
  const std::vector<std::size_t> order = bottom_up(raw, roots);
  ReviewTopology out;
  out.from = topology.file;
  Grouping(std::move(raw), order).run(roots, out);
  if (site.nodes_known) out.unplaced = topology.unplaced_count;
  return out;
}

}  // namespace

void fill_topologies(const ReviewSubject& subject, Review& review) {
  const Fleet* fleet = only_fleet(subject.model);
  if (fleet != nullptr && !fleet->domains.empty()) {
    review.topologies.push_back(of_fleet(*fleet));
    return;
  }
  for (const SlurmSite& site : subject.model.slurm_sites) {
    for (const Topology& topology : site.topologies) {
      const bool drawn = !topology.switches.empty() || !topology.blocks.empty();
      if (drawn && !topology.has_cycle && topology.plugin_reads_it && !topology.shadowed)
        review.topologies.push_back(of_slurm(topology, site));
    }
  }
}

}  // namespace muster
