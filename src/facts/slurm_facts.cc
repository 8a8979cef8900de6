#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"
#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

std::string site_file(const SlurmSite& site) { return site.file.empty() ? site.folder + "/" : site.file; }

SharedText site_id(const void* object, const ReadContext&) { return site_file(*static_cast<const SlurmSite*>(object)); }

/// slurm.conf/NodeName/gpu[1-8]: what a record of a site is called in reports.
template <class T>
SharedText record_id(std::string_view record, const std::string& name, const T& object, const ReadContext& context) {
  return site_file(context.model->slurm_sites[object.site]) + "/" + std::string(record) + "/" + name;
}

/// The last value of each key, by lower-case key; a placeholder is unknown.
Value to_map(const std::vector<SlurmSetting>& settings, const ReadContext& context) {
  std::map<std::string_view, const SlurmSetting*> by_key;
  for (const SlurmSetting& setting : settings) by_key[setting.lower_key] = &setting;
  std::vector<const SlurmSetting*> last;
  for (const SlurmSetting& setting : settings) {
    if (by_key[setting.lower_key] == &setting) last.push_back(&setting);
  }
  const std::span<MapEntry> entries = context.arena->make_array<MapEntry>(last.size());
  for (std::size_t i = 0; i < last.size(); ++i) {
    entries[i] = {Value::of(std::string_view(last[i]->lower_key)), to_value(last[i]->value, context)};
  }
  return Value::of(context.arena->make(MapData{entries}));
}

template <class T, auto member>
Value settings_of(const void* object, const ReadContext& context) {
  return to_map(static_cast<const T*>(object)->*member, context);
}

/// GresTypes as a list; unknown where the file that would set it is not in the input.
Value site_gres_types(const void* object, const ReadContext& context) {
  const auto& site = *static_cast<const SlurmSite*>(object);
  const SlurmSetting* setting = site.setting("grestypes");
  if (setting == nullptr && !site.complete) {
    return Value::unknown(context.arena->make(UnknownNeed{"`GresTypes` of the whole slurm.conf", nullptr}));
  }
  if (setting != nullptr && !setting->value.is_set()) return to_value(setting->value, context);
  const std::vector<std::string_view> words =
      setting == nullptr ? std::vector<std::string_view>{} : split(setting->value.value, ',');
  const std::span<Value> values = context.arena->make_array<Value>(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) values[i] = Value::of(trim(words[i]));
  return Value::of(context.arena->make(ListData{values.size(), values.data(), [](const void* base, std::size_t i) {
                                                  return static_cast<const Value*>(base)[i];
                                                }}));
}

Value has_power_actions(const void* object, const ReadContext&) {
  const auto& pairs = static_cast<const SlurmSite*>(object)->record_pairs;
  return Value::of(std::ranges::find(pairs, "PowerAction", &SlurmSetting::scope) != pairs.end());
}

Value gres_names(const void* object, const ReadContext& context) {
  const auto& nodes = *static_cast<const SlurmNodes*>(object);
  return Value::of(context.arena->make(
      ListData{nodes.gres_items.size(), &nodes.gres_items, [](const void* base, std::size_t i) {
                 return Value::of(std::string_view((*static_cast<const std::vector<Gres>*>(base))[i].name));
               }}));
}

/// One walk over the lines: a site may have tens of thousands.
Value weights_differ(const void* object, const ReadContext&) {
  std::map<std::pair<std::int64_t, std::vector<std::string_view>>, std::int64_t> weights;
  for (const SlurmNodes& nodes : static_cast<const SlurmSite*>(object)->nodes) {
    if (nodes.gpus_each <= 0 || !nodes.weight.known()) continue;
    std::vector<std::string_view> names;
    for (const Gres& gres : nodes.gres_items) names.emplace_back(gres.name);
    const auto first = weights.try_emplace({nodes.gpus_each, std::move(names)}, nodes.weight.value).first;
    if (first->second != nodes.weight.value) return Value::of(true);
  }
  return Value::of(false);
}

