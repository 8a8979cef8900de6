#include <algorithm>

#include "base/strings.h"
#include "model/fleet_topology.h"
#include "review/fill.h"

namespace muster {
namespace {

std::string text_of(const Located<FactValue>& fact) {
  if (!fact.known()) return "";
  if (const auto* word = std::get_if<std::string>(&fact.value)) return *word;
  if (const auto* whole = std::get_if<std::int64_t>(&fact.value)) return std::to_string(*whole);
  if (const auto* flag = std::get_if<bool>(&fact.value)) return *flag ? "true" : "false";
  return "";
}

ReviewPool pool_of(const NodePool& pool) {
  const auto text = [&](std::string_view name) { return text_of(pool.fact(name)); };
  ReviewPool out;
  out.name = pool.name.value;
  out.control_plane = text("control_plane");
  out.nodes = pool.node_count;
  if (const Located<FactValue>& each = pool.fact("gpus_per_node"); each.known())
    out.gpus_each = std::get<std::int64_t>(each.value);
  out.accelerator = text("accelerator.model");
  if (const std::string memory = text("accelerator.memory_gib"); !memory.empty())
    out.accelerator += (out.accelerator.empty() ? "" : " ") + memory + " GiB";
  if (const std::string shared = text("accelerator.partitioning"); !shared.empty() && shared != "none")
    out.accelerator += (out.accelerator.empty() ? "" : ", ") + shared;
  out.fabric = text("fabric.kind");
  if (out.fabric == "none") out.fabric = "no fabric";
  if (const std::string rails = text("fabric.rails"); !rails.empty()) out.fabric += ", " + rails + " rails";
  out.driver = text("runtime.driver");
  for (const auto& [fact, word] :
       {std::pair{"runtime.cuda", "CUDA"}, {"runtime.cudnn", "cuDNN"}, {"runtime.nccl", "NCCL"}}) {
    if (const std::string version = text(fact); !version.empty())
      out.runtime += (out.runtime.empty() ? "" : ", ") + std::string(word) + " " + version;
  }
  return out;
}

void fill_control_planes(const ReviewSubject& subject, const Fleet& fleet, Review& review) {
  const auto add = [&](const std::string& kind, const std::string& version) {
    const auto found = std::ranges::find(review.control_planes, kind, &ReviewControlPlane::kind);
    if (found == review.control_planes.end()) review.control_planes.push_back({kind, version, {}});
  };
  for (const FleetControlPlane& plane : fleet.control_planes) add(plane.kind.value, plane.version.value);
  for (const ReviewPool& pool : review.pools) {
    if (!pool.control_plane.empty()) add(pool.control_plane, "");
  }
  for (const Decision& decision : subject.decisions) {
    const auto found =
        std::ranges::find(review.control_planes, decision.runs_on.value.value_or(""), &ReviewControlPlane::kind);
    if (found != review.control_planes.end()) found->workloads.push_back(decision.workload);
  }
}

}  // namespace

const Fleet* only_fleet(const Model& model) { return model.fleets.size() == 1 ? &model.fleets.front() : nullptr; }

std::string fleet_text(const Fleet& fleet, std::string_view fact) { return text_of(fleet.fact(fact)); }

void fill_fleet(const ReviewSubject& subject, Review& review) {
  review.fleets = subject.model.fleets.size();
  const Fleet* fleet = only_fleet(subject.model);
  if (fleet == nullptr) return;
  review.has_fleet = true;
  review.stage = fleet_text(*fleet, "stage");
  review.workload_owner = fleet_text(*fleet, "planes.workload.owner");
  review.runtime_owner = fleet_text(*fleet, "planes.node_runtime.owner");
  review.fleet_owner = fleet_text(*fleet, "planes.fleet.owner");
  review.drain = fleet_text(*fleet, "planes.fleet.cordon_and_drain");
  std::int64_t gpus = 0;
  bool counted = !fleet->node_pools.empty();
  for (const NodePool& pool : fleet->node_pools) {
    review.pools.push_back(pool_of(pool));
    review.nodes += pool.node_count;
    const std::optional<std::int64_t>& each = review.pools.back().gpus_each;
    std::int64_t of_pool = 0;
    counted = counted && each && !__builtin_mul_overflow(pool.node_count, *each, &of_pool) &&
              !__builtin_add_overflow(gpus, of_pool, &gpus);
  }
  if (counted) review.gpus = gpus;
  fill_control_planes(subject, *fleet, review);
  for (const Tenant& tenant : fleet->tenants) {
    ReviewTenant out{tenant.name.value, tenant.parent.value, std::nullopt, std::nullopt};
    if (const std::int64_t* value = tenant.guaranteed_gpus.get()) out.guaranteed = *value;
    if (const std::int64_t* value = tenant.limit_gpus.get()) out.limit = *value;
    review.tenants.push_back(std::move(out));
  }
}

}  // namespace muster
