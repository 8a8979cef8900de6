#include "model/topology.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kShown = 3;             // names that a finding lists

void keep_first(std::vector<std::string>& shown, std::int64_t& count, const std::string& name) {
  ++count;
  if (shown.size() < kShown) shown.push_back(name);
}

/// Nodes of all leaves, or nothing when there are too many to be a cluster.
bool expandable(const Topology& topology) {
  std::uint64_t total = 0;
  for (const Switch& leaf : topology.switches) total += leaf.nodes ? leaf.nodes->size() : 0;
  return total <= Hostlist::kMaxExpanded;
}

using Index = std::unordered_map<std::string_view, std::size_t>;

/// Shortest way from a switch back to itself along its children; empty when there is none.
std::vector<std::size_t> shortest_cycle(const std::vector<std::vector<std::size_t>>& children, std::size_t start) {
  std::vector<std::size_t> parent(children.size(), children.size());
  std::vector<std::size_t> queue{start};
  for (std::size_t q = 0; q < queue.size(); ++q) {
    for (const std::size_t child : children[queue[q]]) {
      if (child == start) {
        std::vector<std::size_t> cycle;
        for (std::size_t at = queue[q]; at != start; at = parent[at]) cycle.push_back(at);
        cycle.push_back(start);
        std::ranges::reverse(cycle);
        return cycle;
      }
      if (parent[child] != children.size()) continue;
      parent[child] = queue[q];
      queue.push_back(child);
    }
  }
  return {};
}

/// One cycle, the shortest, through the first switch in the file of each knot; its other switches are not reported again.
void find_cycles(Topology& topology, const Index& by_name) {
  std::vector<std::vector<std::size_t>> children(topology.switches.size());
  std::vector<std::size_t> parents_left(topology.switches.size(), 0);
  for (std::size_t i = 0; i < topology.switches.size(); ++i) {
    for (const SwitchChild& child : topology.switches[i].children) {
      const auto found = by_name.find(child.name);
      if (found == by_name.end()) continue;
      children[i].push_back(found->second);
      ++parents_left[found->second];
    }
  }
  // What is left when switches without parents are taken away again and again is on a cycle or below one.
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (parents_left[i] == 0) free.push_back(i);
  }
  std::vector<bool> done(children.size(), false);
  for (std::size_t f = 0; f < free.size(); ++f) {
    done[free[f]] = true;
    for (const std::size_t child : children[free[f]]) {
      if (--parents_left[child] == 0) free.push_back(child);
    }
  }
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (done[i]) continue;
    const std::vector<std::size_t> cycle = shortest_cycle(children, i);
    for (const std::size_t at : cycle) topology.switches[i].cycle.push_back(topology.switches[at].name.value);
    // Everything that can be reached from a cycle is explained by it.
    std::vector<std::size_t> reached{i};
    done[i] = true;
    for (std::size_t r = 0; !cycle.empty() && r < reached.size(); ++r) {
      for (const std::size_t child : children[reached[r]]) {
        if (done[child]) continue;
        done[child] = true;
        reached.push_back(child);
      }
    }
  }
}

void find_shared_nodes(Topology& topology) {
  if (!expandable(topology)) return;
  std::unordered_map<std::string, std::size_t> leaf_of;
  for (std::size_t i = 0; i < topology.switches.size(); ++i) {
    Switch& leaf = topology.switches[i];
    if (!leaf.nodes) continue;
    leaf.nodes->each([&](const std::string& name) {
      const auto [entry, fresh] = leaf_of.emplace(name, i);
      if (fresh || entry->second == i) return;
      if (!leaf.shared_with) leaf.shared_with = entry->second;
      keep_first(leaf.shared_nodes, leaf.shared_count, name);
    });
  }
}

}  // namespace

void analyse_switches(Topology& topology) {
  Index by_name;
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < topology.switches.size(); ++i) {
    const std::string_view name = topology.switches[i].name.value;
    const auto [entry, fresh] = by_name.emplace(name, i);
    if (!fresh) topology.switches[i].duplicate_of = entry->second;
    names.push_back(name);
  }
  for (Switch& parent : topology.switches) {
    for (SwitchChild& child : parent.children) {
      child.defined = by_name.contains(child.name);
      if (child.defined) continue;
      if (const std::optional<std::string_view> guess = nearest(child.name, names)) child.near_miss = *guess;
    }
  }
  find_cycles(topology, by_name);
  find_shared_nodes(topology);
}

void compare_with_nodes(Topology& topology, const std::vector<std::string>& site_nodes) {
  if (topology.kind != Topology::Kind::Tree || !expandable(topology)) return;
  std::vector<bool> placed(site_nodes.size(), false);
  bool all_readable = true;
  for (Switch& leaf : topology.switches) {
    all_readable = all_readable && (leaf.nodes_text.state == State::Absent || leaf.nodes) &&
                   (!leaf.nodes || leaf.nodes->functions().empty());
    if (!leaf.nodes) continue;
    leaf.nodes->each([&](const std::string& name) {
      const auto found = std::ranges::lower_bound(site_nodes, name);
      if (found != site_nodes.end() && *found == name) {
        placed[static_cast<std::size_t>(found - site_nodes.begin())] = true;
      } else {
        keep_first(leaf.unknown_nodes, leaf.unknown_count, name);
      }
    });
  }
  if (!all_readable) return;
  for (std::size_t i = 0; i < site_nodes.size(); ++i) {
    if (!placed[i]) keep_first(topology.unplaced_nodes, topology.unplaced_count, site_nodes[i]);
  }
}

}  // namespace muster
