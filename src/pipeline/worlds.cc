#include "pipeline/worlds.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/strings.h"
#include "pipeline/world_nodes.h"

namespace muster {
namespace {

// Pods whose number nobody meant: a world of them would say nothing.
constexpr std::int64_t kMostPods = 1'000'000;

struct Trouble {
  std::string needs;
};

class Finder {
 public:
  Finder(const Model& model, const WorldOptions& options) : model_(model), options_(options), batch_(model.gangs.size()) {
    for (const SbatchJob& job : model.sbatch_jobs) {
      if (job.gang) batch_[*job.gang] = &job;
    }
  }

  FoundWorlds run() {
    out_.worlds = model_.worlds;
    // A Slurm job and a pod never wait for each other.
    std::map<std::tuple<std::string, const Fleet*, ControlPlane>, std::vector<std::size_t>> bundles;
    for (std::size_t g = 0; g < model_.gangs.size(); ++g) {
      const Gang& gang = model_.gangs[g];
      if (gang.gpus.state == State::Absent || (gang.gpus.known() && gang.gpus.value == 0)) continue;
      if (gang.size.known() && gang.size.value < 2 && options_.concurrent < 2) continue;  // one pod is always whole
      if (const Fleet* fleet = fleet_for(gang)) {
        bundles[{gang.bundle, fleet, gang.control_plane}].push_back(g);
      } else {
        leave_out(g, model_.fleets.empty() ? "a fleet file with the node pools" : "which of the fleet files it runs on");
      }
    }
    for (const auto& [key, gangs] : bundles) add_bundle(std::get<0>(key), *std::get<1>(key), gangs);
    return std::move(out_);
  }

 private:
  void leave_out(std::size_t gang, std::string needs) { out_.left_out.push_back({gang, std::move(needs)}); }

  const Fleet* fleet_for(const Gang& gang) const {
    const Fleet* found = nullptr;
    std::size_t count = 0;
    for (const Fleet& fleet : model_.fleets) {
      if (fleet.bundle != gang.bundle) continue;
      found = &fleet;
      ++count;
    }
    if (count == 1) return found;
    return count == 0 && model_.fleets.size() == 1 ? &model_.fleets.front() : nullptr;
  }

  /// Node pools a pod with accelerators may go to.
  std::vector<const NodePool*> pools_for(const Fleet& fleet, const Gang& gang) const {
    std::vector<const NodePool*> out;
    for (const NodePool& pool : fleet.node_pools) {
      const Located<FactValue>& plane = pool.fact("control_plane");
      const std::string* word = plane.known() ? std::get_if<std::string>(&plane.value) : nullptr;
      const bool slurm = word != nullptr && *word == "slurm";
      if (word != nullptr && slurm != (gang.control_plane == ControlPlane::Slurm)) continue;
      const Located<FactValue>& gpus = pool.fact("gpus_per_node");
      if (gpus.known() && std::get<std::int64_t>(gpus.value) == 0) continue;
      out.push_back(&pool);
    }
    return out;
  }

  void add_bundle(const std::string& bundle, const Fleet& fleet, const std::vector<std::size_t>& gangs) {
    // By the pools they may go to: gangs with the same choice meet.
    std::map<std::vector<const NodePool*>, std::vector<std::pair<std::size_t, WorldGang>>> by_pools;
    for (const std::size_t g : gangs) {
      const std::vector<const NodePool*> pools = pools_for(fleet, model_.gangs[g]);
      Trouble trouble;
      if (std::optional<WorldGang> gang = gang_of(g, fleet, pools, trouble)) {
        by_pools[pools].emplace_back(g, std::move(*gang));
      } else {
        leave_out(g, std::move(trouble.needs));
      }
    }
    for (const auto& [pools, members] : by_pools) {
      const bool domains = std::ranges::any_of(members, [](const auto& member) { return !member.second.domain.empty(); });
      const World nodes = nodes_of(fleet, pools, domains);
      if (members.size() > 1) {
        World all = nodes;
        all.id = "gangs of " + bundle.substr(bundle.find_last_of('/') + 1);
        for (const auto& [g, gang] : members) add_instances(all, gang);
        add_world(std::move(all), members);
      }
      if (members.size() > 1 && options_.concurrent < 2) continue;
      for (const auto& member : members) {
        World one = nodes;
        const Gang& gang = model_.gangs[member.first];
        one.id = gang.id;
        one.where = gang.where;
        one.file = gang.file;
        add_instances(one, member.second);
        add_world(std::move(one), {member});
      }
    }
  }

