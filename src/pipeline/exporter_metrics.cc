#include "pipeline/exporter_metrics.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/whole_input.h"

namespace muster {
namespace {

constexpr int kDeepestRule = 8;
constexpr std::size_t kExporterBlock = 2000;  // bytes: of one block of values, of one line
constexpr std::string_view kDcgm = "DCGM_FI_";

// Commented out, or not there, in every list that the exporter comes with. Source: NVIDIA/dcgm-exporter:
// etc/default-counters.csv, etc/dcp-metrics-included.csv and deployment/templates/metrics-configmap.yaml (2.1
// to 4.8.2).
constexpr std::array<std::string_view, 31> kNotExported{"DCGM_FI_DEV_BOARD_LIMIT_VIOLATION",
                                                        "DCGM_FI_DEV_CLOCKS_EVENT_REASONS",
                                                        "DCGM_FI_DEV_CLOCK_THROTTLE_REASONS",
                                                        "DCGM_FI_DEV_ECC_DBE_AGG_TOTAL",
                                                        "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL",
                                                        "DCGM_FI_DEV_ECC_SBE_AGG_TOTAL",
                                                        "DCGM_FI_DEV_ECC_SBE_VOL_TOTAL",
                                                        "DCGM_FI_DEV_ENFORCED_POWER_LIMIT",
                                                        "DCGM_FI_DEV_FAN_SPEED",
                                                        "DCGM_FI_DEV_FB_TOTAL",
                                                        "DCGM_FI_DEV_FB_USED_PERCENT",
                                                        "DCGM_FI_DEV_LOW_UTIL_VIOLATION",
                                                        "DCGM_FI_DEV_NVLINK_BANDWIDTH_L0",
                                                        "DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL",
                                                        "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL",
                                                        "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL",
                                                        "DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL",
                                                        "DCGM_FI_DEV_POWER_MGMT_LIMIT",
                                                        "DCGM_FI_DEV_POWER_VIOLATION",
                                                        "DCGM_FI_DEV_PSTATE",
                                                        "DCGM_FI_DEV_RELIABILITY_VIOLATION",
                                                        "DCGM_FI_DEV_ROW_REMAP_PENDING",
                                                        "DCGM_FI_DEV_SLOWDOWN_TEMP",
                                                        "DCGM_FI_DEV_SYNC_BOOST_VIOLATION",
                                                        "DCGM_FI_DEV_THERMAL_VIOLATION",
                                                        "DCGM_FI_PROF_PIPE_FP16_ACTIVE",
                                                        "DCGM_FI_PROF_PIPE_FP32_ACTIVE",
                                                        "DCGM_FI_PROF_PIPE_FP64_ACTIVE",
                                                        "DCGM_FI_PROF_SM_ACTIVE",
                                                        "DCGM_FI_PROF_SM_OCCUPANCY",
                                                        "DCGM_FI_PROF_SYS_UTIL"};

/// Whether a text may give the exporter counters: a line of its lists, an option or a value that names one.
bool has_counters(std::string_view text) {
  for (const std::string_view word : {"--collectors", "dcgm-metrics", "metrics-config", "custom-dcgm",
                                      "dcgm-exporter.csv", "customMetrics", "DCGM_EXPORTER_", "dcgmExporter.config"}) {
    if (contains(text, word)) return true;
  }
  for (std::size_t at = text.find(kDcgm); at != text.npos; at = text.find(kDcgm, at + 1)) {
    std::size_t end = at;
    while (end < text.size() && is_word_char(text[end])) ++end;
    std::string_view rest = text.substr(end, kExporterBlock);
    rest = rest.substr(0, rest.find('\n'));
    if (!trim(rest).starts_with(',')) continue;
    if (contains(rest, "gauge") || contains(rest, "counter") || contains(rest, "label")) return true;
  }
  // dcgmExporter.config.name of the operator, or what Terraform makes of it.
  const std::size_t operator_value = text.find("dcgmExporter");
  return operator_value != text.npos && contains(text.substr(operator_value, kExporterBlock), "config");
}

/// Whether a file installs the exporter, alone or with the operator: a chart, an image, a command of helm.
bool installs_exporter(std::string_view text) {
  for (const std::string_view name : {"gpu-operator", "dcgm-exporter"}) {
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
      const std::string_view near =
          text.substr(at < kExporterBlock ? 0 : at - kExporterBlock, std::min(at, kExporterBlock));
      std::string_view line = trim(near.substr(near.rfind('\n') + 1));  // npos + 1 is 0
      if (line.starts_with("- ")) line = trim(line.substr(2));
      if (line.starts_with("chart") || line.starts_with("image") || contains(line, "helm install") ||
          contains(line, "helm upgrade"))
        return true;
    }
  }
  return false;
}

/// Whether the values of a chart come from a file that may not be here.
bool takes_values(std::string_view text) {
  for (const std::string_view word : {"valuesFrom", "valueFiles", "file(", " -f ", "--values"}) {
    if (contains(text, word)) return true;
  }
  return false;
}

class ExporterMetrics {
 public:
  ExporterMetrics(const Inputs& inputs, const Model& model, std::vector<Finding>& findings)
      : inputs_(inputs), model_(model), findings_(findings) {}

