#include "model/volcano_conf.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "gang/manifest.h"
#include "syntax/embedded.h"
#include "syntax/read_value.h"

namespace muster::volcano_conf {
namespace {

// Where Volcano's chart, its manifests and the flag --scheduler-conf have it.
// Source: volcano-sh/volcano:installer/helm/chart/volcano/templates/scheduler.yaml (1.14).
constexpr std::string_view kKey = "volcano-scheduler.conf";

// Source: volcano-sh/volcano:pkg/scheduler/actions/factory.go (1.14).
constexpr std::array<std::string_view, 8> kActions{"allocate",    "backfill", "enqueue", "gangpreempt",
                                                   "gangreclaim", "preempt",  "reclaim", "shuffle"};

// Keys of PluginOption; the spellings differ as they are written here. Source:
// volcano-sh/volcano:pkg/scheduler/conf/scheduler_conf.go (1.15).
constexpr std::array<std::string_view, 33> kPluginKeys{
    "arguments",          "enableBestNode",        "enableClusterOrder",
    "enableHierarchy",    "enableHyperNodeOrder",  "enableJobEnqueued",
    "enableJobOrder",     "enableJobPipelined",    "enableJobReady",
    "enableJobStarving",  "enableNamespaceOrder",  "enableNodeOrder",
    "enablePredicate",    "enablePreemptable",     "enablePreemptive",
    "enableQueueOrder",   "enableReclaimable",     "enableReservedNodes",
    "enableSubJobOrder",  "enableSubJobPipelined", "enableSubJobReady",
    "enableTargetJob",    "enableTaskOrder",       "enableVictim",
    "enabledAllocatable", "enabledClusterOrder",   "enabledHyperNodeOrder",
    "enabledOverused",    "enabledSubJobOrder",    "enabledSubJobPipelined",
    "enabledSubJobReady", "enabledVictim",         "name"};

/// Absent is true, as SchedulerConf's defaults have it.
bool is_on(const Node& plugin, std::string_view key) { return plugin[key].text() != "false"; }

void read_plugins(const Node& tiers, const Embedded& text, VolcanoConf& out) {
  for (std::size_t t = 0; tiers.is_sequence() && t < tiers.size(); ++t) {
    const Node plugins = tiers.item(t)["plugins"];
    for (std::size_t i = 0; plugins.is_sequence() && i < plugins.size(); ++i) {
      const Node node = plugins.item(i);
      VolcanoPlugin plugin;
      plugin.name = node["name"].text();
      plugin.tier = t;
      plugin.job_ready = is_on(node, "enableJobReady");
      plugin.preemptable = is_on(node, "enablePreemptable");
      plugin.reclaimable = is_on(node, "enableReclaimable");
      plugin.hierarchy = is_true(node["enableHierarchy"]);
      for (std::size_t k = 0; node.is_mapping() && k < node.size(); ++k) {
        const std::string_view key = node.key(k).text();
        if (std::ranges::find(kPluginKeys, key) == kPluginKeys.end()) plugin.unknown_keys.emplace_back(key);
      }
      plugin.claims = to_lower(node["arguments"]["predicate.DynamicResourceAllocationEnable"].text()) == "true";
      plugin.class_quotas = to_lower(node["arguments"]["capacity.DynamicResourceAllocationEnable"].text()) != "false";
      plugin.where = text.where(node["name"].where());
      if (const Node factor = node["arguments"]["overcommit-factor"]; factor.is_scalar())
        plugin.overcommit = set_to(std::string(factor.text()), text.where(factor.where()), "overcommit-factor");
      out.plugins.push_back(std::move(plugin));
    }
  }
}

}  // namespace

bool recognises(const Artifact& artifact) { return artifact.object["data"][kKey].is_scalar(); }

/// v1 ConfigMap with the configuration of Volcano's scheduler.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node value = artifact.object["data"][kKey];
  VolcanoConf conf;
  static_cast<Object&>(conf) = read_object(artifact, context);
  const Embedded text = read_embedded(value, context.sources.file(artifact.file).text());
  const Node root = text.document.root();
  const Node actions = root["actions"];
  conf.actions_where = text.where(actions.key_where());
  for (const std::string_view word : split(actions.text(), ',')) {
    if (const std::string_view action = trim(word); !action.empty()) conf.actions.emplace_back(action);
  }
  for (const std::string& action : conf.actions) {
    if (std::ranges::find(kActions, action) == kActions.end()) conf.unknown_actions.push_back(action);
  }
  read_plugins(root["tiers"], text, conf);
  conf.understood = text.clean && actions.is_scalar() && root["tiers"].is_sequence() && conf.unknown_actions.empty();
  context.model.volcano_confs.push_back(std::move(conf));
}

}  // namespace muster::volcano_conf
