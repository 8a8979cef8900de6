#include <algorithm>
#include <set>

#include "base/strings.h"
#include "inventory/pools.h"
#include "model/fact.h"

namespace muster {
namespace {

/// What Slurm takes for the name of a partition: letters, digits, dots, dashes and underscores, a letter first.
std::string as_name(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool other = (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
    if (letter || (other && !out.empty())) out += c;
    if (c == ' ' && !out.empty()) out += '-';
  }
  while (!out.empty() && (out.back() == '-' || out.back() == '.' || out.back() == '_')) out.pop_back();
  return out;
}

bool is_taken(const std::string& name) {
  return equals_ignoring_case(name, "default") || equals_ignoring_case(name, "all");
}

/// The letters that all names begin with: h100-[001-032] is called h100.
std::string common_stem(const Pool& pool, const std::vector<MergedNode>& nodes) {
  std::string stem = nodes[pool.nodes.front()].name;
  for (const std::size_t i : pool.nodes) {
    const std::string& name = nodes[i].name;
    std::size_t same = 0;
    while (same < stem.size() && same < name.size() && stem[same] == name[same]) ++same;
    stem.resize(same);
  }
  // A number is cut whole: n[18-19] is no n1. One that ends in a separator is part of the stem.
  const bool whole = std::ranges::all_of(pool.nodes, [&](std::size_t i) {
    return nodes[i].name.size() > stem.size() &&
           !(nodes[i].name[stem.size()] >= '0' && nodes[i].name[stem.size()] <= '9');
  });
  while (!whole && !stem.empty() && stem.back() >= '0' && stem.back() <= '9') stem.pop_back();
  return as_name(stem.substr(0, stem.find('.')));
}

}  // namespace

void name_pools(std::vector<Pool>& pools, const std::vector<MergedNode>& nodes, const std::vector<Dump>& dumps) {
  // A partition or node set of exactly these nodes has the name that people know them by.
  std::map<std::vector<std::string>, std::set<std::string>> groups;
  for (const Dump& dump : dumps) {
    for (const NodeGroup& group : dump.groups) {
      std::vector<std::string> members = group.nodes;
      std::ranges::sort(members);
      const std::string name = as_name(group.name);
      if (name == group.name && !is_taken(name)) groups[std::move(members)].insert(name);
    }
  }
  std::set<std::string> used;
  for (const MergedNode& node : nodes) used.insert(node.name);
  const std::size_t model = fact_index(pool_facts(), "accelerator.model").value_or(0);
  const std::size_t gpus = fact_index(pool_facts(), "gpus_per_node").value_or(0);
  for (Pool& pool : pools) {
    std::vector<std::string> members;
    for (const std::size_t i : pool.nodes) members.push_back(nodes[i].name);
    std::ranges::sort(members);
    std::vector<std::string> candidates;
    const auto group = groups.find(members);
    if (group != groups.end()) candidates.assign(group->second.begin(), group->second.end());
    if (pools.size() > 1 && pool.facts.contains(model)) candidates.push_back(as_name(to_lower(pool.facts[model])));
    const std::string stem = common_stem(pool, nodes);
    if (stem.size() > 1) candidates.push_back(stem);
    if (pool.facts.contains(model)) candidates.push_back(as_name(to_lower(pool.facts[model])));
    const bool none = pool.facts.contains(gpus) && pool.facts[gpus] == "0";
    candidates.emplace_back(none ? "cpu" : pool.facts.contains(gpus) ? "gpu" : "nodes");
    const auto free = std::ranges::find_if(
        candidates, [&](const std::string& name) { return !name.empty() && !is_taken(name) && !used.contains(name); });
    const auto base =
        std::ranges::find_if(candidates, [](const std::string& name) { return !name.empty() && !is_taken(name); });
    pool.name = free != candidates.end() ? *free : *base;
    for (int number = 2; !used.insert(pool.name).second; ++number) pool.name = *base + "-" + std::to_string(number);
  }
}

}  // namespace muster
