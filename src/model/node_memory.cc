// The memory that a batch job wants of each of its nodes, and its partition's limits of it.
#include <algorithm>

#include "base/capped.h"
#include "base/strings.h"
#include "model/node_asks.h"

namespace muster {

void NodeAsks::ask_memory_of_cpus() {
  const std::optional<std::int64_t> each = memory_of_cpu();
  const bool whole = gives_whole_nodes();
  const bool written = part_.memory_per_cpu.is_set();
  // Beside --mem-per-gpu a node has to have room for DefMemPerCPU all the same, if no memory of it is taken then.
  // Executed with slurmctld 22.05.8, 24.11.5 and 26.05.5.
  if (!each || part_.memory_per_gpu.unknown() || (written && !whole)) return;
  if (!memory_counts() || !all_memory_known() || !all_cpus_known()) return;
  if (plugins_may_change_it()) return;
  // GPUs of the whole job are spread with their CPUs.
  const bool known = part_.cpus_each.is_set() && spread_known() && !spreads_gpus();
  const std::int64_t cpus = known ? part_.cpus_each.value : cpus_of_task();
  // Memory beyond MaxMemPerCPU is spread over more CPUs: _valid_pn_min_mem of slurmctld/job_mgr.c (22.05-26.05).
  const std::int64_t limit = has_.max_memory_per_cpu.value_or(0);
  const std::int64_t spread = limit > 0 && *each > limit ? divide_up(*each, limit) : 1;
  const std::int64_t of_cpu = divide_up(*each, spread);
  const std::string mib = written ? std::to_string(*each) + " MiB" : "DefMemPerCPU=" + std::to_string(*each);
  ask({Shortage::Memory,
       part_.memory_per_cpu.where,
       mib + (whole ? " for each CPU of a whole node" : " for " + number_of_things(cpus, "CPU") + " of a node"),
       "the most of a node is " + std::to_string(most(usable_memory)) + " MiB",
       true,
       {}},
      [&](const SiteNodes& nodes) {
        return usable_memory(nodes) >=
               multiply_capped(of_cpu, whole ? surely_usable_cpus(nodes)
                                             : cpus_taken(nodes, multiply_capped(cpus, cpus_for_one())));
      });
}

void NodeAsks::ask_memory() {
  ask_memory_of_cpus();
  if (all_memory_known() && ask_memory_of_gpus()) return;
  // Where memory is no consumable resource --mem-per-gpu does not count, and of --mem-per-cpu one CPU's.
  const bool each_counts = part_.memory.state != State::Absent || memory_counts();
  if (!each_counts && !part_.memory_per_cpu.is_set()) return;
  const Located<std::int64_t>& asked = each_counts ? part_.memory_each : part_.memory_per_cpu;
  if (!asked.is_set() || asked.value <= 0) return;
  const bool spread = part_.tasks.is_set() && part_.tasks.value > 1 && !part_.nodes_given;
  if (part_.memory_per_cpu.is_set() && (spread || spreads_gpus()) && each_counts) return ask_memory_of_given_gpu();
  // Of --gpus 26.05 counts the memory otherwise than 24.11.
  const bool of_gpus = part_.memory.state == State::Absent && part_.memory_per_gpu.is_set();
  const bool of_tasks = of_gpus && gpus_of_node() == 0 && gpus_of_tasks();
  if (of_gpus && gpus_of_node() == 0 && !of_tasks) return;
  if (!all_memory_known()) return;
  if (ask_memory_of_cores()) return;
  // What a node keeps for itself is its own only where memory is consumable. Executed with slurmctld 22.05.8, 24.11.5
  // and 26.05.5.
  const auto there = [counts = memory_counts()](const SiteNodes& nodes) {
    return counts ? usable_memory(nodes) : nodes.real_memory.value;
  };
  // Tasks with GPUs of their own may be spread unevenly.
  const bool each = !of_tasks || part_.tasks.state == State::Absent || part_.tasks.value == 1;
  ask({Shortage::Memory,
       asked.where,
       std::to_string(asked.value) + " MiB on a node",
       "the most of a node is " + std::to_string(most(there)) + " MiB",
       each,
       {}},
      [&](const SiteNodes& nodes) { return there(nodes) >= asked.value; });
}

// Each node of --gpus gives one at least, with its CPUs and their memory. Executed with 22.05.8, 24.11.5 and 26.05.5.
void NodeAsks::ask_memory_of_given_gpu() {
  const bool of_job = std::ranges::any_of(part_.devices, [](const DeviceAsk& device) {
    return device.name == "gpu" && device.per == DevicesPer::Job && device.count > 0;
  });
  if (!of_job || !part_.cpus_per_gpu.is_set() || !memory_counts() || !all_memory_known()) return;
  const std::int64_t least = multiply_capped(part_.memory_per_cpu.value, part_.cpus_per_gpu.value);
  ask({Shortage::Memory,
       part_.memory_per_cpu.where,
       std::to_string(least) + " MiB for the CPUs of a GPU",
       "the most of a node is " + std::to_string(most(usable_memory)) + " MiB",
       true,
       {}},
      [&](const SiteNodes& nodes) { return usable_memory(nodes) >= least; });
}

// A job has the GPUs of nodes that it has whole, and memory for each of them. Executed with slurmctld 22.05.8, 24.11.5
// and 26.05.5, as what follows.
bool NodeAsks::ask_memory_of_gpus() {
  const bool written = part_.memory_per_gpu.is_set();
  const bool none = part_.memory_per_gpu.state == State::Absent && part_.memory_per_cpu.state == State::Absent;
  if (part_.memory.state != State::Absent || (!written && (!none || plugins_may_change_it()))) return false;
  const std::optional<std::int64_t> each = written ? part_.memory_per_gpu.value : has_.default_memory_per_gpu;
  const bool all = takes_all_gpus();
  if (!each || !memory_counts() || (written && !all) || (!all && gpus_of_node() == 0)) return false;
  ask({Shortage::Memory,
       part_.memory_per_gpu.where,
       (written ? std::to_string(*each) + " MiB" : "DefMemPerGPU=" + std::to_string(*each)) +
           (all ? " for each GPU of a whole node" : " for " + number_of_things(gpus_of_node(), "GPU") + " of a node"),
       "the most of a node is " + std::to_string(most(usable_memory)) + " MiB",
       true,
       {}},
      [&](const SiteNodes& nodes) {
        return usable_memory(nodes) >= multiply_capped(*each, all ? gpus_given(nodes) : gpus_of_node());
      });
  return written;
}

bool NodeAsks::ask_memory_of_cores() {
  if (part_.memory.state != State::Absent || !part_.memory_per_cpu.is_set() || part_.memory_per_cpu.value <= 0)
    return false;
  const std::int64_t each = part_.memory_per_cpu.value;
  const std::int64_t cpus = part_.memory_each.value / each;
  bool more = false;
  for (std::size_t i = 0; i < has_.groups.size(); ++i) more = more || cpus_taken(group(i), cpus) > cpus;
  if (!more || !memory_counts() || !all_cpus_known() || has_.max_memory_per_cpu) return false;
  ask({Shortage::Memory,
       part_.memory_per_cpu.where,
       std::to_string(each) + " MiB for each CPU of whole cores on a node",
       "the most of a node is " + std::to_string(most(usable_memory)) + " MiB, and a core has several CPUs",
       true,
       {}},
      [&](const SiteNodes& nodes) { return usable_memory(nodes) >= multiply_capped(each, cpus_taken(nodes, cpus)); });
  return true;
}

std::int64_t NodeAsks::cpus_taken(const SiteNodes& nodes, std::int64_t cpus) const {
  const SlurmSetting* parameters = site_.setting("selecttypeparameters");
  const bool cores = parameters != nullptr && (contains_ignoring_case(parameters->value.value, "CR_Core") ||
                                               contains_ignoring_case(parameters->value.value, "CR_Socket"));
  const std::int64_t threads = std::max<std::int64_t>(1, nodes.cpus.threads_per_core);
  return !cores || counts_cpus_otherwise_ ? cpus : multiply_capped((cpus + threads - 1) / threads, threads);
}

bool NodeAsks::all_memory_known() const {
  for (std::size_t i = 0; i < has_.groups.size(); ++i) {
    if (group(i).real_memory.unknown()) return false;
  }
  return true;
}

bool NodeAsks::memory_counts() const { return site_.counts_memory().value_or(false); }

std::optional<std::int64_t> NodeAsks::memory_of_cpu() const {
  if (part_.memory.state != State::Absent) return std::nullopt;
  if (part_.memory_per_cpu.is_set())
    return part_.memory_per_cpu.value > 0 ? std::optional(part_.memory_per_cpu.value) : std::nullopt;
  return part_.memory_per_cpu.state == State::Absent ? has_.default_memory_per_cpu : std::nullopt;
}

// Source: _valid_pn_min_mem of slurmctld/job_mgr.c (22.05-26.05). Executed with 22.05.8, 24.11.5 and 26.05.5, also
// where memory is not consumable; CPUs that come with GPUs stay as they are.
std::int64_t NodeAsks::cpus_for_one() const {
  if (!has_.max_memory_per_cpu || *has_.max_memory_per_cpu <= 0 || part_.qos.state != State::Absent || setting("qos") ||
      part_.cpus_per_gpu.state != State::Absent || plugins_may_change_it())
    return 1;
  return divide_up(std::max<std::int64_t>(1, memory_of_cpu().value_or(1)), *has_.max_memory_per_cpu);
}

// Source: _valid_pn_min_mem of slurmctld/job_mgr.c (22.05-26.05).
std::int64_t NodeAsks::cpus_for_memory() const {
  if (gives_whole_nodes()) return most([](const SiteNodes& one) { return one.cpus.cpus; });
  std::int64_t tasks = part_.tasks_per_node.is_set() ? std::max<std::int64_t>(1, part_.tasks_per_node.value) : 1;
  if (part_.tasks.is_set() && part_.nodes_given && part_.max_nodes.known() && part_.max_nodes.value > 0)
    tasks = std::max(tasks, (part_.tasks.value - 1) / part_.max_nodes.value + 1);
  return multiply_capped(tasks, cpus_of_task());
}

std::optional<NodeAsks::MemoryAsk> NodeAsks::memory_of_node() const {
  if (part_.memory.is_set()) return MemoryAsk{part_.memory.value, part_.memory.value == 0, part_.memory.where};
  // 0 is the whole of a node, too.
  if (part_.memory_per_cpu.is_set() && part_.memory_per_cpu.value == 0)
    return MemoryAsk{0, true, part_.memory_per_cpu.where};
  if (const std::optional<std::int64_t> each = memory_of_cpu())
    return MemoryAsk{multiply_capped(*each, cpus_for_memory()), false, part_.memory_per_cpu.where};
  // Memory for each GPU is none of a node where the limits of the partition are asked: slurmctld/job_mgr.c.
  if (part_.memory.state != State::Absent || part_.memory_per_cpu.state != State::Absent || has_.default_memory)
    return std::nullopt;
  const SlurmSetting* select = site_.setting("selecttype");
  if (select == nullptr || !contains_ignoring_case(select->value.value, "cons_")) return std::nullopt;
  if (plugins_may_change_it()) return std::nullopt;
  return MemoryAsk{0, true, {}};
}

void NodeAsks::ask_memory_limits() {
  if (has_.groups.empty() || (!has_.max_memory && !has_.max_memory_per_cpu)) return;
  if (!all_memory_known() || !all_cpus_known()) return;
  if (part_.qos.state != State::Absent || setting("qos")) return;
  const std::optional<MemoryAsk> memory = memory_of_node();
  if (!memory) return;
  const std::string words = memory->whole_node && !memory->where.placed() ? "all memory of a node, as it has no --mem"
                            : memory->whole_node                          ? "all memory of a node"
                            : memory->where.placed() ? std::to_string(memory->mib) + " MiB on a node"
                                                     : std::to_string(memory->mib) + " MiB on a node by DefMemPerCPU";
  // Of whole nodes slurmctld takes the first of the partition: _mem_per_node_part of slurmctld/job_mgr.c.
  const SiteNodes& first = first_node();
  const std::int64_t mib = memory->whole_node ? usable_memory(first) : memory->mib;
  if (has_.max_memory) {
    ask({Shortage::MaxMemory, memory->where, words, "MaxMemPerNode=" + std::to_string(*has_.max_memory), true, {}},
        [&](const SiteNodes&) { return mib <= *has_.max_memory; });
    return;
  }
  const std::string few = "MaxMemPerCPU=" + std::to_string(*has_.max_memory_per_cpu);
  const auto ask_for = [&](std::int64_t cpus, bool each, bool limited) {
    const auto enough = [&](const SiteNodes& nodes) {
      return cpus <= (limited ? usable_cpus(nodes) : unlimited_cpus(nodes));
    };
    ask({Shortage::MaxMemory, memory->where, words, few + " and too few CPUs on a node for that", each, {}}, enough);
    return std::ranges::find(asks_.back().met, true) != asks_.back().met.end();
  };
  // More memory than one CPU may have takes more CPUs.
  const std::int64_t limit = *has_.max_memory_per_cpu;
  if (const std::optional<std::int64_t> of_cpu = memory_of_cpu()) {
    const std::int64_t ratio = divide_up(*of_cpu, limit);
    const bool each = part_.tasks.state == State::Absent || part_.tasks_per_node.is_set();
    const bool more = cpus_asked_.is_set() && cpus_for_one() > 1 && cpus_asked_.value > cpus_of_task();
    const bool by_node = each && more;
    if (!by_node && !ask_for(multiply_capped(cpus_of_task(), ratio), true, true)) return;
    if (more) ask_for(multiply_capped(cpus_asked_.value, ratio), each, true);
    return;
  }
  // Of --mem 22.05 holds those CPUs against the node alone, the others against MaxCPUsPerNode, too. Executed with
  // 22.05.8, 24.11.5 and 26.05.5, whether memory is consumable or not.
  const std::int64_t cpus = divide_up(mib, limit);
  const bool beyond = has_.max_cpus && cpus > *has_.max_cpus;
  if (ask_for(cpus, true, !beyond) && beyond)
    add(Shortage::MaxMemoryCpus, memory->where, words,
        few + " and too few CPUs on a node for that by MaxCPUsPerNode=" + std::to_string(*has_.max_cpus));
}

const SiteNodes& NodeAsks::first_node() const {
  std::size_t first = 0;
  for (std::size_t i = 1; i < has_.groups.size(); ++i) {
    if (group(i).record < group(first).record) first = i;
  }
  return group(first);
}

}  // namespace muster
