#include "kubernetes/installed_charts.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "kubernetes/check_sharing.h"
#include "kubernetes/known_charts.h"
#include "kubernetes/manifests.h"
#include "syntax/embedded.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::string_view kGpuOperator = "gpu-operator";
constexpr std::string_view kDevicePlugin = "nvidia-device-plugin";
constexpr std::string_view kSlinky = "slurm";

/// A key of values.yaml and what may stand below it, in any release; nothing: that is not looked at.
struct Section {
  std::string_view name;
  std::string_view keys;  ///< blank-separated
};

/// Of values.yaml and of what templates read, in all releases from v1.7.0 to v26.7.0. Source:
/// NVIDIA/gpu-operator:deployments/gpu-operator.
constexpr std::array kSections{
    Section{"ccManager",
            "args defaultMode enabled env hostNetwork image imagePullPolicy imagePullSecrets repository "
            "resources version"},
    Section{"cdi", "default enabled nriPluginEnabled"},
    Section{"clusterPolicy", "deployCR"},
    Section{"daemonsets", "annotations labels priorityClassName rollingUpdate tolerations updateStrategy"},
    Section{"dcgm",
            "args enabled env hostNetwork hostPort image imagePullPolicy imagePullSecrets repository "
            "resources securityContext version"},
    Section{"dcgmExporter",
            "affinity annotations args config enablePodLabels enablePodUID enabled env hostNetwork hostPID "
            "hpcJobMapping image imagePullPolicy imagePullSecrets nodeSelector podLabelAllowlistRegex "
            "podSecurityContext priorityClassName repository resources securityContext service "
            "serviceMonitor tolerations version"},
    Section{"devicePlugin",
            "affinity args config enabled env hostNetwork image imagePullPolicy imagePullSecrets mps "
            "nodeSelector podSecurityContext priorityClassName repository resources securityContext "
            "tolerations version"},
    Section{"draDriver", "computeDomains featureGates gpus image imagePullPolicy imagePullSecrets repository version"},
    Section{"driver",
            "affinity args certConfig enabled env hostNetwork image imagePullPolicy imagePullSecrets "
            "kernelModuleConfig kernelModuleType licensingConfig livenessProbe manager nodeSelector "
            "nvidiaDriverCRD podSecurityContext priorityClassName rdma readinessProbe repoConfig repository "
            "resources rollingUpdate secretEnv securityContext startupProbe tolerations upgradePolicy "
            "useOpenKernelModules usePrecompiled use_ocp_driver_toolkit version virtualTopology"},
    Section{"extraObjects", ""},
    Section{"gdrcopy", "args enabled env image imagePullPolicy imagePullSecrets repository version"},
    Section{"gds", "args enabled env image imagePullPolicy imagePullSecrets repository version"},
    Section{"gfd",
            "affinity args enabled env hostNetwork image imagePullPolicy imagePullSecrets nodeSelector "
            "podSecurityContext priorityClassName repository resources securityContext tolerations version"},
    Section{"gpuCluster", "deployCR"},
    Section{"hostPaths", "driverInstallDir kubeletRootDir rootFS"},
    Section{"kataManager",
            "args config enabled env hostNetwork image imagePullPolicy imagePullSecrets repository "
            "resources version"},
    Section{"kataSandboxDevicePlugin",
            "args enabled env hostNetwork image imagePullPolicy imagePullSecrets repository resources "
            "version"},
    Section{"mig", "strategy"},
    Section{"migManager",
            "affinity args config enabled env gpuClientsConfig hostNetwork image imagePullPolicy "
            "imagePullSecrets nodeSelector podSecurityContext priorityClassName repository resources "
            "securityContext tolerations version"},
    Section{"nfd", ""},
    Section{"node-feature-discovery", ""},
    Section{"nodeStatusExporter",
            "args enabled env hostNetwork image imagePullPolicy imagePullSecrets repository resources "
            "securityContext version"},
    Section{"operator",
            "affinity annotations cleanupCRD defaultGPUMode defaultRuntime env image imagePullPolicy "
            "imagePullSecrets initContainer labels logging metrics migStrategy nodeSelector "
            "priorityClassName repository resources runtimeClass tolerations upgradeCRD "
            "use_ocp_driver_toolkit version"},
    Section{"platform", "openshift"},
    Section{"psa", "enabled"},
    Section{"psp", "enabled"},
    Section{"sandboxDevicePlugin",
            "args enabled env hostNetwork image imagePullPolicy imagePullSecrets repository resources "
            "version"},
    Section{"sandboxWorkloads", "defaultWorkload enabled mode"},
    Section{"toolkit",
            "affinity args enabled env hostNetwork image imagePullPolicy imagePullSecrets installDir "
            "nodeSelector podSecurityContext priorityClassName repository resources securityContext "
            "tolerations version"},
    Section{"validator",
            "affinity args cuda driver env hostNetwork image imagePullPolicy imagePullSecrets nodeSelector "
            "plugin podSecurityContext priorityClassName repository resources securityContext tolerations "
            "toolkit version vfioPCI vgpuDevices vgpuManager"},
    Section{"vfioManager",
            "args driverManager enabled env hostNetwork image imagePullPolicy imagePullSecrets repository "
            "resources version"},
    Section{"vgpuDeviceManager",
            "args config enabled env hostNetwork image imagePullPolicy imagePullSecrets repository "
            "resources version"},
    Section{"vgpuManager",
            "args driverManager enabled env hostNetwork image imagePullPolicy imagePullSecrets "
            "kernelModuleConfig repository resources version"},
};

