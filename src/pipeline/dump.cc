#include "pipeline/dump.h"

#include "base/strings.h"
#include "base/utf8.h"
#include "expr/expr.h"
#include "input/kind.h"

namespace muster {
namespace {

std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  return text.ends_with('.') ? text + "0" : text;
}
std::string text_of(const std::string& value) { return printable(value); }
std::string text_of(const Quantity& value) { return value.text(); }
std::string text_of(Path value) { return std::string(name_of(value)); }
std::string text_of(Mechanism value) { return std::string(name_of(value)); }
std::string text_of(const FactValue& value) {
  return std::visit([](const auto& held) { return text_of(held); }, value);
}

class ModelDump {
 public:
  explicit ModelDump(const SourceMap& sources) : sources_(sources) {}

  std::string run(const Model& model) {
    for (const Gang& gang : model.gangs) dump(gang);
    for (const PodGroup& group : model.pod_groups) dump(group);
    for (const Queue& queue : model.queues) dump(queue);
    for (const SlurmSite& site : model.slurm_sites) dump(site);
    for (const SbatchJob& job : model.sbatch_jobs) dump(job);
    for (const Workload& workload : model.workloads) dump(workload);
    for (const Fleet& fleet : model.fleets) dump(fleet);
    for (const World& world : model.worlds) dump(world);
    for (const VolcanoConf& conf : model.volcano_confs) dump(conf);
    for (const HyperNode& hyper_node : model.hyper_nodes) dump(hyper_node);
    for (const LevelTopology& topology : model.level_topologies) dump(topology);
    for (const ResourceFlavor& flavor : model.resource_flavors) dump(flavor);
    for (const TopologyDrift& drift : model.topology_drifts) {
      head("drift", drift.id, drift.unit.where);
      line("nodes",
           join(drift.nodes, ", ") + (drift.missing ? ", missing from " : ", elsewhere in ") + drift.other_file);
      field("other", drift.other);
    }
    for (const SlurmAccount& account : model.slurm_accounts) {
      head("account", account.id, account.where);
      field("parent", account.parent);
      field("fair_share", account.fair_share);
      field("gpus", account.gpus);
      field("qos", account.qos);
    }
    for (const SlurmQos& qos : model.slurm_qos) {
      head("qos", qos.id, qos.where);
      field("gpus", qos.gpus);
      field("gpus_each", qos.gpus_each);
    }
    for (const OperatorSetting& setting : model.operator_settings) {
      head("setting", setting.name, setting.value.where);
      field("value", setting.value);
    }
    return std::move(out_);
  }

 private:
  std::string place(const Span& where) const {
    if (!where.placed()) return "nowhere";
    const Position at = sources_.begin_of(where);
    return std::to_string(at.line) + ":" + std::to_string(at.column);
  }
  void head(std::string_view what, std::string_view id, const Span& where) {
    out_ += std::string(what) + " " + printable(id) + "\n";
    if (where.placed()) out_ += "  at: " + sources_.file(where.file).path() + ":" + place(where) + "\n";
  }
  void line(std::string_view name, const std::string& value) { out_ += "  " + std::string(name) + ": " + value + "\n"; }

  template <class T>
  std::string show(const Located<T>& value) const {
    switch (value.state) {
      case State::Absent: return "absent";
      case State::Unknown: return "unknown until " + std::string(value.needs());
      case State::Defaulted: return text_of(value.value) + " (default)";
      case State::Assumed: return text_of(value.value) + " (assumed: " + std::string(value.needs()) + ")";
      case State::Set: return text_of(value.value) + " (" + place(value.where) + ")";
    }
    return "";
  }
  template <class T>
  std::string show(const Rare<T>& value) const {
    return show(value.located());
  }

  template <class T>
  void field(std::string_view name, const Located<T>& value) {
    if (value.state != State::Absent) line(name, show(value));
  }
  template <class T>
  void field(std::string_view name, const Rare<T>& value) {
    field(name, value.located());
  }

