#include "decide/pools.h"

#include <algorithm>

#include "model/fact_value.h"

namespace muster {

std::string plane_of(const NodePool& pool) {
  std::string plane = word_of(pool.fact("control_plane"));
  return plane == "ray" ? "" : plane;
}

std::optional<std::int64_t> most_nodes(const NodePool& pool) {
  const std::optional<std::int64_t> grown = whole_of(pool.fact("autoscaling.max_nodes"));
  if (grown) return std::max(pool.node_count, *grown);
  return pool.hosts && !pool.fact("autoscaling.by").known() ? std::optional(pool.node_count) : std::nullopt;
}

FleetPools::FleetPools(const Model& model) {
  if (model.fleets.size() != 1) return;
  for (const NodePool& pool : model.fleets.front().node_pools) {
    by_name_.try_emplace(pool.name.value, all_.size());
    all_.push_back({&pool, plane_of(pool), whole_of(pool.fact("gpus_per_node")), most_nodes(pool)});
  }
}

const FleetPools::Pool* FleetPools::named_by(const Workload& workload) const {
  const Located<FactValue>& name = workload.fact("pool");
  if (!name.known()) return nullptr;
  const auto found = by_name_.find(std::get<std::string>(name.value));
  return found == by_name_.end() ? nullptr : &all_[found->second];
}

std::vector<const NodePool*> FleetPools::holding(const Workload& workload, std::string_view plane) const {
  if (const Pool* named = named_by(workload)) return {named->pool};
  // Work of a GPU fleet has GPUs, unless it says otherwise.
  const std::int64_t gpus = whole_of(workload.fact("gpus_per_node")).value_or(1);
  const std::optional<std::int64_t> least = whole_of(workload.fact("elastic.min_nodes"));
  const std::int64_t nodes = least ? *least : whole_of(workload.fact("nodes")).value_or(1);
  std::vector<const NodePool*> all;
  std::vector<const NodePool*> of_plane;
  std::vector<const NodePool*> fitting;
  for (const Pool& pool : all_) {
    all.push_back(pool.pool);
    if (!plane.empty() && !pool.plane.empty() && pool.plane != plane) continue;
    of_plane.push_back(pool.pool);
    const bool fits = (!pool.gpus || *pool.gpus >= gpus) && (!pool.most || *pool.most >= nodes);
    if (fits) fitting.push_back(pool.pool);
  }
  return !fitting.empty() ? fitting : !of_plane.empty() ? of_plane : all;
}

}  // namespace muster
