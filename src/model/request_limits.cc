// What batch jobs ask for against what their site has.
//
// Executed with slurmctld 22.05.8 (nodes of State=CLOUD): what no node has is refused at submission, `Requested node
// configuration is not available`; limits of a partition (nodes, time, State=DOWN) leave the job pending, unless
// EnforcePartLimits says otherwise; a partition, a feature or a GRES that is not there, and State=DRAIN or INACTIVE are
// refused. --mem counts also where memory is no consumable resource, and a node without RealMemory has 1 MiB.
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <set>

#include "base/capped.h"
#include "base/hostlist.h"
#include "base/slurm_units.h"
#include "base/strings.h"
#include "model/node_asks.h"
#include "model/request_limits.h"

namespace muster {
namespace {

constexpr std::size_t kMostGroups = 256;    // of a partition, for --exclude
constexpr std::uint64_t kMostNamed = 1024;  // nodes in an option

/// One component against one of the partitions that it may run in.
class Limits : public NodeAsks {
 public:
  using NodeAsks::NodeAsks;

  std::vector<RequestProblem> run() {
    const bool refuses = has_.state == "DRAIN" || has_.state == "INACTIVE";
    if (refuses && setting("alternate")) return {};  // it goes to that partition
    ask_partition();
    count_nodes();
    if (has_.known) ask_nodes();
    return std::move(problems_);
  }

 private:
  void ask_partition() {
    const Span where = part_.partition.is_set() ? part_.partition.where : job_.where;
    if (has_.state == "DOWN" || has_.state == "DRAIN" || has_.state == "INACTIVE")
      add(Shortage::State, where, "partition `" + row_.name.value + "`", "State=" + has_.state);
    // A QOS may lift the limits of a partition.
    if (part_.qos.state != State::Absent || setting("qos")) return;
    // Also the upper end of --nodes has to keep to the limit; without --nodes the lower one is raised to MinNodes.
    Located<std::int64_t> highest = part_.nodes_given ? part_.max_nodes : part_.min_nodes;
    if (highest.known()) highest.value = lowered_by_gpus(highest.value);
    if (has_.max_nodes && highest.known() && highest.value > *has_.max_nodes)
      add(Shortage::MaxNodes, highest.where, number_of_things(highest.value, "node"),
          "MaxNodes=" + std::to_string(*has_.max_nodes));
    if (has_.min_nodes && part_.nodes_given && part_.max_nodes.known() && part_.max_nodes.value < *has_.min_nodes)
      add(Shortage::MinNodes, part_.max_nodes.where, number_of_things(part_.max_nodes.value, "node"),
          "MinNodes=" + std::to_string(*has_.min_nodes));
    else if (has_.known && has_.min_nodes && *has_.min_nodes > has_.nodes)
      add(Shortage::MinNodes, where, "its nodes",
          "MinNodes=" + std::to_string(*has_.min_nodes) + " and only " + number_of_things(has_.nodes, "node"));
    const std::optional<std::int64_t> most = slurm_minutes(has_.max_time);
    if (!most || *most <= 0 || option("time-min")) return;
    const std::string& time = value_of("time");
    if (time == "0" || equals_ignoring_case(time, "UNLIMITED") || equals_ignoring_case(time, "INFINITE"))
      add(Shortage::Time, part_.minutes.where, "time without an end", "MaxTime=" + has_.max_time);
    else if (part_.minutes.known() && part_.minutes.value > *most)
      add(Shortage::Time, part_.minutes.where, number_of_things(part_.minutes.value, "minute"),
          "MaxTime=" + has_.max_time);
  }