  void dump(const Gang& gang) {
    head("gang", gang.id, gang.where);
    line("control-plane", std::string(name_of(gang.control_plane)));
    field("instances", gang.instances);
    field("size", gang.size);
    field("essential", gang.essential);
    if (const std::string share = share_of(gang); share.empty()) {
      field("gpus", gang.gpus);
    } else {
      line("gpus", "shares of " + share + ": " + show(gang.gpus));
    }
    field("accelerator", gang.accelerator);
    field("requested", gang.requested);
    field("guaranteed", gang.guaranteed);
    field("guaranteed-gpus", gang.guaranteed_gpus);
    field("path", gang.path);
    field("mechanism", gang.mechanism);
    field("scheduler", gang.scheduler);
    field("scheduler-name", gang.scheduler_name);
    field("operator-value", gang.remarks->operator_value);
    field("tightly-coupled", gang.tightly_coupled);
    field("elastic", gang.elastic);
    line("startup", std::string(name_of(gang.startup)));
    field("required-topology", gang.required_topology);
    field("highest-tier", gang.highest_tier);
    field("queue", gang.queue.state == State::Absent ? gang.remarks->queue_taken.located() : gang.queue);
    field("queue-unread", gang.remarks->queue_unread);
    field("queue-found", gang.queue_found);
    field("queue-on-template", gang.remarks->queue_on_template);
    field("pod-group", gang.pod_group);
    field("pod-group-found", gang.remarks->pod_group_found);
    field("stray-membership", gang.remarks->stray_membership);
    field("workload", gang.workload);
    for (const PodSet& set : gang.pod_sets) dump(gang, set);
    for (const Role& role : gang.roles) {
      line("role",
           show(role.name) + (role.pod_set ? ", in " + gang.pod_sets[*role.pod_set].name.value : "") +
               (role.helper ? ", helper" : "") + ", count " + show(role.count) + ", gpus-each " + show(role.gpus_each) +
               (role.share->is_set() ? " of which it gets " + show(role.share) : "") + more(role) + ", scheduler " +
               show(role.scheduler) + (role.min.state == State::Absent ? "" : ", min " + show(role.min)) +
               (role.required_topology->state == State::Absent ? "" : ", within one " + show(role.required_topology)) +
               (role.slice_topology->state == State::Absent
                    ? ""
                    : ", slices of " + show(role.slice) + " within one " + show(role.slice_topology)));
    }
    line("evidence", join(std::vector<std::string_view>(gang.evidence.begin(), gang.evidence.end()), ", "));
  }

  /// What its pods get of a device, where none gets a whole one.
  static std::string share_of(const Gang& gang) {
    std::string out;
    for (const Role& role : gang.roles) {
      if (!role.accelerator.is_set()) continue;
      if (!role.share->is_set() || (!out.empty() && out != role.share->value)) return "";
      out = role.share->value;
    }
    return out;
  }

  std::string more(const Role& role) const {
    std::string out;
    for (const Devices& devices : role.more_devices)
      out += " and " + show(devices.count) + " of " + devices.resource.value;
    return out;
  }

  void dump(const Gang& gang, const PodSet& set) {
    const auto part = [&](std::string_view words, const auto& value) {
      return value.state == State::Absent ? "" : std::string(words) + show(value);
    };
    line("pod-set", show(set.name) + (set.parent ? ", in " + gang.pod_sets[*set.parent].name.value : "") +
                        part(", instances ", set.instances) + part(", at least ", set.min_instances) +
                        (set.apart ? ", the others apart" : "") + part(", size ", set.size) +
                        part(", min ", set.min_pods) + part(", within one ", set.required_topology.located()) +
                        part(", highest-tier ", set.highest_tier.located()) + (set.shared ? ", shared" : ""));
  }

  void dump(const World& world) {
    head("world", world.id, world.where);
    const std::string text = dump_worlds({world});
    for (const std::string_view text_line : split(text, '\n')) {
      if (!text_line.empty()) out_ += "  " + std::string(text_line) + "\n";
    }
  }

  void dump(const PodGroup& group) {
    head("pod-group", group.id, group.where);
    line("system", std::string(name_of(group.system)));
    field("min-member", group.min_member);
    field("min-sub-groups", group.min_sub_groups);
    field("parent", group.parent);
    field("required-topology", group.required_topology);
    field("highest-tier", group.highest_tier);
    for (const SubGroup& one : group.sub_groups) {
      line("sub-group",
           show(one.name) + (one.parent.is_set() ? ", in " + one.parent.value : "") + ", min " + show(one.min_pods) +
               ", groups " + show(one.min_groups) +
               (one.required_topology.state == State::Absent ? "" : ", within one " + show(one.required_topology)) +
               (one.highest_tier.state == State::Absent ? "" : ", highest-tier " + show(one.highest_tier)));
    }
    field("members", group.members);
    field("queue", group.queue);
    field("queue-found", group.queue_found);
  }

