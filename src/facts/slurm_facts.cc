#include <array>

#include "base/strings.h"
#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

constexpr auto kAlways = Presence::Always;
constexpr auto kOptional = Presence::Optional;
constexpr Type kSiteObject = object_of(kSlurmSiteType);
constexpr Type kSettingsMap{TypeKind::Map, &kStringType, &kStringType};

template <class T>
Value site_of(const void* object, const ReadContext& context) {
  return Value::object(&kSlurmSiteType, &context.model->slurm_sites[static_cast<const T*>(object)->site]);
}

std::string site_file(const SlurmSite& site) { return site.file.empty() ? site.folder + "/" : site.file; }

std::string site_id(const void* object, const ReadContext&) { return site_file(*static_cast<const SlurmSite*>(object)); }

/// slurm.conf/NodeName/gpu[1-8]: what a record of a site is called in reports.
template <class T>
std::string record_id(std::string_view record, const std::string& name, const T& object, const ReadContext& context) {
  return site_file(context.model->slurm_sites[object.site]) + "/" + std::string(record) + "/" + name;
}

/// The last value of each key, by lower-case key; a placeholder is unknown.
Value site_settings(const void* object, const ReadContext& context) {
  const auto& site = *static_cast<const SlurmSite*>(object);
  std::vector<const SlurmSetting*> last;
  for (const SlurmSetting& setting : site.settings) {
    if (site.setting(setting.lower_key) == &setting) last.push_back(&setting);
  }
  const std::span<MapEntry> entries = context.arena->make_array<MapEntry>(last.size());
  for (std::size_t i = 0; i < last.size(); ++i) {
    entries[i] = {Value::of(std::string_view(last[i]->lower_key)), to_value(last[i]->value, context)};
  }
  return Value::of(context.arena->make(MapData{entries}));
}

/// GresTypes as a list; unknown where the file that would set it is not in the input.
Value site_gres_types(const void* object, const ReadContext& context) {
  const auto& site = *static_cast<const SlurmSite*>(object);
  const SlurmSetting* setting = site.setting("grestypes");
  if (setting == nullptr && !site.complete) {
    return Value::unknown(context.arena->make(UnknownNeed{"`GresTypes` of the whole slurm.conf", nullptr}));
  }
  if (setting != nullptr && !setting->value.is_set()) return to_value(setting->value, context);
  const std::vector<std::string_view> words = setting == nullptr ? std::vector<std::string_view>{} : split(setting->value.value, ',');
  const std::span<Value> values = context.arena->make_array<Value>(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) values[i] = Value::of(trim(words[i]));
  return Value::of(context.arena->make(ListData{
      values.size(), values.data(), [](const void* base, std::size_t i) { return static_cast<const Value*>(base)[i]; }}));
}

Value gres_names(const void* object, const ReadContext& context) {
  const auto& nodes = *static_cast<const SlurmNodes*>(object);
  return Value::of(context.arena->make(ListData{nodes.gres_items.size(), &nodes.gres_items, [](const void* base, std::size_t i) {
                                                  return Value::of(std::string_view((*static_cast<const std::vector<Gres>*>(base))[i].name));
                                                }}));
}

constexpr std::array kSiteFields{
    Field{"cluster", kStringType, kOptional, "ClusterName", read<SlurmSite, &SlurmSite::name>},
    Field{"complete", kBoolType, kAlways, "every Include was found: a key that is not here is not set", read<SlurmSite, &SlurmSite::complete>},
    Field{"gres_types", kStringListType, kAlways, "GresTypes", site_gres_types},
    Field{"has_gpus", kBoolType, kAlways, "some node has a gpu Gres", read<SlurmSite, &SlurmSite::has_gpus>},
    Field{"settings", kSettingsMap, kAlways, "slurm.conf's own keys in lower case with their last values", site_settings},
};
Value previous_setting(const void* object, const ReadContext& context) {
  const auto& setting = *static_cast<const SlurmSetting*>(object);
  if (!setting.previous) return Value::absent();
  return Value::object(&kSlurmSettingType, &context.model->slurm_sites[setting.site].settings[*setting.previous]);
}