  void add_world(World world, const std::vector<std::pair<std::size_t, WorldGang>>& members) {
    world.name = set_to(world.id, world.where);
    std::set<std::string> assumes;
    std::set<std::string> quotas;
    for (const auto& [g, gang] : members) {
      if (model_.gangs[g].mechanism.unknown()) assumes.insert("`" + model_.gangs[g].operator_setting + "` is off, as shipped");
      const std::optional<QueueLimit> limit = limit_of(model_.gangs[g]);
      if (!limit) continue;
      const bool first = std::ranges::none_of(world.queues, [&](const WorldQueue& queue) { return queue.name == limit->queue->name.value; });
      if (first) world.queues.push_back({limit->queue->name.value, limit->gpus});
      if (gang.mechanism == Mechanism::Quota) quotas.insert(limit->queue->name.value);
    }
    world.assumes.assign(assumes.begin(), assumes.end());
    // Gangs of several queues may be admitted for the sum of them; what one of them takes too much of is looked at later.
    std::int64_t quota = 0;
    for (const WorldQueue& queue : world.queues) quota += quotas.contains(queue.name) ? queue.gpus : 0;
    if (!quotas.empty()) world.pools.front().quota = set_to(quota, world.pools.front().where);
    out_.worlds.push_back(std::move(world));
  }

  void add_instances(World& world, const WorldGang& gang) const {
    for (std::int64_t i = 1; i <= options_.concurrent; ++i) {
      WorldGang one = gang;
      if (i > 1) one.name.value += "#" + std::to_string(i);
      one.pool = world.pools.front().name.value;
      for (WorldRole& role : one.roles) role.pool = one.pool;
      // Objects of different namespaces may share a name.
      const auto taken = [&](const std::string& name) {
        return std::ranges::any_of(world.gangs, [&](const WorldGang& other) { return other.name.value == name; });
      };
      const std::string plain = one.name.value;
      for (int n = 2; taken(one.name.value); ++n) one.name.value = plain + " (" + std::to_string(n) + ")";
      world.gangs.push_back(std::move(one));
    }
  }

  static World nodes_of(const Fleet& fleet, const std::vector<const NodePool*>& pools, bool domains) {
    World world;
    static_cast<Object&>(world) = static_cast<const Object&>(fleet);
    world.pools.push_back(world_pool(fleet, pools, domains));
    return world;
  }

  struct QueueLimit {
    const Queue* queue = nullptr;
    std::int64_t gpus = 0;
  };
  /// What the gang's queue admits at a time; nothing where it has no limit of its own or may borrow.
  std::optional<QueueLimit> limit_of(const Gang& gang) const {
    if (!gang.queue_index) return std::nullopt;
    std::size_t q = *gang.queue_index;
    if (model_.queues[q].local) {
      if (!model_.queues[q].cluster_queue_index) return std::nullopt;
      q = *model_.queues[q].cluster_queue_index;
    }
    const Queue& queue = model_.queues[q];
    if (queue.cohort.state != State::Absent) return std::nullopt;
    QueueLimit out{&queue, 0};
    bool any = false;
    for (const Quota& quota : queue.quotas) {
      if (quota.resource != gang.accelerator.value) continue;
      if (!quota.limit.known()) return std::nullopt;
      out.gpus += quota.limit.value.whole;
      any = true;
    }
    return any ? std::optional(out) : std::nullopt;
  }

