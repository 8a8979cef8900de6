#include "model/volcano_conf.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "gang/manifest.h"
#include "syntax/document.h"
#include "syntax/yaml_reader.h"

namespace muster::volcano_conf {
namespace {

// Where Volcano's chart, its manifests and the flag --scheduler-conf have it.
// Source: volcano-sh/volcano:installer/helm/chart/volcano/templates/scheduler.yaml (1.14).
constexpr std::string_view kKey = "volcano-scheduler.conf";

// Source: volcano-sh/volcano:pkg/scheduler/actions/factory.go (1.14).
constexpr std::array<std::string_view, 8> kActions{"allocate",    "backfill", "enqueue", "gangpreempt",
                                                   "gangreclaim", "preempt",  "reclaim", "shuffle"};

/// Where the words stand within a text that is itself a value of a document.
class Places {
 public:
  Places(std::string_view source, Span outer) : source_(source), outer_(outer) {}

  Span of(std::string_view words) const {
    const std::size_t end = std::min<std::size_t>(outer_.end, source_.size());
    const std::size_t at = source_.find(words, outer_.begin);
    if (words.empty() || at == std::string_view::npos || at + words.size() > end) return outer_;
    return {outer_.file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + words.size())};
  }

 private:
  std::string_view source_;
  Span outer_;
};

/// Absent is true, as SchedulerConf's defaults have it.
bool is_on(const Node& plugin, std::string_view key) { return plugin[key].text() != "false"; }

void read_plugins(const Node& tiers, const Places& places, VolcanoConf& out) {
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
      plugin.where = places.of("name: " + plugin.name);
      out.plugins.push_back(std::move(plugin));
    }
  }
}

}  // namespace

bool recognises(const Artifact& artifact) { return artifact.object["data"][kKey].is_scalar(); }

/// v1 ConfigMap with the configuration of Volcano's scheduler.
void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node value = artifact.object["data"][kKey];
  const std::string_view text = value.text();
  VolcanoConf conf;
  static_cast<Object&>(conf) = read_object(artifact, context);
  const Places places(context.sources.file(artifact.file).text(), value.where());
  conf.actions_where = places.of("actions:");
  Document document;
  std::vector<Finding> findings;
  const bool readable =
      read_yaml(text, Span{artifact.file, 0, static_cast<std::uint32_t>(text.size())}, document, findings);
  const Node root = document.root();
  const Node actions = root["actions"];
  for (const std::string_view word : split(actions.text(), ',')) {
    if (const std::string_view action = trim(word); !action.empty()) conf.actions.emplace_back(action);
  }
  read_plugins(root["tiers"], places, conf);
  conf.understood = readable && findings.empty() && actions.is_scalar() && root["tiers"].is_sequence() &&
                    std::ranges::all_of(conf.actions, [](const std::string& action) {
                      return std::ranges::find(kActions, action) != kActions.end();
                    });
  context.model.volcano_confs.push_back(std::move(conf));
}

}  // namespace muster::volcano_conf
