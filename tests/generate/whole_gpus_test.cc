// Gangs ask for whole GPUs: where the same run shares or slices them there are none under that name.
#include "generate/kubernetes_fleets.h"

using namespace muster;
using namespace muster::test;

TEST_CASE("no gang asks for whole GPUs of a pool that shares or slices them", "[generate]") {
  const std::string gang = workloads_of(work("train", std::string("kind: job, ") + kBatch));
  for (const char* partitioned : {"accelerator: {partitioning: time-slicing, shares: 4}",
                                  "accelerator: {partitioning: mig, mig_config: all-1g.10gb}"}) {
    INFO(partitioned);
    const Written alone = generate_everything(fleet_with_pools(gpu_pool("a", partitioned)), gang);
    CHECK_FALSE(alone.wrote("volcano-job"));
    CHECK(has(join(alone.all.refused, "\n"), "no pool with whole GPUs: those of a"));
    const Written beside =
        generate_everything(fleet_with_pools(gpu_pool("a", partitioned) + gpu_pool("b", kWhole)), gang);
    INFO(join(beside.all.refused, "\n") << join(beside.findings, "\n"));
    CHECK(beside.all.refused.empty());
    CHECK(has(beside.text("volcano-job.yaml"), "muster.dev/pool: b\n"));
    const std::string fleet = fleet_of(leads_to("kueue-topology"), "  - {name: nlp, guaranteed_gpus: 32}\n",
                                       gpu_pool("a", partitioned) + gpu_pool("b", kWhole), "");
    const Result<Generated> queues = generate_one("kueue-queues", fleet, gang);
    REQUIRE(queues);
    CHECK(queues->files.at(0).text.find("muster.dev/pool: a") == std::string::npos);
    CHECK(has(join(queues->notes, "\n"), "pool `a` is no flavor"));
    std::string joined = joined_fleet("greenfield");
    joined.replace(joined.find("accelerator: {model: H100, partitioning: none}"), 46, partitioned);
    CHECK(has(refusal_of("slinky-slurm-operator", joined, joined_work()), "slurmd asks for whole ones"));
  }
}
