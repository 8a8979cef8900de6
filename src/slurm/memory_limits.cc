#include "slurm/memory_limits.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 4> kMemoryKeys{"defmempercpu", "defmempernode", "maxmempercpu", "maxmempernode"};

bool is_memory_key(std::string_view lower_key) {
  return std::ranges::find(kMemoryKeys, lower_key) != kMemoryKeys.end();
}

bool has_memory_key(const std::vector<SlurmSetting>& settings, std::string_view begin) {
  return std::ranges::any_of(settings, [&](const SlurmSetting& one) {
    return one.lower_key.starts_with(begin) && is_memory_key(one.lower_key);
  });
}

void compare_memory(const std::optional<MemoryAmount>& most, const std::optional<MemoryAmount>& by_default,
                    std::vector<Finding>& findings) {
  if (!most || !by_default || most->per_cpu != by_default->per_cpu || most->megabytes >= by_default->megabytes) return;
  findings.push_back(problem("slurm-max-memory-below-default", most->setting->where,
                             most->setting->key + "=" + most->setting->value.value + " is less than " +
                                 by_default->setting->key + "=" + by_default->setting->value.value +
                                 ", which each job gets that does not ask for memory"));
  findings.back().related.push_back({by_default->setting->where, "the default"});
}

/// Of a template: what is filled in may set them again, or other ones in each partition.
bool memory_is_open(const SlurmSite& site) {
  if (!site.is_template) return false;
  return site.keys_open || site.partitions_open || std::ranges::any_of(site.open_keys, is_memory_key) ||
         std::ranges::any_of(site.record_pairs, [](const SlurmSetting& pair) {
           return pair.scope == "PartitionName" && is_memory_key(pair.lower_key);
         });
}

}  // namespace

std::optional<MemoryAmount> memory_amount(const std::vector<SlurmSetting>& settings, const std::string& begin) {
  const SlurmSetting* of_node = last_setting(settings, begin + "node");
  const SlurmSetting* found = of_node != nullptr ? of_node : last_setting(settings, begin + "cpu");
  if (found == nullptr || !found->value.is_set()) return std::nullopt;
  const std::optional<std::int64_t> megabytes = parse_int(found->value.value);
  if (!megabytes || *megabytes <= 0) return std::nullopt;
  return MemoryAmount{found, *megabytes, of_node == nullptr};
}

void check_memory_limits(const SlurmSite& site, std::vector<Finding>& findings) {
  if (memory_is_open(site)) return;
  const std::optional<MemoryAmount> most = memory_amount(site.settings, "maxmemper");
  const std::optional<MemoryAmount> by_default = memory_amount(site.settings, "defmemper");
  const auto has_own = [](const SlurmPartition& partition) { return has_memory_key(partition.settings, ""); };
  if (site.partitions.empty() || !std::ranges::all_of(site.partitions, has_own))
    compare_memory(most, by_default, findings);
  for (const SlurmPartition& partition : site.partitions) {
    if (!has_own(partition)) continue;
    compare_memory(
        has_memory_key(partition.settings, "max") ? memory_amount(partition.settings, "maxmemper") : most,
        has_memory_key(partition.settings, "def") ? memory_amount(partition.settings, "defmemper") : by_default,
        findings);
  }
}

}  // namespace muster
