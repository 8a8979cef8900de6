#include "model/cluster_topology.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

#include "base/strings.h"
#include "model/bundle_fleets.h"
#include "model/model.h"

namespace muster {
namespace {

/// Labels whose order is certain, widest first. Sources: kubernetes.io/docs/reference/labels-annotations-taints;
/// cloud.google.com/ai-hypercomputer/docs/workloads/schedule-gke-workloads-tas; docs.aws.amazon.com/eks, network
/// topology; the examples of kueue.sigs.k8s.io/docs/concepts/topology_aware_scheduling.
struct KnownLevel {
  std::string_view label;
  std::string_view family;
  int rank;
};
constexpr std::array kKnownLevels{
    KnownLevel{"topology.kubernetes.io/region", "kubernetes", 0},
    KnownLevel{"topology.kubernetes.io/zone", "kubernetes", 1},
    KnownLevel{"cloud.google.com/gce-topology-block", "gce", 0},
    KnownLevel{"cloud.google.com/gce-topology-subblock", "gce", 1},
    KnownLevel{"cloud.google.com/gce-topology-host", "gce", 2},
    KnownLevel{"topology.k8s.aws/network-node-layer-1", "aws", 0},
    KnownLevel{"topology.k8s.aws/network-node-layer-2", "aws", 1},
    KnownLevel{"topology.k8s.aws/network-node-layer-3", "aws", 2},
    KnownLevel{"cloud.provider.com/topology-block", "provider", 0},
    KnownLevel{"cloud.provider.com/topology-rack", "provider", 1},
};

/// Topograph numbers its tiers from the narrowest (NVIDIA/topograph, v1.0.0).
constexpr std::string_view kTopographTier = "fabric.topograph.run/tier-";

/// Cycles of HyperNodes: each is told once, at its first HyperNode in the input.
class Cycles {
 public:
  explicit Cycles(std::vector<HyperNode>& nodes) : nodes_(nodes), state_(nodes.size(), 0) {}
  void find() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) walk(i);
  }

 private:
  // Without recursion: a chain may be as long as the input.
  void walk(std::size_t start) {
    if (state_[start] != 0) return;
    std::vector<std::pair<std::size_t, std::size_t>> path{{start, 0}};
    state_[start] = 1;
    while (!path.empty()) {
      auto& [at, next] = path.back();
      if (next == nodes_[at].members.size()) {
        state_[at] = 2;
        path.pop_back();
        continue;
      }
      const std::optional<std::size_t> child = nodes_[at].members[next++].child;
      if (!child || state_[*child] == 2) continue;
      if (state_[*child] == 1) {
        report(path, *child);
        continue;
      }
      state_[*child] = 1;
      path.emplace_back(*child, 0);
    }
  }

  void report(const std::vector<std::pair<std::size_t, std::size_t>>& path, std::size_t from) {
    const auto begin = std::ranges::find(path, from, &std::pair<std::size_t, std::size_t>::first);
    std::vector<std::size_t> cycle;
    for (auto at = begin; at != path.end(); ++at) cycle.push_back(at->first);
    std::rotate(cycle.begin(), std::ranges::min_element(cycle), cycle.end());
    for (const std::size_t member : cycle) nodes_[cycle.front()].cycle.push_back(nodes_[member].name.value);
  }

  std::vector<HyperNode>& nodes_;
  std::vector<int> state_;  ///< 0 new, 1 on the path, 2 done
};

void find_second_parents(std::vector<HyperNode>& nodes) {
  std::map<std::size_t, std::size_t> parent;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (HyperNodeMember& member : nodes[i].members) {
      if (!member.child) continue;
      const auto [found, fresh] = parent.emplace(*member.child, i);
      if (!fresh && found->second != i) member.other_parent = found->second;
    }
  }
}

void find_shared_nodes(std::vector<HyperNode>& nodes) {
  std::map<std::tuple<std::string, std::int64_t, std::string>, std::size_t> owner;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].tier.known()) continue;
    for (const HyperNodeMember& member : nodes[i].members) {
      if (member.type.value != "Node" || !member.exact.is_set()) continue;
      const auto [found, fresh] =
          owner.emplace(std::tuple(nodes[i].bundle, nodes[i].tier.value, member.exact.value), i);
      // The same object twice is another kind of mistake.
      if (fresh || found->second == i || nodes[found->second].name.value == nodes[i].name.value) continue;
      if (!nodes[i].shared_with) nodes[i].shared_with = found->second;
      if (nodes[i].shared_nodes.size() < kShown) nodes[i].shared_nodes.push_back(member.exact.value);
    }
  }
}