/// Keys that no other chart has at its top; the chart of the device plugin has `devicePlugin` and `gfd`, too.
constexpr std::array<std::string_view, 4> kOwnKeys{"dcgmExporter", "migManager", "nodeStatusExporter",
                                                   "sandboxWorkloads"};

const Section* find_section(std::string_view name) {
  const auto found = std::ranges::find(kSections, name, &Section::name);
  return found == kSections.end() ? nullptr : &*found;
}

bool is_key_of(std::string_view words, std::string_view word) {
  const std::vector<std::string_view> all = split(words, ' ');
  return std::ranges::find(all, word) != all.end();
}

/// Its own keys or, in the values of a chart above it, those under its name.
Node values_in(const Node& document) {
  if (!document.is_mapping() || document["kind"].exists() || document["apiVersion"].exists()) return {};
  const Node below = document[kGpuOperator];
  const Node values = below.is_mapping() ? below : document;
  std::size_t known = 0;
  bool own = values["devicePlugin"].exists() && (values["toolkit"].exists() || values["driver"].exists());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string_view key = values.key(i).text();
    known += find_section(key) != nullptr ? 1 : 0;
    own = own || std::ranges::find(kOwnKeys, key) != kOwnKeys.end();
  }
  const bool named = below.is_mapping();
  return (named || (own && known >= 2)) && 2 * known >= values.size() && known > 0 ? values : Node{};
}

/// Values of slurm-operator's chart for a cluster. Source: SlinkyProject/slurm-operator:helm/slurm/values.yaml (0.4 to
/// 1.2).
bool is_slinky_values(const Node& document) {
  constexpr std::array<std::string_view, 8> kBeside{"accounting", "configFiles", "controller",  "loginsets",
                                                    "jwtKeyRef",  "restapi",     "slurmKeyRef", "vendor"};
  if (!document.is_mapping() || document["kind"].exists() || document["apiVersion"].exists()) return false;
  const Node sets = document["nodesets"];
  return sets.is_mapping() && sets.size() > 0 && sets.value(0).is_mapping() &&
         std::ranges::any_of(kBeside, [&](std::string_view key) { return document[key].exists(); });
}

