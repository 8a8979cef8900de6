#include "model/fleet.h"

#include <algorithm>
#include <map>
#include <set>

namespace muster {

void analyse_fleet(Fleet& fleet) {
  std::map<std::string, std::size_t> by_name;
  for (std::size_t i = 0; i < fleet.domains.size(); ++i) by_name.emplace(fleet.domains[i].name.value, i);
  for (std::size_t i = 0; i < fleet.domains.size(); ++i) {
    TopologyDomain& domain = fleet.domains[i];
    const auto parent = by_name.find(domain.parent.value);
    domain.parent_known = !domain.parent.is_set() || parent != by_name.end();
    if (domain.parent.is_set() && parent != by_name.end()) {
      fleet.domains[parent->second].children.push_back(domain.name.value);
      fleet.domains[parent->second].children_at.push_back(i);
    }
    const auto names = domain.hosts ? domain.hosts->expand(Hostlist::kMaxExpanded) : std::nullopt;
    if (names) domain.node_list = compress_hostlist(*names);
  }
  for (TopologyDomain& domain : fleet.domains) domain.children_list = compress_hostlist(domain.children);
}

std::vector<std::size_t> domains_bottom_up(const Fleet& fleet) {
  // A domain comes when all of its children have; what never comes hangs in a cycle and is left out. Names that several
  // domains have are done with the first of them.
  std::map<std::string_view, std::vector<std::size_t>> parents_of;
  std::vector<std::size_t> waits_for(fleet.domains.size(), 0);
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < fleet.domains.size(); ++i) {
    waits_for[i] = fleet.domains[i].children.size();
    for (const std::string& child : fleet.domains[i].children) parents_of[child].push_back(i);
    if (waits_for[i] == 0) ready.push_back(i);
  }
  std::vector<std::size_t> order;
  std::set<std::string_view> done;
  while (!ready.empty()) {
    order.insert(order.end(), ready.begin(), ready.end());
    std::vector<std::size_t> next;
    for (const std::size_t i : ready) {
      if (!done.insert(fleet.domains[i].name.value).second) continue;
      for (const std::size_t parent : parents_of[fleet.domains[i].name.value]) {
        if (--waits_for[parent] == 0) next.push_back(parent);
      }
    }
    std::ranges::sort(next);
    ready = std::move(next);
  }
  return order;
}

namespace {

/// How often each node stands in a domain, by name; nothing when there are too many to be a fleet.
std::map<std::string, int> placements(const Fleet& fleet) {
  std::map<std::string, int> count;
  for (const TopologyDomain& domain : fleet.domains) {
    const auto names = domain.hosts ? domain.hosts->expand(Hostlist::kMaxExpanded) : std::nullopt;
    for (const std::string& name : names.value_or(std::vector<std::string>{})) ++count[name];
  }
  return count;
}

}  // namespace

std::vector<std::string> unplaced_slurm_nodes(const Fleet& fleet) {
  const std::map<std::string, int> placed = placements(fleet);
  std::vector<std::string> out;
  for (const NodePool& pool : fleet.node_pools) {
    const Located<FactValue>& plane = pool.fact("control_plane");
    if (plane.is_set() && std::get<std::string>(plane.value) != "slurm") continue;
    const auto names = pool.hosts ? pool.hosts->expand(Hostlist::kMaxExpanded) : std::nullopt;
    for (const std::string& name : names.value_or(std::vector<std::string>{})) {
      if (!placed.contains(name)) out.push_back(name);
    }
  }
  return out;
}

std::vector<std::string> nodes_placed_twice(const Fleet& fleet) {
  std::vector<std::string> out;
  for (const auto& [name, count] : placements(fleet)) {
    if (count > 1) out.push_back(name);
  }
  return out;
}

}  // namespace muster