  void run() {
    std::vector<const Manifest*> rules;
    for (const Manifest& one : model_.manifests) {
      if (one.def->collection == "prometheus_rules") rules.push_back(&one);
    }
    if (rules.empty()) return;
    for (const Manifest* one : rules) look_at(one->part("groups"), 0);
    if (!found_.empty() && exporter_is_plain()) std::ranges::move(found_, std::back_inserter(findings_));
  }

 private:
  void look_at(const WrittenValue& value, int depth) {
    if (depth > kDeepestRule) return;
    for (std::size_t i = 0; i < value.items().size(); ++i) {
      const WrittenValue& item = value.items()[i];
      const bool expression = value.kind == WrittenValue::Kind::Map && value.keys()[i] == "expr";
      if (expression && item.is_text()) {
        ask(item);
      } else {
        look_at(item, depth + 1);
      }
    }
  }

  void ask(const WrittenValue& expression) {
    const std::string_view text = expression.text();
    for (std::size_t at = text.find(kDcgm); at != text.npos; at = text.find(kDcgm, at + 1)) {
      std::size_t end = at;
      while (end < text.size() && is_word_char(text[end])) ++end;
      const std::string_view name = text.substr(at, end - at);
      const bool alone = at == 0 || !is_word_char(text[at - 1]);
      if (!alone || !std::ranges::binary_search(kNotExported, name)) continue;
      // `... or vector(0)` and `absent(...)` know that it may not be there.
      if (contains(text, " or ") || contains(text, "absent")) return;
      if (!said_.emplace(expression.where.file, expression.where.begin).second) return;
      found_.push_back(problem("alert-metric-not-exported", expression.where,
                               "dcgm-exporter gives no `" + std::string(name) + "` unless it is told to"));
      return;
    }
  }

  /// Whether the input has the exporter, and no text of it speaks of counters.
  bool exporter_is_plain() const {
    if (!is_whole(inputs_)) return false;
    bool installs = false;
    for (std::size_t i = 0; i < inputs_.files.size(); ++i) {
      const std::string_view text = inputs_.sources.file(static_cast<FileId>(i)).text();
      const std::string_view path = inputs_.files[i].context.path;
      if (path.ends_with(".md")) continue;
      if (has_counters(text)) return false;
      if (!installs_exporter(text)) continue;
      if (takes_values(text)) return false;
      installs = true;
    }
    return installs;
  }

  const Inputs& inputs_;
  const Model& model_;
  std::vector<Finding>& findings_;
  std::vector<Finding> found_;
  std::set<std::pair<FileId, std::uint32_t>> said_;
};

}  // namespace

void find_unexported_metrics(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  ExporterMetrics(inputs, model, findings).run();
}

}  // namespace muster
