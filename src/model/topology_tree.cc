// What Slurm's tree plugin makes of the switches. Source: SchedMD/slurm:src/plugins/topology/tree/switch_record.c
// (22.05-26.05).
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/strings.h"
#include "model/topology.h"

namespace muster {
namespace {

constexpr int kMaxPasses = 21;  // slurmctld gives up when a pass beyond the 20th leaves a switch unresolved

using Links = std::vector<std::vector<std::size_t>>;

/// Knots: switches that reach each other have the same number. Tarjan's, without recursion: a chain may be as long as
/// the file.
class Knots {
 public:
  static constexpr std::size_t kOpen = static_cast<std::size_t>(-1);

  explicit Knots(const Links& children)
      : children_(children), number_(children.size(), kOpen), order_(children.size(), kOpen), low_(children.size(), 0) {
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (order_[i] == kOpen) walk(i);
    }
  }

  bool joins(std::size_t a, std::size_t b) const { return number_[a] == number_[b]; }

 private:
  void enter(std::size_t at) {
    order_[at] = low_[at] = entered_++;
    open_.push_back(at);
    path_.emplace_back(at, 0);
  }

  void walk(std::size_t start) {
    enter(start);
    while (!path_.empty()) {
      const std::size_t at = path_.back().first;
      if (path_.back().second < children_[at].size()) {
        const std::size_t child = children_[at][path_.back().second++];
        if (order_[child] == kOpen) {
          enter(child);
        } else if (number_[child] == kOpen) {
          low_[at] = std::min(low_[at], order_[child]);
        }
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().first] = std::min(low_[path_.back().first], low_[at]);
      if (low_[at] == order_[at]) close(at);
    }
  }

  void close(std::size_t top) {
    for (;;) {
      const std::size_t at = open_.back();
      open_.pop_back();
      number_[at] = top;
      if (at == top) return;
    }
  }

  const Links& children_;
  std::vector<std::size_t> number_;  ///< by switch
  std::vector<std::size_t> order_;
  std::vector<std::size_t> low_;
  std::vector<std::size_t> open_;
  std::vector<std::pair<std::size_t, std::size_t>>
      path_;  ///< a switch and how many of its children have been looked at
  std::size_t entered_ = 0;
};

/// Shortest way from a switch back to itself along its children, all of which are in its knot; empty when there is
/// none. `parent` is room for the search, all open before and after it.
std::vector<std::size_t> shortest_cycle(const Links& children, const Knots& knots, std::size_t start,
                                        std::vector<std::size_t>& parent) {
  std::vector<std::size_t> queue{start};
  std::vector<std::size_t> cycle;
  for (std::size_t q = 0; q < queue.size() && cycle.empty(); ++q) {
    for (const std::size_t child : children[queue[q]]) {
      if (child == start) {
        for (std::size_t at = queue[q]; at != start; at = parent[at]) cycle.push_back(at);
        cycle.push_back(start);
        std::ranges::reverse(cycle);
        break;
      }
      if (parent[child] != Knots::kOpen || !knots.joins(child, start)) continue;
      parent[child] = queue[q];
      queue.push_back(child);
    }
  }
  for (const std::size_t at : queue) parent[at] = Knots::kOpen;
  return cycle;
}

/// One cycle, the shortest, through the first switch in the file of each knot; its other switches are not reported
/// again.
void find_cycles(Topology& topology, const Links& children) {
  const Knots knots(children);
  std::vector<bool> done(children.size(), false);
  std::vector<std::size_t> parent(children.size(), Knots::kOpen);
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (done[i]) continue;
    const std::vector<std::size_t> cycle = shortest_cycle(children, knots, i, parent);
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
  NearMisses near_misses;
  for (std::size_t i = 0; i < topology.switches.size(); ++i) {
    for (SwitchChild& child : topology.switches[i].children) {
      const auto found = by_name.find(child.name);
      child.defined = found != by_name.end();
      if (child.defined) {
        links[i].push_back(found->second);
        std::vector<std::size_t>& parents = topology.switches[found->second].parents;
        if (parents.empty() || parents.back() != i) parents.push_back(i);
      } else if (const std::optional<std::string_view> guess = near_misses.nearest(child.name, names)) {
        child.near_miss = *guess;
      }
    }
  }
  return links;
}

/// Gives up where switches have so many roots that walking down from each would take too long: nothing is said of roots
/// then.
void measure_roots(Topology& topology, const Links& links) {
  constexpr std::size_t kMaxSteps = 10'000'000;  // a tree takes two steps a switch
  std::vector<std::size_t> seen_by(links.size(), links.size());
  std::size_t steps = 0;
  for (std::size_t root = 0; root < links.size(); ++root) {
    if (!topology.switches[root].parents.empty()) continue;
    std::int64_t nodes = 0;
    std::vector<std::size_t> reached{root};
    seen_by[root] = root;
    for (std::size_t r = 0; r < reached.size(); ++r) {
      nodes += topology.switches[reached[r]].own_count;
      steps += 1 + links[reached[r]].size();
      for (const std::size_t child : links[reached[r]]) {
        if (std::exchange(seen_by[child], root) != root) reached.push_back(child);
      }
    }
    if (steps > kMaxSteps) {
      topology.largest_root = topology.root_count = 0;
      topology.roots.clear();
      return;
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
  const bool all_defined = std::ranges::all_of(
      topology.switches, [](const Switch& one) { return std::ranges::all_of(one.children, &SwitchChild::defined); });
  if (topology.has_cycle || !all_defined) return;
  if (const std::optional<std::size_t> left = unresolved_switch(links, topology)) {
    marks.push_back(topology_mark(topology, TopologyMark::What::TooDeep, topology.switches[*left].name, {}));
  }
}

std::vector<std::size_t> roots_of_switches(const Topology& topology) {
  constexpr std::size_t kNew = Knots::kOpen;
  std::vector<std::size_t> root(topology.switches.size(), kNew);
  std::vector<bool> on_path(topology.switches.size(), false);
  std::vector<std::size_t> path;
  for (std::size_t i = 0; i < root.size(); ++i) {
    path.clear();
    std::size_t at = i;
    // A cycle has no top: where it closes stands for it.
    while (root[at] == kNew && !on_path[at] && !topology.switches[at].parents.empty()) {
      on_path[at] = true;
      path.push_back(at);
      at = topology.switches[at].parents.front();
    }
    const std::size_t top = root[at] == kNew ? at : root[at];
    root[at] = top;
    for (const std::size_t below : path) root[below] = top;
  }
  return root;
}

}  // namespace muster
