// Where operators are configured beside the flags of their Deployment.
#include "kubernetes/installed_charts.h"
#include "kubernetes/operator_settings.h"

namespace muster {

namespace config_map {

/// ConfigMaps hold anything: ours are those with an operator's Configuration.
bool recognises(const Artifact& artifact, const SchedulerBook& book) {
  const Node data = artifact.object["data"];
  for (std::size_t i = 0; data.is_mapping() && i < data.size(); ++i) {
    if (may_hold_operator_config(data.value(i).text(), book)) return true;
  }
  return false;
}

void normalise(const Artifact& artifact, const NormaliseContext& context) {
  const Node data = artifact.object["data"];
  for (std::size_t i = 0; data.is_mapping() && i < data.size(); ++i) read_operator_config_text(data.value(i), context);
}

}  // namespace config_map

namespace helm_values {

bool recognises(const Artifact& artifact, const SchedulerBook& book) {
  return is_operator_values(artifact.object, book) || is_chart_values(artifact.object);
}

void normalise(const Artifact& artifact, const NormaliseContext& context) {
  read_operator_values(artifact.object, context);
  std::optional<Manifest> chart = read_chart_values(artifact.object, context.findings, context.model.values);
  if (!chart) return;
  chart->file = context.file.path;
  chart->bundle = context.file.bundle;
  context.model.manifests.push_back(*std::move(chart));
}

}  // namespace helm_values

namespace operator_config {

/// Other programs have a `Configuration`, too: a document that cannot be read is not taken for one of these.
bool recognises(const Artifact&) { return true; }

void normalise(const Artifact& artifact, const NormaliseContext& context) {
  read_operator_config(artifact.object, context);
}

}  // namespace operator_config

}  // namespace muster
