#include "slurm/power_saving.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {
namespace {

bool is_never(const SlurmSetting& setting) {
  return setting.value.is_set() &&
         (setting.value.value == "-1" || equals_ignoring_case(setting.value.value, "infinite"));
}

}  // namespace

void check_power_saving(const SlurmSite& site, std::vector<Finding>& findings) {
  const SlurmSetting* time = site.setting("suspendtime");
  if (time == nullptr || !is_never(*time) || site.is_template || !site.settings_known() || !site.has_cloud_nodes)
    return;
  for (const char* program : {"suspendprogram", "resumeprogram"}) {
    const SlurmSetting* set = site.setting(program);
    if (set == nullptr || !set->value.is_set() || set->value.value.empty()) return;
  }
  // Of partitions, and since 26.05 of nodes.
  const bool elsewhere = std::ranges::any_of(
      site.record_pairs, [](const SlurmSetting& pair) { return pair.lower_key == "suspendtime" && !is_never(pair); });
  if (elsewhere) return;
  findings.push_back(
      problem("slurm-suspend-time-infinite", time->where,
              "SuspendTime=" + time->value.value + " switches power saving off, and there are nodes with State=CLOUD"));
}

}  // namespace muster
