#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "base/capped.h"
#include "base/check.h"
#include "base/strings.h"
#include "gang/join_pods.h"
#include "gang/join_worlds.h"
#include "gang/managed_spaces.h"
#include "gang/names.h"
#include "gang/operator_settings.h"
#include "gang/queue_fit.h"
#include "gang/scaled_gangs.h"
#include "gang/scheduler.h"
#include "gang/sub_groups.h"
#include "model/model.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

constexpr std::int64_t kMostQueueLevels = 100;  // cycles end there

/// The objects of one kind that can be meant.
template <class T>
NameIndex names_of(const std::vector<T>& all, bool (*wanted)(const T&)) {
  NameIndex names;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (wanted(all[i]) && all[i].name.is_set()) names.add(all[i].name.value, all[i], i);
  }
  return names;
}

bool has_nodes_without_gpus(const SlurmSite& site, std::size_t partition) {
  if (!site.table.known || partition >= site.table.partitions.size()) return false;
  const SitePartition& row = site.table.partitions[partition];
  return row.known && std::ranges::any_of(row.groups, [&](std::size_t group) {
           return site.table.groups[group].devices_of("gpu") == 0;
         });
}

class Linker {
 public:
  Linker(Model& model, const LinkOptions& options)
      : model_(model), options_(options), book_(SchedulerBook::or_shipped(options.schedulers)) {}

  void run() {
    leave_to_autoscalers(model_);
    join_pods(model_, book_);
    join_worlds(model_);
    apply_operator_settings(model_, options_.stated, book_);
    send_by_space(model_, book_);
    link_cluster_queues();
    link_queue_trees();
    link_pod_groups();
    link_queues();
    fit_into_queues(model_);
    link_workloads();
    for (std::size_t g = 0; g < model_.gangs.size(); ++g) {
      fill_sums(model_.gangs[g]);
      for (Role& role : model_.gangs[g].roles) role.gang = g;
      for (PodSet& set : model_.gangs[g].pod_sets) set.gang = g;
    }
    for (std::size_t q = 0; q < model_.queues.size(); ++q) {
      for (Quota& quota : model_.queues[q].quotas) quota.queue = q;
      for (QueueFlavor& flavor : model_.queues[q].flavors) flavor.queue = q;
    }
    link_topologies();
    link_slurm();
    relate_manifests(model_);
    find_topology_drifts(model_);
    relate_runtimes(model_);
    relate_planes(model_);
    relate_tenants(model_);
    relate_slinky(model_);
    relate_channels(model_);
  }

 private:
  bool complete(const Object& object) const {
    return std::ranges::find(options_.complete_bundles, object.bundle.view()) != options_.complete_bundles.end();
  }

  /// Whether a reference leads somewhere: yes, no where that is certain, else unknown until the object is given.
  Located<bool> settle(const NameMatch& match, const Object& from, const Located<std::string>& reference,
                       std::string_view what) const {
    const std::string object = std::string(what) + " `" + reference.value + "`";
    if (match.index) return set_to(true, reference.where, reference.field);
    if (complete(from) || match.near_miss) return set_to(false, reference.where, reference.field);
    return unknown_until<bool>(object, reference.where, reference.field);
  }

  void link_cluster_queues() {
    const NameIndex cluster_queues = names_of<Queue>(
        model_.queues, [](const Queue& queue) { return queue.system == GangSystem::Kueue && !queue.local; });
    for (Queue& queue : model_.queues) {
      if (!queue.local || !queue.cluster_queue.is_set()) continue;
      const auto match = cluster_queues.find(queue.cluster_queue.value, queue, NameScope::Cluster, near_misses_);
      queue.cluster_queue_found = settle(match, queue, queue.cluster_queue, "ClusterQueue");
      if (match.ambiguous || !match.index) continue;
      queue.cluster_queue_index = match.index;
      note_refused_space(queue, model_.queues[*match.index]);
    }
  }

  /// A name that is still to be filled in may become any.
  static void note_refused_space(Queue& local, const Queue& cluster) {
    const std::string space(local.space.view());
    const auto is_open = [](const std::string& one) { return is_placeholder(one) || is_screaming(one); };
    if (!cluster.selected_spaces || space.empty() || is_open(space)) return;
    const std::vector<std::string>& selected = *cluster.selected_spaces;
    const auto may_be_it = [&](const std::string& one) { return one == space || is_open(one); };
    if (selected.empty() || std::ranges::any_of(selected, may_be_it)) return;
    local.refused_space = set_to("`" + join(selected, "`, `") + "`", cluster.where, "namespaceSelector");
  }