  template <class T>
  static bool need(const Located<T>& value, std::string_view what, Trouble& trouble) {
    if (value.known()) return true;
    trouble.needs = value.needs.empty() ? std::string(what) : value.needs;
    return false;
  }

  std::optional<WorldGang> gang_of(std::size_t g, const Fleet& fleet, const std::vector<const NodePool*>& pools, Trouble& trouble) const {
    const Gang& gang = model_.gangs[g];
    if (pools.empty()) {
      trouble.needs = "a node pool of its control plane in the fleet file";
      return std::nullopt;
    }
    for (const NodePool* pool : pools) {
      if (!need(pool->fact("gpus_per_node"), "gpus_per_node of pool `" + pool->name.value + "`", trouble)) return std::nullopt;
      if (!pool->hosts) {
        trouble.needs = "the nodes of pool `" + pool->name.value + "`";
        return std::nullopt;
      }
    }
    if (!need(gang.size, "its size", trouble) || (batch_[g] == nullptr && !need(gang.gpus, "its GPUs", trouble))) return std::nullopt;
    const bool as_shipped = !gang.operator_setting.empty() && gang.operator_value.state == State::Absent && gang.mechanism.unknown();
    if (!as_shipped && !need(gang.mechanism, "how its pods are placed", trouble)) return std::nullopt;
    if (!as_shipped && !need(gang.guaranteed, "how many pods are guaranteed", trouble)) return std::nullopt;
    const std::optional<QueueLimit> limit = limit_of(gang);
    if (!as_shipped && gang.mechanism.value == Mechanism::Quota && !limit) {
      trouble.needs = "the quota of its queue";
      return std::nullopt;
    }
    if (limit && gang.guaranteed_gpus.known() && gang.guaranteed_gpus.value > limit->gpus) {
      trouble.needs = "a queue that can admit it (`" + limit->queue->name.value + "` admits " + std::to_string(limit->gpus) + " GPUs)";
      return std::nullopt;
    }
    WorldGang out;
    out.name = gang.name;
    out.where = gang.where;
    out.gang = g;
    // The operators whose setting decides ship without a gang scheduler: the world says that it takes it so.
    out.mechanism = as_shipped ? Mechanism::PerPod : gang.mechanism.value;
    out.guaranteed = as_shipped ? set_to<std::int64_t>(1, gang.where) : gang.guaranteed;
    if (gang.required_topology.state != State::Absent && !set_domain(gang, fleet, out, trouble)) return std::nullopt;
    if (limit) out.queue = limit->queue->name.value;
    out.scheduler = binder_of(gang);
    out.one_per_node = gang.control_plane == ControlPlane::Slurm;  // --nodes counts different ones
    // Pods that may work alone take part, but nothing is said of them.
    out.coupled = gang.tightly_coupled.known() && gang.tightly_coupled.value && !(gang.elastic.known() && gang.elastic.value);
    if (out.mechanism == Mechanism::HoldAndRelease) out.timeout_seconds = 0;  // whatever it is, it ends
    return add_roles(g, pools, out, trouble) ? std::optional(std::move(out)) : std::nullopt;
  }

  static bool set_domain(const Gang& gang, const Fleet& fleet, WorldGang& out, Trouble& trouble) {
    if (!need(gang.required_topology, "the topology it requires", trouble)) return false;
    const std::optional<std::string> level = level_of_label(fleet, gang.required_topology.value);
    if (level) {
      out.domain = *level;
    } else {
      trouble.needs = "which level of the fleet file's topology `" + gang.required_topology.value + "` is";
    }
    return level.has_value();
  }

  /// Who binds its pods: Kueue admits and leaves that to the default scheduler.
  static std::string binder_of(const Gang& gang) {
    if (gang.control_plane == ControlPlane::Slurm) return "slurm";
    if (!gang.scheduler.known() || gang.scheduler.value == "kueue") return "default";
    return gang.scheduler.value;
  }

