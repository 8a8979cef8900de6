#include "decide/plausible.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/strings.h"
#include "decide/pools.h"

namespace muster {
namespace {

/// Shares are rounded by people: 0.333 three times, 0.17 six times.
constexpr double kMostShares = 1.025;

/// Seconds that a person waits for an answer. Source: Nielsen, response times: ten seconds keep the attention.
constexpr double kPatienceSeconds = 10;

std::optional<double> stated(const Located<FactValue>& fact) {
  if (!fact.known()) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(&fact.value)) return static_cast<double>(*whole);
  return std::get<double>(fact.value);
}

std::optional<std::int64_t> stated_count(const Located<FactValue>& fact) {
  return fact.known() ? std::optional(std::get<std::int64_t>(fact.value)) : std::nullopt;
}

std::string quoted(const std::string& name) { return "`" + name + "`"; }

class Plausibility {
 public:
  Plausibility(const Model& model, const Targets& targets) : model_(model), targets_(targets) {
    if (model.fleets.size() == 1) fleet_ = &model.fleets.front();
  }

  std::vector<Finding> run() {
    shares();
    for (const Workload& workload : model_.workloads) {
      bounds(workload);
      serving(workload);
      if (fleet_ == nullptr) continue;
      tenant(workload);
      if (named_pool_is_there(workload)) size(workload);
    }
    if (fleet_ == nullptr) return std::move(out_);
    for (const SlurmSite& site : model_.slurm_sites) nvlink_blocks(site);
    competing_schedulers();
    return std::move(out_);
  }

 private:
  Finding& say(std::string_view rule, Severity severity, Span where, std::string message) {
    out_.push_back(problem(rule, where, std::move(message)));
    out_.back().severity = severity;
    return out_.back();
  }

  /// Of each workloads file: two of them may speak of two fleets.
  void shares() {
    std::map<FileId, std::pair<double, const Workload*>> sums;
    for (const Workload& workload : model_.workloads) {
      const Located<FactValue>& share = workload.fact("gpu_hours_share");
      const std::optional<double> value = stated(share);
      if (!value) continue;
      auto& [sum, above] = sums[share.where.file];
      sum += *value;
      if (sum > kMostShares && above == nullptr) above = &workload;
    }
    for (const auto& [file, entry] : sums) {
      if (entry.second == nullptr) continue;
      const std::string percent = std::to_string(static_cast<int>(entry.first * 100 + 0.5));
      say("workload-shares-above-one", Severity::Error, entry.second->fact("gpu_hours_share").where,
          "the shares of the GPU-hours of all workloads add up to " + percent + " %");
    }
  }

  void tenant(const Workload& workload) {
    if (!workload.tenant.is_set() || fleet_->tenants.empty()) return;
    std::vector<std::string_view> known;
    for (const Tenant& tenant : fleet_->tenants) known.push_back(tenant.name.value);
    if (std::ranges::find(known, workload.tenant.value) != known.end()) return;
    say("workload-tenant-unknown", Severity::Warning, workload.tenant.where,
        "the tenant " + quoted(workload.tenant.value) + " of " + quoted(workload.name.value) +
            " is none of the fleet file's" + did_you_mean(workload.tenant.value, known));
  }

  bool named_pool_is_there(const Workload& workload) {
    const Located<FactValue>& pool = workload.fact("pool");
    if (!pool.known() || fleet_->node_pools.empty() || named_pool(model_, workload) != nullptr) return true;
    const std::string& name = std::get<std::string>(pool.value);
    std::vector<std::string_view> known;
    for (const NodePool& one : fleet_->node_pools) known.push_back(one.name.value);
    say("workload-pool-unknown", Severity::Error, pool.where,
        "the pool " + quoted(name) + " of " + quoted(workload.name.value) + " is none of the fleet file's" +
            did_you_mean(name, known));
    return false;
  }

  /// A job can lie across pools of one plane, unless it names its pool.
  void size(const Workload& workload) {
    const NodePool* named = named_pool(model_, workload);
    std::vector<const NodePool*> pools;
    for (const NodePool& pool : fleet_->node_pools) {
      if (named == nullptr || named == &pool) pools.push_back(&pool);
    }
    std::int64_t most_gpus = 0;
    for (const NodePool* pool : pools) {
      const std::optional<std::int64_t> each = stated_count(pool->fact("gpus_per_node"));
      if (!each) return;
      most_gpus = std::max(most_gpus, *each);
    }
    if (pools.empty()) return;
    const std::string place = named != nullptr ? "pool " + quoted(named->name.value) : "every pool";
    const Located<FactValue>& gpus = workload.fact("gpus_per_node");
    const std::int64_t wants = stated_count(gpus).value_or(0);
    if (wants > most_gpus) {
      say("workload-gpus-above-node", Severity::Error, gpus.where,
          quoted(workload.name.value) + " takes " + std::to_string(wants) + " GPUs of each node, and a node of " +
              place + " has " + (named != nullptr ? "" : "at most ") + std::to_string(most_gpus));
      return;
    }
    nodes(workload, pools, wants, named);
  }