Value topology_count(const void* object, const ReadContext&) {
  return Value::of(static_cast<std::int64_t>(static_cast<const SlurmSite*>(object)->topologies.size()));
}

Value yaml_count(const void* object, const ReadContext&) {
  return Value::of(static_cast<std::int64_t>(
      std::ranges::count_if(static_cast<const SlurmSite*>(object)->topologies, &Topology::yaml)));
}

constexpr Type kGresLineObject = object_of(kGresLineType);
constexpr Type kGresLineList = list_of(kGresLineObject);
constexpr Type kNodesObject = object_of(kSlurmNodesType);
constexpr Type kNodesList = list_of(kNodesObject);
constexpr Type kPartitionList = list_of(kPartitionObject);
Value controller_count(const void* object, const ReadContext&) {
  const auto& settings = static_cast<const SlurmSite*>(object)->settings;
  return Value::of(static_cast<std::int64_t>(std::ranges::count_if(settings, [](const SlurmSetting& setting) {
    return setting.lower_key == "slurmctldhost" || setting.lower_key == "controlmachine" ||
           setting.lower_key == "backupcontroller";
  })));
}
Value site_fenced(const void* object, const ReadContext& context) {
  return to_value(static_cast<const SlurmSite*>(object)->table.fenced, context);
}
/// Of a tree whose files lie apart nobody can tell which gres.conf goes with which slurm.conf.
Value gres_conf_elsewhere(const void* object, const ReadContext& context) {
  const auto* site = static_cast<const SlurmSite*>(object);
  return Value::of(std::ranges::any_of(context.model->slurm_sites,
                                       [&](const SlurmSite& other) { return &other != site && other.has_gres_conf; }));
}

Value topology_made(const void*, const ReadContext& context) { return Value::of(context.model->makes_topology); }
Value gres_conf_made(const void*, const ReadContext& context) { return Value::of(context.model->makes_gres_conf); }
Value keys_known(const void* object, const ReadContext&) {
  return Value::of(static_cast<const SlurmSite*>(object)->settings_known());
}