  static bool is_whole_gpu(const std::string& resource) {
    return resource == "nvidia.com/gpu" || resource == "amd.com/gpu" || resource.starts_with("gres/gpu") || resource == "gpu.intel.com/i915" || resource == "habana.ai/gaudi";
  }

  /// What a batch job asks for beyond nodes and GPUs, and no world can say.
  static bool plain(const SbatchJob& job, Trouble& trouble) {
    for (const SbatchComponent& part : job.parts) {
      if (part.choosy) trouble.needs = "which nodes its --nodelist, --constraint or --exclude means";
      if (part.elsewhere) trouble.needs = "the nodes of its --clusters";
    }
    if (std::ranges::any_of(job.options, [](const SbatchPair& option) { return option.name == "segment"; })) trouble.needs = "where its segments fit the blocks";
    return trouble.needs.empty();
  }

  /// GPUs of each of these pools' nodes, where they agree.
  static std::optional<std::int64_t> gpus_of_nodes(const std::vector<const NodePool*>& pools) {
    std::set<std::int64_t> out;
    for (const NodePool* pool : pools) out.insert(std::get<std::int64_t>(pool->fact("gpus_per_node").value));
    return out.size() == 1 ? std::optional(*out.begin()) : std::nullopt;
  }

  /// The role as Slurm takes it: whole nodes where the job asks for them, and of a range the fewest nodes: with those it starts.
  static Role as_batch(const SbatchJob& job, const std::vector<const NodePool*>& pools, std::size_t number, Role role) {
    const std::optional<std::int64_t> whole = gpus_of_nodes(pools);
    if (whole && ((job.exclusive.known() && job.exclusive.value) || job.partition_whole_node)) role.gpus_each = set_to(*whole, role.where);
    if (number < job.parts.size() && job.parts[number].min_nodes.known()) role.count = job.parts[number].min_nodes;
    return role;
  }

  bool add_roles(std::size_t g, const std::vector<const NodePool*>& pools, WorldGang& out, Trouble& trouble) const {
    const SbatchJob* job = batch_[g];
    if (job != nullptr && !plain(*job, trouble)) return false;
    for (std::size_t i = 0; i < model_.gangs[g].roles.size(); ++i) {
      const Role role = job == nullptr ? model_.gangs[g].roles[i] : as_batch(*job, pools, i, model_.gangs[g].roles[i]);
      if (!need(role.count, "the pods of role `" + role.name.value + "`", trouble)) return false;
      if (!role.gpus_each.known() && role.gpus_each.state != State::Absent) return need(role.gpus_each, "the GPUs of a pod", trouble);
      if (role.gpus_each.value > 0 && role.accelerator.known() && !is_whole_gpu(role.accelerator.value)) {
        trouble.needs = "how many `" + role.accelerator.value + "` a node has";
        return false;
      }
      if (role.picks_nodes && pools.size() > 1) {
        trouble.needs = "which of the pools its node selector or affinity means";
        return false;
      }
      WorldRole made;
      made.name = role.name.value;
      made.pods = std::min(role.count.value, kMostPods);
      made.gpus_per_pod = role.gpus_each.value;
      made.guaranteed = role.min.known() ? std::min(role.min.value, made.pods) : 0;
      if (made.pods > 0) out.roles.push_back(std::move(made));
    }
    if (!out.roles.empty()) return true;
    trouble.needs = "a role with pods";
    return false;
  }

  const Model& model_;
  const WorldOptions& options_;
  std::vector<const SbatchJob*> batch_;  ///< of each gang; none where it is no batch job
  FoundWorlds out_;
};

}  // namespace

FoundWorlds find_worlds(const Model& model, const WorldOptions& options) { return Finder(model, options).run(); }

}  // namespace muster
