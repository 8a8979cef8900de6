#include "worlds/role_asks.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "model/runtime_nodes.h"

namespace muster {
namespace {

bool all_say(const NodePools& pools, std::string_view fact) {
  return std::ranges::all_of(pools, [&](const NodePool* pool) { return pool->fact(fact).known(); });
}

/// A label that a pool does not list may be on its nodes all the same.
bool all_list(const NodePools& pools, const std::string& label) {
  return std::ranges::all_of(pools, [&](const NodePool* pool) { return pool->labels.contains(label); });
}

std::string words_of(const PoolTaint& taint) {
  return "taint `" + taint.key + (taint.value.value_or("").empty() ? "" : "=" + *taint.value) +
         (taint.effect ? ":" + *taint.effect : "") + "`";
}

/// The maker's part of a resource's name, by the model of a pool's accelerators; empty: not known.
std::string_view maker_of(std::string_view model) {
  struct Word {
    std::string_view in_model;
    std::string_view maker;
  };
  constexpr std::array kMakers{Word{"instinct", "amd.com"}, Word{"mi2", "amd.com"},     Word{"mi3", "amd.com"},
                               Word{"mi4", "amd.com"},      Word{"gaudi", "habana.ai"}, Word{"nvidia", "nvidia.com"},
                               Word{"a100", "nvidia.com"},  Word{"h100", "nvidia.com"}, Word{"h200", "nvidia.com"},
                               Word{"b200", "nvidia.com"},  Word{"b300", "nvidia.com"}, Word{"v100", "nvidia.com"},
                               Word{"l40", "nvidia.com"},   Word{"tpu", "google.com"}};
  const auto found =
      std::ranges::find_if(kMakers, [&](const Word& word) { return contains_ignoring_case(model, word.in_model); });
  return found == kMakers.end() ? std::string_view{} : found->maker;
}

/// A pool of another maker has none of what the role asks for.
void ask_for_maker(const Role& role, const NodePools& pools, WorldGang& gang) {
  if (!role.accelerator.known() || !role.gpus_each.known() || role.gpus_each.value == 0) return;
  for (const NodePool* pool : pools) {
    const Located<FactValue>& model = pool->fact("accelerator.model");
    const std::string* text = model.known() ? std::get_if<std::string>(&model.value) : nullptr;
    const std::string_view maker = text == nullptr ? std::string_view{} : maker_of(*text);
    if (!maker.empty() && !contains(role.accelerator.value, maker))
      add_beyond(gang, {"`" + role.accelerator.value + "` where nodes have " + *text});
  }
}

}  // namespace

NodePools pools_of(const Role& role, const NodePools& pools) {
  if (!role.gpus_each.known() || role.gpus_each.value == 0) return pools;
  NodePools out;
  for (const NodePool* pool : pools) {
    const Located<FactValue>& gpus = pool->fact("gpus_per_node");
    if (!gpus.known() || std::get<std::int64_t>(gpus.value) > 0) out.push_back(pool);
  }
  return out;
}

void add_beyond(WorldGang& gang, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (std::ranges::find(gang.beyond, word) == gang.beyond.end()) gang.beyond.push_back(word);
  }
}

void ask_for_flavor(const ResourceFlavor& flavor, const NodePools& pools, Role& role, WorldGang& gang) {
  const bool gets_it = role.gpus_each.known() && role.gpus_each.value > 0;
  const bool told = gets_it && flavor.labels_known && std::ranges::all_of(flavor.node_labels, [&](const auto& label) {
                      const auto own = role.node_selector.find(label.first);
                      const bool agrees = own == role.node_selector.end() || own->second == label.second;
                      return agrees && all_list(pools, label.first);
                    });
  if (told)
    role.node_selector.insert(flavor.node_labels.begin(), flavor.node_labels.end());
  else
    add_beyond(gang, {"the node labels of ResourceFlavor `" + flavor.name.value + "`"});
}

void ask_for_pod(const Role& role, const NodePools& pools, WorldRole& made, WorldGang& gang) {
  add_beyond(gang, role.wants);
  ask_for_maker(role, pools, gang);
  for (const auto& [key, value] : role.node_selector) {
    if (all_list(pools, key)) {
      made.selector[key] = value;
    } else {
      add_beyond(gang, {"node selector `" + key + "`"});
    }
  }
  if (role.milli_cpus_each > 0 && !all_say(pools, "node.cpus")) {
    add_beyond(gang, {"CPUs"});
  } else {
    made.milli_cpus_per_pod = role.milli_cpus_each;
  }
  if (role.memory_each > 0 && !all_say(pools, "node.memory_mib")) {
    add_beyond(gang, {"memory"});
  } else {
    made.memory_per_pod = role.memory_each;
  }
  for (const NodePool* pool : pools) {
    for (const PoolTaint& taint : pool->taints) {
      const bool fine = std::ranges::any_of(role.tolerations,
                                            [&](const Toleration& toleration) { return tolerates(toleration, taint); });
      if (!fine) add_beyond(gang, {words_of(taint)});
    }
  }
}

bool labels_are_told(const Role& role, const NodePools& pools) {
  if (std::ranges::find(role.wants, "affinity") != role.wants.end()) return false;
  return std::ranges::all_of(role.node_selector, [&](const auto& entry) { return all_list(pools, entry.first); });
}

}  // namespace muster
