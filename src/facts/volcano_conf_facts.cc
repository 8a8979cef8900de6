#include <array>

#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

constexpr Type kConfObject = object_of(kVolcanoConfType);

const VolcanoConf& conf_of(const void* object) { return *static_cast<const VolcanoConf*>(object); }
const VolcanoPlugin& plugin_of(const void* object) { return *static_cast<const VolcanoPlugin*>(object); }

Value plugin_names(const void* object, const ReadContext& context) {
  return Value::of(context.arena->make(
      ListData{conf_of(object).plugins.size(), &conf_of(object).plugins, [](const void* base, std::size_t i) {
                 return Value::of(std::string_view((*static_cast<const std::vector<VolcanoPlugin>*>(base))[i].name));
               }}));
}

/// So that a finding points at the key.
Value actions(const void* object, const ReadContext& context) { return to_value(conf_of(object).actions, context); }

Value plugin_conf(const void* object, const ReadContext& context) {
  return Value::object(&kVolcanoConfType, &context.model->volcano_confs[plugin_of(object).conf]);
}

Span actions_where(const void* object) {
  return conf_of(object).actions_where.placed() ? conf_of(object).actions_where : conf_of(object).where;
}

SharedText plugin_id(const void* object, const ReadContext& context) {
  return context.model->volcano_confs[plugin_of(object).conf].id;
}

constexpr std::array kConfFields{
    Field{"actions", kStringListType, kAlways, "its actions, in their order", actions},
    Field{"id", kStringType, kAlways, "group/version/kind/namespace/name", read<VolcanoConf, &Object::id>},
    Field{"name", kStringType, kAlways, "name of its ConfigMap", read<VolcanoConf, &Object::name>},
    Field{"plugins", kStringListType, kAlways, "names of its plugins, over all tiers", plugin_names},
    Field{"understood", kBoolType, kAlways, "Volcano takes it: known actions, readable text",
          read<VolcanoConf, &VolcanoConf::understood>},
    Field{"unknown_actions", kStringListType, kAlways, "actions that Volcano does not have",
          read<VolcanoConf, &VolcanoConf::unknown_actions>},
};

constexpr std::array kPluginFields{
    Field{"conf", kConfObject, kAlways, "the configuration it stands in", plugin_conf},
    Field{"hierarchy", kBoolType, kAlways, "enableHierarchy", read<VolcanoPlugin, &VolcanoPlugin::hierarchy>},
    Field{"job_ready", kBoolType, kAlways, "enableJobReady", read<VolcanoPlugin, &VolcanoPlugin::job_ready>},
    Field{"name", kStringType, kAlways, "its name", read<VolcanoPlugin, &VolcanoPlugin::name>},
    Field{"overcommit", kStringType, kOptional, "argument overcommit-factor",
          read<VolcanoPlugin, &VolcanoPlugin::overcommit>},
    Field{"preemptable", kBoolType, kAlways, "enablePreemptable", read<VolcanoPlugin, &VolcanoPlugin::preemptable>},
    Field{"reclaimable", kBoolType, kAlways, "enableReclaimable", read<VolcanoPlugin, &VolcanoPlugin::reclaimable>},
    Field{"unknown_keys", kStringListType, kAlways, "keys that Volcano drops without a word",
          read<VolcanoPlugin, &VolcanoPlugin::unknown_keys>},
};

}  // namespace

const ObjectType kVolcanoConfType{"volcano_conf", "the configuration of Volcano's scheduler", kConfFields,
                                  actions_where, own_id<VolcanoConf>};
const ObjectType kVolcanoPluginType{"volcano_plugin", "a plugin of it", kPluginFields, where_of<VolcanoPlugin>,
                                    plugin_id};

}  // namespace muster