  void dump(const Queue& queue) {
    head("queue", queue.id, queue.where);
    line("system", std::string(name_of(queue.system)));
    field("cluster-queue", queue.cluster_queue);
    field("cluster-queue-found", queue.cluster_queue_found);
    field("cohort", queue.cohort);
    field("parent", queue.parent);
    field("has-namespace-selector", queue.has_namespace_selector);
    field("sort-policy", queue.sort_policy);
    for (const Quota& quota : queue.quotas) {
      line("quota", quota.resource + (quota.flavor.empty() ? "" : " of " + quota.flavor) + ", limit " +
                        show(quota.limit) + ", guarantee " + show(quota.guarantee) + ", deserved " +
                        show(quota.deserved) + ", borrowing " + show(quota.borrowing));
    }
  }

  void dump(const VolcanoConf& conf) {
    head("volcano-conf", conf.id, conf.where);
    line("actions",
         join(conf.actions, ", ") + " (" + place(conf.actions_where) + ")" + (conf.understood ? "" : ", refused"));
    for (const VolcanoPlugin& plugin : conf.plugins) {
      line("plugin", plugin.name + " (" + place(plugin.where) + "), tier " + std::to_string(plugin.tier + 1) +
                         (plugin.job_ready ? "" : ", not asked whether a job is ready") +
                         (plugin.preemptable ? "" : ", not asked by preempt") +
                         (plugin.reclaimable ? "" : ", not asked by reclaim"));
    }
  }

  void dump(const HyperNode& hyper_node) {
    head("hyper-node", hyper_node.id, hyper_node.where);
    field("tier", hyper_node.tier);
    for (const HyperNodeMember& member : hyper_node.members) {
      line("member", show(member.type) + ", exact " + show(member.exact) + ", regex " + show(member.regex) +
                         ", found " + show(member.found));
    }
    if (!hyper_node.cycle.empty()) line("cycle", join(hyper_node.cycle, ", "));
  }

  void dump(const LevelTopology& topology) {
    head("level-topology", topology.id, topology.where);
    line("system", std::string(name_of(topology.system)));
    for (const TopologyLevel& level : topology.levels) line("level", show(level.label));
  }

  void dump(const ResourceFlavor& flavor) {
    head("resource-flavor", flavor.id, flavor.where);
    field("topology", flavor.topology);
    field("topology-found", flavor.topology_found);
    line("has-node-labels", text_of(flavor.has_node_labels));
  }

  void dump(const SlurmSite& site) {
    head("slurm-site", site.file.empty() ? site.folder : site.file, site.where);
    field("cluster", site.name);
    line("fragment", text_of(site.fragment));
    line("nodes", site.nodes_known ? std::to_string(site.node_names.size()) : "unknown");
    line("settings", std::to_string(site.settings.size()));
    for (const SlurmNodes& nodes : site.nodes)
      line("node", show(nodes.names) + ", gpus-each " + std::to_string(nodes.gpus_each) + ", gres " + show(nodes.gres));
    for (const SlurmPartition& partition : site.partitions)
      line("partition",
           show(partition.name) + ", nodes " + show(partition.nodes) + ", has-gpus " + show(partition.has_gpus));
    for (const GresLine& gres : site.gres_lines) line("gres", show(gres.name) + ", nodes " + show(gres.nodes));
    for (const Topology& topology : site.topologies) {
      line("topology", std::string(name_of(topology.kind)) + " " + topology.file + ", " +
                           count_of(topology.switches.size(), "switch") + ", unplaced " +
                           std::to_string(topology.unplaced_count));
      for (const Switch& tree_switch : topology.switches) {
        line("switch", show(tree_switch.name) + ", nodes " + show(tree_switch.nodes_text) + ", children " +
                           show(tree_switch.children_text));
      }
    }
  }

  void dump(const SbatchJob& job) {
    head("sbatch", job.id, job.where);
    field("min-nodes", job.min_nodes);
    field("max-nodes", job.max_nodes);
    field("partition", job.partition);
    field("requests-gpus", job.requests_gpus);
    field("exclusive", job.exclusive);
    field("uses-gpus", job.uses_gpus);
    line("ignored-directives", std::to_string(job.ignored_directives.size()));
    for (const SbatchComponent& part : job.parts) dump(part);
    for (const RequestProblem& problem : job.problems)
      line(problem.what == Shortage::LeftOut ? "left-out" : "never",
           problem.asked + ": " + problem.there + " (" + problem.among + ")");
    for (const BatchStep& step : job.script.steps)
      line("step", step.program + ", nodes " + show(step.all_nodes) + ", tasks each " + show(step.tasks_each_node));
    for (const BatchLaunch& launch : job.script.launches)
      line("launch", launch.launcher + " by " + std::string(name_of(launch.by)) + ", nodes " + show(launch.nodes) +
                         ", processes each " + show(launch.processes) + ", node rank " + show(launch.node_rank));
  }

