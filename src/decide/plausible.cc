#include "decide/plausible.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/strings.h"
#include "decide/pools.h"
#include "decide/replica_limits.h"
#include "model/fact_value.h"

namespace muster {
namespace {

/// Shares are rounded by people: 0.333 three times, 0.17 six times.
constexpr double kMostShares = 1.025;

/// Seconds that a person waits for an answer. Source: Nielsen, response times: ten seconds keep the attention.
constexpr double kPatienceSeconds = 10;

/// Nobody has more nodes: sums of what files say stay numbers.
constexpr std::int64_t kMostNodes = 9'000'000'000'000'000;

/// What has to be the same on all nodes of a gang. Source: the data-centre guide, "driver, CUDA, cuDNN, and NCCL pinned
/// byte-identical across every node in a synchronous job".
constexpr std::array kRuntimeFacts{"runtime.driver", "runtime.cuda", "runtime.cudnn", "runtime.nccl"};

std::string quoted(const std::string& name) { return "`" + name + "`"; }

/// Two pools that say different things of one fact.
struct RuntimeDifference {
  const char* fact = nullptr;
  const NodePool* first = nullptr;
  const NodePool* other = nullptr;
};

/// Of each fact with the first pool that states it.
std::optional<RuntimeDifference> difference_of(const std::vector<const NodePool*>& pools) {
  for (const char* fact : kRuntimeFacts) {
    const NodePool* first = nullptr;
    for (const NodePool* pool : pools) {
      if (!pool->fact(fact).known()) continue;
      if (first == nullptr) first = pool;
      if (pool->fact(fact).value != first->fact(fact).value) return RuntimeDifference{fact, first, pool};
    }
  }
  return std::nullopt;
}

/// The pools whose nodes have enough GPUs for a workload.
struct Capacity {
  struct OfPlane {
    std::int64_t nodes = 0;
    std::vector<const NodePool*> pools;
    std::optional<RuntimeDifference> difference;
  };
  std::map<std::string, OfPlane> planes;  ///< under "" those of which nobody says who schedules them
  std::int64_t largest_pool = 0;
  bool bounded = true;  ///< how many nodes they can have is known
  bool grows = false;   ///< some have fewer today

  void add(const FleetPools::Pool& pool) {
    bounded = bounded && pool.most.has_value();
    if (!pool.most) return;
    grows = grows || *pool.most > pool.pool->node_count;
    largest_pool = std::max(largest_pool, *pool.most);
    OfPlane& plane = planes[pool.plane];
    plane.nodes = std::min(plane.nodes + *pool.most, kMostNodes);
    plane.pools.push_back(pool.pool);
  }

  std::int64_t unsaid() const { return planes.contains("") ? planes.at("").nodes : 0; }
  /// The most nodes that one plane can have.
  std::int64_t most() const {
    std::int64_t out = unsaid();
    for (const auto& [plane, of] : planes) {
      if (!plane.empty()) out = std::max(out, unsaid() + of.nodes);
    }
    return out;
  }
  std::size_t known_planes() const { return planes.size() - (planes.contains("") ? 1 : 0); }
};

class Plausibility {
 public:
  Plausibility(const Model& model, const Targets& targets) : model_(model), targets_(targets), pools_(model) {
    if (model.fleets.size() != 1) return;
    fleet_ = &model.fleets.front();
    for (const Tenant& tenant : fleet_->tenants) tenants_.insert(tenant.name.value);
    for (const FleetPools::Pool& pool : pools_.all()) {
      says_gpus_ = says_gpus_ && pool.gpus;
      if (pool.gpus) node_sizes_.insert(*pool.gpus);
    }
  }

  std::vector<Finding> run() {
    shares();
    for (const Workload& workload : model_.workloads) {
      const std::size_t before = out_.size();
      judge(workload);
      // What --set gave stands nowhere.
      for (std::size_t i = before; i < out_.size(); ++i) {
        if (!out_[i].where.placed()) out_[i].where = workload.where;
      }
    }
    if (fleet_ == nullptr) return std::move(out_);
    for (const SlurmSite& site : model_.slurm_sites) nvlink_blocks(site);
    competing_schedulers();
    return std::move(out_);
  }

