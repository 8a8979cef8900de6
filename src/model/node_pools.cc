#include "model/node_pools.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::string_view kNodePoolLabel = "karpenter.sh/nodepool";

bool lists_value(const WrittenValue* list, std::string_view text) {
  return list != nullptr && std::ranges::any_of(list->items(), [&](const WrittenValue& one) {
           return one.state == State::Unknown || one.text() == text;
         });
}

/// Source: kubernetes/api:core/v1/toleration.go (1.37), ToleratesTaint.
bool tolerates(const WrittenValue& tolerations, const NodePoolTaint& taint) {
  return std::ranges::any_of(tolerations.items(), [&](const WrittenValue& one) {
    if (one.state == State::Unknown || one.kind != WrittenValue::Kind::Map) return true;
    const std::string_view key = one.text_of("key");
    const std::string_view effect = one.text_of("effect");
    const std::string_view word = one.text_of("operator");
    if (!effect.empty() && effect != taint.effect) return false;
    if (!key.empty() && key != taint.key) return false;
    if (word == "Exists") return true;
    const WrittenValue* value = one.find("value");
    const bool open =
        (value != nullptr && value->kind != WrittenValue::Kind::Text) || taint.open || (word != "" && word != "Equal");
    return open || one.text_of("value") == taint.value;
  });
}

/// Whether some container asks for a resource of that name.
bool asks_for(const Manifest& pods, std::string_view resource) {
  return std::ranges::any_of(pods.part("containers").items(), [&](const WrittenValue& container) {
    const WrittenValue* resources = container.find("resources");
    return resources != nullptr && std::ranges::any_of(resources->items(), [&](const WrittenValue& amounts) {
             return amounts.find(resource) != nullptr;
           });
  });
}

}  // namespace

bool has_taint_for_gpus(const Manifest& pool) {
  return std::ranges::any_of(pool.part("taints").items(),
                             [](const WrittenValue& taint) { return contains(taint.text_of("key"), "gpu"); });
}

bool is_well_known_label(std::string_view key) {
  return contains(key, "kubernetes.io/") || contains(key, "k8s.io/") || contains(key, "karpenter.") ||
         key.starts_with("eks.amazonaws.com/") || key.starts_with("cloud.google.com/") ||
         key.starts_with("kubernetes.azure.com/") || key == "agentpool" || contains(key, "nvidia.com/");
}

bool is_of_template(std::string_view file) { return contains(file, "/templates/") || file.starts_with("templates/"); }

/// Sources: karpenter.sh/docs/concepts/scheduling (1.6);
/// docs.aws.amazon.com/eks/latest/userguide/managed-node-groups.html;
/// cloud.google.com/kubernetes-engine/docs/concepts/node-pools; learn.microsoft.com/azure/aks/use-labels.
bool is_pool_name_label(std::string_view key) {
  return key == kNodePoolLabel || key == "eks.amazonaws.com/nodegroup" || key == "cloud.google.com/gke-nodepool" ||
         key == "agentpool" || key == "kubernetes.azure.com/agentpool";
}

bool asks_for_gpus(const Manifest& pods) {
  bool found = false;
  for (const WrittenValue& container : pods.part("containers").items()) {
    const WrittenValue* resources = container.find("resources");
    if (resources == nullptr) continue;
    for (const WrittenValue& amounts : resources->items()) {
      for (const std::string_view name : amounts.keys()) {
        if (contains(name, "neuron") || contains(name, "tpu") || contains(name, "habana")) return false;
        found = found || name == "nvidia.com/gpu" || name == "amd.com/gpu";
      }
    }
  }
  return found;
}

std::string key_of_selector(const WrittenValue& selector) {
  std::string out;
  for (std::size_t i = 0; i < selector.keys().size(); ++i) {
    const WrittenValue& value = selector.items()[i];
    out.append(selector.keys()[i]).append(value.state == State::Unknown ? "?" : "=").append(value.text()).append("\n");
  }
  return out;
}

