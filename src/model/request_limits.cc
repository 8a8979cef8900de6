// What batch jobs ask for against what their site has.
//
// Executed with slurmctld 22.05.8 (nodes of State=CLOUD): what no node has is refused at submission, `Requested node
// configuration is not available`; limits of a partition (nodes, time, State=DOWN) leave the job pending, unless
// EnforcePartLimits says otherwise; a partition, a feature or a GRES that is not there, and State=DRAIN or INACTIVE are
// refused. --mem counts also where memory is no consumable resource, and a node without RealMemory has 1 MiB.
#include <algorithm>
#include <array>
#include <functional>

#include "base/capped.h"
#include "base/hostlist.h"
#include "base/slurm_units.h"
#include "base/strings.h"
#include "model/asked_features.h"
#include "model/model.h"
#include "model/request_limits.h"

namespace muster {
namespace {

std::string number_of_things(std::int64_t count, std::string_view noun) {
  return count_of(static_cast<std::size_t>(std::max<std::int64_t>(0, count)), noun);
}

constexpr std::size_t kMostGroups = 256;    // of a partition, for --exclude
constexpr std::uint64_t kMostNamed = 1024;  // nodes in an option

/// One component against one of the partitions that it may run in.
class Limits {
 public:
  Limits(const SbatchJob& job, const SbatchComponent& part, const SlurmSite& site, std::size_t partition)
      : job_(job), part_(part), site_(site), row_(site.partitions[partition]), has_(site.table.partitions[partition]) {}

  std::vector<RequestProblem> run() {
    const bool refuses = has_.state == "DRAIN" || has_.state == "INACTIVE";
    if (refuses && setting("alternate")) return {};  // it goes to that partition
    ask_partition();
    count_nodes();
    if (has_.known) ask_nodes();
    return std::move(problems_);
  }

 private:
  void add(Shortage what, Span where, std::string asked, std::string there, Span there_where = {}) {
    if (!where.placed()) where = job_.where;
    problems_.push_back({what, std::move(asked), std::move(there), "partition `" + row_.name.value + "`", where,
                         there_where.placed() ? there_where : row_.where, job_.id, part_.of});
  }

  bool option(std::string_view name) const {
    return std::ranges::any_of(
        job_.options, [&](const SbatchPair& pair) { return pair.name == name && pair.component == part_.component; });
  }
  /// The last of an option; empty: none.
  const std::string& value_of(std::string_view name) const {
    static const std::string none;
    const std::string* out = &none;
    for (const SbatchPair& pair : job_.options) {
      if (pair.name == name && pair.component == part_.component && pair.value.is_set()) out = &pair.value.value;
    }
    return *out;
  }
  bool setting(std::string_view key) const {
    return std::ranges::any_of(row_.settings, [&](const SlurmSetting& one) { return one.lower_key == key; });
  }

  void ask_partition() {
    const Span where = part_.partition.is_set() ? part_.partition.where : job_.where;
    if (has_.state == "DOWN" || has_.state == "DRAIN" || has_.state == "INACTIVE")
      add(Shortage::State, where, "partition `" + row_.name.value + "`", "State=" + has_.state);
    // A QOS may lift the limits of a partition.
    if (part_.qos.state != State::Absent || setting("qos")) return;
    // Also the upper end of --nodes has to keep to the limit; without --nodes the lower one is raised to MinNodes.
    const Located<std::int64_t>& highest = part_.nodes_given ? part_.max_nodes : part_.min_nodes;
    if (has_.max_nodes && highest.known() && highest.value > *has_.max_nodes)
      add(Shortage::MaxNodes, highest.where, number_of_things(highest.value, "node"),
          "MaxNodes=" + std::to_string(*has_.max_nodes));
    if (has_.min_nodes && part_.nodes_given && part_.max_nodes.known() && part_.max_nodes.value < *has_.min_nodes)
      add(Shortage::MinNodes, part_.max_nodes.where, number_of_things(part_.max_nodes.value, "node"),
          "MinNodes=" + std::to_string(*has_.min_nodes));
    const std::optional<std::int64_t> most = slurm_minutes(has_.max_time);
    if (!most || *most <= 0 || option("time-min")) return;
    const std::string& time = value_of("time");
    if (time == "0" || equals_ignoring_case(time, "UNLIMITED") || equals_ignoring_case(time, "INFINITE"))
      add(Shortage::Time, part_.minutes.where, "time without an end", "MaxTime=" + has_.max_time);
    else if (part_.minutes.known() && part_.minutes.value > *most)
      add(Shortage::Time, part_.minutes.where, number_of_things(part_.minutes.value, "minute"),
          "MaxTime=" + has_.max_time);
  }