 private:
  void judge(const Workload& workload) {
    bounds(workload);
    serving(workload);
    if (fleet_ == nullptr) return;
    tenant(workload);
    if (named_pool_is_there(workload)) size(workload);
  }

  Finding& say(std::string_view rule, Severity severity, Span where, std::string message) {
    out_.push_back(problem(rule, where, std::move(message)));
    out_.back().severity = severity;
    return out_.back();
  }

  /// Of each workloads file: two of them may speak of two fleets.
  void shares() {
    std::map<FileId, std::pair<double, const Workload*>> sums;
    for (const Workload& workload : model_.workloads) {
      const std::optional<double> value = number_of(workload.fact("gpu_hours_share"));
      if (!value) continue;
      auto& [sum, above] = sums[workload.where.file];
      sum += *value;
      if (sum > kMostShares && above == nullptr) above = &workload;
    }
    for (const auto& [file, entry] : sums) {
      if (entry.second == nullptr) continue;
      const std::string percent = std::to_string(static_cast<int>(entry.first * 100 + 0.5));
      const Span share = entry.second->fact("gpu_hours_share").where;
      say("workload-shares-above-one", Severity::Error, share.placed() ? share : entry.second->where,
          "the shares of the GPU-hours of all workloads add up to " + percent + " %");
    }
  }

  void tenant(const Workload& workload) {
    if (!workload.tenant.is_set() || tenants_.empty() || tenants_.contains(workload.tenant.value)) return;
    std::vector<std::string_view> known;
    for (const Tenant& tenant : fleet_->tenants) known.push_back(tenant.name.value);
    say("workload-tenant-unknown", Severity::Warning, workload.tenant.where,
        "the tenant " + quoted(workload.tenant.value) + " of " + quoted(workload.name.value) +
            " is none of the fleet file's" + did_you_mean(workload.tenant.value, known));
  }

  bool named_pool_is_there(const Workload& workload) {
    const Located<FactValue>& pool = workload.fact("pool");
    if (!pool.known() || pools_.all().empty() || pools_.named_by(workload) != nullptr) return true;
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
    const FleetPools::Pool* named = pools_.named_by(workload);
    if (node_sizes_.empty() || !(named != nullptr ? named->gpus.has_value() : says_gpus_)) return;
    const std::int64_t most_gpus = named != nullptr ? *named->gpus : *node_sizes_.rbegin();
    const std::string place = named != nullptr ? "pool " + quoted(named->pool->name.value) : "every pool";
    const Located<FactValue>& gpus = workload.fact("gpus_per_node");
    const std::int64_t wants = whole_of(gpus).value_or(0);
    if (wants > most_gpus) {
      say("workload-gpus-above-node", Severity::Error, gpus.where,
          quoted(workload.name.value) + " takes " + std::to_string(wants) + " GPUs of each node, and a node of " +
              place + " has " + (named != nullptr ? "" : "at most ") + std::to_string(most_gpus));
      return;
    }
    if (named == nullptr) return nodes(workload, capacity_for(wants), wants, nullptr);
    Capacity alone;
    alone.add(*named);
    nodes(workload, alone, wants, named->pool);
  }

  /// Of all pools; reckoned once for all workloads that the same nodes are large enough for.
  const Capacity& capacity_for(std::int64_t gpus) {
    const std::int64_t least = *node_sizes_.lower_bound(gpus);
    const auto [found, fresh] = capacities_.try_emplace(least);
    Capacity& out = found->second;
    if (!fresh) return out;
    for (const FleetPools::Pool& pool : pools_.all()) {
      if (*pool.gpus >= least) out.add(pool);
    }
    for (auto& [plane, of] : out.planes) of.difference = difference_of(of.pools);
    return out;
  }