PoolNodes::PoolNodes(const Manifest& pool) : manifest_(&pool), for_gpus_(has_taint_for_gpus(pool)) {
  const WrittenValue& labels = pool.part("labels");
  const WrittenValue& requirements = pool.part("requirements");
  open_ = labels.state == State::Unknown || requirements.state == State::Unknown;
  for (std::size_t i = 0; i < labels.keys().size(); ++i) {
    const WrittenValue& value = labels.items()[i];
    labels_.try_emplace(labels.keys()[i], Label{value.text(), value.state == State::Unknown});
    some_open_ = some_open_ || value.state == State::Unknown;
  }
  labels_[kNodePoolLabel] = {pool.name.value, false};
  for (const WrittenValue& one : requirements.items()) {
    const std::string_view key = one.text_of("key");
    const WrittenValue* values = one.find("values");
    requirements_[key].push_back(&one);
    // Of any value, or of one that somebody fills in.
    open_ = open_ || one.state == State::Unknown ||
            (!is_well_known_label(key) && (values == nullptr || one.text_of("operator") != "In"));
  }
  for (const WrittenValue& taint : pool.part("taints").items()) {
    if (taint.kind != WrittenValue::Kind::Map) continue;
    const WrittenValue* value = taint.find("value");
    taints_.push_back({taint.text_of("key"), taint.text_of("value"), taint.text_of("effect"),
                       value != nullptr && value->kind != WrittenValue::Kind::Text});
  }
}

PoolNodes::PoolNodes(const CloudPool& pool)
    : cloud_(&pool), open_(pool.open_labels), for_gpus_(pool.gpus && *pool.gpus > 0) {
  for (const auto& [key, value] : pool.labels)
    labels_.try_emplace(key, Label{value ? std::string_view(*value) : std::string_view(), !value});
  some_open_ = std::ranges::any_of(pool.labels, [](const auto& label) { return !label.second; });
  for (const CloudTaint& taint : pool.taints)
    taints_.push_back({taint.key, taint.value ? std::string_view(*taint.value) : "", taint.effect, !taint.value});
}

std::string PoolNodes::words() const {
  return cloud_ != nullptr ? cloud_->words : "NodePool `" + manifest_->name.value + "`";
}

bool PoolNodes::may_have(std::string_view key, std::string_view value) const {
  if (const auto label = labels_.find(key); label != labels_.end())
    return label->second.open || label->second.value == value;
  const auto requirements = requirements_.find(key);
  if (requirements == requirements_.end()) return open_ || is_well_known_label(key);
  return std::ranges::all_of(requirements->second, [&](const WrittenValue* one) {
    const std::string_view how = one->text_of("operator");
    const bool listed = lists_value(one->find("values"), value);
    return !(how == "In" && !listed) && !(how == "NotIn" && listed) && how != "DoesNotExist";
  });
}

PoolFit PoolNodes::fit(std::string_view key, std::string_view value) const {
  if (!may_have(key, value)) return PoolFit::No;
  const auto label = labels_.find(key);
  // Clouds, the kubelet and feature discovery give such labels to others of their machines, too.
  const bool of_cloud = cloud_ != nullptr && is_well_known_label(key) && !is_pool_name_label(key);
  const bool named = label != labels_.end() && !label->second.open && !of_cloud;
  return named ? PoolFit::Named : PoolFit::Maybe;
}

PoolFit PoolNodes::fit(const WrittenValue& selector) const {
  PoolFit out = PoolFit::Maybe;
  for (std::size_t i = 0; i < selector.keys().size(); ++i) {
    const WrittenValue& value = selector.items()[i];
    if (value.state == State::Unknown) continue;
    const PoolFit one = fit(selector.keys()[i], value.text());
    if (one == PoolFit::No) return one;
    if (one == PoolFit::Named) out = one;
  }
  return out;
}

std::vector<std::pair<std::string_view, std::string_view>> PoolNodes::named_labels() const {
  std::vector<std::pair<std::string_view, std::string_view>> out;
  for (const auto& [key, label] : labels_) {
    const bool own = !is_well_known_label(key) || is_pool_name_label(key);
    if (own && !label.open) out.emplace_back(key, label.value);
  }
  for (const auto& [key, all] : requirements_) {
    if (is_well_known_label(key)) continue;
    for (const WrittenValue* one : all) {
      const WrittenValue* values = one->find("values");
      if (values == nullptr || one->text_of("operator") != "In") continue;
      for (const WrittenValue& value : values->items()) out.emplace_back(key, value.text());
    }
  }
  return out;
}

const NodePoolTaint* untolerated(const PoolNodes& pool, const Manifest& pods) {
  const WrittenValue& tolerations = pods.part("tolerations");
  if (tolerations.state == State::Unknown || (pool.cloud() != nullptr && pool.cloud()->open_taints)) return nullptr;
  for (const NodePoolTaint& taint : pool.taints()) {
    if (taint.effect != "NoSchedule" && taint.effect != "NoExecute") continue;
    // Where ExtendedResourceToleration is on, as clouds have it, pods tolerate the name of what they ask for.
    if (taint.effect == "NoSchedule" && asks_for(pods, taint.key)) continue;
    if (!tolerates(tolerations, taint)) return &taint;
  }
  return nullptr;
}

}  // namespace muster
