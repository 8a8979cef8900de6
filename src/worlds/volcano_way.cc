#include "worlds/volcano_way.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {
namespace {

/// An action that evicts pods one by one, unless the plugin `gang` keeps it from that: asked within the first tier, it
/// yields no pod that minMember needs. What a plugin of an earlier tier yields is taken.
/// Source: volcano-sh/volcano:pkg/scheduler/plugins/gang/gang.go and framework/session_plugins.go (1.14); executed with
/// Volcano 1.14.1.
bool takes_pods(const VolcanoConf& conf, std::string_view action) {
  if (!conf.has_action(action)) return false;
  const VolcanoPlugin* gang = conf.plugin("gang");
  if (gang == nullptr || gang->tier > 0 || action == "shuffle") return true;
  return action == "preempt" ? !gang->preemptable : !gang->reclaimable;
}

VolcanoWay way_of(const VolcanoConf& conf) {
  VolcanoWay way;
  way.configured = true;
  const std::string where = "`" + conf.name.value + "`";
  const VolcanoPlugin* gang = conf.plugin("gang");
  way.places_gangs = gang != nullptr && gang->job_ready;
  way.keeps_topology = conf.plugin("network-topology-aware") != nullptr;
  if (!way.places_gangs) {
    way.says.push_back({gang == nullptr
                            ? "plugin `gang` is not in " + where + ": Volcano places pod by pod"
                            : "`gang` has `enableJobReady: false` in " + where + ": Volcano places pod by pod",
                        gang == nullptr ? conf.actions_where : gang->where});
  }
  std::vector<std::string> evicting;
  for (const std::string_view action : {"preempt", "reclaim", "shuffle"}) {
    if (takes_pods(conf, action)) evicting.push_back("`" + std::string(action) + "`");
  }
  if (!evicting.empty()) {
    way.takes_pods = "action " + join(evicting, ", ") + " of " + where + " evicts single pods";
    way.says.push_back({way.takes_pods, conf.actions_where});
  } else {
    const bool whole = conf.has_action("gangpreempt") || conf.has_action("gangreclaim");
    way.says.push_back({whole ? "the actions of " + where + " evict whole gangs only"
                              : "no action of " + where + " evicts a pod that a gang needs",
                        conf.actions_where});
  }
  return way;
}

}  // namespace

std::optional<VolcanoWay> volcano_way(const Model& model, const std::string& bundle, std::string& needs) {
  std::optional<VolcanoWay> out;
  for (const VolcanoConf& conf : model.volcano_confs) {
    if (conf.bundle != bundle) continue;
    if (!conf.understood) {
      needs = "a configuration that Volcano takes (`" + conf.name.value +
              "` has an action it does not know, or cannot be read)";
      return std::nullopt;
    }
    VolcanoWay way = way_of(conf);
    if (out && (out->places_gangs != way.places_gangs || out->keeps_topology != way.keeps_topology ||
                out->takes_pods.empty() != way.takes_pods.empty())) {
      needs = "which of the configurations of Volcano in its bundle counts";
      return std::nullopt;
    }
    if (!out) out = std::move(way);
  }
  if (out) return out;
  VolcanoWay shipped;
  shipped.says.push_back({"no configuration of Volcano's scheduler is in the bundle: as shipped it evicts no pod", {}});
  return shipped;
}

}  // namespace muster