  /// The upper end of --nodes, which --gpus lowers to as many as there are GPUs. Executed with 22.05.8, 24.11.5 and
  /// 26.05.5, also with tasks that fit on more nodes alone.
  std::int64_t lowered_by_gpus(std::int64_t nodes) const {
    for (const DeviceAsk& device : part_.devices) {
      if (part_.devices_known && device.per == DevicesPer::Job && device.count > 0)
        nodes = std::min(nodes, device.count);
    }
    return nodes;
  }

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
      if (ask.what != Shortage::Share || !all_nodes_lack()) add(ask.what, ask.where, ask.asked, ask.there);
    }
    if (!all_met) return;
    const std::size_t before = problems_.size();
    if (asks_.size() > 0) ask_together();
    if (problems_.size() == before) ask_total();
    if (problems_.size() == before) ask_spare_cpus(part_.min_nodes.known() ? fewest_nodes() : 1);
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
    } else if (part_.min_nodes.known() && nodes < fewest_nodes() && fewest_nodes() <= has_.nodes) {
      add(Shortage::Nodes, part_.min_nodes.where, number_of_things(fewest_nodes(), "node") + " with " + asked,
          number_of_things(nodes, "node") + (nodes == 1 ? " has that" : " have that"));
    }
  }

  /// A job gets MinNodes of its partition even where it asks for fewer.
  /// Nor may tasks be more on a node than --ntasks-per-node. Executed with 22.05.8, 24.11.5 and 26.05.5.
  std::int64_t fewest_nodes() const {
    const bool bound = part_.tasks.is_set() && part_.tasks_per_node.is_set() && part_.tasks_per_node.value > 0;
    const std::int64_t by_tasks = bound ? (part_.tasks.value - 1) / part_.tasks_per_node.value + 1 : 1;
    return std::max({part_.min_nodes.value, has_.min_nodes.value_or(1), by_tasks});
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

  /// What the nodes of --nodelist and the best of the others give together, each `number` of itself; as many nodes as
  /// the job may have, or as it asks for before its tasks lower them.
  std::int64_t together(const std::function<std::int64_t(const SiteNodes&)>& number,
                        std::int64_t most_nodes = std::numeric_limits<std::int64_t>::max(),
                        bool as_asked = false) const {
    std::vector<std::pair<std::int64_t, std::int64_t>> named, others;  // of a node, nodes
    for (std::size_t i = 0; i < has_.groups.size(); ++i) {
      const bool meets = std::ranges::all_of(asks_, [&](const Ask& ask) -> bool { return !ask.each || ask.met[i]; });
      const std::int64_t by_name = named_.empty() ? 0 : named_[i];
      if (by_name > 0) named.emplace_back(meets ? number(group(i)) : 0, by_name);
      if (meets && counts_[i] > by_name) others.emplace_back(number(group(i)), counts_[i] - by_name);
    }
    std::int64_t left = std::min(most_nodes, has_.max_nodes.value_or(has_.nodes));
    if (part_.nodes_given && part_.max_nodes.known())
      left = std::min(left, lowered_by_gpus(as_asked ? part_.nodes_of_gpus() : part_.max_nodes.value));
    std::int64_t sum = 0;
    for (auto* nodes : {&named, &others}) {
      std::ranges::sort(*nodes, std::greater<>());
      for (const auto& [number_each, count] : *nodes) {
        const std::int64_t taken = std::min(left, count);
        sum = add_capped(sum, multiply_capped(number_each, taken));
        left -= taken;
      }
    }
    return sum;
  }

  void ask_total() {
    if (part_.nodes_given && part_.max_nodes.unknown()) return;
    std::int64_t nodes = 0;
    for (const std::int64_t count : counts_) nodes += count;
    if (part_.min_nodes.known() && nodes < fewest_nodes() && fewest_nodes() <= has_.nodes)
      return add(Shortage::Total, part_.min_nodes.where, number_of_things(fewest_nodes(), "node"),
                 number_of_things(nodes, "node") + (nodes == 1 ? " is" : " are") + " left by --exclude");
    ask_total_tasks();
    ask_total_devices();
  }

  /// Every node of --nodelist has to be the partition's, and to have what each node of the job needs.
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
    std::vector<std::size_t> groups;
    std::set<std::string> seen;
    for (const std::string& name : *names) {
      if (!seen.insert(name).second) continue;
      const auto found = std::ranges::find_if(here, [&](const Hostlist& nodes) { return nodes.contains(name); });
      if (found == here.end()) return add(Shortage::Total, {}, "node `" + name + "`", "no node of that name");
      groups.push_back(static_cast<std::size_t>(found - here.begin()));
      if (!meets_each(groups.back(), name)) return;
    }
    const std::size_t before = problems_.size();
    if (part_.devices_known) ask_devices_of(groups);
    if (problems_.size() > before) return;
    named_.assign(has_.groups.size(), 0);
    for (const std::size_t one : groups) ++named_[one];
  }

  /// Of --gpus each node of --nodelist has to give one, unless the job may have fewer nodes than it names.
  /// Executed with 22.05.8, 24.11.5 and 26.05.5.
  void ask_devices_of(const std::vector<std::size_t>& named) {
    const auto all = static_cast<std::int64_t>(named.size());
    const bool fewer = part_.nodes_given && (!part_.min_nodes.known() || part_.min_nodes.value < all);
    for (const DeviceAsk& device : part_.devices) {
      if (device.per != DevicesPer::Job || device.count <= 0) continue;
      const std::int64_t with = std::ranges::count_if(
          named, [&](std::size_t one) { return group(one).devices_of(device.name, device.type) > 0; });
      if (with == all || (with > 0 && fewer)) continue;
      add(Shortage::Total, device.where, "a `" + device.name + "` on each node of `--nodelist`",
          with == 0 ? "none of them has one" : std::to_string(with) + " of them with one");
    }
  }

  bool meets_each(std::size_t group, const std::string& name) {
    for (const Ask& ask : asks_) {
      const bool nowhere = std::ranges::find(ask.met, true) == ask.met.end();  // which is said of all of them
      if (!ask.each || ask.met[group] || nowhere) continue;
      add(ask.what, ask.where, ask.asked, "`--nodelist` names " + name + ", which has less");
      return false;
    }
    return true;
  }

  void ask_total_tasks() {
    if (!part_.tasks.is_set() || part_.tasks.value <= 1 || counts_cpus_otherwise_ || !all_cpus_known()) return;
    const bool of_cpus = memory_counts() && part_.memory_per_gpu.state == State::Absent;
    const std::int64_t each_cpu = of_cpus ? memory_of_cpu().value_or(0) : 0;
    const std::int64_t of_task = multiply_capped(cpus_of_task(), cpus_for_one());
    const auto fit_on = [&](const SiteNodes& one) {
      std::int64_t out = usable_cpus(one) / of_task;
      if (part_.tasks_per_node.is_set()) out = std::min(out, part_.tasks_per_node.value);
      for (const DeviceAsk& device : part_.devices) {
        if (device.count <= 0 || !part_.devices_known) continue;
        const std::int64_t there = one.devices_of(device.name, device.type);
        if (device.per == DevicesPer::Task) out = std::min(out, there / device.count);
        if (device.per == DevicesPer::Job && there == 0) out = 0;  // a node without any is none of the job's
      }
      if (each_cpu > 0 && one.real_memory.known())
        out = std::min(out, one.real_memory.value / multiply_capped(each_cpu, cpus_of_task()));
      return std::max<std::int64_t>(0, out);
    };
    const auto say = [&](Shortage what, std::int64_t fit, std::string_view why) {
      if (fit < part_.tasks.value)
        add(what, part_.tasks.where, number_of_things(part_.tasks.value, "task"),
            "room for " + std::to_string(fit) + " of them" + std::string(why));
      return fit < part_.tasks.value;
    };
    // 22.05 adds up the CPUs of nodes, whatever is left of each. Executed with 22.05.8, 24.11.5 and 26.05.5.
    const std::int64_t cpus = together([&](const SiteNodes& one) { return fit_on(one) > 0 ? usable_cpus(one) : 0; });
    const bool torn = !part_.tasks_per_node.is_set() && part_.devices.empty() && each_cpu == 0 &&
                      multiply_capped(part_.tasks.value, of_task) <= cpus;
    if (say(torn ? Shortage::WholeTasks : Shortage::Total, together(fit_on), "")) return;
    // Executed with 22.05.8 (which starts it), 24.11.5 and 26.05.5, also of whole nodes; not with --ntasks-per-node
    // alone.
    if (!part_.cpus_per_gpu.is_set() || gpus_of_node() == 0) return;
    const std::int64_t by_gpus = multiply_capped(part_.cpus_per_gpu.value, gpus_of_node());
    say(Shortage::TasksOfGpus, together([&](const SiteNodes& one) { return std::min(fit_on(one), by_gpus); }),
        " on the CPUs of their GPUs");
  }

  /// Devices of the whole job that the nodes of the partition do not have, however many it may have of them: no release
  /// gives a share of those. Says so.
  bool all_nodes_lack() {
    for (const DeviceAsk& device : part_.devices) {
      if (device.per != DevicesPer::Job) continue;
      std::int64_t there = 0;
      for (std::size_t i = 0; i < has_.groups.size(); ++i)
        there = add_capped(there, multiply_capped(group(i).devices_of(device.name, device.type),
                                                  std::max<std::int64_t>(0, counts_[i])));
      if (there >= device.count) continue;
      add(Shortage::Total, device.where, std::to_string(device.count) + " of `" + device.name + "`",
          std::to_string(there) + " on all its nodes");
      return true;
    }
    return false;
  }

  /// No node of a job is without a task. What GPUs come with CPUs or whole nodes 24.11 spreads over more nodes all the
  /// same; and of a job that has but --ntasks-per-node 22.05 makes one node's tasks, 26.05 one node. Executed with
  /// sbatch and slurmctld 22.05.8, 24.11.5 and 26.05.5.
  template <class Say>
  void say_of_tasks(const DeviceAsk& device, const Say& say) const {
    const std::int64_t fewest = has_.min_nodes.value_or(1);
    if (part_.tasks.is_set() && part_.tasks.value >= fewest) {
      const std::string on = " on " + number_of_things(part_.tasks.value, "node") + ", one a task";
      const bool all = part_.nodes_given || (!part_.cpus_per_gpu.is_set() && !gives_whole_nodes());
      const bool share = part_.tasks.value == 1 && gives_share(device);
      say(!all ? Shortage::NodesOfTasks : share ? Shortage::Share : Shortage::Total, part_.tasks.value, on);
      if (!all && !share) say(Shortage::OneNode, part_.tasks.value, on);
    } else if (part_.tasks.state == State::Absent && part_.tasks_per_node.is_set() && fewest == 1) {
      const std::int64_t nodes = part_.nodes_given && part_.min_nodes.known() ? part_.min_nodes.value : 1;
      const std::int64_t tasks = multiply_capped(std::max<std::int64_t>(1, part_.tasks_per_node.value), nodes);
      say(Shortage::NodesOfTasks, tasks, " on " + number_of_things(tasks, "node") + ", one a task");
      if (!part_.nodes_given && !gives_share(device)) say(Shortage::OneNode, 1, " on one node");
    }
  }

  /// --ntasks-per-node beside --ntasks is no most where tasks have GPUs of their own: each node is to have as many.
  /// Executed with 22.05.8, 24.11.5 and 26.05.5.
  void ask_tasks_of_nodes(const DeviceAsk& device) {
    if (device.name != "gpu" || !part_.tasks.is_set() || !part_.tasks_per_node.is_set()) return;
    const std::int64_t all = part_.tasks.value;
    const std::int64_t each = part_.tasks_per_node.value;
    if (all < 1 || each < 1) return;
    const std::string of = " of `" + device.name + "`";
    if (each > all) {
      add(Shortage::Count, device.where, std::to_string(multiply_capped(each, device.count)) + of + " on a node",
          "it has " + std::to_string(multiply_capped(all, device.count)) + " for all of its tasks");
    } else if (all % each != 0) {
      add(Shortage::UnevenTasks, part_.tasks_per_node.where, number_of_things(all, "task") + " with GPUs of their own",
          std::to_string(each) + " on a node");
    }
  }

  /// The CPUs that come with the GPUs of all tasks. Executed with 22.05.8, 24.11.5 and 26.05.5.
  void ask_cpus_of_tasks(const DeviceAsk& device) {
    if (device.name != "gpu" || !part_.tasks.is_set() || !part_.cpus_per_gpu.is_set() || part_.nodes_given ||
        counts_cpus_otherwise_ || !all_cpus_known())
      return;
    const std::int64_t gpus = multiply_capped(part_.tasks.value, device.count);
    const std::int64_t needs = multiply_capped(gpus, part_.cpus_per_gpu.value);
    const std::int64_t there = together([&](const SiteNodes& one) { return usable_cpus(one); });
    if (there < needs)
      add(Shortage::Total, part_.cpus_per_gpu.where,
          std::to_string(needs) + " CPUs for the GPUs of " + number_of_things(part_.tasks.value, "task"),
          std::to_string(there) + " on the nodes that it may have");
  }

  void ask_total_devices() {
    if (!part_.devices_known) return;
    for (const DeviceAsk& device : part_.devices) {
      if (device.per == DevicesPer::Task) {
        ask_tasks_of_nodes(device);
        ask_cpus_of_tasks(device);
      }
      if (device.per != DevicesPer::Job) continue;
      if (has_.min_nodes && device.count < *has_.min_nodes)
        add(Shortage::Total, device.where, std::to_string(device.count) + " of `" + device.name + "` for the job",
            "MinNodes=" + std::to_string(*has_.min_nodes) + ", each of which takes one");
      if (const std::int64_t nodes =
              together([&](const SiteNodes& one) { return one.devices_of(device.name, device.type) > 0 ? 1 : 0; });
          part_.min_nodes.known() && nodes < fewest_nodes())
        add(Shortage::Total, device.where,
            number_of_things(fewest_nodes(), "node") + " with a `" + device.name + "` each",
            number_of_things(nodes, "node") + " with one");
      // A GPU without its CPUs and its memory is none of the job's. Executed with 22.05.8, 24.11.5 and 26.05.5.
      const bool with_cpus = device.name == "gpu" && part_.cpus_per_gpu.is_set() && part_.cpus_per_gpu.value > 0 &&
                             !counts_cpus_otherwise_ && all_cpus_known();
      const bool with_memory =
          device.name == "gpu" && part_.memory_per_gpu.is_set() && part_.memory_per_gpu.value > 0 && memory_counts();
      const auto devices_of = [&](const SiteNodes& one) {
        std::int64_t devices = one.devices_of(device.name, device.type);
        if (with_cpus) devices = std::min(devices, usable_cpus(one) / part_.cpus_per_gpu.value);
        if (with_memory && one.real_memory.known())
          devices = std::min(devices, std::max<std::int64_t>(0, usable_memory(one)) / part_.memory_per_gpu.value);
        return devices;
      };
      const auto say = [&](Shortage what, std::int64_t nodes, const std::string& on, bool as_asked = false) {
        const std::int64_t there = together(devices_of, nodes, as_asked);
        if (there < device.count)
          add(what, device.where,
              std::to_string(device.count) + " of `" + device.name + (device.type.empty() ? "" : ":" + device.type) +
                  "`",
              std::to_string(there) +
                  (with_cpus     ? " with their CPUs"
                   : with_memory ? " with their memory"
                                 : "") +
                  on);
        return there < device.count;
      };
      // One task keeps a job to its node, but not the GPUs of 26.05. Executed with 22.05.8, 24.11.5 and 26.05.5.
      const bool several_named =
          !part_.nodes_given && std::accumulate(named_.begin(), named_.end(), std::int64_t{0}) > 1;
      const bool one_task =
          part_.tasks.is_set() && part_.tasks.value == 1 && (part_.nodes_of_gpus() > 1 || several_named);
      if (say(Shortage::Total, has_.nodes, " on the nodes that it may have", one_task)) continue;
      if (one_task)
        say(Shortage::OneTask, several_named ? 1 : has_.nodes, " on the node of its task");
      else
        say_of_tasks(device, say);
    }
  }

  std::vector<std::int64_t> named_;  ///< nodes of --nodelist by group of the partition; empty: it has none
};

}  // namespace

std::vector<RequestProblem> limits_of(const SbatchJob& job, const JobOptions& options, const SbatchComponent& part,
                                      const SlurmSite& site, std::size_t partition) {
  return Limits(job, options, part, site, partition).run();
}

}  // namespace muster