  void nodes(const Workload& workload, const std::vector<const NodePool*>& pools, std::int64_t gpus,
             const NodePool* named) {
    const Located<FactValue>& least = workload.fact("elastic.min_nodes");
    const Located<FactValue>& nodes = least.known() ? least : workload.fact("nodes");
    const std::optional<std::int64_t> wants = stated_count(nodes);
    if (!wants) return;
    std::map<std::string, std::int64_t> of_plane;
    std::int64_t unsaid = 0;
    for (const NodePool* pool : pools) {
      if (!pool->hosts) return;
      if (stated_count(pool->fact("gpus_per_node")).value_or(0) < gpus) continue;
      const std::string plane = plane_of(*pool);
      (plane.empty() ? unsaid : of_plane[plane]) += pool->node_count;
    }
    std::int64_t most = unsaid;
    for (const auto& [plane, count] : of_plane) most = std::max(most, unsaid + count);
    if (*wants <= most) {
      runtimes(workload, pools, *wants, gpus);
      return;
    }
    const std::string where = named != nullptr      ? "pool " + quoted(named->name.value) + " has "
                              : of_plane.size() > 1 ? "no plane has more than "
                                                    : "the fleet has ";
    say("workload-above-pool", Severity::Error, nodes.where,
        quoted(workload.name.value) + " spans " + count_of(static_cast<std::size_t>(*wants), "node") +
            (gpus > 0 ? " of " + count_of(static_cast<std::size_t>(gpus), "GPU") : "") + ", and " + where +
            std::to_string(most) + (gpus > 0 ? " with as many" : ""));
  }

  /// A gang that no pool holds alone lies across pools, which should run the same software. Source: the data-centre
  /// guide, "driver, CUDA, cuDNN, and NCCL pinned byte-identical across every node in a synchronous job".
  void runtimes(const Workload& workload, const std::vector<const NodePool*>& pools, std::int64_t wants,
                std::int64_t gpus) {
    const Located<FactValue>& coupled = workload.fact("tightly_coupled");
    if (!coupled.known() || !std::get<bool>(coupled.value)) return;
    std::vector<const NodePool*> across;
    for (const NodePool* pool : pools) {
      if (stated_count(pool->fact("gpus_per_node")).value_or(0) < gpus) continue;
      if (pool->node_count >= wants) return;
      across.push_back(pool);
    }
    for (const char* fact : {"runtime.driver", "runtime.cuda", "runtime.cudnn", "runtime.nccl"}) {
      for (const NodePool* pool : across) {
        const Located<FactValue>& first = across.front()->fact(fact);
        const Located<FactValue>& other = pool->fact(fact);
        if (plane_of(*pool) != plane_of(*across.front()) || !first.known() || !other.known() ||
            first.value == other.value)
          continue;
        Finding& finding =
            say("workload-across-runtimes", Severity::Warning, workload.fact("nodes").where,
                quoted(workload.name.value) + " lies across the pools " + quoted(across.front()->name.value) + " and " +
                    quoted(pool->name.value) + ", whose `" + fact + "` differs");
        if (other.where.placed()) finding.related.push_back({other.where, "here"});
        return;
      }
    }
  }

  void bounds(const Workload& workload) {
    const auto above = [&](std::string_view low, std::string_view high) {
      const Located<FactValue>& least = workload.fact(low);
      const Located<FactValue>& most = workload.fact(high);
      if (!stated(least) || !stated(most) || *stated(least) <= *stated(most)) return;
      Finding& finding = say(
          "workload-bounds-contradict", Severity::Error, least.where,
          "`" + std::string(low) + "` of " + quoted(workload.name.value) + " is above its `" + std::string(high) + "`");
      if (most.where.placed()) finding.related.push_back({most.where, "`" + std::string(high) + "`"});
    };
    above("elastic.min_nodes", "elastic.max_nodes");
    above("elastic.min_nodes", "nodes");
    above("nodes", "elastic.max_nodes");
    above("serving.min_replicas", "serving.max_replicas");
    above("checkpoint.write_seconds", "checkpoint.interval_seconds");
  }

