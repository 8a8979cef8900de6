#include "model/node_table.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/strings.h"

namespace muster {

NodeTable::NodeTable(const SlurmSite& site) : site_(site) {
  std::vector<std::tuple<std::string, std::string, std::size_t>> keys;
  for (std::size_t i = 0; i < site.node_names.size(); ++i) {
    const std::string& name = site.node_names[i];
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    std::string number = name.substr(digits);
    number.insert(0, number.size() < 20 ? 20 - number.size() : 0, '0');
    keys.emplace_back(name.substr(0, digits), std::move(number), i);
  }
  std::ranges::sort(keys);
  for (const auto& [letters, number, i] : keys) {
    by_name_.emplace(site.node_names[i], static_cast<std::uint32_t>(names_.size()));
    names_.push_back(&site.node_names[i]);
  }
}

const std::optional<NodeTable::Nodes>& NodeTable::of(std::size_t partition) {
  const auto [found, fresh] = cache_.try_emplace(partition);
  if (fresh) found->second = resolve(site_.partitions[partition].nodes);
  return found->second;
}

bool NodeTable::can_run(const SlurmNodes& line) {
  const std::string state = to_lower(line.state.value);
  return state.empty() || state == "unknown" || state == "cloud" || state == "idle";
}

bool NodeTable::alike(const Nodes& nodes) const {
  std::vector<bool> wanted(by_name_.size());
  for (const std::uint32_t node : nodes) wanted[node] = true;
  const SlurmNodes* first = nullptr;
  for (const SlurmNodes& line : site_.nodes) {
    bool takes_part = false;
    line.hosts->each([&](const std::string& name) { takes_part = takes_part || wanted[by_name_.at(name)]; });
    if (!takes_part) continue;
    if (!can_run(line)) return false;
    if (first == nullptr) first = &line;
    if (line.weight.value != first->weight.value || line.gres.value != first->gres.value ||
        line.real_memory.value != first->real_memory.value)
      return false;
  }
  return true;
}

std::optional<NodeTable::Nodes> NodeTable::resolve(const Located<std::string>& text) const {
  if (!text.known()) return std::nullopt;
  Nodes nodes;
  if (equals_ignoring_case(text.value, "all")) {
    nodes.resize(by_name_.size());
    std::iota(nodes.begin(), nodes.end(), 0U);
    return nodes;
  }
  bool known = add(text.value, nodes, 0);
  if (!known) return std::nullopt;
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

bool NodeTable::add(const std::string& text, Nodes& nodes, int depth) const {
  const Result<Hostlist> list = Hostlist::parse(replace_all(text, " ", ","));
  if (!list || list->size() > Hostlist::kMaxExpanded || !list->functions().empty() || depth > 4) return false;
  bool known = true;
  list->each([&](const std::string& name) {
    if (const auto found = by_name_.find(name); found != by_name_.end()) return nodes.push_back(found->second);
    if (!known) return;
    const auto set = std::ranges::find(site_.node_sets, name,
                                       [](const SlurmNodeSet& one) -> const std::string& { return one.name.value; });
    known = set != site_.node_sets.end() && set->feature.state == State::Absent && set->nodes.is_set() &&
            add(set->nodes.value, nodes, depth + 1);
  });
  return known;
}

}  // namespace muster