/// Charts of which only some values are judged, by a key that no other chart has at its top and what stands below or
/// beside it. Sources: SlinkyProject/slurm-bridge:helm/slurm-bridge/values.yaml (1.0 to 1.2);
/// nebius/soperator:helm/slurm-cluster/values.yaml (4.1);
/// kubernetes-sigs/dra-driver-nvidia-gpu:deployments/helm/dra-driver-nvidia-gpu/values.yaml (25.8 to 0.5).
std::string_view chart_of_other_values(const Node& document) {
  if (!document.is_mapping() || document["kind"].exists() || document["apiVersion"].exists()) return "";
  const Node bridge = document["schedulerConfig"];
  if (bridge.is_mapping() && (bridge["partition"].exists() || bridge["mcsLabel"].exists())) return "slurm-bridge";
  const Node admission = document["admission"];
  if (admission["managedNamespaces"].exists() || admission["managedNamespaceSelector"].exists()) return "slurm-bridge";
  if (document["k8sNodeFilters"].exists() && (document["slurmNodes"].exists() || document["slurmConfig"].exists()))
    return "slurm-cluster";
  return document["gpuResourcesEnabledOverride"].exists() ? "nvidia-dra-driver-gpu" : "";
}

/// Values of the chart of the device plugin, by a configuration in `config.map`; nothing of others.
/// Source: NVIDIA/k8s-device-plugin:deployments/helm/nvidia-device-plugin/values.yaml (0.14 to 0.19).
Node plugin_values(const Node& document) {
  if (!document.is_mapping() || document["kind"].exists() || document["apiVersion"].exists()) return {};
  const Node below = document[kDevicePlugin];
  const Node values = below.is_mapping() ? below : document;
  const Node map = values["config"]["map"];
  for (std::size_t i = 0; map.is_mapping() && i < map.size(); ++i) {
    const std::string_view text = map.value(i).is_scalar() ? map.value(i).text() : std::string_view();
    if (contains(text, "version:") && (contains(text, "timeSlicing:") || contains(text, "migStrategy:"))) return values;
  }
  return {};
}

class UnreadValues {
 public:
  UnreadValues(std::optional<Span> place, std::vector<Finding>& findings) : place_(place), findings_(findings) {}

  /// `release`: of the chart, where something names it.
  void look(const Node& values, std::string_view release) {
    for (std::size_t i = 0; values.is_mapping() && i < values.size(); ++i) {
      const std::string_view key = values.key(i).text();
      if (key == "global" || key.starts_with("x-") || contains(key, "{{")) continue;
      const Section* section = find_section(key);
      if (section == nullptr && !says_nothing(values.value(i))) {
        say(values.key(i), std::string(key), "");
      } else if (section != nullptr && !section->keys.empty()) {
        look_below(*section, values.value(i));
      }
    }
    if (!retired_.empty() && !is_before_retired(values["operator"]["version"].text()) && !is_before_retired(release))
      say_retired();
  }

 private:
  /// `v1.7.1`, `1.7.*`, and what may be one: `1.x`, `<1.8`.
  static bool is_before_retired(std::string_view release) {
    const std::size_t digit = release.find_first_of("0123456789");
    if (digit == release.npos) return false;
    if (release.starts_with('<')) return true;
    const std::vector<std::string_view> parts = split(release.substr(digit), '.');
    const std::optional<std::int64_t> minor = parts.size() > 1 ? parse_int(parts[1]) : std::nullopt;
    return parts[0] == "1" && (!minor || *minor < 8);
  }

  /// What 1.7 alone read of each part; since 1.8 it is said once, in `daemonsets`. Source:
  /// NVIDIA/gpu-operator:deployments/gpu-operator/templates/clusterpolicy.yaml (v1.7.1, v1.8.0).
  static bool is_retired(std::string_view section, std::string_view key) {
    return section != "operator" && section != "daemonsets" &&
           is_key_of("affinity nodeSelector podSecurityContext priorityClassName tolerations", key);
  }