  /// Names of devices have a domain; `cpu`, `memory` and `pods` of the same group are of pods without any, too.
  static void note_use(ResourceFlavor& flavor, const QueueFlavor& in_queue) {
    flavor.in_queue = true;
    flavor.for_devices_alone = flavor.for_devices_alone && std::ranges::all_of(in_queue.covered, [](const auto& name) {
                                 return contains(name, "/");
                               });
  }

  /// Queues above and below each other, and flavors.
  void link_queue_trees() {
    std::map<GangSystem, NameIndex> names;
    std::map<std::pair<std::string, std::string>, int> of_cohort;
    std::set<std::size_t> led_to;
    const NameIndex flavors =
        names_of<ResourceFlavor>(model_.resource_flavors, [](const ResourceFlavor&) { return true; });
    for (std::size_t q = 0; q < model_.queues.size(); ++q) {
      const Queue& queue = model_.queues[q];
      if (!queue.local && queue.name.is_set()) names[queue.system].add(queue.name.value, queue, q);
      if (queue.cohort.is_set()) ++of_cohort[{queue.bundle, queue.cohort.value}];
      if (queue.cluster_queue_index) led_to.insert(*queue.cluster_queue_index);
    }
    std::vector<std::optional<std::size_t>> parents(model_.queues.size());
    for (std::size_t q = 0; q < model_.queues.size(); ++q) {
      Queue& queue = model_.queues[q];
      queue.only_lends = !led_to.contains(q) && !led_to.empty() && queue.cohort.is_set() &&
                         of_cohort[{queue.bundle, queue.cohort.value}] > 1;
      for (QueueFlavor& flavor : queue.flavors) {
        if (!flavor.name.is_set()) continue;
        const auto match = flavors.find(flavor.name.value, queue, NameScope::Cluster, near_misses_);
        if (match.index) note_use(model_.resource_flavors[*match.index], flavor);
        flavor.found = settle(match, queue, flavor.name, "ResourceFlavor");
        if (flavor.found.unknown()) flavor.found = {};  // nobody asks for what stands somewhere else
      }
      if (!queue.parent.is_set()) continue;
      const auto match = names[queue.system].find(queue.parent.value, queue, NameScope::Cluster, near_misses_);
      queue.parent_found = settle(match, queue, queue.parent, "Queue");
      if (queue.parent_found.unknown()) queue.parent_found = {};
      if (match.index && !match.ambiguous) parents[q] = match.index;
    }
    for (std::size_t q = 0; q < model_.queues.size(); ++q) {
      if (parents[q]) ++model_.queues[*parents[q]].children;
      std::optional<std::size_t> above = parents[q];
      for (; above && model_.queues[q].depth < kMostQueueLevels; above = parents[*above]) ++model_.queues[q].depth;
    }
  }

  void link_pod_groups() {
    const NameIndex groups = names_of<PodGroup>(model_.pod_groups, [](const PodGroup&) { return true; });
    std::map<std::size_t, std::vector<std::size_t>> members;
    for (std::size_t g = 0; g < model_.gangs.size(); ++g) {
      Gang& gang = model_.gangs[g];
      if (!gang.pod_group->is_set() || !gang.pod_group_is_object) continue;
      const auto match = groups.find(gang.pod_group->value, gang, NameScope::Namespace, near_misses_);
      gang.remarks.own().pod_group_found = settle(match, gang, gang.pod_group, "PodGroup");
      if (!match.index || match.ambiguous || model_.pod_groups[*match.index].system != gang.pod_group_system) continue;
      gang.pod_group_index = match.index;
      members[*match.index].push_back(g);
    }
    for (std::size_t i = 0; i < model_.pod_groups.size(); ++i) {
      model_.pod_groups[i].complete = complete(model_.pod_groups[i]);
      count_members(model_.pod_groups[i], members[i]);
    }
    share_groups_without_object();
  }

