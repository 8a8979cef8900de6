// What Slurm's tree plugin makes of the switches. Source: SchedMD/slurm:src/plugins/topology/tree/switch_record.c (22.05-26.05).
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/strings.h"
#include "model/topology.h"

namespace muster {
namespace {

constexpr int kMaxPasses = 21;      // slurmctld gives up when a pass beyond the 20th leaves a switch unresolved

using Links = std::vector<std::vector<std::size_t>>;

/// Shortest way from a switch back to itself along its children; empty when there is none.
std::vector<std::size_t> shortest_cycle(const Links& children, std::size_t start) {
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
void find_cycles(Topology& topology, const Links& children) {
  std::vector<std::size_t> parents_left(topology.switches.size(), 0);
  for (const std::vector<std::size_t>& list : children) {
    for (const std::size_t child : list) ++parents_left[child];
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
    topology.has_cycle = topology.has_cycle || !cycle.empty();
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


/// Resolves levels as slurmctld does: pass after pass in the order of the file. Returns the first switch that is left.
std::optional<std::size_t> unresolved_switch(const Links& children, const Topology& topology) {
  std::vector<bool> resolved(children.size());
  for (std::size_t i = 0; i < children.size(); ++i) resolved[i] = topology.switches[i].children.empty();
  std::optional<std::size_t> left;
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    left.reset();
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (resolved[i]) continue;
      resolved[i] = std::ranges::all_of(children[i], [&](std::size_t child) { return resolved[child]; });
      if (!resolved[i] && !left) left = i;
    }
    if (!left) break;
  }
  return left;
}

/// Links of switches to their children; fills in which children exist and who names whom.
Links link_children(Topology& topology) {
  std::unordered_map<std::string_view, std::size_t> by_name;
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < topology.switches.size(); ++i) {
    by_name.emplace(topology.switches[i].name.value, i);
    names.push_back(topology.switches[i].name.value);
  }
  Links links(topology.switches.size());
  for (std::size_t i = 0; i < topology.switches.size(); ++i) {
    for (SwitchChild& child : topology.switches[i].children) {
      const auto found = by_name.find(child.name);
      child.defined = found != by_name.end();
      if (child.defined) {
        links[i].push_back(found->second);
        std::vector<std::size_t>& parents = topology.switches[found->second].parents;
        if (parents.empty() || parents.back() != i) parents.push_back(i);
      } else if (const std::optional<std::string_view> guess = nearest(child.name, names)) {
        child.near_miss = *guess;
      }
    }
  }
  return links;
}

void measure_roots(Topology& topology, const Links& links) {
  std::vector<std::size_t> seen_by(links.size(), links.size());
  for (std::size_t root = 0; root < links.size(); ++root) {
    if (!topology.switches[root].parents.empty()) continue;
    std::int64_t nodes = 0;
    std::vector<std::size_t> reached{root};
    seen_by[root] = root;
    for (std::size_t r = 0; r < reached.size(); ++r) {
      nodes += topology.switches[reached[r]].own_count;
      for (const std::size_t child : links[reached[r]]) {
        if (std::exchange(seen_by[child], root) != root) reached.push_back(child);
      }
    }
    topology.largest_root = std::max(topology.largest_root, nodes);
    if (nodes == 0) continue;
    ++topology.root_count;
    if (topology.roots.size() < kShown) topology.roots.push_back(topology.switches[root].name.value);
  }
}

}  // namespace

void analyse_switches(Topology& topology, std::vector<TopologyMark>& marks) {
  const Links links = link_children(topology);
  find_cycles(topology, links);
  measure_roots(topology, links);
  const bool all_defined = std::ranges::all_of(topology.switches, [](const Switch& one) {
    return std::ranges::all_of(one.children, &SwitchChild::defined);
  });
  if (topology.has_cycle || !all_defined) return;
  if (const std::optional<std::size_t> left = unresolved_switch(links, topology)) {
    marks.push_back(topology_mark(topology, TopologyMark::What::TooDeep, topology.switches[*left].name, {}));
  }
}

std::vector<std::size_t> roots_of_switches(const Topology& topology) {
  std::vector<std::size_t> root(topology.switches.size());
  for (std::size_t i = 0; i < root.size(); ++i) {
    std::size_t at = i;
    // A cycle has no top: whoever walks longer than there are switches is in one.
    for (std::size_t steps = 0; steps < root.size() && !topology.switches[at].parents.empty(); ++steps) at = topology.switches[at].parents.front();
    root[i] = at;
  }
  return root;
}

}  // namespace muster