  void nodes(const Workload& workload, const Capacity& capacity, std::int64_t gpus, const NodePool* named) {
    const Located<FactValue>& least = workload.fact("elastic.min_nodes");
    const Located<FactValue>& nodes = least.known() ? least : workload.fact("nodes");
    const std::optional<std::int64_t> wants = whole_of(nodes);
    if (!wants || !capacity.bounded) return;
    const std::int64_t most = capacity.most();
    if (*wants <= most) return runtimes(workload, capacity, nodes);
    const std::string has = capacity.grows ? "grows to no more than " : "has ";
    const std::string where = named != nullptr              ? "pool " + quoted(named->name.value) + " " + has
                              : capacity.known_planes() < 2 ? "the fleet " + has
                              : capacity.grows              ? "no plane grows to more than "
                                                            : "no plane has more than ";
    say("workload-above-pool", Severity::Error, nodes.where,
        quoted(workload.name.value) + " spans " + count_of(static_cast<std::size_t>(*wants), "node") +
            (gpus > 0 ? " of " + count_of(static_cast<std::size_t>(gpus), "GPU") : "") + ", and " + where +
            std::to_string(most) + (gpus > 0 ? " with as many" : ""));
  }

  /// A gang that no pool holds alone lies across pools of one plane, which should run the same software. Quiet where
  /// some plane that can hold it does.
  void runtimes(const Workload& workload, const Capacity& capacity, const Located<FactValue>& nodes) {
    const std::int64_t wants = *whole_of(nodes);
    if (flag_of(workload.fact("tightly_coupled")) != true || capacity.largest_pool >= wants) return;
    const RuntimeDifference* found = nullptr;
    for (const auto& [plane, of] : capacity.planes) {
      if (of.nodes < wants) continue;
      if (!of.difference) return;
      if (found == nullptr) found = &*of.difference;
    }
    if (found == nullptr) return;
    Finding& finding = say("workload-across-runtimes", Severity::Warning, nodes.where,
                           quoted(workload.name.value) + " lies across the pools " + quoted(found->first->name.value) +
                               " and " + quoted(found->other->name.value) + ", whose `" + found->fact + "` differs");
    const Span other = found->other->fact(found->fact).where;
    if (other.placed()) finding.related.push_back({other, "here"});
  }

  void bounds(const Workload& workload) {
    const auto above = [&](std::string_view low, std::string_view high) {
      const Located<FactValue>& least = workload.fact(low);
      const Located<FactValue>& most = workload.fact(high);
      if (!number_of(least) || !number_of(most) || *number_of(least) <= *number_of(most)) return;
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
    if (word_of(metric) == "gpu-utilization") {
      say("serving-metric-misleads", Severity::Warning, metric.where,
          quoted(workload.name.value) + " is scaled by the utilisation of its GPUs");
    }
    const std::optional<double> load = number_of(workload.fact("serving.model_load_seconds"));
    const Located<FactValue>& least = workload.fact("serving.min_replicas");
    const bool waits = flag_of(workload.fact("serving.user_facing")) == true && load && *load > kPatienceSeconds;
    if (waits && number_of(least) == 0.0) {
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
      const std::int64_t domain = whole_of(pool.fact("fabric.nvlink_domain_nodes")).value_or(1);
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
      const auto begin = first.begin();
      const Gang* other = (begin->first != gang.binder ? begin : std::next(begin))->second;
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
  FleetPools pools_;
  const Fleet* fleet_ = nullptr;
  std::set<std::string_view> tenants_;
  std::set<std::int64_t> node_sizes_;            ///< GPUs of the pools' nodes
  bool says_gpus_ = true;                        ///< of every pool
  std::map<std::int64_t, Capacity> capacities_;  ///< by the fewest GPUs of its nodes
  std::vector<Finding> out_;
};

}  // namespace

std::vector<Finding> implausible(const Model& model, const Targets& targets) {
  std::vector<Finding> out = Plausibility(model, targets).run();
  std::ranges::move(replicas_above_limits(model), std::back_inserter(out));
  return out;
}

}  // namespace muster