  void serving(const Workload& workload) {
    const Located<FactValue>& metric = workload.fact("serving.metric");
    if (metric.known() && std::get<std::string>(metric.value) == "gpu-utilization") {
      say("serving-metric-misleads", Severity::Warning, metric.where,
          quoted(workload.name.value) + " is scaled by the utilisation of its GPUs");
    }
    const Located<FactValue>& people = workload.fact("serving.user_facing");
    const std::optional<double> load = stated(workload.fact("serving.model_load_seconds"));
    const Located<FactValue>& least = workload.fact("serving.min_replicas");
    const bool waits = people.known() && std::get<bool>(people.value) && load && *load > kPatienceSeconds;
    if (waits && stated(least) == 0.0) {
      say("serving-cold-start", Severity::Warning, least.where,
          quoted(workload.name.value) + " goes down to no replica, and people wait " +
              std::to_string(static_cast<std::int64_t>(*load)) + " seconds for the first one");
    }
  }

  /// A Slurm over nodes that share NVLink domains, without topology/block: since 24.05 it could place by them.
  void nvlink_blocks(const SlurmSite& site) {
    if (site.file.empty() || model_.makes_topology || site.node_names.empty()) return;
    const auto target = targets_.find("slurm");
    const Version* release = site.release ? &*site.release : target != targets_.end() ? &target->second : nullptr;
    if (release == nullptr || *release < *Version::parse("24.05")) return;
    const SlurmSetting* plugin = site.setting("topologyplugin");
    if (plugin != nullptr && (!plugin->value.known() || plugin->value.value == "topology/block" || plugin->conditional))
      return;
    const auto is_block = [](const Topology& topology) { return topology.kind == Topology::Kind::Block; };
    if (std::ranges::any_of(site.topologies, is_block)) return;
    for (const NodePool& pool : fleet_->node_pools) {
      const std::int64_t domain = stated_count(pool.fact("fabric.nvlink_domain_nodes")).value_or(1);
      if (domain < 2 || !pool.hosts) continue;
      const std::optional<std::vector<std::string>> names = pool.hosts->expand(Hostlist::kMaxExpanded);
      if (!names || !std::ranges::any_of(*names, [&](const std::string& name) {
            return std::ranges::binary_search(site.node_names, name);
          }))
        continue;
      const Span where = plugin != nullptr ? plugin->value.where : site.where;
      Finding& finding = say("nvlink-domains-without-blocks", Severity::Warning, where,
                             "nodes of pool " + quoted(pool.name.value) + " share NVLink domains of " +
                                 std::to_string(domain) + " nodes, and this Slurm does not place by blocks");
      const Span said = pool.fact("fabric.nvlink_domain_nodes").where;
      if (said.placed()) finding.related.push_back({said, "the fleet file says so"});
      return;
    }
  }

  /// Gangs of workloads of the one fleet: they share its nodes.
  void competing_schedulers() {
    std::map<std::string, const Gang*> first;
    const auto on_fleet = [&](const Gang& gang) {
      return gang.workload_index && gang.control_plane == ControlPlane::Kubernetes && gang.path.known() &&
             gang.path.value == Path::In && !gang.binder.empty();
    };
    const auto clusters = std::ranges::count_if(fleet_->control_planes, [](const FleetControlPlane& plane) {
      return plane.kind.value == "kubernetes" || plane.kind.value == "k3s";
    });
    if (clusters != 1) return;
    for (const Gang& gang : model_.gangs) {
      if (!on_fleet(gang)) continue;
      first.try_emplace(gang.binder, &gang);
      if (first.size() < 2 || first.at(gang.binder) != &gang) continue;
      const Gang* other = nullptr;
      for (const auto& [binder, one] : first) {
        if (binder != gang.binder && other == nullptr) other = one;
      }
      Finding& finding = say("gang-schedulers-compete", Severity::Warning,
                             gang.scheduler.where.placed() ? gang.scheduler.where : gang.where,
                             quoted(gang.name.value) + " is placed by " + gang.binder + ", and " +
                                 quoted(other->name.value) + " of the same cluster by " + other->binder);
      const Span place = other->scheduler.where.placed() ? other->scheduler.where : other->where;
      if (place.placed()) finding.related.push_back({place, "placed by " + other->binder});
    }
  }

  const Model& model_;
  const Targets& targets_;
  const Fleet* fleet_ = nullptr;
  std::vector<Finding> out_;
};

}  // namespace

std::vector<Finding> implausible(const Model& model, const Targets& targets) {
  return Plausibility(model, targets).run();
}

}  // namespace muster