  void say_retired() {
    constexpr std::size_t kShown = 3;
    const auto& [first, path] = retired_.front();
    say(first, path, "");
    std::string message(findings_.back().message);
    for (std::size_t i = 1; i < std::min(retired_.size(), kShown); ++i)
      message += (i == 1 ? ", nor `" : ", `") + retired_[i].second + "`";
    if (retired_.size() > kShown) message += " and " + std::to_string(retired_.size() - kShown) + " more";
    findings_.back().message = message + ", since 1.8";
  }

  /// `{}`, `[]`, `null`: nobody misses it.
  static bool says_nothing(const Node& value) {
    return value.is_scalar() ? value.text().empty() || value.text() == "null" || value.text() == "~"
                             : value.size() == 0;
  }

  void look_below(const Section& section, const Node& below) {
    for (std::size_t i = 0; below.is_mapping() && i < below.size(); ++i) {
      const std::string_view key = below.key(i).text();
      const bool written = !contains(key, "{{") && !says_nothing(below.value(i));
      if (written && !is_key_of(section.keys, key)) {
        say(below.key(i), std::string(section.name), key);
      } else if (written && is_retired(section.name, key)) {
        retired_.emplace_back(below.key(i), std::string(section.name) + "." + std::string(key));
      }
      if (section.name == "devicePlugin" && key == "config") plugin_config(below.value(i));
      const Node env = key == "env" ? below.value(i) : below.value(i)["env"];
      if (section.name != "operator" && section.name != "nfd") variables(std::string(section.name), env);
    }
  }

  /// The chart copies these lists into the ClusterPolicy, whose kind wants texts. Source: NVIDIA/gpu-operator:
  /// deployments/gpu-operator/templates/clusterpolicy.yaml (25.10), crds/nvidia.com_clusterpolicies.yaml.
  void variables(const std::string& section, const Node& env) {
    for (std::size_t i = 0; env.is_sequence() && i < env.size(); ++i) {
      const Node value = env.item(i)["value"];
      const bool plain = value.is_scalar() && value.style() == ScalarStyle::Plain;
      if (!plain || !(is_true(value) || is_false(value) || yaml_int(value.text()))) continue;
      findings_.push_back(problem("chart-env-not-text", place_.value_or(value.where()),
                                  "`" + std::string(env.item(i)["name"].text()) + "` in `" + section + "` is " +
                                      (yaml_int(value.text()) ? "a number" : "a boolean") + " and no text"));
      findings_.back().field = section;
      findings_.back().about = About::Whole;
    }
  }

  /// What names a ConfigMap of configurations, or makes it: a configuration itself stands in its `data`.
  void plugin_config(const Node& config) {
    check_sharing(config["data"], findings_);
    for (std::size_t i = 0; config.is_mapping() && i < config.size(); ++i) {
      const std::string_view key = config.key(i).text();
      const bool nameless = key == "default" && !config["name"].exists() && !config["data"].exists();
      const bool own = is_key_of("create data default name", key) && !nameless;
      if (!own && !contains(key, "{{") && !says_nothing(config.value(i)))
        say(config.key(i), "devicePlugin.config", key);
    }
  }

  void say(const Node& key, const std::string& top, std::string_view below) {
    const std::string path = below.empty() ? top : top + "." + std::string(below);
    findings_.push_back(problem("gpu-operator-value-unread", place_.value_or(key.where()),
                                "the chart of the GPU Operator reads no value `" + path + "`"));
    findings_.back().field = path;
    findings_.back().about = About::Whole;
  }

  std::optional<Span> place_;  ///< where values stand that do not know it themselves
  std::vector<Finding>& findings_;
  std::vector<std::pair<Node, std::string>> retired_;  ///< keys, and their paths
};

/// Values of the chart of the device plugin: `config` has `map`, `name` and `default`.
/// Source: NVIDIA/k8s-device-plugin:deployments/helm/nvidia-device-plugin/values.yaml (0.14).
void check_device_plugin(const Node& values, std::vector<Finding>& findings) {
  check_sharing(values["config"]["map"], findings);
  for (const std::string_view key : {"sharing", "flags", "resources"}) {
    const Node found = values["config"][key];
    if (!found.exists()) continue;
    findings.push_back(problem("device-plugin-config-unread", found.key_where(),
                               "the chart of the device plugin reads no `config." + std::string(key) + "`"));
    findings.back().field = key;
    findings.back().about = About::Whole;
    return;
  }
}

}  // namespace

