#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace muster {

/// The options of a job by name, so that each of thousands of components finds its own at once.
class JobOptions {
 public:
  explicit JobOptions(const SbatchJob& job);

  bool has(std::string_view name, std::int64_t component) const { return last(name, component) != nullptr; }
  /// The last with a value; empty: none.
  const std::string& value_of(std::string_view name, std::int64_t component) const;

 private:
  /// The last that counts for the component.
  const SbatchPair* const* last(std::string_view name, std::int64_t component) const;

  std::map<std::string_view, std::vector<const SbatchPair*>> by_name_;  ///< each in the order of the components
};

/// What one component of a job wants of each of its nodes, held against the nodes of one partition, each on its own.
class NodeAsks {
 public:
  NodeAsks(const SbatchJob& job, const JobOptions& options, const SbatchComponent& part, const SlurmSite& site,
           std::size_t partition);

 protected:
  /// Whether the nodes have it; `each`: every node of the job has to, not only the one that gets most.
  struct Ask {
    Shortage what;
    Span where;
    std::string asked;
    std::string there;
    bool each = true;
    std::vector<bool> met;  ///< by group of the partition
  };

  void add(Shortage what, Span where, std::string asked, std::string there, Span there_where = {});

  bool option(std::string_view name) const { return options_.has(name, part_.component); }
  bool setting(std::string_view key) const {
    return std::ranges::any_of(row_.settings, [&](const SlurmSetting& one) { return one.lower_key == key; });
  }
  const SiteNodes& group(std::size_t i) const { return site_.table.groups[has_.groups[i]]; }
  template <class Number>
  std::int64_t most(const Number& number) const {
    std::int64_t out = 0;
    for (std::size_t i = 0; i < has_.groups.size(); ++i) out = std::max(out, number(group(i)));
    return out;
  }
  /// At least one: sbatch refuses `-c 0`.
  std::int64_t cpus_of_task() const {
    return part_.cpus_per_task.is_set() ? std::max<std::int64_t>(1, part_.cpus_per_task.value) : 1;
  }

  const std::string& value_of(std::string_view name) const { return options_.value_of(name, part_.component); }
  void ask_features();
  void ask_devices();
  void ask_cpus();
  void ask_memory();
  void ask_memory_limits();
  /// DefMemPerCPU of a job without any --mem, --mem-per-cpu where it gets all CPUs of its nodes.
  void ask_memory_of_cpus();
  bool all_cpus_known() const;
  /// The most that any release gives jobs of a node, and what each does: 22.05 takes away what CoreSpecCount keeps of a
  /// node of the cloud once its slurmd has registered. Executed with slurmctld 22.05.8, 24.11.5 and 26.05.5.
  std::int64_t usable_cpus(const SiteNodes& nodes) const;
  std::int64_t surely_usable_cpus(const SiteNodes& nodes) const;
  /// The same without MaxCPUsPerNode.
  static std::int64_t unlimited_cpus(const SiteNodes& nodes);
  static std::int64_t unspared_cpus(const SiteNodes& nodes);
  /// Whether the nodes that are left have that many CPUs only with what CoreSpecCount keeps of some.
  void ask_spare_cpus(std::int64_t fewest_nodes);
  /// MiB.
  static std::int64_t usable_memory(const SiteNodes& nodes);
  bool memory_counts() const;
  /// GPUs that it asks of each node as such.
  std::int64_t gpus_of_node() const;
  bool gives_whole_nodes() const;
  /// Whether 26.05 starts a job of one node, which asks for more of the whole job's devices than that has, with what it
  /// has: where these have no type, no node is named, and no CPUs come with them. Executed with 26.05.5.
  bool gives_share(const DeviceAsk& device) const;
  /// MiB of one CPU, as asked for or the partition's default.
  std::optional<std::int64_t> memory_of_cpu() const;
  /// CPUs that slurmctld makes of each that a task asks for, as its memory is beyond MaxMemPerCPU.
  std::int64_t cpus_for_one() const;
  /// CPUs of a node by which slurmctld multiplies that.
  std::int64_t cpus_for_memory() const;
  /// By its place in slurm.conf; the partition has one.
  const SiteNodes& first_node() const;

  const SbatchJob& job_;
  const JobOptions& options_;
  const SbatchComponent& part_;
  const SlurmSite& site_;
  const SlurmPartition& row_;
  const SitePartition& has_;
  const bool counts_cpus_otherwise_;  ///< by options with which a CPU of a task is not a CPU of the node
  std::vector<Ask> asks_;
  std::vector<std::int64_t> counts_;  ///< by group of the partition: nodes that are left
  std::vector<RequestProblem> problems_;
  Located<std::int64_t> cpus_asked_;  ///< of a node; where they were asked for

 private:
  /// What is held against the limits of memory: a number of MiB, or all that a node has.
  struct MemoryAsk {
    std::int64_t mib = 0;
    bool whole_node = false;
    Span where;
  };

  template <class Met>
  void ask(Ask one, const Met& met) {
    for (std::size_t i = 0; i < has_.groups.size(); ++i) one.met.push_back(counts_[i] > 0 && met(group(i)));
    asks_.push_back(std::move(one));
  }
  /// A device count by node, where the request says one.
  std::optional<std::int64_t> each_of(const DeviceAsk& device) const;
  std::string types_of(const std::string& name) const;
  /// Whether its GPUs are those of its tasks.
  bool gpus_of_tasks() const;
  /// Whether the tasks of each node follow from the request.
  bool spread_known() const;
  /// Whether CPUs come with GPUs of the whole job, which slurmctld spreads over nodes as it likes.
  bool spreads_gpus() const;
  /// Whether the site's own code sees each request before slurmctld does.
  bool plugins_may_change_it() const;
  /// Whether a job that asks for GPUs gets all of its nodes, or all of a type, and how many that are of a node.
  bool takes_all_gpus() const;
  std::int64_t gpus_given(const SiteNodes& nodes) const;
  /// --mem-per-gpu where that is so, and DefMemPerGPU; whether it asked for what is written.
  bool ask_memory_of_gpus();
  void ask_memory_of_given_gpu();
  /// --mem-per-cpu where a task gets more CPUs than it asked for; whether it asked.
  bool ask_memory_of_cores();
  /// CPUs of a node that slurmctld gives for so many: whole cores, where those are handed out.
  std::int64_t cpus_taken(const SiteNodes& nodes, std::int64_t cpus) const;
  bool all_memory_known() const;
  std::optional<MemoryAsk> memory_of_node() const;
};

/// In words: 1 node, 2 nodes.
std::string number_of_things(std::int64_t count, std::string_view noun);

}  // namespace muster