constexpr std::array kSiteFields{
    Field{"cgroup", kSettingsMap, kAlways, "cgroup.conf's own keys in lower case with their last values",
          settings_of<SlurmSite, &SlurmSite::cgroup>},
    Field{"cgroup_conf_named", kBoolType, kAlways, "beside a template without one: some file speaks of a cgroup.conf",
          read<SlurmSite, &SlurmSite::cgroup_conf_named>},
    Field{"cluster", kStringType, kOptional, "ClusterName", read<SlurmSite, &SlurmSite::name>},
    Field{"complete", kBoolType, kAlways, "every Include was found: a key that is not here is not set",
          read<SlurmSite, &SlurmSite::complete>},
    Field{"controllers", kIntType, kAlways, "hosts that may run slurmctld, as slurm.conf names them", controller_count},
    Field{"database", kSettingsMap, kAlways, "slurmdbd.conf's own keys in lower case with their last values",
          settings_of<SlurmSite, &SlurmSite::database>},
    Field{"database_known", kBoolType, kAlways, "a slurmdbd.conf stands beside it, and all of it was read",
          read<SlurmSite, &SlurmSite::database_known>},
    Field{"database_open", kStringListType, kAlways,
          "of a template: lower-case keys of slurmdbd.conf that only some renderings set, or how",
          read<SlurmSite, &SlurmSite::database_open>},
    Field{"default_in_loop", kStringType, kOptional, "of a template: Default=YES of every partition that a loop writes",
          read<SlurmSite, &SlurmSite::default_in_loop>},
    Field{"endless_partition", kStringType, kOptional,
          "of a template: MaxTime of a PartitionName line without an end and without DefaultTime",
          read<SlurmSite, &SlurmSite::endless_partition>},
    Field{"fenced", kBoolType, kAlways, "a job sees only the devices it was given: task/cgroup with ConstrainDevices",
          site_fenced},
    Field{"for_trial", kBoolType, kAlways,
          "containers or virtual machines to try things on, as its folder or a recipe of containers beside it says",
          read<SlurmSite, &SlurmSite::for_trial>},
    Field{"fragment", kBoolType, kAlways, "a piece meant for Include in a slurm.conf that is not here",
          read<SlurmSite, &SlurmSite::fragment>},
    Field{"gpus_filled", kStringType, kOptional,
          "GPUs of nodes that are not written: Gres of a template, or GresTypes where nodes join by themselves",
          read<SlurmSite, &SlurmSite::gpus_filled>},
    Field{"gres_conf_elsewhere", kBoolType, kAlways, "another folder of the input has a gres.conf",
          gres_conf_elsewhere},
    Field{"gres_conf_made", kBoolType, kAlways, "a script or playbook of the input speaks of a gres.conf",
          gres_conf_made},
    Field{"gres_lines", kGresLineList, kAlways, "the lines of gres.conf",
          read_objects<SlurmSite, &SlurmSite::gres_lines, kGresLineType>},
    Field{"gres_names", kStringListType, kAlways, "names of every NodeName line's Gres, sorted",
          read<SlurmSite, &SlurmSite::gres_names>},
    Field{"gres_types", kStringListType, kAlways, "GresTypes", site_gres_types},
    Field{"has_cgroup_conf", kBoolType, kAlways, "a cgroup.conf stands beside it",
          read<SlurmSite, &SlurmSite::has_cgroup_conf>},
    Field{"has_cloud_nodes", kBoolType, kAlways, "some node has State=CLOUD",
          read<SlurmSite, &SlurmSite::has_cloud_nodes>},
    Field{"has_gpus", kBoolType, kAlways, "some node has a gpu Gres", read<SlurmSite, &SlurmSite::has_gpus>},
    Field{"has_gres_conf", kBoolType, kAlways, "a gres.conf stands beside it",
          read<SlurmSite, &SlurmSite::has_gres_conf>},
    Field{"has_power_actions", kBoolType, kAlways, "it has a PowerAction line", has_power_actions},
    Field{"is_template", kBoolType, kAlways, "of a template the lines that every rendering has",
          read<SlurmSite, &SlurmSite::is_template>},
    Field{"keys_known", kBoolType, kAlways,
          "a key that is neither in settings nor in open_keys is not set: every Include was found, every line is known",
          keys_known},
    Field{"memory_unset", kStringType, kOptional,
          "the first NodeName line of nodes for jobs without RealMemory, in words",
          read<SlurmSite, &SlurmSite::memory_unset>},
    Field{"memory_unset_lines", kIntType, kAlways, "how many such lines there are",
          read<SlurmSite, &SlurmSite::memory_unset_lines>},
    Field{"memory_written", kBoolType, kAlways, "some NodeName line has RealMemory",
          read<SlurmSite, &SlurmSite::memory_written>},
    Field{"named_slurm_conf", kBoolType, kAlways, "its file is called slurm.conf, or that of a template begins so",
          read<SlurmSite, &SlurmSite::named_slurm_conf>},
    Field{"node_lines", kNodesList, kAlways, "its NodeName lines",
          read_objects<SlurmSite, &SlurmSite::nodes, kSlurmNodesType>},
    Field{"node_total", kIntType, kAlways, "nodes of the NodeName lines that could be read",
          read<SlurmSite, &SlurmSite::node_total>},
    Field{"nodes_bare", kBoolType, kAlways, "32 nodes or more, and no NodeName line has CPUs or RealMemory",
          read<SlurmSite, &SlurmSite::nodes_bare>},
    Field{"not_excluded", kStringType, kOptional, "names in SuspendExcNodes that no node has, the first few",
          read<SlurmSite, &SlurmSite::not_excluded>},
    Field{"of_template", kBoolType, kAlways, "its slurm.conf is a template, also one that fills in single values alone",
          read<SlurmSite, &SlurmSite::of_template>},
    Field{"open_keys", kStringListType, kAlways, "of a template: lower-case keys that only some renderings set, or how",
          read<SlurmSite, &SlurmSite::open_keys>},
    Field{"partition_keys", kStringListType, kAlways, "of a template: lower-case keys of its PartitionName lines",
          read<SlurmSite, &SlurmSite::partition_keys>},
    Field{"partitions", kPartitionList, kAlways, "its partitions",
          read_objects<SlurmSite, &SlurmSite::partitions, kSlurmPartitionType>},
    Field{"partitions_open", kBoolType, kAlways, "of a template: its PartitionName lines may have more keys than those",
          read<SlurmSite, &SlurmSite::partitions_open>},
    Field{"release_stated", kBoolType, kAlways,
          "something other than a README or folders of packages says which release of Slurm it runs",
          read<SlurmSite, &SlurmSite::release_stated>},
    Field{"repeated_record", kStringType, kOptional, "of a template: a record of one name that a loop writes again",
          read<SlurmSite, &SlurmSite::repeated_record>},
    Field{"settings", kSettingsMap, kAlways, "slurm.conf's own keys in lower case with their last values",
          settings_of<SlurmSite, &SlurmSite::settings>},
    Field{"shares_nodes", kBoolType, kAlways, "jobs share the nodes of some partition",
          read<SlurmSite, &SlurmSite::shares_nodes>},
    Field{"single_cpus", kBoolType, kAlways, "every NodeName line was read, and each node has one CPU",
          read<SlurmSite, &SlurmSite::single_cpus>},
    Field{"state_mounted", kBoolType, kAlways,
          "another file speaks of a mount of StateSaveLocation or of a folder above it",
          read<SlurmSite, &SlurmSite::state_mounted>},
    Field{"topology_files", kIntType, kAlways, "topology.conf and topology.yaml files beside it", topology_count},
    Field{"topology_made", kBoolType, kAlways, "a script or playbook of the input speaks of a topology file",
          topology_made},
    Field{"topology_yaml_files", kIntType, kAlways, "topologies of topology.yaml files beside it", yaml_count},
    Field{"weights_differ", kBoolType, kAlways, "some nodes have as many GPUs and the same Gres, but another Weight",
          weights_differ},
};
Value previous_setting(const void* object, const ReadContext& context) {
  const auto& setting = *static_cast<const SlurmSetting*>(object);
  if (!setting.previous) return Value::absent();
  return Value::object(&kSlurmSettingType, &context.model->slurm_sites[setting.site].settings[*setting.previous]);
}

