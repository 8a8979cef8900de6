#include <map>
#include <set>

#include "base/strings.h"
#include "inventory/readers.h"

namespace muster {
namespace {

// Source: volcano-sh/apis:pkg/apis/topology/v1alpha1/hypernode_types.go (1.15): tier 1 is the closest, members are
// nodes or HyperNodes, chosen by name, pattern or labels.

/// How a tier is called: by its name where there is one, else by its number.
std::string level_of(const Node& spec) {
  const std::string_view name = spec["tierName"].text();
  return name.empty() || name == "block" ? "tier-" + std::string(spec["tier"].text()) : std::string(name);
}

}  // namespace

void read_hyper_nodes(const std::vector<DumpedObject>& hyper_nodes, DumpContext& context) {
  Dump dump = dump_of_objects(hyper_nodes, "HyperNodes", 25);
  TopologyRecord tree;
  tree.where = dump.where;
  std::map<std::string, std::string> parents;
  std::map<std::int64_t, std::string> tiers;
  std::size_t by_pattern = 0;
  for (const DumpedObject& entry : hyper_nodes) {
    const Node spec = entry.object["spec"];
    const Node name = entry.object["metadata"]["name"];
    DomainRecord domain;
    domain.name = name.text();
    domain.where = name.where();
    domain.level = level_of(spec);
    tiers.try_emplace(parse_int(spec["tier"].text()).value_or(0), domain.level);
    const Node members = spec["members"];
    for (std::size_t i = 0; members.is_sequence() && i < members.size(); ++i) {
      const Node exact = members.item(i)["selector"]["exactMatch"]["name"];
      if (!exact.is_scalar()) {
        ++by_pattern;
      } else if (members.item(i)["type"].text() == "HyperNode") {
        parents.try_emplace(std::string(exact.text()), domain.name);
      } else if (is_node_name(exact.text())) {
        domain.nodes.emplace_back(exact.text());
      } else {
        unreadable(context, exact.where(), "`" + std::string(exact.text()) + "` cannot be the name of a node");
      }
    }
    tree.domains.push_back(std::move(domain));
  }
  for (DomainRecord& domain : tree.domains) {
    const auto parent = parents.find(domain.name);
    if (parent != parents.end()) domain.parent = parent->second;
  }
  std::set<std::string> known;
  for (auto tier = tiers.rbegin(); tier != tiers.rend(); ++tier) {
    if (known.insert(tier->second).second) tree.levels.push_back(tier->second);
  }
  if (by_pattern > 0)
    dump.notes.push_back(count_of(by_pattern, "member") +
                         " of HyperNodes chosen by pattern or labels left out: Volcano resolves them, `kubectl get "
                         "nodes --show-labels` shows on what");
  dump.topologies.push_back(std::move(tree));
  context.dumps.push_back(std::move(dump));
}

}  // namespace muster