  /// Where several gangs are one group that only its pods describe, its K is not that of each of them.
  void share_groups_without_object() {
    std::map<std::tuple<std::string, GangSystem, std::string>, std::vector<Gang*>> groups;
    for (Gang& gang : model_.gangs) {
      if (gang.pod_group->is_set() && !gang.pod_group_is_object)
        groups[{gang.bundle, *gang.pod_group_system, gang.pod_group->value}].push_back(&gang);
    }
    for (auto& [key, gangs] : groups) {
      const Scheduler* row = book_.find(name_of(std::get<GangSystem>(key)));
      if (gangs.size() == 1 || row == nullptr || row->groups.empty()) continue;
      std::int64_t total = 0;
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      bool known = true;
      for (const Gang* gang : gangs) {
        const Located<std::int64_t> size = total_of(*gang);
        known = known && size.known() && gang->guaranteed.known();
        total = add_capped(total, size.value);
        least = std::min(least, gang->guaranteed.value);
      }
      for (Gang* gang : gangs) {
        if (known && least >= total) {
          gang->guaranteed = total_of(*gang);  // all of it, like all the others
          continue;
        }
        if (gang->guaranteed.is_set() && gang->scheduler.known() && gang->scheduler.value == row->id)
          gang->guaranteed = unknown_until<std::int64_t>(
              "which pods of gang `" + gang->pod_group->value + "` come first", gang->pod_group->where);
      }
    }
  }

  static bool waits_for_group(const Gang& gang) {
    return gang.guaranteed.unknown() && gang.guaranteed.field == "minMember";
  }

  static bool has_topology(const PodGroup& group) {
    return group.required_topology.state != State::Absent || group.highest_tier.state != State::Absent;
  }

  void count_members(PodGroup& group, const std::vector<std::size_t>& members) {
    if (members.empty()) return;
    Located<std::int64_t> total = total_of(model_.gangs[members.front()]);
    for (std::size_t m = 1; m < members.size(); ++m) {
      const Located<std::int64_t> more = total_of(model_.gangs[members[m]]);
      if (more.unknown() || total.unknown()) {
        total = more.unknown() ? more : total;
      } else {
        total.value = add_capped(total.value, more.value);
      }
    }
    group.members = total;
    std::vector<std::size_t> waiting;
    for (const std::size_t m : members) {
      if (waits_for_group(model_.gangs[m])) waiting.push_back(m);
    }
    // What some of its pods are placed by does not bind the others.
    if (waiting.size() == members.size()) apply_pod_group(model_, group, members, book_);
    for (const std::size_t m : members) {
      Gang& gang = model_.gangs[m];
      if (!waits_for_group(gang) || !group.sub_groups.empty() || !group.min_member.known()) continue;
      if (waiting.size() < members.size() && has_topology(group)) continue;  // nor do they stand where these do
      if (group.parent.state != State::Absent) {
        gang.guaranteed.set_needs("which groups of CompositePodGroup `" + group.parent.value + "` are placed together");
        continue;
      }
      if (members.size() == 1) {
        gang.guaranteed = group.min_member;
        gang.requested = group.min_member;
      } else if (total.known() && group.min_member.value >= total.value) {
        gang.guaranteed = total_of(gang);  // all of it, like all the others
      } else {
        gang.guaranteed.set_needs("which pods of PodGroup `" + group.name.value + "` come first");
      }
    }
  }

  void link_queues() {
    // Pods name LocalQueues of Kueue, and of others the queues themselves.
    std::map<GangSystem, NameIndex> names;
    for (std::size_t q = 0; q < model_.queues.size(); ++q) {
      const Queue& queue = model_.queues[q];
      if (queue.name.is_set() && (queue.system != GangSystem::Kueue || queue.local))
        names[queue.system].add(queue.name.value, queue, q);
    }
    for (Gang& gang : model_.gangs) {
      const Scheduler* row = gang.scheduler.known() ? book_.find(gang.scheduler.value) : nullptr;
      if (row == nullptr) continue;
      gang.binder = row->binds.empty() ? row->id : row->binds;
      gang.placed_like = row->like.empty() ? row->id : row->like;
      gang.keeps_short = row->keeps_short;
      const Scheduler* binder = book_.find(gang.binder);
      gang.binder_evicts = binder != nullptr && binder->preempts_pods;
      const Scheduler* like = book_.find(gang.placed_like);
      gang.binder_may_evict = !gang.binder_evicts && like != nullptr && like->may_preempt_pods;
      gang.queue_bounds = !row->queue.empty() || !row->queue_object.empty();
      if (row->queue_object.empty()) {
        look_elsewhere(gang, names);
        continue;
      }
      const auto scope = row->queue_in_namespace ? NameScope::Namespace : NameScope::Cluster;
      if (gang.queue.is_set()) link_queue(gang, *row, names[system_of(*row)], scope);
      if (gang.queue.state != State::Absent || row->given_queues.empty()) continue;
      gang.queue_given = true;
      gang.remarks.own().queue_taken = defaulted_to(row->given_queues.front(), gang.where);
      const auto match = names[system_of(*row)].find(row->given_queues.front(), gang, scope, near_misses_);
      if (!match.ambiguous) gang.queue_object = match.index;
    }
    for (PodGroup& group : model_.pod_groups) {
      const Scheduler* row = group.queue.is_set() ? book_.find(name_of(group.system)) : nullptr;
      if (row == nullptr || row->queue_object.empty()) continue;
      const auto scope = row->queue_in_namespace ? NameScope::Namespace : NameScope::Cluster;
      group.queue_found = is_given(*row, group.queue.value)
                              ? set_to(true, group.queue.where)
                              : settle(names[group.system].find(group.queue.value, group, scope, near_misses_), group,
                                       group.queue, row->queue_object);
    }
  }

