#include "worlds/world_gang.h"

#include <algorithm>
#include <set>

#include "base/capped.h"
#include "base/strings.h"
#include "worlds/batch_asks.h"
#include "worlds/role_asks.h"
#include "worlds/site_fleet.h"
#include "worlds/volcano_way.h"
#include "worlds/world_nodes.h"

namespace muster {
namespace {

// Pods whose number nobody meant: a world of them would say nothing.
constexpr std::int64_t kMostPods = 1'000'000;
// Each slice is a role of its own.
constexpr std::int64_t kMostSlices = 1024;

constexpr std::string_view kBlock = "block";

template <class T>
bool need(const Located<T>& value, std::string_view what, std::string& needs) {
  if (value.known()) return true;
  needs = value.needs().empty() ? what : value.needs();
  return false;
}

std::optional<std::string> level_for(const Located<std::string>& label, const Fleet& fleet, std::string& needs) {
  if (!need(label, "the topology it requires", needs)) return std::nullopt;
  std::optional<std::string> level = level_of_label(fleet, label.value);
  if (!level) needs = "which level of the fleet file's topology `" + label.value + "` is";
  return level;
}

/// Who binds its pods.
std::string binder_of(const Gang& gang) {
  if (gang.control_plane == ControlPlane::Slurm) return "slurm";
  if (!gang.scheduler.known()) return "default";
  return gang.binder.empty() ? gang.scheduler.value : gang.binder.str();
}

bool is_whole_gpu(const std::string& resource) {
  return resource == "nvidia.com/gpu" || resource == "amd.com/gpu" || resource.starts_with("gres/gpu") ||
         resource == "gpu.intel.com/i915" || resource == "habana.ai/gaudi";
}

bool are_known(const std::vector<const NodePool*>& pools, std::string& needs) {
  if (pools.empty()) needs = "a node pool of its control plane in the fleet file";
  for (const NodePool* pool : pools) {
    if (!need(pool->fact("gpus_per_node"), "gpus_per_node of pool `" + pool->name.value + "`", needs)) return false;
    if (!pool->hosts) needs = "the nodes of pool `" + pool->name.value + "`";
  }
  return needs.empty();
}

/// A batch job that goes to nodes of its own choice, or of another cluster.
bool is_plain(const SbatchJob& job, std::string& needs) {
  for (const SbatchComponent& part : job.parts) {
    if (part.elsewhere) needs = "the nodes of its --clusters";
  }
  return needs.empty();
}

/// GPUs of each of these pools' nodes, where they agree.
std::optional<std::int64_t> gpus_of_nodes(const std::vector<const NodePool*>& pools) {
  std::set<std::int64_t> out;
  for (const NodePool* pool : pools) out.insert(std::get<std::int64_t>(pool->fact("gpus_per_node").value));
  return out.size() == 1 ? std::optional(*out.begin()) : std::nullopt;
}

/// The role as Slurm takes it: whole nodes where the job asks for them, but no fewer GPUs than it asks for; and of a
/// range the fewest nodes: with those it starts.
Role as_batch(const SbatchJob& job, const std::vector<const NodePool*>& pools, std::size_t number, Role role) {
  const std::optional<std::int64_t> whole = gpus_of_nodes(pools);
  const bool exclusive = job.parts.size() > 1 && number < job.parts.size()
                             ? job.parts[number].takes_whole_nodes()
                             : job.exclusive.known() && job.exclusive.value;
  if (whole && (exclusive || job.partition_whole_node)) {
    role.gpus_each = set_to(role.gpus_each.known() ? std::max(role.gpus_each.value, *whole) : *whole, role.where);
  }
  if (number < job.parts.size() && job.parts[number].min_nodes.known()) role.count = job.parts[number].min_nodes;
  return role;
}

/// So many pods at a time stand in one domain of the level; 0: wherever they like.
struct Slices {
  std::int64_t size = 0;
  std::string level;
};

/// --segment: so many nodes at a time within one block. Source: slurm.schedmd.com/sbatch.html (24.05 to 26.05).
std::optional<Slices> segments_of(const SbatchJob& job, std::size_t number, const Fleet& fleet, std::string& needs) {
  const auto option = std::ranges::find_if(job.options, [&](const SbatchPair& pair) {
    return pair.name == "segment" && pair.component == static_cast<std::int64_t>(number);
  });
  if (option == job.options.end()) return Slices{};
  const std::optional<std::int64_t> size = parse_int(option->value.value);
  std::int64_t largest = 0;
  for (const TopologyDomain& domain : fleet.domains) {
    if (domain.level.value == kBlock && domain.hosts)
      largest = std::max(largest, static_cast<std::int64_t>(domain.hosts->size()));
  }
  if (!size || *size < 1) {
    needs = "the size of its segments";
  } else if (largest == 0) {
    needs = "the blocks of the fleet file's topology, in which its segments stand";
  } else if (*size > largest) {
    needs = "how Slurm joins blocks for a segment larger than one";
  } else {
    return Slices{*size, std::string(kBlock)};
  }
  return std::nullopt;
}

std::optional<Slices> slices_of(const Role& role, const Fleet& fleet, std::string& needs) {
  const bool whole = role.required_topology->state != State::Absent;
  if (role.slice_topology->state == State::Absent && !whole) return Slices{};
  if (role.slice_topology->state != State::Absent && whole) {
    needs = "where each of its pod sets fits, and the slices of them";
    return std::nullopt;
  }
  if (!whole && !need(role.slice.located(), "the size of its slices", needs)) return std::nullopt;
  const std::optional<std::string> level =
      level_for(whole ? role.required_topology : role.slice_topology, fleet, needs);
  if (!level) return std::nullopt;
  return Slices{whole ? role.count.value : role.slice->value, *level};
}

/// The role, or a role for each of its slices.
bool add_slices(WorldRole role, const Slices& slices, WorldGang& out, std::string& needs) {
  if (role.pods == 0) return true;
  if (slices.size == 0) {
    out.roles.push_back(std::move(role));
    return true;
  }
  const std::int64_t count = role.pods / slices.size;
  if (role.pods % slices.size != 0)
    needs = "a number of pods that its slices of " + std::to_string(slices.size) + " divide";
  if (count > kMostSlices) needs = "fewer slices than " + std::to_string(count);
  if (count > 1 && role.guaranteed > 0 && role.guaranteed < role.pods) needs = "which of its slices are guaranteed";
  if (!needs.empty()) return false;
  role.domain = slices.level;
  role.pods = slices.size;
  if (count > 1) role.guaranteed = std::min(role.guaranteed, slices.size);
  const std::string name = role.name;
  for (std::int64_t i = 1; i <= count; ++i) {
    if (count > 1) role.name = name + "/" + std::to_string(i);
    out.roles.push_back(role);
  }
  return true;
}

}  // namespace

bool is_placed_by_volcano(const Gang& gang) {
  return gang.control_plane == ControlPlane::Kubernetes && gang.placed_like == "volcano";
}

WorldGangs::WorldGangs(const Model& model, const WorldOptions& options)
    : model_(model),
      concurrent_(options.concurrent),
      spare_cores_kept_(options.spare_cores_kept),
      kept_out_(model, options.concurrent),
      batch_(model.gangs.size()) {
  for (const SbatchJob& job : model.sbatch_jobs) {
    if (job.gang) batch_[*job.gang] = &job;
  }
}

const std::optional<std::unordered_map<std::string, std::string>>& WorldGangs::hyper_nodes_of(const std::string& bundle,
                                                                                              std::int64_t tier) {
  const auto [place, added] = hyper_nodes_.try_emplace({bundle, tier});
  if (added) place->second = hyper_nodes_up_to(model_.hyper_nodes, bundle, tier);
  return place->second;
}

std::string WorldGangs::level_of_tier(std::int64_t tier) { return "hyper node of tier " + std::to_string(tier); }

const Fleet* WorldGangs::site_of(std::size_t gang) {
  const SbatchJob* job = batch_[gang];
  if (job == nullptr || !job->site) return nullptr;
  const auto [place, added] = sites_.try_emplace(*job->site);
  if (added) place->second = fleet_of_site(model_.slurm_sites[*job->site], spare_cores_kept_);
  return place->second ? &*place->second : nullptr;
}

const SlurmSite* WorldGangs::site_for(std::size_t g, const Fleet& fleet) const {
  if (batch_[g] == nullptr || !batch_[g]->site) return nullptr;
  const auto site = sites_.find(*batch_[g]->site);
  return site != sites_.end() && site->second && &*site->second == &fleet ? &model_.slurm_sites[site->first] : nullptr;
}

std::vector<WorldGang> WorldGangs::make(std::size_t g, const Fleet& fleet, const std::vector<const NodePool*>& pools,
                                        std::string& needs) {
  const Gang& gang = model_.gangs[g];
  if (!are_known(pools, needs)) return {};
  if (gang.instances.state != State::Absent && !need(gang.instances, "how many groups it makes", needs)) return {};
  if (!need(gang.size, "its size", needs) || (batch_[g] == nullptr && !need(gang.gpus, "its GPUs", needs))) return {};
  if (!need(gang.mechanism, "how its pods are placed", needs)) return {};
  if (!need(gang.guaranteed, "how many pods are guaranteed", needs)) return {};
  if (gang.mechanism.value == Mechanism::Quota && gang.guaranteed.value < gang.size.value) {
    needs = "with how many of its pods it is admitted (`" + std::string(gang.guaranteed.field) + "`)";
    return {};
  }
  WorldGang out;
  if (!add_queue(gang, out, needs)) return {};
  if (!as_volcano_does(gang, out, needs)) return {};
  out.name = gang.name;
  out.where = gang.where;
  out.gang = g;
  if (batch_[g] != nullptr && out.mechanism == Mechanism::OrderedAtomic) out.takes = choice_of(g, fleet);
  const std::optional<std::string> domain = level_of(gang, gang.required_topology, gang.highest_tier, fleet, needs);
  if (!domain || !sets_are_plain(gang, needs)) return {};
  out.domain = *domain;
  levels_.clear();
  for (const PodSet& set : gang.pod_sets) {
    const std::optional<std::string> level = level_of(gang, set.required_topology, set.highest_tier, fleet, needs);
    if (!level) return {};
    levels_.push_back(*level);
  }
  out.scheduler = binder_of(gang);
  out.one_per_node = gang.control_plane == ControlPlane::Slurm;  // --nodes counts different ones
  add_coupling(gang, out);
  add_beyond(out, kept_out_.words_for(g));
  if (out.mechanism == Mechanism::HoldAndRelease) {
    out.timeout_seconds = 0;  // whatever it is, it ends
    const std::int64_t all = out.guaranteed.value;
    if (gang.keeps_short) out.at_once = all - all / 100 * *gang.keeps_short - all % 100 * *gang.keeps_short / 100;
  }
  std::vector<WorldGang> parts{std::move(out)};
  if (!add_roles(g, {}, fleet, pools, parts.front(), needs) || !add_apart(g, fleet, pools, parts, needs)) return {};
  const std::int64_t count = gangs_in_flight(g, parts.size());
  if (count <= kMostGangs) return parts;
  needs = "a world of at most " + std::to_string(kMostGangs) + " gangs (it makes " + std::to_string(count) + ")";
  return {};
}

std::int64_t WorldGangs::gangs_in_flight(std::size_t g, std::size_t parts) const {
  const Located<std::int64_t>& made = model_.gangs[g].instances;
  return multiply_capped(multiply_capped(concurrent_, made.known() ? made.value : 1), static_cast<std::int64_t>(parts));
}

/// Who is admitted by quota cannot be judged without it; for others an unknown limit is one that may stop them.
bool WorldGangs::add_queue(const Gang& gang, WorldGang& out, std::string& needs) const {
  const QueueLimits limits = limits_of(model_, gang, concurrent_);
  if (limits.gpus) out.queue = limits.gpus->queue->name.value;
  if (gang.mechanism.value == Mechanism::Quota && !limits.gpus) {
    needs = limits.needs.empty() ? "the quota of its queue" : limits.needs;
    return false;
  }
  if (!limits.needs.empty()) add_beyond(out, {"room in its queue (" + limits.needs + ")"});
  add_beyond(out, limits.beyond);
  return true;
}

/// Where nobody says that its pods work alone, all of them may be needed.
void WorldGangs::add_coupling(const Gang& gang, WorldGang& out) {
  out.coupled = !gang.tightly_coupled.known() || gang.tightly_coupled.value;
  if (!out.coupled || gang.size.value < 2) return;
  if (!gang.tightly_coupled.known()) {
    out.may_work_alone =
        gang.tightly_coupled.needs().empty() ? "whether its pods run one collective" : gang.tightly_coupled.needs();
  } else if (gang.elastic.unknown() || (gang.elastic.known() && gang.elastic.value)) {
    out.may_work_alone = "with how many of its pods it runs";
  }
}

/// How its pods are placed, and what may happen to them after: as the configuration of Volcano says, if that is who
/// places it.
bool WorldGangs::as_volcano_does(const Gang& gang, WorldGang& out, std::string& needs) const {
  out.mechanism = gang.mechanism.value;
  out.guaranteed = gang.guaranteed;
  if (!is_placed_by_volcano(gang)) return true;
  const std::optional<VolcanoWay> way = volcano_way(model_, gang.bundle, needs);
  if (!way) return false;
  if (!way->places_gangs) {
    out.mechanism = Mechanism::PerPod;
    out.guaranteed = set_to<std::int64_t>(1, way->says.front().where);
  }
  out.restarts_whole = gang.restarts_evicted.known() && gang.restarts_evicted.value;
  if (!out.restarts_whole) out.taken_apart = way->takes_pods;
  return true;
}

/// The nodes that stand first, where nothing else decides: see place_jobs(), which says so of the job.
NodesTaken WorldGangs::choice_of(std::size_t g, const Fleet& fleet) const {
  const SbatchJob& job = *batch_[g];
  const SlurmSite* site = site_for(g, fleet);
  if (site == nullptr || job.starved.unknown()) return NodesTaken::Unsaid;
  const auto tier = [](const SlurmPartition& partition) {
    const auto setting = std::ranges::find(partition.settings, "prioritytier", &SlurmSetting::lower_key);
    return setting == partition.settings.end() ? std::string("1") : setting->value.value;
  };
  // The backfill scheduler tries those of a higher tier first.
  const bool one_tier = std::ranges::all_of(site->partitions, [&](const SlurmPartition& partition) {
    return tier(partition) == tier(site->partitions.front());
  });
  return one_tier ? NodesTaken::First : NodesTaken::Unsaid;
}

/// Each instance of a set beyond those that the gang needs is placed as a gang of its own.
bool WorldGangs::add_apart(std::size_t g, const Fleet& fleet, const std::vector<const NodePool*>& pools,
                           std::vector<WorldGang>& out, std::string& needs) const {
  const Gang& gang = model_.gangs[g];
  for (std::size_t s = 0; s < gang.pod_sets.size(); ++s) {
    const std::int64_t count = apart_instances(gang.pod_sets[s]);
    if (count == 0) continue;
    WorldGang one = out.front();
    one.roles.clear();
    // Grove: the topology of the scaling group, else that of the whole set.
    if (!levels_[s].empty()) one.domain.clear();
    if (!add_roles(g, {s}, fleet, pools, one, needs)) return false;
    std::int64_t together = 0;
    for (const WorldRole& role : one.roles) together += role.guaranteed > 0 ? role.guaranteed : role.pods;
    // Placed by its scheduler as the gang is: together, where that is.
    if (one.guaranteed.value > 1) one.guaranteed.value = together;
    for (std::int64_t i = 1; i <= count; ++i) {
      out.push_back(one);
      out.back().name.value += "/" + gang.pod_sets[s].name.value + "+" + std::to_string(i);
    }
  }
  return true;
}

std::optional<std::string> WorldGangs::level_of(const Gang& gang, const Located<std::string>& required_topology,
                                                const Located<std::int64_t>& highest_tier, const Fleet& fleet,
                                                std::string& needs) {
  if (!sets_count(gang)) return "";
  if (highest_tier.state != State::Absent) return level_of_highest(gang, highest_tier, needs);
  if (required_topology.state == State::Absent) return "";
  return level_for(required_topology, fleet, needs);
}

/// Volcano tries HyperNodes of ascending tiers: what fits a lower one fits the one above it. Above the highest tier
/// stands the whole cluster. Source: volcano-sh/volcano:pkg/scheduler/plugins/network-topology-aware (1.15).
std::optional<std::string> WorldGangs::level_of_highest(const Gang& gang, const Located<std::int64_t>& highest_tier,
                                                        std::string& needs) {
  if (!need(highest_tier, "its highest tier", needs)) return std::nullopt;
  std::optional<std::int64_t> highest;
  for (const HyperNode& hyper_node : model_.hyper_nodes) {
    if (hyper_node.bundle == gang.bundle && hyper_node.tier.known())
      highest = std::max(highest.value_or(0), hyper_node.tier.value);
  }
  const std::optional<VolcanoWay> way = volcano_way(model_, gang.bundle, needs);
  if (!way) return std::nullopt;
  if (way->configured && !way->keeps_topology) return "";  // nobody enforces it
  if (!highest) {
    needs = "the HyperNodes";
  } else if (!hyper_nodes_of(gang.bundle, highest_tier.value)) {
    needs = "which nodes its HyperNodes have";
  } else {
    return highest_tier.value <= *highest ? level_of_tier(highest_tier.value) : "";
  }
  return std::nullopt;
}

namespace {

bool pods_are_known(const Role& role, std::string& needs) {
  if (!need(role.count, "the pods of role `" + role.name.value + "`", needs)) return false;
  if (role.count.value > kMostPods)
    needs = "fewer pods of role `" + role.name.value + "` than " + std::to_string(role.count.value);
  return role.count.value <= kMostPods;
}

}  // namespace

bool WorldGangs::add_roles(std::size_t g, const GangPart& part, const Fleet& fleet, const NodePools& all_pools,
                           WorldGang& out, std::string& needs) const {
  const SbatchJob* job = batch_[g];
  if (job != nullptr && !is_plain(*job, needs)) return false;
  const SlurmSite* site = site_for(g, fleet);
  const ResourceFlavor* flavor = job == nullptr ? limits_of(model_, model_.gangs[g], concurrent_).flavor : nullptr;
  for (std::size_t i = 0; i < model_.gangs[g].roles.size(); ++i) {
    const NodePools pools = pools_of(model_.gangs[g].roles[i], all_pools);
    Role role = job == nullptr ? model_.gangs[g].roles[i] : as_batch(*job, pools, i, model_.gangs[g].roles[i]);
    if (part.apart && (!role.pod_set || !is_within(model_.gangs[g], *role.pod_set, *part.apart))) continue;
    if (!pods_are_known(role, needs)) return false;
    if (!role.gpus_each.known() && role.gpus_each.state != State::Absent)
      return need(role.gpus_each, "the GPUs of a pod", needs);
    if (role.gpus_each.value > 0 && role.accelerator.known() && !is_whole_gpu(role.accelerator.value)) {
      needs = "how many `" + role.accelerator.value + "` a node has";
      return false;
    }
    if (role.picks_nodes && pools.size() > 1 && !labels_are_told(role, pools)) {
      needs = "which of the pools its node selector or affinity means";
      return false;
    }
    const std::optional<Slices> slices = job != nullptr                ? segments_of(*job, i, fleet, needs)
                                         : sets_count(model_.gangs[g]) ? slices_of(role, fleet, needs)
                                                                       : Slices{};
    if (!slices) return false;
    if (flavor != nullptr) ask_for_flavor(*flavor, pools, role, out);
    WorldRole made;
    if (site != nullptr) {
      const std::optional<std::string> label =
          partition_label(*site, i < job->parts.size() ? job->parts[i] : SbatchComponent{}, needs);
      if (!label) return false;
      made.selector[*label] = "y";
    }
    if (job == nullptr) {
      ask_for_pod(role, pools, made, out);
    } else {
      const BatchAsks asks = asks_of(*job, std::min(i, job->parts.size() - 1), pools, site, spare_cores_kept_);
      made.milli_cpus_per_pod = asks.milli_cpus;
      made.memory_per_pod = asks.memory;
      if (!asks.gpu_type.empty()) made.selector[gpu_type_label(asks.gpu_type)] = "y";
      add_beyond(out, asks.beyond);
    }
    made.name = role.name.value;
    made.pods = role.count.value;
    made.gpus_per_pod = role.gpus_each.value;
    made.guaranteed = role.min.known() ? std::min(role.min.value, made.pods) : 0;
    if (role.pod_set) {
      if (role.slice_topology->state != State::Absent) needs = "where the slices of its pod sets fit";
      if (slices->size > 0) made.domain = slices->level;
      add_copies(model_.gangs[g], role, part, levels_, std::move(made), out);
    } else if (!add_slices(std::move(made), *slices, out, needs)) {
      return false;
    }
  }
  if (out.roles.empty()) needs = "a role with pods";
  return needs.empty();
}

}  // namespace muster