Value setting_scope(const void* object, const ReadContext&) {
  return Value::of(static_cast<const SlurmSetting*>(object)->scope);
}

Value current_name(const void* object, const ReadContext& context) {
  const auto& setting = *static_cast<const SlurmSetting*>(object);
  const SlurmKey* key =
      context.slurm_keys == nullptr ? nullptr : context.slurm_keys->find(setting.scope, setting.lower_key);
  return key == nullptr || key->current_name.empty() ? Value::absent() : Value::of(std::string_view(key->current_name));
}

constexpr Type kSettingObject = object_of(kSlurmSettingType);
constexpr std::array kSettingFields{
    Field{"conditional", kBoolType, kAlways, "of a template: only some renderings have it",
          read<SlurmSetting, &SlurmSetting::conditional>},
    Field{"current_name", kStringType, kOptional,
          "what the manual calls it now, where releases read the old name in silence", current_name},
    Field{"in_default", kBoolType, kAlways, "it stands on a DEFAULT line",
          read<SlurmSetting, &SlurmSetting::in_default>},
    Field{"key", kStringType, kAlways, "the key as written", read<SlurmSetting, &SlurmSetting::key>},
    Field{"lower_key", kStringType, kAlways, "the key in lower case", read<SlurmSetting, &SlurmSetting::lower_key>},
    Field{"previous", kSettingObject, kOptional, "the same key earlier in the file", previous_setting},
    Field{"scope", kStringType, kAlways,
          "the file, or the record it stands in: slurm.conf, NodeName, PartitionName, gres.conf ...", setting_scope},
    Field{"site", kSiteObject, kAlways, "the site it is set in", site_of<SlurmSetting>},
    Field{"used", kBoolType, kAlways,
          "it is in force: no later line sets the key again; of a DEFAULT line: some record takes it",
          read<SlurmSetting, &SlurmSetting::used>},
    Field{"value", kStringType, kAlways, "its value", read<SlurmSetting, &SlurmSetting::value>},
};
template <const ObjectType& type, class T, auto list, auto index>
Value earlier_in_site(const void* object, const ReadContext& context) {
  const auto& item = *static_cast<const T*>(object);
  if (!(item.*index)) return Value::absent();
  return Value::object(&type, &(context.model->slurm_sites[item.site].*list)[*(item.*index)]);
}
Value node_count(const void* object, const ReadContext&) {
  const auto& nodes = *static_cast<const SlurmNodes*>(object);
  return Value::of(nodes.hosts ? static_cast<std::int64_t>(nodes.hosts->size()) : std::int64_t{0});
}
/// Some Gres of one name has a type and another has none.
Value gres_types_mixed(const void* object, const ReadContext&) {
  const auto& items = static_cast<const SlurmNodes*>(object)->gres_items;
  for (const Gres& a : items) {
    for (const Gres& b : items) {
      if (a.name == b.name && a.type.empty() != b.type.empty()) return Value::of(true);
    }
  }
  return Value::of(false);
}

