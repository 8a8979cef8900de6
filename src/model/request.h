#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "source/located.h"

namespace muster {

/// What a number of devices is meant for.
enum class DevicesPer { Node, Job, Task, Socket };
template <>
struct EnumNames<DevicesPer> {
  static constexpr std::string_view names[] = {"node", "job", "task", "socket"};
};

/// Devices of one name and type that a job asks for, in whatever spelling.
struct DeviceAsk {
  std::string name;  ///< gpu
  std::string type;  ///< empty: any
  std::int64_t count = 1;
  DevicesPer per = DevicesPer::Node;
  Span where;
};

/// What one component of a (possibly heterogeneous) job asks for, by its options. Source:
/// slurm.schedmd.com/sbatch.html.
struct SbatchComponent {
  Located<std::string> partition;
  Located<std::int64_t> min_nodes;
  Located<std::int64_t> max_nodes;
  Located<std::int64_t> nodes_asked;  ///< the fewest of --nodes; sbatch lowers min_nodes to the number of tasks
  /// Over how many nodes GPUs of the whole job are spread: 26.05 takes none off for --ntasks. Executed with 22.05.8,
  /// 24.11.5 and 26.05.5.
  std::int64_t nodes_of_gpus() const {
    return max_nodes.value > nodes_asked.value ? max_nodes.value : nodes_asked.value;
  }
  bool nodes_given = false;              ///< by --nodes; else they follow from the tasks
  Located<std::int64_t> tasks;           ///< --ntasks
  Located<std::int64_t> tasks_per_node;  ///< --ntasks-per-node
  Located<std::int64_t> cpus_per_task;
  Located<std::int64_t> cpus_per_gpu;
  Located<std::int64_t> memory;          ///< --mem, in MiB; 0: the whole of each node
  Located<std::int64_t> memory_per_cpu;  ///< in MiB
  Located<std::int64_t> memory_per_gpu;  ///< in MiB
  Located<std::int64_t> minutes;         ///< --time
  Located<std::string> account;
  Located<std::string> qos;
  Located<std::string> constraint;
  Located<std::string> reservation;
  Located<std::string> exclusive;  ///< --exclusive; its value, which may be empty
  /// By --exclusive alone or with `topo`; `user` and `mcs` only keep others away.
  bool takes_whole_nodes() const { return exclusive.known() && (exclusive.value.empty() || exclusive.value == "topo"); }
  Located<bool> requeue;  ///< --requeue or --no-requeue
  std::vector<DeviceAsk> devices;
  bool devices_known = true;  ///< every option that asks for devices could be read
  bool asks_gpus = false;
  bool choosy = false;     ///< --nodelist, --constraint and the like: not any node of the partition will do
  bool elsewhere = false;  ///< --clusters
  // What they come to on the node that has the least to give: the tasks spread as evenly as they go.
  Located<std::int64_t> tasks_each;
  Located<std::int64_t> gpus_each;    ///< GPUs of a node
  Located<std::int64_t> cpus_each;    ///< CPUs of a node
  Located<std::int64_t> memory_each;  ///< MiB of a node
  std::int64_t component = 0;         ///< of a heterogeneous job
  std::string job;                    ///< id of its job
  std::size_t of = 0;                 ///< in Model::sbatch_jobs
};

/// What a request asks for that its site does not have.
enum class Shortage {
  Partition,
  State,
  MaxNodes,
  MinNodes,
  Nodes,
  Time,
  Feature,
  Device,
  Type,
  Count,
  Share,  ///< of the devices of a whole job what comes to one node
  Cpus,
  SpareCpus,     ///< that CoreSpecCount of nodes of the cloud keeps, by release
  NodesOfTasks,  ///< GPUs beyond as many nodes as it has tasks, where 22.05 has no more
  OneNode,       ///< GPUs beyond one node, where 26.05 has no more
  OneTask,       ///< GPUs beyond the node of the only task, which 26.05 gives all nodes of --nodes
  TasksOfGpus,   ///< tasks beyond the CPUs that come with the GPUs of a node, since 24.11
  WholeTasks,    ///< tasks beyond those that nodes have whole, where the CPUs together are enough, since 24.11
  UnevenTasks,   ///< tasks with GPUs of their own that do not fill the last node, which 26.05 never starts
  Memory,
  MaxMemory,
  MaxMemoryCpus,  ///< memory that takes more CPUs than MaxCPUsPerNode, which 22.05 does not ask
  Total,
  Together,
  LeftOut  ///< nobody looked: the run had looked at too many nodes by then; of the first such job alone
};
template <>
struct EnumNames<Shortage> {
  static constexpr std::string_view names[] = {
      "partition",       "state",    "max-nodes",     "min-nodes",   "nodes",        "time",       "feature",
      "device",          "type",     "count",         "share",       "cpus",         "spare-cpus", "nodes-of-tasks",
      "one-node",        "one-task", "tasks-of-gpus", "whole-tasks", "uneven-tasks", "memory",     "max-memory",
      "max-memory-cpus", "total",    "together",      "left-out"};
};

/// A request that its site can never fulfil, and why.
struct RequestProblem {
  Shortage what = Shortage::Partition;
  std::string asked;  ///< in words: 16 GPUs
  std::string there;  ///< in words: at most 8
  std::string among;  ///< of which nodes: partition `gpu`
  Span where;
  Span there_where;  ///< of what the site says
  std::string job;
  std::size_t of = 0;
};

}  // namespace muster
