#include "slurm/default_memory.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/capped.h"
#include "base/strings.h"
#include "slurm/memory_limits.h"

namespace muster {
namespace {

/// What a job gets that does not ask for memory. A partition with any default of its own takes none of the site's.
std::optional<MemoryAmount> job_memory(const SlurmSite& site, const SlurmPartition& partition) {
  for (const std::vector<SlurmSetting>* settings : {&partition.settings, &site.settings}) {
    if (last_setting(*settings, "defmempergpu") != nullptr) return std::nullopt;
    if (last_setting(*settings, "defmempernode") != nullptr || last_setting(*settings, "defmempercpu") != nullptr)
      return memory_amount(*settings, "defmemper");
  }
  return std::nullopt;
}

struct LeastGiven {
  std::int64_t cpus = 0;
  std::string_view what;
};

/// The CPUs that a job gets at the least: those of a core, of a socket, or one. Executed with slurmctld 22.05.8,
/// 24.11.5 and 26.05.5.
std::optional<LeastGiven> least_given(const SlurmSite& site, const NodeCpus& cpus) {
  const SlurmSetting* type = site.setting("selecttype");
  const SlurmSetting* parameters = site.setting("selecttypeparameters");
  if (type == nullptr || !contains(type->value.value, "select/cons_") || site.counts_memory() != true)
    return std::nullopt;
  const std::int64_t cores = cpus.sockets * cpus.cores_per_socket;
  if (!cpus.known || cores <= 0 || cpus.sockets <= 0 || cpus.cpus % cores != 0) return std::nullopt;
  const std::string unit = parameters == nullptr ? "cr_core" : to_lower(parameters->value.value);
  if (contains(unit, "cr_socket")) return LeastGiven{cpus.cpus / cpus.sockets, "socket"};
  if (contains(unit, "cr_core")) return LeastGiven{cpus.cpus / cores, "core"};
  return LeastGiven{1, "CPU"};
}

std::string memory_words(const MemoryAmount& memory, const LeastGiven& least) {
  const std::string amount = memory.setting->key + "=" + std::to_string(memory.megabytes);
  if (!memory.per_cpu) return amount + " is";
  if (least.cpus == 1) return amount + " is";
  return amount + " for each of the " + std::to_string(least.cpus) + " CPUs of a " + std::string(least.what) + " is";
}

/// The CPUs of a whole node, of cores and threads the fewer, less what no job gets; 0: not known.
std::int64_t cpus_of_node(const SiteNodes& nodes) {
  const std::int64_t cores = nodes.cpus.sockets * nodes.cpus.cores_per_socket;
  if (!nodes.cpus.known || cores <= 0) return 0;
  return std::min(cores, nodes.cpus.cpus) - nodes.core_spec_count;
}

/// Of a partition with several kinds of nodes the one that lacks the least; nullptr: a job for all CPUs fits some node.
const SiteNodes* too_small_for_all_cpus(const SlurmSite& site, const SitePartition& partition, std::int64_t per_cpu) {
  const SiteNodes* out = nullptr;
  std::int64_t least = 0;
  for (const std::size_t g : partition.groups) {
    const SiteNodes& nodes = site.table.groups[g];
    const std::int64_t cpus = cpus_of_node(nodes);
    const bool shut = nodes.state.starts_with("FUTURE") || nodes.state.starts_with("DOWN");
    if (!nodes.real_memory.is_set() || nodes.real_memory.value <= 1 || cpus <= 1 || shut) return nullptr;
    const std::int64_t lacks = multiply_capped(per_cpu, cpus) - (nodes.real_memory.value - nodes.memory_spec);
    if (lacks <= 0) return nullptr;
    if (out == nullptr || lacks < least) out = &nodes;
    least = out == &nodes ? lacks : least;
  }
  return out;
}

bool has_own_default(const SlurmPartition& partition) {
  return std::ranges::any_of(partition.settings,
                             [](const SlurmSetting& one) { return one.lower_key.starts_with("defmemper"); });
}

/// Of a site whose partitions have defaults of their own: no node of a partition has the default for all its CPUs.
void check_whole_nodes(const SlurmSite& site, std::vector<Finding>& findings) {
  if (site.counts_memory() != true || std::ranges::none_of(site.partitions, has_own_default)) return;
  std::set<std::pair<Span, std::size_t>> said;  // the setting, and the record of the nodes
  for (std::size_t i = 0; i < site.partitions.size(); ++i) {
    const SitePartition& resolved = site.table.partitions[i];
    const std::optional<MemoryAmount> memory = job_memory(site, site.partitions[i]);
    if (!memory || !memory->per_cpu || !resolved.known || resolved.max_cpus) continue;
    if (last_setting(site.partitions[i].settings, "maxcpuspersocket") != nullptr) continue;
    const SiteNodes* nodes = too_small_for_all_cpus(site, resolved, memory->megabytes);
    if (nodes == nullptr || !said.emplace(memory->setting->where, nodes->record).second) continue;
    const std::int64_t cpus = cpus_of_node(*nodes);
    findings.push_back(problem("slurm-partition-memory-above-node", memory->setting->where,
                               memory->setting->key + " times the " + std::to_string(cpus) + " CPUs of " +
                                   nodes->names + " is " + std::to_string(multiply_capped(memory->megabytes, cpus)) +
                                   " MiB, and jobs can have " +
                                   std::to_string(nodes->real_memory.value - nodes->memory_spec) + " there"));
    findings.back().related.push_back({site.nodes[nodes->record].where, "the nodes"});
  }
}

}  // namespace

void check_default_memory(const SlurmSite& site, std::vector<Finding>& findings) {
  if (site.is_template || !site.table.known || site.partitions.size() != site.table.partitions.size()) return;
  check_whole_nodes(site, findings);
  std::set<std::pair<const SlurmSetting*, std::size_t>> said;  // the setting, and the record of the nodes
  for (std::size_t i = 0; i < site.partitions.size(); ++i) {
    const SitePartition& resolved = site.table.partitions[i];
    const std::optional<MemoryAmount> memory = job_memory(site, site.partitions[i]);
    if (!memory || !resolved.known) continue;
    for (const std::size_t g : resolved.groups) {
      const SiteNodes& nodes = site.table.groups[g];
      if (!nodes.real_memory.is_set() || nodes.real_memory.value <= 1) continue;
      if (nodes.state.starts_with("FUTURE") || nodes.state.starts_with("DOWN")) continue;
      const std::optional<LeastGiven> least = least_given(site, nodes.cpus);
      if (!least) continue;
      const std::int64_t needed =
          !memory->per_cpu ? memory->megabytes : multiply_capped(memory->megabytes, least->cpus);
      const std::int64_t given = nodes.real_memory.value - nodes.memory_spec;
      if (given <= 0 || needed <= given || !said.emplace(memory->setting, nodes.record).second) continue;
      findings.push_back(problem("slurm-default-memory-above-core", memory->setting->where,
                                 memory_words(*memory, *least) + " more than the " + std::to_string(given) +
                                     " MiB that a job can have on " + nodes.names));
      findings.back().related.push_back({site.nodes[nodes.record].where, "the nodes"});
    }
  }
}

}  // namespace muster