Value cpus_written(const void* object, const ReadContext&) {
  return Value::of(static_cast<const SlurmNodes*>(object)->cpu_counts.is_written());
}

Value cores_per_socket(const void* object, const ReadContext&) {
  return Value::of(static_cast<const SlurmNodes*>(object)->cpus.cores_per_socket);
}

constexpr std::array kNodesFields{
    Field{"address_problem", kStringType, kOptional, "addresses of another number than the nodes, in words",
          read<SlurmNodes, &SlurmNodes::address_problem>},
    Field{"core_spec", kIntType, kAlways, "CoreSpecCount; 0 when it is not set",
          read<SlurmNodes, &SlurmNodes::core_spec_count>},
    Field{"cores", kIntType, kAlways, "cores of one node; 0: not known", read<SlurmNodes, &SlurmNodes::cores_each>},
    Field{"cores_per_socket", kIntType, kAlways, "cores of one socket; 1 where the line does not say",
          cores_per_socket},
    Field{"count", kIntType, kAlways, "how many nodes the line names", node_count},
    Field{"cpu_spec_list", kStringType, kOptional, "CPUSpecList, its own or by DEFAULT",
          read<SlurmNodes, &SlurmNodes::cpu_spec_list>},
    Field{"cpu_spec_problem", kStringType, kOptional, "a CPU of CPUSpecList that the node does not have, in words",
          read<SlurmNodes, &SlurmNodes::cpu_spec_problem>},
    Field{"cpus", kIntType, kAlways, "CPUs of one node, or its threads where they are more; 0: not known",
          read<SlurmNodes, &SlurmNodes::cpus_each>},
    Field{"cpus_problem", kStringType, kOptional, "CPUs that fit none of sockets, cores and threads, in words",
          read<SlurmNodes, &SlurmNodes::cpus_problem>},
    Field{"cpus_refused", kStringType, kOptional, "CPUs that are neither its cores nor its threads, in words",
          read<SlurmNodes, &SlurmNodes::cpus_refused>},
    Field{"cpus_written", kBoolType, kAlways, "CPUs, sockets, cores or threads are written, its own or by DEFAULT",
          cpus_written},
    Field{"duplicate_of", kNodesObject, kOptional, "the earlier line with some of its names",
          earlier_in_site<kSlurmNodesType, SlurmNodes, &SlurmSite::nodes, &SlurmNodes::duplicate_of>},
    Field{"duplicates", kStringType, kOptional, "names that an earlier line has, too",
          read<SlurmNodes, &SlurmNodes::duplicates>},
    Field{"gpus_each", kIntType, kAlways, "GPUs of one node by its Gres", read<SlurmNodes, &SlurmNodes::gpus_each>},
    Field{"gres", kStringType, kOptional, "Gres as written, its own or by DEFAULT",
          read<SlurmNodes, &SlurmNodes::gres>},
    Field{"gres_names", kStringListType, kAlways, "names in its Gres", gres_names},
    Field{"gres_types_mixed", kBoolType, kAlways, "of one name, some Gres has a type and some has none",
          gres_types_mixed},
    Field{"memory_spec", kIntType, kAlways, "MemSpecLimit in MiB; 0 when it is not set",
          read<SlurmNodes, &SlurmNodes::memory_spec>},
    Field{"names", kStringType, kAlways, "the node list as written", read<SlurmNodes, &SlurmNodes::names>},
    Field{"odd_list", kBoolType, kAlways, "some release reads the list differently, or not at all",
          read<SlurmNodes, &SlurmNodes::odd_list>},
    Field{"outside", kStringType, kOptional, "those of its nodes that no partition has, where all of them are known",
          read<SlurmNodes, &SlurmNodes::outside>},
    Field{"outside_count", kIntType, kAlways, "how many those are", read<SlurmNodes, &SlurmNodes::outside_count>},
    Field{"real_memory", kIntType, kAlways, "RealMemory in MiB; 1 when it is not set",
          read<SlurmNodes, &SlurmNodes::real_memory>},
    Field{"site", kSiteObject, kAlways, "the site it belongs to", site_of<SlurmNodes>},
    Field{"state", kStringType, kOptional, "State, its own or by DEFAULT", read<SlurmNodes, &SlurmNodes::state>},
    Field{"weight", kIntType, kAlways, "Weight; 1 when it is not set", read<SlurmNodes, &SlurmNodes::weight>},
};
constexpr std::array kPartitionFields{
    Field{"duplicate_of", kPartitionObject, kOptional, "an earlier partition of the same name",
          earlier_in_site<kSlurmPartitionType, SlurmPartition, &SlurmSite::partitions, &SlurmPartition::duplicate_of>},
    Field{"has_gpus", kBoolType, kAlways, "some node of it has a gpu Gres",
          read<SlurmPartition, &SlurmPartition::has_gpus>},
    Field{"name", kStringType, kAlways, "PartitionName", read<SlurmPartition, &SlurmPartition::name>},
    Field{"node_functions", kStringListType, kAlways, "functions in its node list: feature{x}, switch{x} ...",
          read<SlurmPartition, &SlurmPartition::node_functions>},
    Field{"nodes", kStringType, kOptional, "Nodes as written", read<SlurmPartition, &SlurmPartition::nodes>},
    Field{"oversubscribe", kStringType, kOptional, "OverSubscribe",
          read<SlurmPartition, &SlurmPartition::oversubscribe>},
    Field{"preempt_mode", kStringType, kOptional, "PreemptMode of the partition itself",
          read<SlurmPartition, &SlurmPartition::preempt_mode>},
    Field{"settings", kSettingsMap, kAlways, "what is in force for it, its own or by DEFAULT, by lower-case key",
          settings_of<SlurmPartition, &SlurmPartition::settings>},
    Field{"site", kSiteObject, kAlways, "the site it belongs to", site_of<SlurmPartition>},
    Field{"unknown_count", kIntType, kAlways, "names of its list that are neither nodes nor node sets",
          read<SlurmPartition, &SlurmPartition::unknown_count>},
    Field{"unknown_nodes", kStringListType, kAlways, "the first few of them",
          read<SlurmPartition, &SlurmPartition::unknown_nodes>},
    Field{"whole_nodes", kBoolType, kAlways, "by OverSubscribe or Exclusive no two jobs share a node of it",
          read<SlurmPartition, &SlurmPartition::whole_nodes>},
};
constexpr std::array kNodeSetFields{
    Field{"feature", kStringType, kOptional, "Feature as written", read<SlurmNodeSet, &SlurmNodeSet::feature>},
    Field{"feature_lost", kBoolType, kAlways, "all nodes are known, and none has that feature",
          read<SlurmNodeSet, &SlurmNodeSet::feature_lost>},
    Field{"name", kStringType, kAlways, "NodeSet", read<SlurmNodeSet, &SlurmNodeSet::name>},
    Field{"nodes", kStringType, kOptional, "Nodes as written", read<SlurmNodeSet, &SlurmNodeSet::nodes>},
    Field{"overlaps", kBoolType, kAlways, "a node has the same name", read<SlurmNodeSet, &SlurmNodeSet::overlaps>},
    Field{"site", kSiteObject, kAlways, "the site it belongs to", site_of<SlurmNodeSet>},
    Field{"used", kBoolType, kAlways, "some partition names it", read<SlurmNodeSet, &SlurmNodeSet::used>},
};
constexpr std::array kDownFields{
    Field{"names", kStringType, kAlways, "the node list as written", read<SlurmDownNodes, &SlurmDownNodes::names>},
    Field{"site", kSiteObject, kAlways, "the site it belongs to", site_of<SlurmDownNodes>},
    Field{"unknown_count", kIntType, kAlways, "nodes its site does not have",
          read<SlurmDownNodes, &SlurmDownNodes::unknown_count>},
    Field{"unknown_nodes", kStringListType, kAlways, "the first few of them",
          read<SlurmDownNodes, &SlurmDownNodes::unknown_nodes>},
};
Value line_without_gres(const void* object, const ReadContext& context) {
  const auto& line = *static_cast<const GresLine*>(object);
  const SlurmSite& site = context.model->slurm_sites[line.site];
  const auto found = site.table.without_gres.find(static_cast<std::size_t>(&line - site.gres_lines.data()));
  return found == site.table.without_gres.end() ? Value::absent() : Value::of(std::string_view(found->second));
}
constexpr std::array kGresFields{
    Field{"auto_detect", kStringType, kOptional, "AutoDetect", read<GresLine, &GresLine::auto_detect>},
    Field{"cores", kStringType, kOptional, "Cores, or CPUs as it was called", read<GresLine, &GresLine::cores>},
    Field{"count", kStringType, kOptional, "Count as written", read<GresLine, &GresLine::count>},
    Field{"file", kStringType, kOptional, "File as written", read<GresLine, &GresLine::file>},
    Field{"file_count", kIntType, kOptional, "devices that File= or MultipleFiles= names",
          read<GresLine, &GresLine::file_count>},
    Field{"flags", kStringType, kOptional, "Flags as written", read<GresLine, &GresLine::flags>},
    Field{"highest_core", kIntType, kAlways, "the highest number in Cores; -1: none",
          read<GresLine, &GresLine::highest_core>},
    Field{"leads_with_key", kBoolType, kAlways,
          "the line begins with NodeName=, Name= or AutoDetect=", read<GresLine, &GresLine::leads_with_key>},
    Field{"mixed_with", kGresLineObject, kOptional,
          "an earlier line of the name that has File= or Type= where this has not, or the reverse",
          earlier_in_site<kGresLineType, GresLine, &SlurmSite::gres_lines, &GresLine::mixed_with>},
    Field{"multiple_files", kStringType, kOptional, "MultipleFiles as written",
          read<GresLine, &GresLine::multiple_files>},
    Field{"name", kStringType, kOptional, "Name as written", read<GresLine, &GresLine::name>},
    Field{"nodes", kStringType, kOptional, "NodeName as written", read<GresLine, &GresLine::nodes>},
    Field{"repeats", kGresLineObject, kOptional,
          "an earlier line of the name with neither File= nor Type=, like this one",
          earlier_in_site<kGresLineType, GresLine, &SlurmSite::gres_lines, &GresLine::repeats>},
    Field{"rest", kStringType, kOptional, "what Slurm's parser stops at", read<GresLine, &GresLine::rest>},
    Field{"site", kSiteObject, kAlways, "the site it belongs to", site_of<GresLine>},
    Field{"smallest_nodes", kNodesObject, kOptional, "of its nodes the NodeName line with the fewest cores",
          earlier_in_site<kSlurmNodesType, GresLine, &SlurmSite::nodes, &GresLine::smallest_nodes>},
    Field{"torn_nodes", kNodesObject, kOptional, "a NodeName line of its nodes of whose sockets Cores= takes a part",
          earlier_in_site<kSlurmNodesType, GresLine, &SlurmSite::nodes, &GresLine::torn_nodes>},
    Field{"type", kStringType, kOptional, "Type as written", read<GresLine, &GresLine::type>},
    Field{"unknown_count", kIntType, kAlways, "nodes its site does not have", read<GresLine, &GresLine::unknown_count>},
    Field{"unknown_nodes", kStringListType, kAlways, "the first few of them", read<GresLine, &GresLine::unknown_nodes>},
    Field{"without_gres", kStringType, kOptional, "of the nodes it names those whose NodeName line has no such Gres",
          line_without_gres},
};
constexpr std::array kUselessFields{
    Field{"record", kStringType, kAlways, "NodeName or PartitionName", read<UselessDefault, &UselessDefault::record>},
};
SharedText setting_id(const void* object, const ReadContext& context) {
  const auto& setting = *static_cast<const SlurmSetting*>(object);
  const std::string scope = setting.scope == "slurm.conf" ? "" : std::string(setting.scope) + "/";
  return site_file(context.model->slurm_sites[setting.site]) + "/" + scope + setting.key;
}
SharedText nodes_id(const void* object, const ReadContext& context) {
  const auto& nodes = *static_cast<const SlurmNodes*>(object);
  return record_id("NodeName", nodes.names.value, nodes, context);
}
SharedText partition_id(const void* object, const ReadContext& context) {
  const auto& partition = *static_cast<const SlurmPartition*>(object);
  return record_id("PartitionName", partition.name.value, partition, context);
}
SharedText node_set_id(const void* object, const ReadContext& context) {
  const auto& set = *static_cast<const SlurmNodeSet*>(object);
  return record_id("NodeSet", set.name.value, set, context);
}
SharedText down_id(const void* object, const ReadContext& context) {
  const auto& down = *static_cast<const SlurmDownNodes*>(object);
  return record_id("DownNodes", down.names.value, down, context);
}
SharedText useless_id(const void* object, const ReadContext& context) {
  const auto& line = *static_cast<const UselessDefault*>(object);
  return record_id(line.record, "DEFAULT", line, context);
}
SharedText gres_id(const void* object, const ReadContext& context) {
  const auto& line = *static_cast<const GresLine*>(object);
  return record_id("gres.conf", line.nodes.value, line, context);
}

}  // namespace

