#include "inventory/kubernetes_topology.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/strings.h"

namespace muster {
namespace {

/// Topology labels of nodes, widest first, and how their level is called in a fleet file. Not `block`, which is an
/// NVLink domain there. Sources: kubernetes/api:core/v1/well_known_labels.go; docs.aws.amazon.com (EC2 instance
/// topology); cloud.google.com/ai-hypercomputer/docs (topology-aware scheduling); oracle-quickstart/oci-hpc-oke;
/// NVIDIA/topograph before 1.0 (network.topology.nvidia.com) and since (fabric.topograph.run, tier-0 being the
/// closest).
struct LabelLevel {
  std::string_view key;
  std::string_view level;
};
constexpr std::array<LabelLevel, 12> kLabels{{
    {"topology.kubernetes.io/region", "region"},
    {"topology.kubernetes.io/zone", "zone"},
    {"topology.k8s.aws/network-node-layer-1", "network-node-layer-1"},
    {"topology.k8s.aws/network-node-layer-2", "network-node-layer-2"},
    {"topology.k8s.aws/network-node-layer-3", "network-node-layer-3"},
    {"cloud.google.com/gce-topology-block", "gce-topology-block"},
    {"cloud.google.com/gce-topology-subblock", "gce-topology-subblock"},
    {"oci.oraclecloud.com/host.network_block_id", "network-block"},
    {"oci.oraclecloud.com/host.rack_id", "rack"},
    {"network.topology.nvidia.com/core", "core"},
    {"network.topology.nvidia.com/spine", "spine"},
    {"network.topology.nvidia.com/leaf", "leaf"},
}};
constexpr std::string_view kTier = "fabric.topograph.run/tier-";

/// Labels that name the NVLink domain, the first that is there. A clique is ClusterUUID.CliqueID.
constexpr std::array<std::string_view, 4> kAccelerators{"nvidia.com/gpu.clique", "accelerator.topograph.run/domain",
                                                        "network.topology.nvidia.com/accelerator",
                                                        "topology.k8s.aws/ultraserver-id"};

constexpr std::size_t kMaxTiers = 16;

struct Step {
  std::string level;
  std::size_t rank;
  Node value;
};

void add_tiers(const Node& labels, std::vector<Step>& out) {
  for (std::size_t tier = kMaxTiers; tier-- > 0;) {
    const Node value = labels[std::string(kTier) + std::to_string(tier)];
    if (!value.text().empty())
      out.push_back({"tier-" + std::to_string(tier), kLabels.size() + kMaxTiers - tier, value});
  }
}

/// Levels of a node by the Kueue Topology whose labels it has all of, else by the labels that are known.
std::vector<Step> steps_of(const Node& labels, const std::vector<LabelLevels>& kueue) {
  std::vector<Step> out;
  for (const LabelLevels& levels : kueue) {
    if (!std::ranges::all_of(levels.keys, [&](const std::string& key) { return !labels[key].text().empty(); }))
      continue;
    for (std::size_t i = 0; i < levels.keys.size(); ++i) {
      const std::string& key = levels.keys[i];
      const auto known = std::ranges::find(kLabels, key, &LabelLevel::key);
      std::string level = known != kLabels.end() ? std::string(known->level) : key.substr(key.rfind('/') + 1);
      if (level == "block") level = "network-block";
      out.push_back({std::move(level), i, labels[key]});
    }
    return out;
  }
  for (std::size_t i = 0; i < kLabels.size(); ++i) {
    const Node value = labels[kLabels[i].key];
    if (!value.text().empty()) out.push_back({std::string(kLabels[i].level), i, value});
  }
  add_tiers(labels, out);
  return out;
}

}  // namespace

std::string LabelTopology::place(const std::string& level, std::size_t rank, const Node& value,
                                 const std::string& parent) {
  std::string key = level + "\n" + std::string(value.text());
  const auto [found, fresh] = domains_.try_emplace(key);
  Domain& domain = found->second;
  if (fresh) {
    domain = {level, std::string(value.text()), rank, parent, value.where(), {}};
    levels_[{rank, level}] = 1;
  }
  // The label of one rack may be written below two rows: that is another rack of the same name.
  if (!fresh && domain.parent != parent && !parent.empty() && !domain.parent.empty()) {
    key = parent + "\n" + key;
    domains_.try_emplace(key, Domain{level, std::string(value.text()), rank, parent, value.where(), {}});
  } else if (domain.parent.empty()) {
    domain.parent = parent;
  }
  return key;
}

void LabelTopology::add(const Node& labels, const std::string& node, const std::vector<LabelLevels>& kueue) {
  std::string at;
  for (const Step& step : steps_of(labels, kueue)) at = place(step.level, step.rank, step.value, at);
  if (!at.empty()) domains_.at(at).nodes.push_back(node);
  for (const std::string_view key : kAccelerators) {
    const Node value = labels[key];
    if (value.text().empty()) continue;
    const auto [found, fresh] = accelerators_.try_emplace(std::string(value.text()));
    if (fresh) found->second = {"", std::string(value.text()), 0, "", value.where(), {}};
    found->second.nodes.push_back(node);
    break;
  }
}

void LabelTopology::finish(Dump& dump) {
  // Domains are looked up by name: one that stands for two is told apart by its level, or by what is above it.
  std::map<std::string, int> uses;
  for (const auto& [key, domain] : domains_) ++uses[domain.value];
  std::map<std::string, std::string> names;
  std::set<std::string> taken;
  for (const auto& [key, domain] : domains_) {
    const std::string before = domain.parent.empty() ? domain.level : domains_.at(domain.parent).value;
    const std::string full = before + "-" + domain.value;
    std::string name = uses[domain.value] > 1 ? full : domain.value;
    for (int number = 2; !taken.insert(name).second; ++number) name = full + "-" + std::to_string(number);
    names[key] = name;
  }
  TopologyRecord tree;
  for (const auto& [rank_and_level, unused] : levels_) {
    if (std::ranges::find(tree.levels, rank_and_level.second) == tree.levels.end())
      tree.levels.push_back(rank_and_level.second);
  }
  for (const auto& [key, domain] : domains_) {
    tree.domains.push_back(
        {names[key], domain.level, domain.parent.empty() ? "" : names[domain.parent], domain.nodes, domain.where, ""});
  }
  tree.where = dump.where;
  if (!tree.domains.empty()) dump.topologies.push_back(std::move(tree));
  TopologyRecord blocks;
  blocks.shape = TopologyRecord::Shape::Blocks;
  blocks.shares_nvlink = true;
  blocks.where = dump.where;
  for (const auto& [key, domain] : accelerators_)
    blocks.domains.push_back({domain.value, "", "", domain.nodes, domain.where, ""});
  if (!blocks.domains.empty()) dump.topologies.push_back(std::move(blocks));
}

std::string show_some(const std::vector<std::string>& words) {
  constexpr std::size_t kListed = 4;
  const std::vector<std::string> first(words.begin(),
                                       words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), kListed)));
  return join(first, ", ") + (words.size() > kListed ? " and " + std::to_string(words.size() - kListed) + " more" : "");
}

}  // namespace muster
