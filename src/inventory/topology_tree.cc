#include "inventory/topology_tree.h"

#include <algorithm>
#include <array>

#include "base/natural_order.h"
#include "base/strings.h"

namespace muster {
namespace {

/// Domain of one tree, nodes below it, domains of the other tree that have them.
using Overlap = std::map<std::size_t, std::vector<std::string>>;

Finding contradiction(std::string message, const MergedDomain& here, const MergedDomain& there,
                      const std::string& believed) {
  Finding finding = problem("inventory-conflict-topology", here.where, std::move(message));
  finding.related.push_back({there.where, believed});
  finding.object = here.name;
  return finding;
}

std::size_t add_domain(TopologyTree& tree, MergedDomain domain) {
  const auto [found, fresh] = tree.by_name.try_emplace(domain.name, tree.domains.size());
  if (fresh) tree.domains.push_back(std::move(domain));
  return found->second;
}

void put(TopologyTree& tree, const std::string& node, std::size_t domain) {
  if (tree.place.try_emplace(node, domain).second) tree.domains[domain].nodes.push_back(node);
}

void add_levels(TopologyTree& base, const TopologyTree& other) {
  std::unordered_set<std::string> known(base.levels.begin(), base.levels.end());
  for (const std::string& level : other.levels) {
    if (known.insert(level).second) base.levels.push_back(level);
  }
}

class Absorber {
 public:
  Absorber(TopologyTree& base, TopologyTree other, std::vector<std::string>& notes, std::vector<Finding>& findings)
      : base_(base), other_(std::move(other)), notes_(notes), findings_(findings) {}

  void run() {
    const bool meet =
        std::ranges::any_of(other_.place, [&](const auto& entry) { return base_.place.contains(entry.first); });
    const bool same_names = std::ranges::any_of(
        other_.domains, [&](const MergedDomain& domain) { return base_.by_name.contains(domain.name); });
    if (!meet || same_names) {
      if (meet) compare();
      add_what_is_new();
      compare_parents();
      return;
    }
    compare();
    place_the_rest();
  }

 private:
  Overlap overlap_of(const MergedDomain& domain) const {
    Overlap out;
    for (const std::string& node : domain.nodes) {
      const auto placed = base_.place.find(node);
      if (placed != base_.place.end()) out[placed->second].push_back(node);
    }
    return out;
  }

  /// The domain of the base that means this one: of the same name, else the one with most of its nodes.
  std::size_t counterpart(const MergedDomain& domain, const Overlap& overlap) const {
    const auto named = base_.by_name.find(domain.name);
    if (named != base_.by_name.end()) return named->second;
    return std::ranges::max_element(overlap, {}, [](const auto& entry) { return entry.second.size(); })->first;
  }

  /// A wider view of the same thing: all that it has of each base domain is all there is of it.
  bool is_wider(const MergedDomain& domain, const Overlap& overlap) const {
    if (base_.by_name.contains(domain.name)) return false;
    return std::ranges::all_of(overlap, [&](const auto& entry) {
      return std::ranges::all_of(base_.domains[entry.first].nodes, [&](const std::string& node) {
        const auto placed = other_.place.find(node);
        return placed == other_.place.end() || other_.domains[placed->second].name == domain.name;
      });
    });
  }

  void compare() {
    for (const MergedDomain& domain : other_.domains) {
      const Overlap overlap = overlap_of(domain);
      if (overlap.empty() || is_wider(domain, overlap)) continue;
      const std::size_t same = counterpart(domain, overlap);
      for (const auto& [index, nodes] : overlap) {
        if (index == same) continue;
        const MergedDomain& believed = base_.domains[index];
        const std::string means =
            domain.name == base_.domains[same].name ? "" : ", which goes with `" + base_.domains[same].name + "`";
        findings_.push_back(contradiction(show_nodes(nodes) + (nodes.size() == 1 ? " stands" : " stand") + " under `" +
                                              domain.name + "` here" + means + ", and under `" + believed.name +
                                              "` there",
                                          domain, believed, "under `" + believed.name + "`; the fleet file has this"));
      }
    }
  }

  void add_what_is_new() {
    add_levels(base_, other_);
    for (MergedDomain& domain : other_.domains) {
      std::vector<std::string> nodes = std::move(domain.nodes);
      MergedDomain copy = domain;
      copy.nodes.clear();
      const std::size_t index = add_domain(base_, std::move(copy));
      for (const std::string& node : nodes) put(base_, node, index);
      domain.nodes = std::move(nodes);
    }
  }

  void compare_parents() {
    for (const MergedDomain& domain : other_.domains) {
      MergedDomain& mine = base_.domains[base_.by_name.at(domain.name)];
      if (domain.parent.empty() || domain.parent == mine.parent) continue;
      if (mine.parent.empty()) {
        mine.parent = domain.parent;
        continue;
      }
      findings_.push_back(contradiction(
          "`" + domain.name + "` hangs below `" + domain.parent + "` here and below `" + mine.parent + "` there",
          domain, mine, "below `" + mine.parent + "`; the fleet file has this"));
    }
  }

