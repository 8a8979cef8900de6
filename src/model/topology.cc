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

void find_cycles(Topology& topology, const Index& by_name) {
  // Depth-first with an explicit stack; colours: 0 new, 1 on the path, 2 done.
  std::vector<int> colour(topology.switches.size(), 0);
  for (std::size_t start = 0; start < topology.switches.size(); ++start) {
    if (colour[start] != 0) continue;
    std::vector<std::pair<std::size_t, std::size_t>> path{{start, 0}};  // switch, next child
    colour[start] = 1;
    while (!path.empty()) {
      const std::size_t at = path.back().first;
      if (path.back().second == topology.switches[at].children.size()) {
        colour[at] = 2;
        path.pop_back();
        continue;
      }
      const SwitchChild& child = topology.switches[at].children[path.back().second++];
      const auto found = by_name.find(child.name);
      if (found == by_name.end()) continue;
      const std::size_t next = found->second;
      if (colour[next] == 0) {
        colour[next] = 1;
        path.emplace_back(next, 0);
      } else if (colour[next] == 1) {
        const auto begin = std::ranges::find(path, next, &std::pair<std::size_t, std::size_t>::first);
        const auto first = std::ranges::min_element(begin, path.end(), {}, &std::pair<std::size_t, std::size_t>::first);
        std::vector<std::string>& cycle = topology.switches[first->first].cycle;
        if (!cycle.empty()) continue;
        for (auto it = first; it != path.end(); ++it) cycle.push_back(topology.switches[it->first].name.value);
        for (auto it = begin; it != first; ++it) cycle.push_back(topology.switches[it->first].name.value);
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
