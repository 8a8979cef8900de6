#include "model/fact.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/strings.h"

namespace muster {
namespace {

constexpr double kNoEnd = 9e15;  // whole numbers up to here are exact in a double
constexpr bool kCanChange = true;
constexpr bool kFixed = false;

constexpr FactDef flag(std::string_view name, bool can_change, std::string_view doc) {
  return {name, FactType::Bool, can_change, 0, 0, {}, doc};
}
constexpr FactDef count(std::string_view name, bool can_change, double least, std::string_view doc) {
  return {name, FactType::Int, can_change, least, kNoEnd, {}, doc};
}
constexpr FactDef amount(std::string_view name, bool can_change, std::string_view doc, double most = kNoEnd) {
  return {name, FactType::Double, can_change, 0, most, {}, doc};
}
constexpr FactDef text(std::string_view name, std::string_view doc, std::span<const std::string_view> words = {}) {
  return {name, FactType::String, kCanChange, 0, 0, words, doc};
}

constexpr std::array<std::string_view, 7> kServingMetrics{
    "concurrency", "gpu-utilization", "kv-cache", "latency", "pending-requests", "queue-depth", "request-rate"};
constexpr std::array<std::string_view, 14> kWorkKinds{
    "deployment",  "job",        "jobset", "leader-worker-set", "mpi-job",      "pod",
    "pytorch-job", "ray",        "sbatch", "spark-application", "stateful-set", "tf-job",
    "train-job",   "volcano-job"};
constexpr std::array<std::string_view, 3> kAutoscalers{"cluster-autoscaler", "karpenter", "node-auto-provisioning"};
constexpr std::array<std::string_view, 2> kStages{"greenfield", "production"};
constexpr std::array<std::string_view, 2> kDrains{"automatic", "manual"};
constexpr std::array<std::string_view, 3> kTrusts{"one-team", "same-company", "strangers"};
constexpr std::array<std::string_view, 4> kPlanes{"k3s", "kubernetes", "ray", "slurm"};
constexpr std::array<std::string_view, 4> kPartitionings{"mig", "mps", "none", "time-slicing"};
constexpr std::array<std::string_view, 4> kFabrics{"ethernet", "infiniband", "none", "roce"};

// bare_metal, edge_or_dev, long_lived_services, multi_tenant, nodes, python_native_pipeline and tightly_coupled are the
// facts of the reference matrix.
constexpr std::array kWorkloadFacts{
    flag("bare_metal", kFixed, "can run without a container platform"),
    amount("checkpoint.interval_seconds", kCanChange, "seconds between two checkpoints"),
    amount("checkpoint.write_seconds", kCanChange, "seconds one checkpoint stops the job"),
    flag("edge_or_dev", kCanChange, "small, CI, edge or a single node"),
    count("elastic.max_nodes", kCanChange, 1, "most nodes one job can use"),
    count("elastic.min_nodes", kCanChange, 1, "fewest nodes one job can run with"),
    flag("fractional_gpu", kCanChange, "asks for less than a whole GPU"),
    amount("gpu_hours_share", kCanChange, "share of the fleet's GPU-hours, 0 to 1", 1),
    count("gpus_per_node", kCanChange, 0, "GPUs one job takes of each node"),
    flag("interactive", kCanChange, "somebody sits before it: notebooks, shells"),
    text("kind", "kind of object or script that runs it", kWorkKinds),
    flag("long_lived_services", kCanChange, "serving, always-on endpoints"),
    amount("mfu", kCanChange, "model FLOPs utilisation of its GPUs while it makes progress, 0 to 1", 1),
    flag("multi_tenant", kCanChange, "several teams share the fleet"),
    count("nodes", kCanChange, 1, "nodes one job spans"),
    text("pool", "node pool it runs in, by its name"),
    flag("python_native_pipeline", kCanChange, "RL, rollout and train actors, Ray Data"),
    amount("recovery_seconds", kCanChange, "seconds from failure to progress"),
    count("serving.max_replicas", kCanChange, 0, "most replicas"),
    text("serving.metric", "what the autoscaler follows", kServingMetrics),
    count("serving.min_replicas", kCanChange, 0, "fewest replicas"),
    amount("serving.model_load_seconds", kCanChange, "seconds until a new replica answers"),
    text("serving.series", "the series of Prometheus that it follows, such as vllm:num_requests_waiting"),
    count("serving.target_per_replica", kCanChange, 1,
          "how much of it may wait for each replica before there is another one"),
    flag("serving.user_facing", kCanChange, "people wait for the answer"),
    flag("tightly_coupled", kCanChange, "NCCL or MPI collectives across nodes"),
};

constexpr std::array kFleetFacts{
    amount("economics.bought_goodput_gain", kCanChange, "goodput that a bought platform has over an own one, 0 to 1",
           1),
    amount("economics.bought_platform_engineers", kCanChange, "engineers whom a bought platform takes all the same"),
    amount("economics.engineer_usd_per_year", kCanChange, "what one engineer costs a year, in US dollars"),
    amount("economics.gpu_hour_usd", kCanChange, "what one GPU-hour costs, in US dollars"),
    amount("economics.licence_usd_per_gpu_year", kCanChange,
           "what a bought platform costs a GPU and year, in US dollars"),
    amount("economics.occupancy", kCanChange, "share of the time in which jobs hold the fleet's GPUs, 0 to 1", 1),
    amount("economics.stranded_share", kCanChange,
           "share of the GPUs that idles at the border of two planes while the other queues, 0 to 1", 1),
    amount("economics.two_plane_engineers", kCanChange, "engineers whom a second plane costs"),
    text("monitoring.prometheus", "URL at which the cluster finds Prometheus"),
    text("planes.fleet.cordon_and_drain", "who takes a sick node out of service", kDrains),
    count("planes.fleet.most_drained", kCanChange, 1,
          "most nodes that may be taken out of service by themselves at once"),
    text("planes.fleet.owner", "team that owns provisioning, health and repair"),
    text("planes.node_runtime.owner", "team that owns drivers, CUDA, NCCL and the container runtime"),
    text("planes.workload.owner", "team that owns the scheduler"),
    amount("reliability.gpu_hours_per_interruption", kCanChange, "GPU-hours between two interruptions"),
    amount("reliability.repair_hours", kCanChange, "hours until a broken node is back"),
    flag("requirements.differentiating", kFixed, "orchestration is part of what is sold"),
    flag("requirements.keep_default_scheduler", kCanChange, "pods stay with kube-scheduler"),
    count("requirements.platform_engineers", kCanChange, 0, "engineers who can own the platform"),
    flag("requirements.shared_root", kCanChange, "all Slurm nodes show one root file system"),
    flag("requirements.support_contract", kCanChange, "somebody has to be on call by contract"),
    text("requirements.tenant_trust", "how far the tenants trust each other", kTrusts),
    flag("requirements.vendor_neutral", kCanChange, "no dependence on the roadmap of one GPU vendor"),
    count("requirements.weeks_to_first_job", kCanChange, 0, "weeks until work has to run"),
    text("slurm.controller", "host on which slurmctld runs"),
    text("slurm.database", "host on which slurmdbd runs"),
    text("slurm.rest_api", "URL at which the cluster finds slurmrestd"),
    text("stage", "whether it is being planned or already runs", kStages),
    text("storage.disk_class", "StorageClass of disks for one pod"),
};

constexpr std::array kPoolFacts{
    count("accelerator.memory_gib", kCanChange, 0, "memory of one accelerator, in GiB"),
    text("accelerator.mig_config", "how MIG cuts its accelerators, such as all-1g.10gb"),
    text("accelerator.model", "model of its accelerators"),
    text("accelerator.partitioning", "how one accelerator is shared", kPartitionings),
    count("accelerator.shares", kCanChange, 2, "containers that share one accelerator by time-slicing or MPS"),
    text("autoscaling.by", "who makes and removes its nodes", kAutoscalers),
    text("autoscaling.instance_types", "instance types of its nodes, with commas between them"),
    count("autoscaling.max_nodes", kCanChange, 1, "most nodes it may grow to"),
    text("autoscaling.node_class", "what Karpenter makes its nodes of: EC2NodeClass.karpenter.k8s.aws/gpu"),
    text("control_plane", "who schedules it", kPlanes),
    text("fabric.kind", "the network between its nodes", kFabrics),
    count("fabric.nvlink_domain_nodes", kFixed, 1, "nodes that share one NVLink domain: 18 in an NVL72"),
    count("fabric.rails", kFixed, 0, "network rails of one node"),
    count("gpus_per_node", kCanChange, 0, "GPUs of one node"),
    count("node.cores_per_socket", kFixed, 1, "cores of one socket"),
    count("node.cpus", kFixed, 1, "logical CPUs of one node"),
    count("node.memory_mib", kFixed, 1, "memory of one node, in MiB"),
    count("node.pod_cpus", kCanChange, 1, "CPUs of one node that pods may have beside its DaemonSets"),
    count("node.pod_memory_mib", kCanChange, 1, "memory of one node that pods may have beside its DaemonSets, in MiB"),
    count("node.sockets", kFixed, 1, "sockets of one node"),
    text("runtime.containerd", "version of containerd"),
    text("runtime.cuda", "version of CUDA"),
    text("runtime.cudnn", "version of cuDNN"),
    text("runtime.driver", "version of the GPU driver"),
    flag("runtime.driver_in_image", kCanChange, "the image of its nodes brings the GPU driver"),
    text("runtime.kernel", "release of the Linux kernel"),
    text("runtime.nccl", "version of NCCL"),
};

constexpr bool sorted(std::span<const FactDef> facts) {
  return std::ranges::adjacent_find(facts, [](const FactDef& a, const FactDef& b) { return a.name >= b.name; }) ==
         facts.end();
}
static_assert(sorted(kWorkloadFacts) && sorted(kFleetFacts) && sorted(kPoolFacts), "keep facts sorted by name");

}  // namespace

std::string objection(const FactDef& fact, const FactValue& value) {
  const auto number = [](double n) { return std::to_string(static_cast<std::int64_t>(n)); };
  const auto within = [&](double n) -> std::string {
    if (n < fact.least) return "must be at least " + number(fact.least);
    return n > fact.most ? "must be at most " + number(fact.most) : "";
  };
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return within(static_cast<double>(*whole));
  if (const auto* real = std::get_if<double>(&value)) return within(*real);
  const auto* word = std::get_if<std::string>(&value);
  if (word == nullptr || fact.words.empty() || std::ranges::find(fact.words, *word) != fact.words.end()) return "";
  return "must be one of " + join(fact.words, ", ") + "; got `" + *word + "`" + did_you_mean(*word, fact.words);
}

std::span<const FactDef> workload_facts() { return kWorkloadFacts; }
std::span<const FactDef> fleet_facts() { return kFleetFacts; }
std::span<const FactDef> pool_facts() { return kPoolFacts; }

std::optional<std::size_t> fact_index(std::span<const FactDef> facts, std::string_view name) {
  const auto found = std::ranges::lower_bound(facts, name, {}, &FactDef::name);
  if (found == facts.end() || found->name != name) return std::nullopt;
  return static_cast<std::size_t>(found - facts.begin());
}

const Located<FactValue>& fact_of(const std::vector<Located<FactValue>>& values, std::span<const FactDef> facts,
                                  std::string_view name) {
  const std::optional<std::size_t> index = fact_index(facts, name);
  MUSTER_CHECK(index && *index < values.size(), "an object was asked for a fact that does not exist");
  return values[*index];
}

}  // namespace muster