constexpr Type kSettingObject = object_of(kSlurmSettingType);
constexpr std::array kSettingFields{
    Field{"key", kStringType, kAlways, "the key as written", read<SlurmSetting, &SlurmSetting::key>},
    Field{"lower_key", kStringType, kAlways, "the key in lower case", read<SlurmSetting, &SlurmSetting::lower_key>},
    Field{"previous", kSettingObject, kOptional, "the same key earlier in the file", previous_setting},
    Field{"site", kSiteObject, kAlways, "the site it is set in", site_of<SlurmSetting>},
    Field{"value", kStringType, kAlways, "its value", read<SlurmSetting, &SlurmSetting::value>},
};
constexpr std::array kNodesFields{
    Field{"gpus_each", kIntType, kAlways, "GPUs of one node by its Gres", read<SlurmNodes, &SlurmNodes::gpus_each>},
    Field{"gres", kStringType, kOptional, "Gres as written, its own or by DEFAULT", read<SlurmNodes, &SlurmNodes::gres>},
    Field{"gres_names", kStringListType, kAlways, "names in its Gres", gres_names},
    Field{"names", kStringType, kAlways, "the node list as written", read<SlurmNodes, &SlurmNodes::names>},
    Field{"site", kSiteObject, kAlways, "the site it belongs to", site_of<SlurmNodes>},
};
constexpr std::array kPartitionFields{
    Field{"has_gpus", kBoolType, kAlways, "some node of it has a gpu Gres", read<SlurmPartition, &SlurmPartition::has_gpus>},
    Field{"name", kStringType, kAlways, "PartitionName", read<SlurmPartition, &SlurmPartition::name>},
    Field{"oversubscribe", kStringType, kOptional, "OverSubscribe", read<SlurmPartition, &SlurmPartition::oversubscribe>},
    Field{"preempt_mode", kStringType, kOptional, "PreemptMode of the partition itself", read<SlurmPartition, &SlurmPartition::preempt_mode>},
    Field{"site", kSiteObject, kAlways, "the site it belongs to", site_of<SlurmPartition>},
};
constexpr std::array kGresFields{
    Field{"nodes", kStringType, kOptional, "NodeName as written", read<GresLine, &GresLine::nodes>},
    Field{"site", kSiteObject, kAlways, "the site it belongs to", site_of<GresLine>},
    Field{"unknown_count", kIntType, kAlways, "nodes its site does not have", read<GresLine, &GresLine::unknown_count>},
    Field{"unknown_nodes", kStringListType, kAlways, "the first few of them", read<GresLine, &GresLine::unknown_nodes>},
};
constexpr std::array kUselessFields{
    Field{"record", kStringType, kAlways, "NodeName or PartitionName", read<UselessDefault, &UselessDefault::record>},
};
constexpr std::array kSbatchFields{
    Field{"exclusive", kBoolType, kAlways, "--exclusive: whole nodes", read<SbatchJob, &SbatchJob::exclusive>},
    Field{"gpus_per_node", kStringType, kOptional, "--gpus-per-node", read<SbatchJob, &SbatchJob::gpus_per_node>},
    Field{"gres_gpus", kStringType, kOptional, "--gres with GPUs in it", read<SbatchJob, &SbatchJob::gres_gpus>},
    Field{"max_nodes", kIntType, kAlways, "most nodes it takes", read<SbatchJob, &SbatchJob::max_nodes>},
    Field{"min_nodes", kIntType, kAlways, "fewest nodes it takes", read<SbatchJob, &SbatchJob::min_nodes>},
    Field{"name", kStringType, kAlways, "--job-name, else the file's name", read<SbatchJob, &Object::name>},
    Field{"nodes_given", kBoolType, kAlways, "--nodes is written; else the nodes follow from the tasks", read<SbatchJob, &SbatchJob::nodes_given>},
    Field{"partition", kStringType, kOptional, "--partition", read<SbatchJob, &SbatchJob::partition>},
    Field{"partition_whole_node", kBoolType, kAlways, "its partition gives whole nodes", read<SbatchJob, &SbatchJob::partition_whole_node>},
    Field{"requests_gpus", kBoolType, kAlways, "some option asks for GPUs", read<SbatchJob, &SbatchJob::requests_gpus>},
    Field{"tasks", kIntType, kOptional, "--ntasks", read<SbatchJob, &SbatchJob::tasks>},
    Field{"uses_gpus", kBoolType, kAlways, "its body or partition tells that it computes on GPUs", read<SbatchJob, &SbatchJob::uses_gpus>},
};
constexpr std::array kDirectiveFields{
    Field{"first_command", kStringType, kAlways, "the command that ended the reading", read<IgnoredDirective, &IgnoredDirective::first_command>},
    Field{"text", kStringType, kAlways, "the line", read<IgnoredDirective, &IgnoredDirective::text>},
};

std::string setting_id(const void* object, const ReadContext& context) {
  const auto& setting = *static_cast<const SlurmSetting*>(object);
  return site_file(context.model->slurm_sites[setting.site]) + "/" + setting.key;
}
std::string nodes_id(const void* object, const ReadContext& context) {
  const auto& nodes = *static_cast<const SlurmNodes*>(object);
  return record_id("NodeName", nodes.names.value, nodes, context);
}
std::string partition_id(const void* object, const ReadContext& context) {
  const auto& partition = *static_cast<const SlurmPartition*>(object);
  return record_id("PartitionName", partition.name.value, partition, context);
}
std::string useless_id(const void* object, const ReadContext& context) {
  const auto& line = *static_cast<const UselessDefault*>(object);
  return record_id(line.record, "DEFAULT", line, context);
}
std::string gres_id(const void* object, const ReadContext& context) {
  const auto& line = *static_cast<const GresLine*>(object);
  return record_id("gres.conf", line.nodes.value, line, context);
}
std::string sbatch_id(const void* object, const ReadContext&) { return static_cast<const SbatchJob*>(object)->id; }
std::string directive_id(const void* object, const ReadContext&) { return static_cast<const IgnoredDirective*>(object)->job; }

}  // namespace

const ObjectType kSlurmSiteType{"slurm_site", "a slurm.conf with what it includes and its siblings", kSiteFields, where_of<SlurmSite>, site_id};
const ObjectType kSlurmSettingType{"slurm_setting", "a Key=Value of slurm.conf", kSettingFields, where_of<SlurmSetting>, setting_id};
const ObjectType kSlurmNodesType{"slurm_nodes", "a NodeName line", kNodesFields, where_of<SlurmNodes>, nodes_id};
const ObjectType kSlurmPartitionType{"slurm_partition", "a PartitionName line", kPartitionFields, where_of<SlurmPartition>, partition_id};
const ObjectType kUselessDefaultType{"useless_default", "a DEFAULT record that nothing follows", kUselessFields, where_of<UselessDefault>, useless_id};
const ObjectType kGresLineType{"gres_line", "a line of gres.conf", kGresFields, where_of<GresLine>, gres_id};
const ObjectType kSbatchJobType{"sbatch_job", "what a batch script asks for", kSbatchFields, where_of<SbatchJob>, sbatch_id};
const ObjectType kIgnoredDirectiveType{"ignored_directive", "an #SBATCH line that sbatch never reads", kDirectiveFields, where_of<IgnoredDirective>, directive_id};

}  // namespace muster