/// Nodes that the one fleet file of a bundle has under Kubernetes; nothing where it does not list them all.
std::optional<std::set<std::string>> fleet_nodes(const BundleFleets& fleets, const std::string& bundle) {
  const Fleet* found = fleets.of(bundle);
  if (found == nullptr) return std::nullopt;
  std::set<std::string> names;
  for (const NodePool& pool : found->node_pools) {
    const Located<FactValue>& plane = pool.fact("control_plane");
    const auto* text = plane.is_set() ? std::get_if<std::string>(&plane.value) : nullptr;
    if (text != nullptr && *text == "slurm") continue;
    if (!pool.hosts || pool.hosts->size() > Hostlist::kMaxExpanded || !pool.hosts->functions().empty())
      return std::nullopt;
    pool.hosts->each([&](std::string name) { names.insert(std::move(name)); });
  }
  return names;
}

void find_unknown_nodes(Model& model) {
  std::map<std::string, std::vector<HyperNodeMember*>> by_bundle;
  for (HyperNode& hyper_node : model.hyper_nodes) {
    for (HyperNodeMember& member : hyper_node.members) {
      if (member.type.value == "Node" && member.exact.is_set()) by_bundle[hyper_node.bundle].push_back(&member);
    }
  }
  const BundleFleets fleets(model);
  for (const auto& [bundle, members] : by_bundle) {
    const std::optional<std::set<std::string>> names = fleet_nodes(fleets, bundle);
    if (!names) continue;
    const auto known = std::ranges::count_if(
        members, [&](const HyperNodeMember* member) { return names->contains(member->exact.value); });
    // Where hardly any name fits, the two files name nodes differently, and nothing follows.
    if (known * 2 <= static_cast<std::ptrdiff_t>(members.size())) continue;
    for (HyperNodeMember* member : members) member->unknown_node = !names->contains(member->exact.value);
  }
}

}  // namespace

std::optional<LevelRank> rank_of_level(std::string_view label) {
  const auto found = std::ranges::find(kKnownLevels, label, &KnownLevel::label);
  if (found != kKnownLevels.end()) return LevelRank{found->family, found->rank};
  if (!label.starts_with(kTopographTier)) return std::nullopt;
  const std::optional<std::int64_t> tier = parse_int(label.substr(kTopographTier.size()));
  if (!tier || *tier < 0 || *tier > 100) return std::nullopt;
  return LevelRank{"topograph", -static_cast<int>(*tier)};
}

void analyse_levels(LevelTopology& topology, std::size_t index) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < topology.levels.size(); ++i) {
    TopologyLevel& level = topology.levels[i];
    level.topology = index;
    level.last = i + 1 == topology.levels.size();
    if (!level.label.is_set()) continue;
    level.repeated = !seen.insert(level.label.value).second;
    const std::optional<LevelRank> own = rank_of_level(level.label.value);
    for (std::size_t later = i + 1; own && later < topology.levels.size(); ++later) {
      const std::optional<LevelRank> other = rank_of_level(topology.levels[later].label.value);
      if (other && other->family == own->family && other->rank < own->rank)
        level.wider = topology.levels[later].label.value;
    }
  }
}

std::optional<std::unordered_map<std::string, std::string>> hyper_nodes_up_to(const std::vector<HyperNode>& all,
                                                                              const std::string& bundle,
                                                                              std::int64_t tier) {
  std::vector<const HyperNode*> above(all.size(), nullptr);
  for (const HyperNode& hyper_node : all) {
    if (hyper_node.bundle != bundle) continue;
    if (!hyper_node.tier.known() || !hyper_node.cycle.empty() || hyper_node.shared_with) return std::nullopt;
    for (const HyperNodeMember& member : hyper_node.members) {
      if (!member.exact.is_set() || member.other_parent) return std::nullopt;
      if (member.child && all[*member.child].tier.value >= hyper_node.tier.value) return std::nullopt;
      if (member.child && hyper_node.tier.value <= tier) above[*member.child] = &hyper_node;
    }
  }
  std::unordered_map<std::string, std::string> out;
  for (const HyperNode& hyper_node : all) {
    if (hyper_node.bundle != bundle || hyper_node.tier.value > tier) continue;
    const HyperNode* top = &hyper_node;
    while (const HyperNode* next = above[static_cast<std::size_t>(top - all.data())]) top = next;
    for (const HyperNodeMember& member : hyper_node.members) {
      if (member.type.value != "Node") continue;
      const auto [place, added] = out.emplace(member.exact.value, top->name.value);
      if (!added && place->second != top->name.value) return std::nullopt;
    }
  }
  return out;
}

void relate_hyper_nodes(Model& model) {
  Cycles(model.hyper_nodes).find();
  find_second_parents(model.hyper_nodes);
  find_shared_nodes(model.hyper_nodes);
  find_unknown_nodes(model);
}

}  // namespace muster
