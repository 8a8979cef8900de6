// Where operators are configured beside the flags of their Deployment.
#include <string_view>
#include <utility>

#include "kubernetes/installed_charts.h"
#include "kubernetes/key_uses.h"
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

namespace {

/// A ConfigMap that values of the GPU Operator name in a section without making it, and with `key` the key that they
/// name there; as key_uses.cc has it of other objects.
void add_named_config(const Manifest& chart, std::string_view section, std::string_view key, Model& model) {
  const WrittenValue* part = chart.part("values").find(section);
  const WrittenValue* config = part != nullptr ? part->find("config") : nullptr;
  const WrittenValue* name = config != nullptr ? config->find("name") : nullptr;
  if (name == nullptr || !name->is_text() || name->text().empty() || name->text() == kDefaultMigConfig) return;
  const WrittenValue* create = config->find("create");
  const WrittenValue* data = config->find("data");
  if ((create != nullptr && (create->state != State::Set || create->flag)) ||
      (data != nullptr && !data->items().empty()))
    return;
  KeyUse use;
  static_cast<Object&>(use) = chart;
  use.by_operator = true;
  use.of = "ConfigMap";
  use.target = set_to(name->text(), name->where, "name");
  if (!key.empty()) {
    const WrittenValue* named = config->find(key);
    if (named == nullptr || !named->is_text() || named->text().empty()) return;
    use.key = set_to(named->text(), named->where, "key");
  }
  model.key_uses.push_back(std::move(use));
}

}  // namespace

void normalise(const Artifact& artifact, const NormaliseContext& context) {
  read_operator_values(artifact.object, context);
  std::optional<Manifest> chart = read_chart_values(artifact.object, context.findings, context.model.values);
  if (!chart) return;
  chart->file = context.file.path;
  chart->bundle = context.file.bundle;
  if (chart->part("chart").text() == "gpu-operator") {
    add_named_config(*chart, "devicePlugin", "default", context.model);
    add_named_config(*chart, "migManager", "", context.model);
  }
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