const ObjectType kSlurmSiteType{"slurm_site", "a slurm.conf with what it includes and its siblings", kSiteFields,
                                where_of<SlurmSite>, site_id};
const ObjectType kSlurmSettingType{"slurm_setting", "a Key=Value of slurm.conf", kSettingFields, where_of<SlurmSetting>,
                                   setting_id};
const ObjectType kSlurmNodesType{"slurm_nodes", "a NodeName line", kNodesFields, where_of<SlurmNodes>, nodes_id};
const ObjectType kSlurmPartitionType{"slurm_partition", "a PartitionName line", kPartitionFields,
                                     where_of<SlurmPartition>, partition_id};
const ObjectType kSlurmNodeSetType{"slurm_node_set", "a NodeSet line", kNodeSetFields, where_of<SlurmNodeSet>,
                                   node_set_id};
const ObjectType kSlurmDownNodesType{"slurm_down_nodes", "a DownNodes line", kDownFields, where_of<SlurmDownNodes>,
                                     down_id};
const ObjectType kUselessDefaultType{"useless_default", "a DEFAULT record that nothing follows", kUselessFields,
                                     where_of<UselessDefault>, useless_id};
const ObjectType kGresLineType{"gres_line", "a line of gres.conf", kGresFields, where_of<GresLine>, gres_id};

}  // namespace muster