  /// What a component asks for, and what that comes to on each node.
  void dump(const SbatchComponent& part) {
    std::string text;
    const auto add = [&](std::string_view name, const auto& value) {
      if (value.state == State::Absent) return;
      text += (text.empty() ? "" : ", ") + std::string(name) + " " + show(value);
    };
    add("nodes", part.min_nodes);
    if (part.max_nodes.value != part.min_nodes.value) add("to", part.max_nodes);
    add("tasks", part.tasks);
    add("tasks-each", part.tasks_each);
    add("cpus-each", part.cpus_each);
    add("gpus-each", part.gpus_each);
    add("memory-each", part.memory_each);
    for (const DeviceAsk& ask : part.devices)
      text += ", " + ask.name + (ask.type.empty() ? "" : ":" + ask.type) + ":" + std::to_string(ask.count) + " a " +
              std::string(name_of(ask.per));
    add("minutes", part.minutes);
    add("partition", part.partition);
    add("account", part.account);
    add("qos", part.qos);
    add("constraint", part.constraint);
    add("reservation", part.reservation);
    add("exclusive", part.exclusive);
    add("requeue", part.requeue);
    line("request", text);
  }

  void dump(const Workload& workload) {
    head("workload", workload.name.value, workload.where);
    field("tenant", workload.tenant);
    for (std::size_t i = 0; i < workload.facts.size(); ++i) field(workload_facts()[i].name, workload.facts[i]);
  }

  void dump(const Fleet& fleet) {
    head("fleet", fleet.name.value, fleet.where);
    for (std::size_t i = 0; i < fleet.facts.size(); ++i) {
      if (fleet.facts[i].state != State::Absent) field(fleet_facts()[i].name, fleet.facts[i]);
    }
    for (const FleetControlPlane& plane : fleet.control_planes)
      line("control-plane", show(plane.kind) + " " + show(plane.version));
    for (const NodePool& pool : fleet.node_pools)
      line("pool", show(pool.name) + ", nodes " + show(pool.nodes) + ", gpus " + show(pool.fact("gpus_per_node")));
    for (const TopologyDomain& domain : fleet.domains)
      line("domain", show(domain.name) + ", level " + show(domain.level) + ", parent " + show(domain.parent) +
                         ", nodes " + show(domain.nodes));
    for (const Tenant& tenant : fleet.tenants)
      line("tenant",
           show(tenant.name) + ", guaranteed " + show(tenant.guaranteed_gpus) + ", limit " + show(tenant.limit_gpus));
  }

  const SourceMap& sources_;
  std::string out_;
};

}  // namespace

std::string dump_artifacts(const std::vector<ParsedFile>& parsed, const SourceMap& sources) {
  std::string out;
  for (const ParsedFile& file : parsed) {
    const std::string& path = sources.file(file.file).path();
    if (file.template_kind) out += path + ": " + std::string(name_of(*file.template_kind)) + "\n";
    for (const Artifact& artifact : file.artifacts) {
      // slurmctld opens what is empty all the same; accounts of Slurm have neither lines nor a tree.
      const bool empty =
          artifact.lines != nullptr ? artifact.lines->empty() : artifact.script == nullptr && !artifact.object.exists();
      const Span where = empty                        ? Span{file.file, 0, 0}
                         : artifact.lines != nullptr  ? artifact.lines->front().where
                         : artifact.script != nullptr ? artifact.script->directives.front().where
                                                      : artifact.object.where();
      const Position at = sources.begin_of(where);
      out += path + ":" + std::to_string(at.line) + ": " + std::string(artifact.kind->id) + "\n";
    }
  }
  return out;
}

std::string dump_facts(const Model& model, const Targets& targets, const SlurmKeyTable* slurm_keys) {
  std::string out;
  Arena arena;
  const ReadContext context{&model, &targets, &arena, slurm_keys};
  for (const Collection& collection : collections()) {
    collection.each(model, [&](const void* object) {
      const ObjectType& type = *collection.element;
      out += std::string(type.name) + " " + printable(type.id(object, context)) + "\n";
      for (const Field& field : type.fields) {
        const Value value = field.read(object, context);
        if (value.is(Value::Kind::Absent) || value.is(Value::Kind::Map)) continue;
        std::string text = printable(to_text(value));
        if (value.is(Value::Kind::Unknown)) text = "unknown until " + printable(value.needs()->needs);
        out += "  " + std::string(field.name) + ": " + text + "\n";
      }
      arena.reset();
    });
  }
  return out;
}

std::string dump_model(const Model& model, const SourceMap& sources) { return ModelDump(sources).run(model); }

}  // namespace muster
