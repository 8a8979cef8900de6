#include "facts/fact_uses.h"

#include <algorithm>
#include <array>

namespace muster {
namespace {

struct FactUse {
  std::string_view fact;
  std::string_view use;
};

// A test wants a row or a table for every fact: one that nobody asks for goes.
constexpr std::array kFactUses{
    FactUse{"accelerator.memory_gib", "review: pools"},
    FactUse{"accelerator.mig_config", "generate: gpu-operator"},
    FactUse{"accelerator.model", "review: pools"},
    FactUse{"accelerator.model", "generate: gres.conf and templates by vendor"},
    FactUse{"accelerator.partitioning", "review: pools"},
    FactUse{"accelerator.shares", "generate: gpu-operator"},
    FactUse{"autoscaling.by", "generate: karpenter-nodepool"},
    FactUse{"autoscaling.by", "which pools can hold a workload"},
    FactUse{"autoscaling.by", "rules workload-above-pool, workload-across-runtimes"},
    FactUse{"autoscaling.instance_types", "generate: karpenter-nodepool"},
    FactUse{"autoscaling.max_nodes", "generate: karpenter-nodepool"},
    FactUse{"autoscaling.max_nodes", "which pools can hold a workload"},
    FactUse{"autoscaling.max_nodes", "rules workload-above-pool, workload-across-runtimes"},
    FactUse{"autoscaling.node_class", "generate: karpenter-nodepool"},
    FactUse{"bare_metal", "others.need_kubernetes"},
    FactUse{"checkpoint.interval_seconds", "review: goodput"},
    FactUse{"checkpoint.interval_seconds", "rule workload-bounds-contradict"},
    FactUse{"checkpoint.write_seconds", "review: goodput"},
    FactUse{"checkpoint.write_seconds", "rule workload-bounds-contradict"},
    FactUse{"control_plane", "existing.slurm, existing.kubernetes, existing.k3s"},
    FactUse{"control_plane", "which pools can hold a workload"},
    FactUse{"control_plane", "review: pools"},
    FactUse{"control_plane", "rules workload-above-pool, workload-across-runtimes"},
    FactUse{"economics.bought_goodput_gain", "economics.team_pays"},
    FactUse{"economics.bought_goodput_gain", "review: money"},
    FactUse{"economics.bought_platform_engineers", "economics.team_pays"},
    FactUse{"economics.bought_platform_engineers", "review: money"},
    FactUse{"economics.engineer_usd_per_year", "economics.convergence_pays, economics.team_pays"},
    FactUse{"economics.engineer_usd_per_year", "review: money"},
    FactUse{"economics.gpu_hour_usd", "economics.convergence_pays, economics.team_pays"},
    FactUse{"economics.gpu_hour_usd", "review: money"},
    FactUse{"economics.licence_usd_per_gpu_year", "economics.team_pays"},
    FactUse{"economics.licence_usd_per_gpu_year", "review: money"},
    FactUse{"economics.occupancy", "review: goodput"},
    FactUse{"economics.stranded_share", "economics.convergence_pays"},
    FactUse{"economics.stranded_share", "review: money"},
    FactUse{"economics.two_plane_engineers", "economics.convergence_pays"},
    FactUse{"economics.two_plane_engineers", "review: money"},
    FactUse{"elastic.max_nodes", "rule workload-bounds-contradict"},
    FactUse{"elastic.min_nodes", "which pools can hold a workload"},
    FactUse{"elastic.min_nodes",
            "rules workload-above-pool, workload-across-runtimes, workload-bounds-contradict, gang-min-below-size"},
    FactUse{"fabric.kind", "review: pools"},
    FactUse{"fabric.nvlink_domain_nodes", "rule nvlink-domains-without-blocks"},
    FactUse{"fabric.rails", "review: pools"},
    FactUse{"fabric.rails", "generate: health-check"},
    FactUse{"fleet.gpus", "economics.convergence_pays, economics.team_pays"},
    FactUse{"fractional_gpu", "cluster.shares_gpus"},
    FactUse{"gpu_hours_share", "work.slurm_share"},
    FactUse{"gpu_hours_share", "rule workload-shares-above-one"},
    FactUse{"gpus_per_node", "review: goodput, spares"},
    FactUse{"gpus_per_node", "which pools can hold a workload; fleet.gpus"},
    FactUse{"gpus_per_node", "rules workload-gpus-above-node, workload-above-pool, workload-across-runtimes"},
    FactUse{"gpus_per_node", "review: money"},
    FactUse{"interactive", "work.interactive"},
    FactUse{"kind", "today.plane, cluster.gangs"},
    FactUse{"kind", "generate: which template writes it"},
    FactUse{"long_lived_services", "others.need_kubernetes"},
    FactUse{"mfu", "review: goodput"},
    FactUse{"monitoring.prometheus", "generate: hpa, keda-scaledobject"},
    FactUse{"node.cores_per_socket", "generate: slurm-nodes, gres-conf"},
    FactUse{"node.cpus", "generate: slurm-nodes, sbatch"},
    FactUse{"node.memory_mib", "generate: slurm-nodes"},
    FactUse{"node.pod_cpus", "generate: soperator"},
    FactUse{"node.pod_memory_mib", "generate: soperator"},
    FactUse{"node.sockets", "generate: slurm-nodes, gres-conf"},
    FactUse{"nodes", "review: goodput"},
    FactUse{"nodes", "which pools can hold a workload"},
    FactUse{"nodes", "rules workload-above-pool, workload-across-runtimes, workload-bounds-contradict"},
    FactUse{"nodes", "cluster.gangs"},
    FactUse{"planes.fleet.cordon_and_drain", "review: fleet"},
    FactUse{"planes.fleet.cordon_and_drain", "rule drain-automatic-unseen"},
    FactUse{"planes.fleet.most_drained", "generate: node-problem-detector"},
    FactUse{"planes.fleet.owner", "review: who is asked"},
    FactUse{"planes.fleet.owner", "rule plane-without-owner"},
    FactUse{"planes.node_runtime.owner", "review: who is asked"},
    FactUse{"planes.node_runtime.owner", "rule plane-without-owner"},
    FactUse{"planes.workload.owner", "review: who is asked"},
    FactUse{"planes.workload.owner", "rule plane-without-owner"},
    FactUse{"pool", "the facts of which pool count"},
    FactUse{"pool", "today.plane"},
    FactUse{"pool", "rule workload-pool-unknown"},
    FactUse{"recovery_seconds", "review: goodput"},
    FactUse{"reliability.gpu_hours_per_interruption", "review: goodput, spares"},
    FactUse{"reliability.repair_hours", "review: spares"},
    FactUse{"requirements.platform_engineers", "economics.team_pays"},
    FactUse{"requirements.platform_engineers", "review: money"},
    FactUse{"runtime.cuda", "review: pools"},
    FactUse{"runtime.cuda", "rule workload-across-runtimes"},
    FactUse{"runtime.cuda", "rule cuda-above-driver"},
    FactUse{"runtime.cudnn", "review: pools"},
    FactUse{"runtime.cudnn", "rule workload-across-runtimes"},
    FactUse{"runtime.driver", "rule workload-across-runtimes"},
    FactUse{"runtime.driver", "review: pools"},
    FactUse{"runtime.driver", "rule cuda-above-driver"},
    FactUse{"runtime.driver_in_image", "generate: gpu-operator"},
    FactUse{"runtime.kernel", "rule gang-across-kernels"},
    FactUse{"runtime.nccl", "review: pools"},
    FactUse{"runtime.nccl", "rule workload-across-runtimes"},
    FactUse{"serving.max_replicas", "rule workload-bounds-contradict"},
    FactUse{"serving.metric", "rule serving-metric-misleads"},
    FactUse{"serving.min_replicas", "rules serving-cold-start, workload-bounds-contradict"},
    FactUse{"serving.model_load_seconds", "rule serving-cold-start"},
    FactUse{"serving.series", "generate: hpa, keda-scaledobject"},
    FactUse{"serving.target_per_replica", "generate: hpa, keda-scaledobject"},
    FactUse{"serving.user_facing", "rule serving-cold-start"},
    FactUse{"slurm.controller", "generate: slurm-conf"},
    FactUse{"slurm.database", "generate: slurm-conf"},
    FactUse{"slurm.rest_api", "generate: slinky-slurm-bridge"},
    FactUse{"stage", "review: fleet"},
    FactUse{"storage.disk_class", "generate: soperator"},
    FactUse{"tightly_coupled", "cluster.gangs"},
    FactUse{"tightly_coupled", "rule workload-across-runtimes"},
};
static_assert(std::ranges::is_sorted(kFactUses, {}, &FactUse::fact), "keep uses sorted by fact");

}  // namespace

std::vector<std::string_view> uses_of_fact(std::string_view name) {
  std::vector<std::string_view> out;
  for (auto at = std::ranges::lower_bound(kFactUses, name, {}, &FactUse::fact);
       at != kFactUses.end() && at->fact == name; ++at)
    out.push_back(at->use);
  return out;
}

}  // namespace muster