bool is_chart_values(const Node& document) {
  return values_in(document).exists() || is_slinky_values(document) || !chart_of_other_values(document).empty() ||
         plugin_values(document).exists();
}

bool may_be_chart_values(std::string_view text) {
  constexpr std::array<std::string_view, 8> kKeys{"devicePlugin",    "gpuResourcesEnabledOverride",
                                                  "k8sNodeFilters",  "managedNamespace",
                                                  "migStrategy",     "nodesets:",
                                                  "schedulerConfig", "timeSlicing"};
  const auto has = [&](std::string_view key) { return contains(text, key); };
  return contains(text, kGpuOperator) || std::ranges::any_of(kKeys, has) || std::ranges::any_of(kOwnKeys, has);
}

std::optional<Manifest> read_chart_values(const Node& document, std::vector<Finding>& findings, ValueBlock& block) {
  if (is_slinky_values(document)) return values_of_chart(document, kSlinky, block);
  if (const std::string_view chart = chart_of_other_values(document); !chart.empty())
    return values_of_chart(document, chart, block);
  const Node values = values_in(document);
  if (!values.exists()) {
    const Node plugin = plugin_values(document);
    if (!plugin.exists()) return std::nullopt;
    check_device_plugin(plugin, findings);
    return values_of_chart(plugin, kDevicePlugin, block);
  }
  UnreadValues(std::nullopt, findings).look(values, {});
  return values_of_chart(values, kGpuOperator, block);
}

namespace {

/// Values for a chart, of which `text` holds those that are no mapping.
void check_values(std::string_view chart, std::string_view release, const Node& values, const Node& text,
                  std::vector<Finding>& findings) {
  const std::optional<Document> read = read_text_document(text, &findings);
  const Node given = read ? read->root() : values;
  if (chart == kDevicePlugin) check_device_plugin(given, findings);
  const std::optional<Span> place = read ? std::optional(text.where()) : std::nullopt;
  if (chart == kGpuOperator) UnreadValues(place, findings).look(given, release);
  check_known_values(chart, given, place, findings);
}

/// The values of a source of an Application of Argo CD. Those that are a text count where `valuesObject` is absent; a
/// key that stands twice in it is said for every chart. Source:
/// https://argo-cd.readthedocs.io/en/release-3.3/user-guide/helm/
void check_source(const Node& source, std::vector<Finding>& findings) {
  const Node given = source["helm"]["valuesObject"];
  const Node text = given.exists() ? Node{} : source["helm"]["values"];
  check_values(source["chart"].text(), source["targetRevision"].text(), given, text, findings);
}

}  // namespace

void check_installed_chart(const Node& object, std::vector<Finding>& findings) {
  const Node spec = object["spec"];
  if (spec["chart"].is_scalar())
    return check_values(spec["chart"].text(), spec["version"].text(), {}, spec["valuesContent"], findings);
  if (spec["chart"]["spec"]["chart"].text() == kDevicePlugin) check_device_plugin(spec["values"], findings);
  if (spec["chart"]["spec"]["chart"].text() == kGpuOperator)
    return UnreadValues(std::nullopt, findings).look(spec["values"], spec["chart"]["spec"]["version"].text());
  if (const std::string_view chart = spec["chart"]["spec"]["chart"].text(); !chart.empty())
    return check_known_values(chart, spec["values"], std::nullopt, findings);
  const Node sources = spec["sources"];
  if (!sources.is_sequence() || sources.size() == 0) return check_source(spec["source"], findings);
  for (std::size_t i = 0; i < sources.size(); ++i) check_source(sources.item(i), findings);
}

}  // namespace muster