  /// Whether the nodes have it, each on its own; `each`: every node of the job has to, not only the one that gets most.
  struct Ask {
    Shortage what;
    Span where;
    std::string asked;
    std::string there;
    bool each = true;
    std::vector<bool> met;  ///< by group of the partition
  };

  void ask_nodes() {
    asks_.clear();
    if (option("extra")) return;  // since 23.11 such a job waits for nodes that may come
    ask_features();
    ask_devices();
    ask_cpus();
    ask_memory();
    ask_memory_limits();
    ask_named();
    bool all_met = true;
    for (const Ask& ask : asks_) {
      if (std::ranges::find(ask.met, true) != ask.met.end()) continue;
      all_met = false;
      add(ask.what, ask.where, ask.asked, ask.there);
    }
    if (!all_met) return;
    const std::size_t before = problems_.size();
    if (asks_.size() > 0) ask_together();
    if (problems_.size() == before) ask_total();
  }

  /// Each is there, but on too few nodes, or not on the same.
  void ask_together() {
    std::int64_t nodes = 0;
    bool one_has_all = false;
    std::string asked;
    std::vector<Ask> asks = asks_;
    std::erase_if(asks, [](const Ask& ask) { return std::ranges::find(ask.met, false) == ask.met.end(); });
    if (asks.empty()) return;
    for (const Ask& ask : asks) asked += (asked.empty() ? "" : " with ") + ask.asked;
    for (std::size_t i = 0; i < has_.groups.size(); ++i) {
      const auto met = [&](const Ask& ask) -> bool { return ask.met[i]; };
      one_has_all = one_has_all || std::ranges::all_of(asks, met);
      if (std::ranges::all_of(asks, [&](const Ask& ask) { return !ask.each || ask.met[i]; })) nodes += counts_[i];
    }
    if (!one_has_all) {
      add(Shortage::Together, asks.back().where, asked, "no node has all of that");
    } else if (part_.min_nodes.known() && nodes < part_.min_nodes.value && part_.min_nodes.value <= has_.nodes) {
      add(Shortage::Nodes, part_.min_nodes.where, number_of_things(part_.min_nodes.value, "node") + " with " + asked,
          number_of_things(nodes, "node") + (nodes == 1 ? " has that" : " have that"));
    }
  }

  const SiteNodes& group(std::size_t i) const { return site_.table.groups[has_.groups[i]]; }

  template <class Met>
  void ask(Ask one, const Met& met) {
    for (std::size_t i = 0; i < has_.groups.size(); ++i) one.met.push_back(counts_[i] > 0 && met(group(i)));
    asks_.push_back(std::move(one));
  }
  template <class Number>
  std::int64_t most(const Number& number) const {
    std::int64_t out = 0;
    for (std::size_t i = 0; i < has_.groups.size(); ++i) out = std::max(out, number(group(i)));
    return out;
  }

  void ask_features() {
    if (!part_.constraint.is_set() || site_.setting("nodefeaturesplugins") != nullptr) return;
    const SlurmSetting* scheduler = site_.setting("schedulerparameters");
    if (scheduler != nullptr && contains_ignoring_case(scheduler->value.value, "ignore_constraint_validation")) return;
    const std::optional<AskedFeatures> wanted = read_features(part_.constraint.value);
    if (!wanted) return;
    ask({Shortage::Feature,
         part_.constraint.where,
         "`--constraint=" + part_.constraint.value + "`",
         "no node has it",
         true,
         {}},
        [&](const SiteNodes& nodes) { return has_features(nodes, *wanted); });
  }

