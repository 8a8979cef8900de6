#include "model/fleet_topology.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/capped.h"

namespace muster {
namespace {

std::int64_t size_of(const TopologyDomain& domain) {
  return domain.hosts ? static_cast<std::int64_t>(domain.hosts->size()) : 0;
}

bool is_power_of_two(std::size_t count) { return count > 0 && (count & (count - 1)) == 0; }

std::vector<std::string> names_of(const TopologyDomain& domain) {
  const auto names = domain.hosts ? domain.hosts->expand(Hostlist::kMaxExpanded) : std::nullopt;
  return names.value_or(std::vector<std::string>{});
}

/// Blocks right below each domain, by the domain's name.
std::map<std::string, std::vector<std::size_t>> blocks_by_parent(const Fleet& fleet) {
  std::map<std::string, std::vector<std::size_t>> out;
  for (std::size_t i = 0; i < fleet.domains.size(); ++i) {
    if (is_block(fleet.domains[i])) out[fleet.domains[i].parent.value].push_back(i);
  }
  return out;
}

/// How many blocks each parent has, where all have the same.
std::size_t common_group(const std::map<std::string, std::vector<std::size_t>>& groups) {
  if (groups.empty() || groups.contains("")) return 0;
  const std::size_t first = groups.begin()->second.size();
  const bool same = std::ranges::all_of(groups, [&](const auto& group) { return group.second.size() == first; });
  return same ? first : 0;
}

}  // namespace

bool is_block(const TopologyDomain& domain) { return domain.level.value == "block"; }

BlockPlan plan_blocks(const Fleet& fleet) {
  BlockPlan plan;
  const auto groups = blocks_by_parent(fleet);
  std::set<std::string> done;
  for (const TopologyDomain& domain : fleet.domains) {
    if (!is_block(domain) || !done.insert(domain.parent.value).second) continue;
    const std::vector<std::size_t>& group = groups.at(domain.parent.value);
    plan.blocks.insert(plan.blocks.end(), group.begin(), group.end());
  }
  if (plan.blocks.empty()) return plan;
  const TopologyDomain* smallest = &fleet.domains[plan.blocks.front()];
  std::int64_t largest = 0;
  for (const std::size_t block : plan.blocks) {
    if (size_of(fleet.domains[block]) < size_of(*smallest)) smallest = &fleet.domains[block];
    largest = std::max(largest, size_of(fleet.domains[block]));
  }
  const std::int64_t base = size_of(*smallest);
  plan.sizes.push_back(base);
  plan.why = base == largest ? "every block has " + std::to_string(base) + " nodes"
                             : "the smallest block, " + smallest->name.value + ", has " + std::to_string(base) +
                                   " nodes and the largest " + std::to_string(largest);
  constexpr std::size_t kMaxLevels = 16;
  const std::size_t group = common_group(groups);
  if (group > 1 && is_power_of_two(group)) {
    plan.sizes.push_back(multiply_capped(base, static_cast<std::int64_t>(group)));
    plan.why += "; each group above them holds " + std::to_string(group) + " blocks";
    return plan;
  }
  for (std::size_t count = 2; count <= plan.blocks.size() && plan.sizes.size() < kMaxLevels; count *= 2) {
    plan.sizes.push_back(multiply_capped(base, static_cast<std::int64_t>(count)));
  }
  if (plan.sizes.size() > 1) plan.why += "; then twice as many blocks each time, neighbours in this file together";
  return plan;
}

std::vector<std::size_t> switches_bottom_up(const Fleet& fleet) {
  std::vector<std::size_t> out = domains_bottom_up(fleet);
  std::erase_if(out, [&](std::size_t i) { return is_block(fleet.domains[i]); });
  return out;
}

std::string switch_nodes(const Fleet& fleet, const TopologyDomain& domain) {
  std::vector<std::string> names = names_of(domain);
  if (domain.children.empty()) return domain.node_list;
  for (const std::size_t child : domain.children_at) {
    if (!is_block(fleet.domains[child])) continue;
    const std::vector<std::string> more = names_of(fleet.domains[child]);
    names.insert(names.end(), more.begin(), more.end());
  }
  return compress_hostlist(names);
}

std::vector<std::string> switch_children(const Fleet& fleet, const TopologyDomain& domain) {
  std::vector<std::string> out;
  for (const std::size_t child : domain.children_at) {
    if (!is_block(fleet.domains[child])) out.push_back(fleet.domains[child].name.value);
  }
  return out;
}

std::vector<std::string> nodes_in_no_block(const Fleet& fleet) {
  std::vector<std::string> out;
  if (std::ranges::none_of(fleet.domains, is_block)) return out;
  for (const TopologyDomain& domain : fleet.domains) {
    if (is_block(domain)) continue;
    const std::vector<std::string> names = names_of(domain);
    out.insert(out.end(), names.begin(), names.end());
  }
  return out;
}

std::vector<std::size_t> domains_above(const Fleet& fleet, const TopologyDomain& domain) {
  std::vector<std::size_t> out;
  std::set<std::string> seen{domain.name.value};
  for (const TopologyDomain* at = &domain; at->parent.is_set() && seen.insert(at->parent.value).second;) {
    const auto parent = std::ranges::find_if(
        fleet.domains, [&](const TopologyDomain& other) { return other.name.value == at->parent.value; });
    if (parent == fleet.domains.end()) break;
    out.push_back(static_cast<std::size_t>(parent - fleet.domains.begin()));
    at = &*parent;
  }
  return out;
}

std::string nodes_below(const Fleet& fleet, const TopologyDomain& domain) {
  std::vector<std::string> names;
  std::vector<bool> seen(fleet.domains.size());
  std::vector<const TopologyDomain*> open{&domain};
  while (!open.empty()) {
    const TopologyDomain& at = *open.back();
    open.pop_back();
    const std::vector<std::string> own = names_of(at);
    names.insert(names.end(), own.begin(), own.end());
    for (const std::size_t child : at.children_at) {
      if (!seen[child]) open.push_back(&fleet.domains[child]);
      seen[child] = true;
    }
  }
  return compress_hostlist(names);
}

std::vector<std::string> repeated_domains(const Fleet& fleet) {
  std::map<std::string, int> count;
  for (const TopologyDomain& domain : fleet.domains) ++count[domain.name.value];
  std::vector<std::string> out;
  for (const auto& [name, times] : count) {
    if (times > 1) out.push_back(name);
  }
  return out;
}

std::vector<std::size_t> tenants_top_down(const Fleet& fleet) {
  std::vector<std::size_t> out;
  // Pass after pass in the order of the file, each looking only at those that a parent of the pass before lets go.
  std::map<std::string_view, std::vector<std::size_t>> waiting;
  std::set<std::size_t> ready;
  for (std::size_t i = 0; i < fleet.tenants.size(); ++i) {
    fleet.tenants[i].parent.is_set() ? waiting[fleet.tenants[i].parent.value].push_back(i)
                                     : static_cast<void>(ready.insert(i));
  }
  std::set<std::string_view> done;
  while (!ready.empty()) {
    std::set<std::size_t> next;
    while (!ready.empty()) {
      const std::size_t i = *ready.begin();
      ready.erase(ready.begin());
      const std::string& name = fleet.tenants[i].name.value;
      if (!done.insert(name).second) continue;
      out.push_back(i);
      for (const std::size_t child : waiting[name]) (child > i ? ready : next).insert(child);
    }
    ready = std::move(next);
  }
  return out;
}

}  // namespace muster
