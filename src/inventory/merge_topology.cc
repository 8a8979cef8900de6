#include "inventory/merge_topology.h"

#include <algorithm>
#include <set>

#include "base/natural_order.h"
#include "base/strings.h"
#include "inventory/topology_tree.h"

namespace muster {
namespace {

class TopologyMerger {
 public:
  TopologyMerger(const std::vector<Dump>& dumps, const std::vector<MergedNode>& nodes, std::vector<Finding>& findings)
      : dumps_(dumps), findings_(findings) {
    for (const MergedNode& node : nodes) known_.insert(node.name);
  }

  MergedTopology run() {
    TopologyTree tree = collect(TopologyRecord::Shape::Tree);
    TopologyTree blocks = collect(TopologyRecord::Shape::Blocks);
    tidy(blocks, out_.notes);
    for (MergedDomain& block : blocks.domains) block.level = "block";
    nest(tree, blocks);
    tidy_below_blocks(tree, blocks);
    out_.levels = tree.levels;
    std::unordered_map<std::string, std::size_t> rank;
    for (const std::string& level : out_.levels) rank.try_emplace(level, rank.size());
    std::ranges::stable_sort(tree.domains, {}, [&](const MergedDomain& domain) { return rank[domain.level]; });
    out_.domains = std::move(tree.domains);
    if (!blocks.domains.empty()) out_.levels.emplace_back("block");
    std::ranges::move(blocks.domains, std::back_inserter(out_.domains));
    return std::move(out_);
  }

 private:
  TopologyTree collect(TopologyRecord::Shape shape) {
    std::vector<std::pair<int, const TopologyRecord*>> records;
    for (const Dump& dump : dumps_) {
      for (const TopologyRecord& record : dump.topologies) {
        if (record.shape == shape) records.emplace_back(dump.rank, &record);
      }
    }
    std::ranges::stable_sort(records, {}, [](const auto& entry) { return entry.first; });
    TopologyTree tree;
    for (const auto& [rank, record] : records) {
      absorb(tree, tree_of(*record, known_, findings_), out_.notes, findings_);
      if (!record->shares_nvlink) continue;
      for (const DomainRecord& domain : record->domains) out_.nvlink.push_back(domain.name);
    }
    return tree;
  }

  /// Domains of the tree that have nodes of a block, the first two.
  static std::set<std::size_t> domains_around(const TopologyTree& tree, const MergedDomain& block) {
    std::set<std::size_t> around;
    for (const std::string& node : block.nodes) {
      const auto placed = tree.place.find(node);
      if (placed != tree.place.end()) around.insert(placed->second);
      if (around.size() > 1) break;
    }
    return around;
  }

  /// A node has one place: where blocks lie within leaves they hang below them and take their nodes.
  void nest(TopologyTree& tree, TopologyTree& blocks) {
    std::vector<std::pair<std::size_t, std::size_t>> parents;
    std::vector<std::string> across;
    for (const MergedDomain& block : blocks.domains) {
      if (domains_around(tree, block).size() > 1) across.push_back(block.name);
    }
    const std::set<std::string> left_out(across.begin(), across.end());
    std::erase_if(blocks.domains, [&](const MergedDomain& block) { return left_out.contains(block.name); });
    if (!across.empty())
      out_.notes.push_back("blocks left out: " + show_names(across) +
                           "; they lie across switches of the tree, and a node has one place: without the dump of the "
                           "tree they come in");
    for (std::size_t b = 0; b < blocks.domains.size(); ++b) {
      const std::set<std::size_t> around = domains_around(tree, blocks.domains[b]);
      if (!around.empty()) parents.emplace_back(b, *around.begin());
    }
    std::unordered_set<std::string> taken;
    for (const auto& [b, around] : parents) {
      blocks.domains[b].parent = tree.domains[around].name;
      taken.insert(blocks.domains[b].nodes.begin(), blocks.domains[b].nodes.end());
    }
    for (MergedDomain& domain : tree.domains)
      std::erase_if(domain.nodes, [&](const std::string& node) { return taken.contains(node); });
    for (MergedDomain& block : blocks.domains) {
      if (!tree.by_name.contains(block.name)) continue;
      block.note = "called " + block.name + " as a switch is";
      block.name += "-block";
    }
  }

  /// Leaves that gave their nodes to blocks are not empty.
  void tidy_below_blocks(TopologyTree& tree, const TopologyTree& blocks) {
    for (const MergedDomain& block : blocks.domains) {
      if (!block.parent.empty()) tree.domains[tree.by_name.at(block.parent)].nodes.push_back(block.nodes.front());
    }
    tidy(tree, out_.notes);
    std::unordered_set<std::string> lent;
    for (const MergedDomain& block : blocks.domains) {
      if (!block.parent.empty()) lent.insert(block.nodes.front());
    }
    for (MergedDomain& domain : tree.domains)
      std::erase_if(domain.nodes, [&](const std::string& node) { return lent.contains(node); });
  }

  const std::vector<Dump>& dumps_;
  std::vector<Finding>& findings_;
  std::unordered_set<std::string> known_;
  MergedTopology out_;
};

}  // namespace

MergedTopology merge_topology(const std::vector<Dump>& dumps, const std::vector<MergedNode>& nodes,
                              std::vector<Finding>& findings) {
  return TopologyMerger(dumps, nodes, findings).run();
}

}  // namespace muster