  static GangSystem system_of(const Scheduler& row) {
    const std::optional<GangSystem> system = enum_of<GangSystem>(row.like.empty() ? row.id : row.like);
    MUSTER_CHECK(system.has_value(), row.id + " has queues of no system that muster knows");
    return *system;
  }

  static bool is_given(const Scheduler& row, const std::string& queue) {
    return std::ranges::find(row.given_queues, queue) != row.given_queues.end();
  }

  /// Whether no LocalQueue of its name may be in the namespace where things go that name none.
  bool stands_away(const Queue& queue) {
    if (!home_queues_) {
      home_queues_.emplace();
      for (const Queue& one : model_.queues) {
        if (one.local && (one.space.empty() || one.space == "default")) home_queues_->insert(one.name.value);
      }
    }
    return !home_queues_->contains(queue.name.value);
  }

  /// The queue of who admits it, where somebody without queues places its pods.
  void look_elsewhere(Gang& gang, const std::map<GangSystem, NameIndex>& names) {
    const auto row = std::ranges::find_if(book_.schedulers, [&](const Scheduler& one) {
      return one.admits && one.queue_in_namespace && gang.queue.is_set() && gang.queue.field == one.admits->key;
    });
    if (row == book_.schedulers.end()) return;
    const auto queues = names.find(system_of(*row));
    if (queues == names.end()) return;
    const auto match = queues->second.find(gang.queue.value, gang, NameScope::Namespace, near_misses_);
    if (match.elsewhere && !match.near_miss)
      gang.remarks.own().queue_elsewhere = set_to(*match.elsewhere, gang.queue.where, gang.queue.field);
  }

  void link_queue(Gang& gang, const Scheduler& row, const NameIndex& queues, NameScope scope) {
    const auto match = queues.find(gang.queue.value, gang, scope, near_misses_);
    gang.queue_given = is_given(row, gang.queue.value);
    gang.queue_found = gang.queue_given ? set_to(true, gang.queue.where, gang.queue.field)
                                        : settle(match, gang, gang.queue, row.queue_object);
    // What is certain is said as a queue that is missing.
    if (match.elsewhere && !match.near_miss && !complete(gang))
      gang.remarks.own().queue_elsewhere = set_to(*match.elsewhere, gang.queue.where, gang.queue.field);
    if (!match.index || match.ambiguous) return;
    gang.queue_index = gang.queue_object = match.index;
    const Queue& queue = model_.queues[*match.index];
    if (!queue.local) return;
    gang.queue_index = queue.cluster_queue_index;
    if (gang.space.empty() && stands_away(queue))  // what the input says of namespaces is looked at later
      gang.remarks.own().queue_home = set_to(queue.space.str(), gang.queue.where, gang.queue.field);
  }

  void link_workloads() {
    if (model_.workloads.empty()) return;
    std::map<std::string, int> gangs_of_name;
    for (const Gang& gang : model_.gangs) ++gangs_of_name[gang.name.value];
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> workloads;
    for (std::size_t i = 0; i < model_.workloads.size(); ++i)
      workloads[{model_.workloads[i].name.value, model_.workloads[i].bundle}].push_back(i);
    for (Gang& gang : model_.gangs) {
      const bool said = gang.workload->is_set();
      const std::string& name = said ? gang.workload->value : gang.name.value;
      if (name.empty() || (!said && gangs_of_name[name] > 1)) continue;
      std::vector<std::size_t> found;
      for (const std::string& bundle : std::set<std::string>{gang.bundle, ""}) {
        const auto those = workloads.find({name, bundle});
        if (those == workloads.end()) continue;
        const std::size_t some = std::min<std::size_t>(those->second.size(), 2);  // two are as many as a thousand
        found.insert(found.end(), those->second.begin(), those->second.begin() + static_cast<std::ptrdiff_t>(some));
      }
      if (found.size() != 1) continue;
      gang.workload_index = found.front();
      const Workload& workload = model_.workloads[found.front()];
      if (!said) gang.workload = set_to(name, gang.where);
      // Its owner knows better than a guess from the command line.
      const Located<FactValue>& coupled = workload.fact("tightly_coupled");
      if (coupled.is_set() && std::holds_alternative<bool>(coupled.value)) {
        gang.tightly_coupled = set_to(std::get<bool>(coupled.value), coupled.where, "tightly_coupled");
      }
      const Located<FactValue>& elastic = workload.fact("elastic.min_nodes");
      if (elastic.is_set()) gang.elastic = set_to(true, elastic.where, "elastic");
    }
  }

