#include "decide/pools.h"

#include <algorithm>
#include <optional>

namespace muster {
namespace {

std::optional<std::int64_t> int_fact(const Located<FactValue>& fact) {
  return fact.known() ? std::optional(std::get<std::int64_t>(fact.value)) : std::nullopt;
}

bool is_large_enough(const NodePool& pool, const Workload& workload) {
  const std::optional<std::int64_t> has = int_fact(pool.fact("gpus_per_node"));
  // Work of a GPU fleet has GPUs, unless it says otherwise.
  const std::int64_t wants = int_fact(workload.fact("gpus_per_node")).value_or(1);
  if (has && *has < wants) return false;
  const std::optional<std::int64_t> least = int_fact(workload.fact("elastic.min_nodes"));
  const std::int64_t nodes = least ? *least : int_fact(workload.fact("nodes")).value_or(1);
  return !pool.hosts || pool.node_count >= nodes;
}

}  // namespace

std::string plane_of(const NodePool& pool) {
  const Located<FactValue>& plane = pool.fact("control_plane");
  const std::string out = plane.known() ? std::get<std::string>(plane.value) : "";
  return out == "ray" ? "" : out;
}

const NodePool* named_pool(const Model& model, const Workload& workload) {
  const Located<FactValue>& name = workload.fact("pool");
  if (!name.known() || model.fleets.size() != 1) return nullptr;
  for (const NodePool& pool : model.fleets.front().node_pools) {
    if (pool.name.value == std::get<std::string>(name.value)) return &pool;
  }
  return nullptr;
}

std::vector<const NodePool*> pools_holding(const Model& model, const Workload& workload, const std::string& plane) {
  if (model.fleets.size() != 1) return {};
  if (const NodePool* named = named_pool(model, workload)) return {named};
  std::vector<const NodePool*> all;
  std::vector<const NodePool*> of_plane;
  std::vector<const NodePool*> fitting;
  for (const NodePool& pool : model.fleets.front().node_pools) {
    all.push_back(&pool);
    const std::string its = plane_of(pool);
    if (!plane.empty() && !its.empty() && its != plane) continue;
    of_plane.push_back(&pool);
    if (is_large_enough(pool, workload)) fitting.push_back(&pool);
  }
  return !fitting.empty() ? fitting : !of_plane.empty() ? of_plane : all;
}

}  // namespace muster
