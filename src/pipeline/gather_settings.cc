#include "pipeline/gather_settings.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "syntax/slurm_conf_reader.h"

namespace muster {
namespace {

/// How keys of acct_gather.conf begin, and which plugins read them. Source: the options of each plugin in
/// SchedMD/slurm:src/plugins/acct_gather_*, and src/interfaces/acct_gather.c (23.02-26.05; 22.05:
/// src/common/slurm_acct_gather.c).
struct GatherKeys {
  std::string_view begin;
  std::string_view setting;             ///< of slurm.conf, in words
  std::array<std::string_view, 2> set;  ///< and in lower case, with the name that it had
  std::array<std::string_view, 2> plugins;
};
constexpr std::array kGatherKeys{
    GatherKeys{"energyipmi", "AcctGatherEnergyType", {"acctgatherenergytype", ""}, {"ipmi", "xcc"}},
    GatherKeys{"energyxcc", "AcctGatherEnergyType", {"acctgatherenergytype", ""}, {"xcc", ""}},
    GatherKeys{"infinibandofed",
               "AcctGatherInterconnectType",
               {"acctgatherinterconnecttype", "acctgatherinfinibandtype"},
               {"ofed", ""}},
    GatherKeys{"interconnectofed",
               "AcctGatherInterconnectType",
               {"acctgatherinterconnecttype", "acctgatherinfinibandtype"},
               {"ofed", ""}},
    GatherKeys{"profilehdf5", "AcctGatherProfileType", {"acctgatherprofiletype", ""}, {"hdf5", ""}},
    GatherKeys{"profileinfluxdb", "AcctGatherProfileType", {"acctgatherprofiletype", ""}, {"influxdb", ""}},
    GatherKeys{"sysfsinterfaces",
               "AcctGatherInterconnectType",
               {"acctgatherinterconnecttype", "acctgatherinfinibandtype"},
               {"sysfs", ""}},
};

/// Whether slurm.conf surely loads none of the plugins.
bool loads_none(const SlurmSite& site, const GatherKeys& keys) {
  return std::ranges::all_of(keys.set, [&](std::string_view name) {
    if (name.empty()) return true;
    if (std::ranges::find(site.open_keys, name) != site.open_keys.end()) return false;
    const SlurmSetting* setting = site.setting(name);
    if (setting == nullptr) return true;
    if (!setting->value.is_set() || setting->conditional) return false;
    const std::string value = to_lower(setting->value.value);
    return std::ranges::none_of(keys.plugins,
                                [&](std::string_view plugin) { return !plugin.empty() && contains(value, plugin); });
  });
}

const GatherKeys* readers_of(std::string_view lower_key) {
  const auto found =
      std::ranges::find_if(kGatherKeys, [&](const GatherKeys& keys) { return lower_key.starts_with(keys.begin); });
  return found == kGatherKeys.end() ? nullptr : &*found;
}

void look_at_lines(const SlurmSite& site, const std::vector<ConfLine>& lines, std::vector<Finding>& findings) {
  for (const ConfLine& line : lines) {
    for (const ConfPair& pair : line.pairs) {
      const GatherKeys* keys = readers_of(to_lower(pair.key));
      if (keys == nullptr || !loads_none(site, *keys)) continue;
      std::string plugin(keys->plugins.front());
      if (!keys->plugins[1].empty()) plugin += " or " + std::string(keys->plugins[1]);
      findings.push_back(problem("slurm-gather-key-without-plugin", pair.key_where,
                                 "`" + pair.key + "` is a key of the plugin " + plugin + ", and " +
                                     std::string(keys->setting) + " in slurm.conf does not name it"));
      return;  // the first one ends slurmctld
    }
  }
}

}  // namespace

void find_gather_settings(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (last_part(inputs.files[i].context.path) != "acct_gather.conf") continue;
    const SlurmSite* beside = nullptr;
    std::size_t sites = 0;
    for (const SlurmSite& site : model.slurm_sites) {
      if (site.file.empty() || folder_of(site.file) != folder_of(inputs.files[i].context.path)) continue;
      ++sites;
      beside = &site;
    }
    if (sites != 1 || !beside->named_slurm_conf || beside->within || !beside->settings_known()) continue;
    const auto id = static_cast<FileId>(i);
    look_at_lines(*beside, read_slurm_conf(id, inputs.sources.file(id).text()), findings);
  }
}

}  // namespace muster