  /// Nodes that only the other description places, where it is clear which domain of the base is meant.
  void place_the_rest() {
    std::vector<std::string> left;
    std::vector<std::pair<std::string, std::size_t>> found;
    for (const MergedDomain& domain : other_.domains) {
      const Overlap overlap = overlap_of(domain);
      for (const std::string& node : domain.nodes) {
        if (base_.place.contains(node)) continue;
        if (overlap.size() == 1) found.emplace_back(node, overlap.begin()->first);
        if (overlap.size() != 1) left.push_back(node);
      }
    }
    for (const auto& [node, index] : found) put(base_, node, index);
    if (!left.empty())
      notes_.push_back(
          show_nodes(left) +
          " have a place in one dump alone, whose switches are not those of the others; they are left without one");
  }

  TopologyTree& base_;
  TopologyTree other_;
  std::vector<std::string>& notes_;
  std::vector<Finding>& findings_;
};

std::string level_of_height(std::size_t height) {
  constexpr std::array<std::string_view, 3> kNames{"leaf", "spine", "core"};
  return height < kNames.size() ? std::string(kNames[height]) : "tier-" + std::to_string(height + 1);
}

}  // namespace

TopologyTree tree_of(const TopologyRecord& record, const std::unordered_set<std::string>& known,
                     std::vector<Finding>& findings) {
  TopologyTree tree;
  tree.levels = record.levels;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::string>> twice;
  for (const DomainRecord& domain : record.domains) {
    const std::size_t index =
        add_domain(tree, {domain.name, domain.level, domain.parent, {}, domain.note, domain.where});
    if (tree.domains[index].parent.empty()) tree.domains[index].parent = domain.parent;
    for (const std::string& node : domain.nodes) {
      if (!known.contains(node)) continue;
      put(tree, node, index);
      if (tree.place.at(node) != index) twice[{index, tree.place.at(node)}].push_back(node);
    }
  }
  for (const auto& [pair, nodes] : twice) {
    const MergedDomain& here = tree.domains[pair.first];
    const MergedDomain& first = tree.domains[pair.second];
    findings.push_back(contradiction(show_nodes(nodes) + (nodes.size() == 1 ? " stands" : " stand") + " under `" +
                                         here.name + "` here and under `" + first.name + "` there",
                                     here, first, "under `" + first.name + "`; the fleet file has this"));
  }
  return tree;
}

void absorb(TopologyTree& base, TopologyTree other, std::vector<std::string>& notes, std::vector<Finding>& findings) {
  if (base.domains.empty()) {
    base = std::move(other);
    return;
  }
  Absorber(base, std::move(other), notes, findings).run();
}

void tidy(TopologyTree& tree, std::vector<std::string>& notes) {
  const std::size_t count = tree.domains.size();
  std::vector<std::size_t> children(count, 0);
  const auto parent_of = [&](std::size_t i) {
    const auto found = tree.by_name.find(tree.domains[i].parent);
    return tree.domains[i].parent.empty() || found == tree.by_name.end() ? count : found->second;
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (parent_of(i) < count) ++children[parent_of(i)];
  }
  // Children before their parents; what is never ready hangs in a cycle.
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < count; ++i) {
    if (children[i] == 0) ready.push_back(i);
  }
  std::vector<std::size_t> height(count, 0);
  std::vector<bool> done(count, false);
  std::vector<bool> bears(count, false);
  std::vector<std::string> empty;
  for (std::size_t at = 0; at < ready.size(); ++at) {
    const std::size_t i = ready[at];
    done[i] = true;
    bears[i] = bears[i] || !tree.domains[i].nodes.empty();
    const std::size_t parent = parent_of(i);
    if (!bears[i]) empty.push_back(tree.domains[i].name);
    if (parent == count) continue;
    if (bears[i]) height[parent] = std::max(height[parent], height[i] + 1);
    bears[parent] = bears[parent] || bears[i];
    if (--children[parent] == 0) ready.push_back(parent);
  }
  std::vector<std::string> cyclic;
  std::size_t highest = 0;
  std::vector<MergedDomain> kept;
  bool nameless = false;
  for (std::size_t i = 0; i < count; ++i) {
    MergedDomain& domain = tree.domains[i];
    if (!done[i]) cyclic.push_back(domain.name);
    const std::size_t parent = parent_of(i);
    if (parent == count || !done[i] || !done[parent]) domain.parent.clear();
    if (!bears[i] || (!done[i] && domain.nodes.empty())) continue;
    if (domain.level.empty()) {
      domain.level = level_of_height(height[i]);
      nameless = true;
      highest = std::max(highest, height[i]);
    }
    std::ranges::sort(domain.nodes, naturally_before);
    kept.push_back(std::move(domain));
  }
  std::unordered_set<std::string> named(tree.levels.begin(), tree.levels.end());
  for (std::size_t h = highest + 1; nameless && h-- > 0;) {
    if (named.insert(level_of_height(h)).second) tree.levels.push_back(level_of_height(h));
  }
  std::unordered_set<std::string> used;
  for (const MergedDomain& domain : kept) used.insert(domain.level);
  std::erase_if(tree.levels, [&](const std::string& level) { return !used.contains(level); });
  tree.domains = std::move(kept);
  std::ranges::sort(empty, naturally_before);
  if (!empty.empty()) notes.push_back("left out, for no known node is below them: " + show_names(empty));
  if (!cyclic.empty()) notes.push_back("these hang below each other and stand without a parent: " + show_names(cyclic));
}

}  // namespace muster