  void link_topologies() {
    for (std::size_t i = 0; i < model_.level_topologies.size(); ++i) analyse_levels(model_.level_topologies[i], i);
    const NameIndex topologies = names_of<LevelTopology>(
        model_.level_topologies, [](const LevelTopology& topology) { return topology.system == GangSystem::Kueue; });
    for (ResourceFlavor& flavor : model_.resource_flavors) {
      if (!flavor.topology.is_set()) continue;
      const auto match = topologies.find(flavor.topology.value, flavor, NameScope::Cluster, near_misses_);
      flavor.topology_found = settle(match, flavor, flavor.topology, "Topology");
    }
    const NameIndex names = names_of<HyperNode>(model_.hyper_nodes, [](const HyperNode&) { return true; });
    for (std::size_t i = 0; i < model_.hyper_nodes.size(); ++i) {
      for (HyperNodeMember& member : model_.hyper_nodes[i].members) {
        member.hyper_node = i;
        if (member.type.value != "HyperNode" || !member.exact.is_set()) continue;
        const auto match = names.find(member.exact.value, model_.hyper_nodes[i], NameScope::Cluster, near_misses_);
        member.found = settle(match, model_.hyper_nodes[i], member.exact, "HyperNode");
        if (!match.ambiguous) member.child = match.index;
      }
    }
    relate_hyper_nodes(model_);
  }

  void link_slurm() {
    for (SlurmSite& site : model_.slurm_sites) {
      for (TopologyMark& mark : site.topology_marks) {
        const bool complete =
            std::ranges::find(options_.complete_bundles, site.bundle) != options_.complete_bundles.end();
        if (complete) mark.settled = set_to(true, mark.name.where);
      }
      if (!site.nodes_known) continue;
      std::uint64_t budget = 4 * Hostlist::kMaxExpanded;
      for (GresLine& line : site.gres_lines) {
        if (!line.hosts || line.hosts->size() > budget) continue;
        budget -= line.hosts->size();
        line.hosts->each([&](const std::string& name) {
          if (std::ranges::binary_search(site.node_names, name)) return;
          ++line.unknown_count;
          if (line.unknown_nodes.size() < 3) line.unknown_nodes.push_back(name);
        });
      }
    }
    struct Named {
      const SlurmSite* site = nullptr;
      std::size_t partition = 0;
      int count = 0;
    };
    std::map<std::pair<std::string, std::string>, Named> partitions;
    for (const SlurmSite& site : model_.slurm_sites) {
      for (std::size_t p = 0; p < site.partitions.size(); ++p) {
        Named& named = partitions[{site.partitions[p].name.value, site.bundle}];
        named = {&site, p, named.count + 1};
      }
    }
    for (SbatchJob& job : model_.sbatch_jobs) {
      if (!job.partition.is_set()) continue;
      const Named& named = partitions[{job.partition.value, job.bundle}];
      if (named.count != 1) continue;
      const SlurmPartition& found = named.site->partitions[named.partition];
      job.partition_whole_node = found.whole_nodes.known() && found.whole_nodes.value;
      // Where some of its nodes have none, a job there need not want any.
      const bool uses_gpus = job.uses_gpus.is_set() && job.uses_gpus.value;
      if (!uses_gpus && !has_nodes_without_gpus(*named.site, named.partition)) {
        job.uses_gpus = found.has_gpus;
        job.uses_gpus.where = found.name.where;
      }
    }
    place_jobs(model_);
    find_request_problems(model_);
  }

  Model& model_;
  const LinkOptions& options_;
  const SchedulerBook& book_;
  NearMisses near_misses_;
  std::optional<std::set<std::string_view>> home_queues_;  ///< names of LocalQueues in no namespace, or in `default`
};

}  // namespace

void link(Model& model, const LinkOptions& options) { Linker(model, options).run(); }

}  // namespace muster