  /// A device count by node, where the request says one.
  std::optional<std::int64_t> each_of(const DeviceAsk& device) const {
    if (device.per == DevicesPer::Node) return device.count;
    if (device.per == DevicesPer::Task)  // at least one task is on each
      return multiply_capped(device.count, part_.tasks_each.known() ? part_.tasks_each.value : 1);
    if (device.per == DevicesPer::Job && part_.nodes_given && part_.max_nodes.known() && part_.max_nodes.value > 0)
      return (device.count - 1) / part_.max_nodes.value + 1;
    return std::nullopt;
  }

  void ask_devices() {
    if (!part_.devices_known) return;
    for (const DeviceAsk& device : part_.devices) {
      if (device.count < 1 || device.count > 100'000) continue;
      const std::string kind = device.name + (device.type.empty() ? "" : ":" + device.type);
      if (!site_.has_gres_type(device.name).value_or(true)) {
        // Nodes that have it although GresTypes does not name it are said there.
        const bool said = std::ranges::any_of(
            site_.nodes, [&](const SlurmNodes& line) { return has_gres(line.gres_items, device.name); });
        if (!said) add(Shortage::Device, device.where, "`" + kind + "`", "GresTypes does not name it");
        continue;
      }
      const std::optional<std::int64_t> each = each_of(device);
      const std::int64_t asked = each.value_or(1);
      const std::int64_t there =
          most([&](const SiteNodes& nodes) { return nodes.devices_of(device.name, device.type); });
      const std::int64_t any = most([&](const SiteNodes& nodes) { return nodes.devices_of(device.name); });
      const Shortage what = any == 0 ? Shortage::Device : there == 0 ? Shortage::Type : Shortage::Count;
      const std::string has = what == Shortage::Device ? "no node has any `" + device.name + "`"
                              : what == Shortage::Type ? "nodes have " + types_of(device.name)
                                                       : "the most of a node is " + std::to_string(there);
      ask({what,
           device.where,
           (each ? std::to_string(asked) + " of `" + kind + "` on a node" : "`" + kind + "`"),
           has,
           device.per == DevicesPer::Node || device.per == DevicesPer::Task,
           {}},
          [&](const SiteNodes& nodes) { return nodes.devices_of(device.name, device.type) >= asked; });
    }
  }

  static bool has_gres(const std::vector<Gres>& items, const std::string& name) {
    return std::ranges::find(items, name, &Gres::name) != items.end();
  }

  std::string types_of(const std::string& name) const {
    std::vector<std::string> types;
    for (std::size_t i = 0; i < has_.groups.size(); ++i) {
      for (const NodeDevices& device : group(i).devices) {
        const std::string type = device.type.empty() ? name + " without a type" : "`" + name + ":" + device.type + "`";
        if (device.name == name && types.size() < kShown && std::ranges::find(types, type) == types.end())
          types.push_back(type);
      }
    }
    return join(types, ", ");
  }

  /// With these a CPU of a task is not a CPU of the node.
  bool counts_cpus_otherwise() const {
    for (const char* other : {"overcommit", "hint", "threads-per-core", "ntasks-per-core", "extra-node-info",
                              "sockets-per-node", "cores-per-socket"}) {
      if (option(other)) return true;
    }
    return false;
  }
  bool all_cpus_known() const {
    for (std::size_t i = 0; i < has_.groups.size(); ++i) {
      if (!group(i).cpus.known) return false;
    }
    return true;
  }

  std::int64_t usable_cpus(const SiteNodes& nodes) const {
    const std::int64_t left = nodes.cpus.cpus - multiply_capped(nodes.core_spec_count, nodes.cpus.threads_per_core);
    return has_.max_cpus ? std::min(left, *has_.max_cpus) : left;
  }
  std::int64_t cpus_of_task() const { return part_.cpus_per_task.is_set() ? part_.cpus_per_task.value : 1; }
  std::int64_t gpus_of_node() const {
    std::int64_t out = 0;
    for (const DeviceAsk& device : part_.devices) {
      if (device.name == "gpu" && device.per == DevicesPer::Node) out = add_capped(out, device.count);
    }
    return out;
  }

  bool gives_whole_nodes() const {
    return (part_.exclusive.is_set() && part_.exclusive.value.empty()) ||
           std::ranges::any_of(row_.settings, [](const SlurmSetting& one) {
             return one.lower_key == "oversubscribe" && equals_ignoring_case(one.value.value, "EXCLUSIVE");
           });
  }

  void ask_cpus() {
    if (counts_cpus_otherwise() || !all_cpus_known()) return;
    const bool spread_known =
        part_.nodes_given || part_.tasks_per_node.is_set() || !part_.tasks.is_set() || part_.tasks.value <= 1;
    Located<std::int64_t> asked = part_.cpus_each;
    if (!asked.is_set() || !spread_known) asked = set_to(cpus_of_task(), part_.cpus_per_task.where, "--cpus-per-task");
    // Also where --ntasks is less.
    if (part_.tasks_per_node.is_set()) {
      const std::int64_t by_tasks = multiply_capped(part_.tasks_per_node.value, cpus_of_task());
      if (by_tasks > asked.value) asked = set_to(by_tasks, part_.tasks_per_node.where, "--ntasks-per-node");
    }
    if (part_.cpus_per_gpu.is_set()) {
      const std::int64_t by_gpus = multiply_capped(part_.cpus_per_gpu.value, std::max<std::int64_t>(1, gpus_of_node()));
      if (by_gpus > asked.value) asked = set_to(by_gpus, part_.cpus_per_gpu.where, "--cpus-per-gpu");
    }
    if (has_.max_cpus && gives_whole_nodes())
      ask({Shortage::Cpus,
           part_.exclusive.where,
           "whole nodes",
           "no job gets more than MaxCPUsPerNode=" + std::to_string(*has_.max_cpus),
           true,
           {}},
          [&](const SiteNodes& nodes) { return nodes.cpus.cpus <= *has_.max_cpus; });
    if (asked.value <= 1) return;
    ask({Shortage::Cpus,
         asked.where,
         number_of_things(asked.value, "CPU") + " on a node",
         "the most of a node is " + std::to_string(most([&](const SiteNodes& one) { return usable_cpus(one); })),
         part_.tasks.state == State::Absent,
         {}},
        [&](const SiteNodes& nodes) { return usable_cpus(nodes) >= asked.value; });
  }

  void ask_memory() {
    if (!part_.memory_each.is_set() || part_.memory_each.value <= 0) return;
    if (part_.memory_per_cpu.is_set() && part_.tasks.is_set() && !part_.nodes_given) return;
    // Where memory is no consumable resource --mem-per-gpu does not count, and of --mem-per-cpu one CPU's.
    const bool each_counts = part_.memory.state != State::Absent || memory_counts();
    if (!each_counts && !part_.memory_per_cpu.is_set()) return;
    // Of --gpus 26.05 counts the memory otherwise than 24.11.
    if (part_.memory.state == State::Absent && part_.memory_per_gpu.is_set() && gpus_of_node() == 0) return;
    if (!all_memory_known()) return;
    const std::int64_t asked = each_counts ? part_.memory_each.value : part_.memory_per_cpu.value;
    const auto usable = [](const SiteNodes& nodes) { return add_capped(nodes.real_memory.value, -nodes.memory_spec); };
    ask({Shortage::Memory,
         part_.memory_each.where,
         std::to_string(asked) + " MiB on a node",
         "the most of a node is " + std::to_string(most(usable)) + " MiB",
         true,
         {}},
        [&](const SiteNodes& nodes) { return usable(nodes) >= asked; });
  }

  bool all_memory_known() const {
    for (std::size_t i = 0; i < has_.groups.size(); ++i) {
      if (group(i).real_memory.unknown()) return false;
    }
    return true;
  }
  bool memory_counts() const {
    const SlurmSetting* consumable = site_.setting("selecttypeparameters");
    return consumable != nullptr && contains_ignoring_case(consumable->value.value, "memory");
  }

  /// What is held against the limits of memory: a number of MiB, or all that a node has.
  struct MemoryAsk {
    std::int64_t mib = 0;
    bool whole_node = false;
    Span where;
  };
  std::optional<MemoryAsk> memory_of_node() const {
    if (part_.memory.is_set()) return MemoryAsk{part_.memory.value, part_.memory.value == 0, part_.memory.where};
    if (part_.memory_per_cpu.is_set())
      return MemoryAsk{multiply_capped(part_.memory_per_cpu.value, cpus_of_task()), false, part_.memory_per_cpu.where};
    if (part_.memory.state != State::Absent || part_.memory_per_cpu.state != State::Absent ||
        part_.memory_per_gpu.state != State::Absent || has_.default_memory)
      return std::nullopt;
    const SlurmSetting* select = site_.setting("selecttype");
    if (select == nullptr || !contains_ignoring_case(select->value.value, "cons_")) return std::nullopt;
    if (site_.setting("jobsubmitplugins") != nullptr || site_.setting("clifilterplugins") != nullptr)
      return std::nullopt;  // they may say one
    return MemoryAsk{0, true, {}};
  }

  void ask_memory_limits() {
    if ((!has_.max_memory && !has_.max_memory_per_cpu) || !all_memory_known() || !all_cpus_known()) return;
    if (part_.qos.state != State::Absent || setting("qos")) return;
    const std::optional<MemoryAsk> memory = memory_of_node();
    if (!memory) return;
    const std::string words = memory->whole_node && !memory->where.placed() ? "all memory of a node, as it has no --mem"
                              : memory->whole_node                          ? "all memory of a node"
                                                   : std::to_string(memory->mib) + " MiB on a node";
    const auto mib = [&](const SiteNodes& nodes) { return memory->whole_node ? nodes.real_memory.value : memory->mib; };
    const bool each = !memory->whole_node;  // of nodes that differ one will do: executed with all three releases
    if (has_.max_memory) {
      ask({Shortage::MaxMemory, memory->where, words, "MaxMemPerNode=" + std::to_string(*has_.max_memory), each, {}},
          [&](const SiteNodes& nodes) { return mib(nodes) <= *has_.max_memory; });
      return;
    }
    // More memory than one CPU may have takes more CPUs.
    const std::int64_t limit = *has_.max_memory_per_cpu;
    const auto cpus = [&](const SiteNodes& nodes) {
      if (part_.memory.state == State::Absent && part_.memory_per_cpu.is_set())
        return multiply_capped(cpus_of_task(), (part_.memory_per_cpu.value + limit - 1) / limit);
      return (mib(nodes) + limit - 1) / limit;
    };
    ask({Shortage::MaxMemory,
         memory->where,
         words,
         "MaxMemPerCPU=" + std::to_string(limit) + " and too few CPUs on a node for that",
         each,
         {}},
        [&](const SiteNodes& nodes) { return cpus(nodes) <= usable_cpus(nodes); });
  }

  /// Nodes of each group that --exclude leaves.
  void count_nodes() {
    for (std::size_t i = 0; i < has_.groups.size(); ++i) counts_.push_back(group(i).count);
    const std::string& given = value_of("exclude");
    if (given.empty() || contains(given, "/") || counts_.size() > kMostGroups) return;
    const Result<Hostlist> list = Hostlist::parse(given);
    if (!list) return;
    std::optional<std::vector<std::string>> names = list->expand(kMostNamed);
    if (!names) return;
    std::ranges::sort(*names);
    names->erase(std::unique(names->begin(), names->end()), names->end());
    for (std::size_t i = 0; i < has_.groups.size(); ++i) {
      const Result<Hostlist> here = Hostlist::parse(group(i).names);
      if (!here) continue;
      for (const std::string& name : *names) counts_[i] -= here->contains(name) ? 1 : 0;
    }
  }

  /// What the best of the nodes give together, each `number` of itself; as many nodes as the job may have.
  std::int64_t together(const std::function<std::int64_t(const SiteNodes&)>& number) const {
    std::vector<std::pair<std::int64_t, std::int64_t>> each;  // of a node, nodes
    for (std::size_t i = 0; i < has_.groups.size(); ++i) {
      const bool meets = std::ranges::all_of(asks_, [&](const Ask& ask) -> bool { return !ask.each || ask.met[i]; });
      if (meets && counts_[i] > 0) each.emplace_back(number(group(i)), counts_[i]);
    }
    std::ranges::sort(each, std::greater<>());
    std::int64_t left = has_.max_nodes.value_or(has_.nodes);
    if (part_.nodes_given && part_.max_nodes.known()) left = std::min(left, part_.max_nodes.value);
    std::int64_t sum = 0;
    for (const auto& [number_each, nodes] : each) {
      const std::int64_t taken = std::min(left, nodes);
      sum = add_capped(sum, multiply_capped(number_each, taken));
      left -= taken;
    }
    return sum;
  }

  void ask_total() {
    if (part_.nodes_given && part_.max_nodes.unknown()) return;
    std::int64_t nodes = 0;
    for (const std::int64_t count : counts_) nodes += count;
    if (part_.min_nodes.known() && nodes < part_.min_nodes.value && part_.min_nodes.value <= has_.nodes)
      return add(Shortage::Total, part_.min_nodes.where, number_of_things(part_.min_nodes.value, "node"),
                 number_of_things(nodes, "node") + (nodes == 1 ? " is" : " are") + " left by --exclude");
    ask_total_tasks();
    ask_total_devices();
  }

  /// Every node of --nodelist has to be the partition's.
  void ask_named() {
    const std::string& given = value_of("nodelist");
    if (given.empty() || contains(given, "/") || counts_.size() > kMostGroups) return;
    const Result<Hostlist> list = Hostlist::parse(given);
    const std::optional<std::vector<std::string>> names = list ? list->expand(kMostNamed) : std::nullopt;
    if (!names || !list->functions().empty()) return;
    std::vector<Hostlist> here;
    for (std::size_t i = 0; i < has_.groups.size(); ++i) {
      Result<Hostlist> one = Hostlist::parse(group(i).names);
      if (!one) return;
      here.push_back(std::move(*one));
    }
    for (const std::string& name : *names) {
      if (std::ranges::any_of(here, [&](const Hostlist& nodes) { return nodes.contains(name); })) continue;
      return add(Shortage::Total, {}, "node `" + name + "`", "no node of that name");
    }
  }

  void ask_total_tasks() {
    if (!part_.tasks.is_set() || part_.tasks.value <= 1 || counts_cpus_otherwise() || !all_cpus_known()) return;
    const std::int64_t fit = together([&](const SiteNodes& one) {
      std::int64_t out = usable_cpus(one) / std::max<std::int64_t>(1, cpus_of_task());
      if (part_.tasks_per_node.is_set()) out = std::min(out, part_.tasks_per_node.value);
      for (const DeviceAsk& device : part_.devices) {
        if (device.per == DevicesPer::Task && device.count > 0 && part_.devices_known)
          out = std::min(out, one.devices_of(device.name, device.type) / device.count);
      }
      if (memory_counts() && part_.memory_per_cpu.is_set() && one.real_memory.known() && part_.memory_per_cpu.value > 0)
        out = std::min(out, one.real_memory.value / multiply_capped(part_.memory_per_cpu.value, cpus_of_task()));
      return std::max<std::int64_t>(0, out);
    });
    if (fit < part_.tasks.value)
      add(Shortage::Total, part_.tasks.where, number_of_things(part_.tasks.value, "task"),
          "room for " + std::to_string(fit) + " of them");
  }

  void ask_total_devices() {
    if (!part_.devices_known) return;
    for (const DeviceAsk& device : part_.devices) {
      if (device.per != DevicesPer::Job) continue;
      if (has_.min_nodes && device.count < *has_.min_nodes)
        add(Shortage::Total, device.where, std::to_string(device.count) + " of `" + device.name + "` for the job",
            "MinNodes=" + std::to_string(*has_.min_nodes) + ", each of which takes one");
      const std::int64_t there =
          together([&](const SiteNodes& one) { return one.devices_of(device.name, device.type); });
      if (there < device.count)
        add(Shortage::Total, device.where,
            std::to_string(device.count) + " of `" + device.name + (device.type.empty() ? "" : ":" + device.type) + "`",
            std::to_string(there) + " on the nodes that it may have");
    }
  }

  const SbatchJob& job_;
  const SbatchComponent& part_;
  const SlurmSite& site_;
  const SlurmPartition& row_;
  const SitePartition& has_;
  std::vector<Ask> asks_;
  std::vector<std::int64_t> counts_;  ///< by group of the partition: nodes that are left
  std::vector<RequestProblem> problems_;
};

}  // namespace

std::vector<RequestProblem> limits_of(const SbatchJob& job, const SbatchComponent& part, const SlurmSite& site,
                                      std::size_t partition) {
  return Limits(job, part, site, partition).run();
}

}  // namespace muster
