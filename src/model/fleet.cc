#include "model/fleet.h"

#include <algorithm>
#include <map>
#include <set>

namespace muster {

namespace {

std::vector<std::string> expanded(const std::optional<Hostlist>& hosts) {
  const auto names = hosts ? hosts->expand(Hostlist::kMaxExpanded) : std::nullopt;
  return names.value_or(std::vector<std::string>{});
}

std::map<std::string, std::size_t> domains_by_name(const Fleet& fleet) {
  std::map<std::string, std::size_t> out;
  for (std::size_t i = 0; i < fleet.domains.size(); ++i) out.emplace(fleet.domains[i].name.value, i);
  return out;
}

void relate_domains(Fleet& fleet) {
  const std::map<std::string, std::size_t> by_name = domains_by_name(fleet);
  for (TopologyDomain& domain : fleet.domains) {
    domain.children.clear();
    domain.children_at.clear();
  }
  for (std::size_t i = 0; i < fleet.domains.size(); ++i) {
    TopologyDomain& domain = fleet.domains[i];
    const auto parent = by_name.find(domain.parent.value);
    domain.parent_known = !domain.parent.is_set() || parent != by_name.end();
    if (domain.parent.is_set() && parent != by_name.end()) {
      fleet.domains[parent->second].children.push_back(domain.name.value);
      fleet.domains[parent->second].children_at.push_back(i);
    }
    domain.node_list = compress_hostlist(expanded(domain.hosts));
  }
  for (TopologyDomain& domain : fleet.domains) domain.children_list = compress_hostlist(domain.children);
}

/// Leaves Slurm's nodes in the domains, and the domains that have some of them at or below them. What has no nodes in
/// the file stays: it is a mistake, and said to be one.
void keep_slurm_nodes(Fleet& fleet) {
  std::set<std::string> slurm;
  for (const NodePool& pool : fleet.node_pools) {
    if (!is_slurm_pool(pool)) continue;
    for (std::string& name : expanded(pool.hosts)) slurm.insert(std::move(name));
  }
  const std::map<std::string, std::size_t> by_name = domains_by_name(fleet);
  enum class Below { Nothing, Others, Slurms };
  std::vector<Below> below(fleet.domains.size(), Below::Nothing);
  for (std::size_t i = 0; i < fleet.domains.size(); ++i) {
    std::vector<std::string> names = expanded(fleet.domains[i].hosts);
    if (names.empty()) continue;
    std::erase_if(names, [&](const std::string& name) { return !slurm.contains(name); });
    const Below found = names.empty() ? Below::Others : Below::Slurms;
    const Result<Hostlist> kept = Hostlist::parse(compress_hostlist(names));
    fleet.domains[i].hosts = kept ? std::optional(*kept) : std::nullopt;
    std::set<std::size_t> seen;
    for (std::size_t at = i; seen.insert(at).second;) {
      below[at] = std::max(below[at], found);
      const auto parent = by_name.find(fleet.domains[at].parent.value);
      if (parent == by_name.end()) break;
      at = parent->second;
    }
  }
  std::vector<TopologyDomain> kept;
  for (std::size_t i = 0; i < fleet.domains.size(); ++i) {
    if (below[i] != Below::Others) kept.push_back(std::move(fleet.domains[i]));
  }
  fleet.domains = std::move(kept);
}

}  // namespace

bool is_slurm_pool(const NodePool& pool) {
  const Located<FactValue>& plane = pool.fact("control_plane");
  return !plane.is_set() || std::get<std::string>(plane.value) == "slurm";
}

void analyse_fleet(Fleet& fleet) {
  relate_domains(fleet);
  if (fleet.domains.empty() || std::ranges::all_of(fleet.node_pools, is_slurm_pool)) return;
  Fleet slurm = fleet;
  keep_slurm_nodes(slurm);
  relate_domains(slurm);
  fleet.of_slurm.push_back(std::move(slurm));
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
    for (const std::string& name : expanded(domain.hosts)) ++count[name];
  }
  return count;
}

}  // namespace

std::vector<std::string> unplaced_slurm_nodes(const Fleet& fleet) {
  const std::map<std::string, int> placed = placements(fleet);
  std::vector<std::string> out;
  for (const NodePool& pool : fleet.node_pools) {
    if (!is_slurm_pool(pool)) continue;
    for (const std::string& name : expanded(pool.hosts)) {
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
