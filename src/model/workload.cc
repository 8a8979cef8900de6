#include "model/workload.h"

#include <algorithm>

#include "base/check.h"

namespace muster {
namespace {

constexpr bool kCanChange = true;
constexpr bool kFixed = false;

// The first seven without a dot are those of the reference matrix (sources: the orchestration decision guide).
constexpr std::array kFacts{
    WorkloadFact{"bare_metal", FactType::Bool, kFixed, 0, "can run without a container platform"},
    WorkloadFact{"checkpoint.interval_seconds", FactType::Double, kCanChange, 0, "seconds between two checkpoints"},
    WorkloadFact{"checkpoint.write_seconds", FactType::Double, kCanChange, 0, "seconds one checkpoint stops the job"},
    WorkloadFact{"edge_or_dev", FactType::Bool, kCanChange, 0, "small, CI, edge or a single node"},
    WorkloadFact{"elastic.max_nodes", FactType::Int, kCanChange, 1, "most nodes one job can use"},
    WorkloadFact{"elastic.min_nodes", FactType::Int, kCanChange, 1, "fewest nodes one job can run with"},
    WorkloadFact{"fractional_gpu", FactType::Bool, kCanChange, 0, "asks for less than a whole GPU"},
    WorkloadFact{"gpu_hours_share", FactType::Double, kCanChange, 0, "share of the fleet's GPU-hours, 0 to 1"},
    WorkloadFact{"gpus_per_node", FactType::Int, kCanChange, 0, "GPUs one job takes of each node"},
    WorkloadFact{"long_lived_services", FactType::Bool, kCanChange, 0, "serving, always-on endpoints"},
    WorkloadFact{"multi_tenant", FactType::Bool, kCanChange, 0, "several teams share the fleet"},
    WorkloadFact{"nodes", FactType::Int, kCanChange, 1, "nodes one job spans"},
    WorkloadFact{"python_native_pipeline", FactType::Bool, kCanChange, 0, "RL, rollout and train actors, Ray Data"},
    WorkloadFact{"recovery_seconds", FactType::Double, kCanChange, 0, "seconds from failure to progress"},
    WorkloadFact{"serving.max_replicas", FactType::Int, kCanChange, 0, "most replicas"},
    WorkloadFact{"serving.metric", FactType::String, kCanChange, 0, "what the autoscaler follows"},
    WorkloadFact{"serving.min_replicas", FactType::Int, kCanChange, 0, "fewest replicas"},
    WorkloadFact{"serving.model_load_seconds", FactType::Double, kCanChange, 0, "seconds until a replica answers"},
    WorkloadFact{"serving.user_facing", FactType::Bool, kCanChange, 0, "people wait for the answer"},
    WorkloadFact{"tightly_coupled", FactType::Bool, kCanChange, 0, "NCCL or MPI collectives across nodes"},
};
static_assert(std::ranges::is_sorted(kFacts, {}, &WorkloadFact::name));

}  // namespace

std::span<const WorkloadFact> workload_facts() { return kFacts; }

std::optional<std::size_t> workload_fact_index(std::string_view name) {
  const auto found = std::ranges::lower_bound(kFacts, name, {}, &WorkloadFact::name);
  if (found == kFacts.end() || found->name != name) return std::nullopt;
  return static_cast<std::size_t>(found - kFacts.begin());
}

const Located<FactValue>& Workload::fact(std::string_view fact_name) const {
  const std::optional<std::size_t> index = workload_fact_index(fact_name);
  MUSTER_CHECK(index && *index < facts.size(), "a workload was asked for a fact that does not exist");
  return facts[*index];
}

}  // namespace muster
