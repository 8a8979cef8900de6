#include "model/runtime_choice.h"

#include <algorithm>
#include <set>

#include "base/capped.h"

namespace muster {
namespace {

constexpr std::size_t kMostDumped = 100'000;  // Nodes of one bundle that are looked at

bool pool_is_under(const RuntimeNode& pool, bool slurm) {
  const Located<FactValue>& plane = pool.pool->fact("control_plane");
  return !plane.known() || (std::get<std::string>(plane.value) == "slurm") == slurm;
}

void write_tree(const WrittenValue& tree, std::string& out) {
  out += std::to_string(static_cast<int>(tree.state)) + std::string(tree.text()) + "(";
  for (std::size_t i = 0; i < tree.items().size(); ++i) {
    if (i < tree.keys().size()) out += std::string(tree.keys()[i]) + ":";
    write_tree(tree.items()[i], out);
  }
  out += ")";
}

/// What the pods ask for, as one text.
std::string question_of(const std::vector<PodPlace>& pods) {
  std::string out;
  for (const PodPlace& pod : pods) {
    out += pod.resource + " " + std::to_string(pod.devices) + (pod.open ? "?" : "") + "\n";
    for (const auto& [key, value] : pod.selector) out += key + "=" + value + "\n";
    for (const Toleration& one : pod.tolerations)
      out += one.key + "=" + one.value + ":" + one.effect + (one.any_value ? "*" : "") + "\n";
    if (pod.affinity != nullptr) write_tree(*pod.affinity, out);
  }
  return out;
}

RuntimeChoice choice_of(const std::vector<std::pair<const RuntimeNode*, std::int64_t>>& counts) {
  RuntimeChoice out;
  for (const auto& [node, count] : counts) {
    out.nodes.push_back(node);
    out.total = add_capped(out.total, count);
    out.most_gpus = std::max(out.most_gpus, node->gpus.value_or(0));
    for (std::size_t f = 0; f < kRuntimeFacts.size(); ++f) {
      FactShares& shares = out.facts[f];
      const auto said = node->says.find(kRuntimeFacts[f]);
      if (said == node->says.end()) {
        shares.silent = add_capped(shares.silent, count);
        if (shares.without == nullptr) shares.without = node;
        continue;
      }
      auto same = std::ranges::find(shares.values, said->second.value, &FactShare::text);
      if (same == shares.values.end())
        same = shares.values.insert(same, FactShare{said->second.value, 0, &said->second, node});
      same->nodes = add_capped(same->nodes, count);
    }
  }
  for (FactShares& shares : out.facts) std::ranges::stable_sort(shares.values, std::greater<>{}, &FactShare::nodes);
  return out;
}

}  // namespace

RuntimeChoices::RuntimeChoices(const Model& model) : model_(model) {
  const ManifestDef* nodes = &manifest_def("node_objects");
  for (const Manifest& one : model.manifests) {
    if (one.def != nodes) continue;
    Listed& fleet = fleets_[one.bundle];
    if (fleet.nodes.size() < kMostDumped) fleet.nodes.push_back(runtime_node(one));
  }
  std::map<std::string, int> files;
  for (const Fleet& one : model.fleets) ++files[one.bundle];
  for (const Fleet& one : model.fleets) {
    if (files[one.bundle] > 1) continue;
    for (const NodePool& pool : one.node_pools) fleets_[one.bundle].pools.push_back(runtime_node(pool));
  }
}

/// That of the bundle, else the only one there is.
const RuntimeChoices::Listed* RuntimeChoices::fleet_for(const std::string& bundle) const {
  const auto own = fleets_.find(bundle);
  if (own != fleets_.end()) return &own->second;
  return fleets_.size() == 1 ? &fleets_.begin()->second : nullptr;
}

const RuntimeChoice* RuntimeChoices::of_pods(const std::string& bundle, const std::vector<PodPlace>& pods) {
  const Listed* fleet = fleet_for(bundle);
  if (fleet == nullptr || pods.empty() || spent()) return nullptr;
  const auto [at, fresh] = known_.try_emplace("pods " + bundle + "\n" + question_of(pods));
  if (fresh) {
    const bool listed = std::ranges::any_of(fleet->nodes, [](const RuntimeNode& node) {
      return node.gpus.value_or(0) > 0 || node.says.contains("accelerator");
    });
    const std::optional<Counts> found = find(pods, listed ? fleet->nodes : fleet->pools);
    if (found && !found->empty()) at->second = choice_of(*found);
  }
  return at->second ? &*at->second : nullptr;
}

std::optional<RuntimeChoices::Counts> RuntimeChoices::find(const std::vector<PodPlace>& pods,
                                                           const std::vector<RuntimeNode>& nodes) {
  Counts out;
  for (const RuntimeNode& node : nodes) {
    if (node.pool != nullptr && !pool_is_under(node, false)) continue;
    looks_ += pods.size();
    if (spent()) return std::nullopt;
    bool open = false;
    bool taken = false;
    for (const PodPlace& pod : pods) {
      const std::optional<bool> may = may_stand(pod, node);
      open = open || !may.has_value();
      taken = taken || may.value_or(false);
    }
    if (taken) out.emplace_back(&node, node.nodes);
    if (open && !taken) return std::nullopt;
  }
  return out;
}

const RuntimeChoice* RuntimeChoices::of_job(const SbatchJob& job) {
  const Listed* fleet = fleet_for(job.bundle);
  if (fleet == nullptr || !job.site || !job.partition_index || spent()) return nullptr;
  const auto [at, fresh] =
      known_.try_emplace("site " + std::to_string(*job.site) + " " + std::to_string(*job.partition_index));
  if (fresh) {
    const std::optional<Counts> found = find(job, *fleet);
    if (found && !found->empty()) at->second = choice_of(*found);
  }
  return at->second ? &*at->second : nullptr;
}

std::optional<RuntimeChoices::Counts> RuntimeChoices::find(const SbatchJob& job, const Listed& fleet) {
  const SlurmSite& site = model_.slurm_sites[*job.site];
  if (!site.nodes_known) return std::nullopt;
  NodeTable& table = tables_.try_emplace(*job.site, site).first->second;
  const std::optional<NodeTable::Nodes>& places = table.of(*job.partition_index);
  if (!places) return std::nullopt;
  std::set<std::string_view> names;
  for (const std::uint32_t place : *places) names.insert(table.name(place));
  Counts out;
  std::int64_t placed = 0;
  for (const RuntimeNode& pool : fleet.pools) {
    if (!pool_is_under(pool, true) || !pool.pool->hosts || pool.pool->hosts->size() > Hostlist::kMaxExpanded) continue;
    looks_ += pool.pool->hosts->size();
    if (spent()) return std::nullopt;
    std::int64_t count = 0;
    pool.pool->hosts->each([&](const std::string& host) { count += names.contains(host) ? 1 : 0; });
    if (count > 0) out.emplace_back(&pool, count);
    placed += count;
  }
  if (placed != static_cast<std::int64_t>(names.size())) return std::nullopt;
  return out;
}

}  // namespace muster
