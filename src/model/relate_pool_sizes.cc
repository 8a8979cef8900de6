// Pods that are larger than every machine that the NodePools they select take.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/quantity.h"
#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

constexpr std::size_t kMostPoolsOfLabel = 100;  // that one selector may mean

/// What pods ask for, and the labels by which a pool limits how much of it a machine has. Sources:
/// aws/karpenter-provider-aws:pkg/apis/v1/labels.go (1.14);
/// https://docs.aws.amazon.com/eks/latest/userguide/create-node-pool.html
struct SizeLabel {
  std::string_view resource;
  std::string_view what;
  std::array<std::string_view, 2> keys;
};
constexpr std::array<SizeLabel, 2> kSizeLabels{{
    {"cpu", "CPUs", {"karpenter.k8s.aws/instance-cpu", "eks.amazonaws.com/instance-cpu"}},
    {"nvidia.com/gpu", "GPUs", {"karpenter.k8s.aws/instance-gpu-count", "eks.amazonaws.com/instance-gpu-count"}},
}};

/// Labels that machines have by themselves, whatever a pool says.
bool is_well_known(std::string_view key) {
  return contains(key, "kubernetes.io/") || contains(key, "k8s.io/") || contains(key, "karpenter.") ||
         key.starts_with("eks.amazonaws.com/") || contains(key, "nvidia.com/");
}

bool lists_value(const WrittenValue* list, std::string_view text) {
  return list != nullptr && std::ranges::any_of(list->items(), [&](const WrittenValue& one) {
           return one.state == State::Unknown || one.text() == text;
         });
}

/// Whether nodes of the pool may have the label. One of its own that no pool speaks of is on none of its nodes.
/// Source: kubernetes-sigs/karpenter:pkg/scheduling/requirements.go, Compatible (1.6).
bool pool_may_have(const Manifest& pool, std::string_view key, std::string_view value) {
  if (key == "karpenter.sh/nodepool") return pool.name.value == value;
  if (const WrittenValue* label = pool.part("labels").find(key))
    return label->state == State::Unknown || label->text() == value;
  bool named = is_well_known(key);
  for (const WrittenValue& one : pool.part("requirements").items()) {
    if (one.state == State::Unknown) return true;
    if (one.text_of("key") != key) continue;
    named = true;
    const std::string_view how = one.text_of("operator");
    const bool listed = lists_value(one.find("values"), value);
    if ((how == "In" && !listed) || (how == "NotIn" && listed) || how == "DoesNotExist") return false;
  }
  return named;
}

/// The most that a machine of the pool has, where the pool limits it.
std::optional<Quantity> most_of_pool(const Manifest& pool, const SizeLabel& label) {
  std::optional<Quantity> out;
  for (const WrittenValue& one : pool.part("requirements").items()) {
    const WrittenValue* values = one.find("values");
    const std::string_view how = one.text_of("operator");
    if (std::ranges::find(label.keys, one.text_of("key")) == label.keys.end() || values == nullptr) continue;
    if (values->items().empty() || (how != "In" && how != "Lt")) continue;
    std::optional<Quantity> largest;
    for (const WrittenValue& value : values->items()) {
      const std::optional<Quantity> number =
          value.state == State::Set ? Quantity::parse(value.text()) : std::optional<Quantity>();
      if (!number) return std::nullopt;
      if (!largest || *largest < *number) largest = number;
    }
    if (how == "Lt") largest = Quantity::of(largest->whole - 1);
    if (!out || *largest < *out) out = largest;
  }
  return out;
}

/// Of the largest of the pools, where each of them limits it.
std::optional<Quantity> most_of_pools(const std::vector<const Manifest*>& pools, const SizeLabel& label) {
  std::optional<Quantity> out;
  for (const Manifest* pool : pools) {
    const std::optional<Quantity> most = most_of_pool(*pool, label);
    if (!most) return std::nullopt;
    if (!out || *out < *most) out = most;
  }
  return out;
}

/// What all containers of a pod ask for together, as far as that is written.
Quantity asked_by_pods(const Manifest& pods, std::string_view resource) {
  Quantity out;
  for (const WrittenValue& container : pods.part("containers").items()) {
    const WrittenValue* resources = container.find("resources");
    const WrittenValue* asked = nullptr;
    for (const std::string_view list : {"requests", "limits"}) {
      const WrittenValue* amounts = resources == nullptr ? nullptr : resources->find(list);
      if (asked == nullptr && amounts != nullptr) asked = amounts->find(resource);
    }
    if (asked == nullptr || asked->state != State::Set) continue;
    if (const std::optional<Quantity> amount = Quantity::parse(asked->text())) out = out + *amount;
  }
  return out;
}

using PoolLabel = std::pair<std::string_view, std::string_view>;

class PoolSizes {
 public:
  explicit PoolSizes(Model& model) : model_(model) {
    for (const Manifest& one : model.manifests) {
      if (one.def != pools_) continue;
      auto& of_bundle = by_label_[one.bundle];
      of_bundle[{"karpenter.sh/nodepool", one.name.value}].push_back(&one);
      const WrittenValue& labels = one.part("labels");
      open_ = open_ || labels.state == State::Unknown || one.part("requirements").state == State::Unknown;
      for (std::size_t i = 0; i < labels.keys().size(); ++i) {
        open_ = open_ || labels.items()[i].state == State::Unknown;
        of_bundle[{labels.keys()[i], labels.items()[i].text()}].push_back(&one);
      }
      for (const WrittenValue& requirement : one.part("requirements").items()) {
        const WrittenValue* values = requirement.find("values");
        const std::string_view key = requirement.text_of("key");
        // Of any value, or of one that somebody fills in.
        open_ = open_ || (!is_well_known(key) && (values == nullptr || requirement.text_of("operator") != "In"));
        for (const WrittenValue& value : values == nullptr ? std::span<const WrittenValue>() : values->items())
          of_bundle[{key, value.text()}].push_back(&one);
      }
    }
  }

  void run() {
    if (by_label_.empty() || open_) return;
    for (Manifest& one : model_.manifests) {
      if (one.def == pods_) look(one);
    }
  }

 private:
  /// The pools whose nodes have what the pods select by a label of the pools' own.
  std::vector<const Manifest*> meant(const Manifest& pods) const {
    const WrittenValue& selector = pods.part("node_selector");
    const auto near = by_label_.find(pods.bundle);
    std::vector<const Manifest*> out;
    if (near == by_label_.end() || !selector.is_text_map()) return out;
    for (std::size_t i = 0; i < selector.keys().size(); ++i) {
      const std::string_view key = selector.keys()[i];
      if (is_well_known(key) && key != "karpenter.sh/nodepool") continue;
      const auto found = near->second.find({key, selector.items()[i].text()});
      if (found == near->second.end() || found->second.size() > kMostPoolsOfLabel) return {};
      for (const Manifest* pool : found->second) {
        bool fits = true;
        for (std::size_t k = 0; k < selector.keys().size(); ++k)
          fits = fits && pool_may_have(*pool, selector.keys()[k], selector.items()[k].text());
        if (fits) out.push_back(pool);
      }
      return out;
    }
    return out;
  }

  void look(Manifest& pods) {
    const std::vector<const Manifest*> all = meant(pods);
    if (all.empty()) return;
    for (const SizeLabel& label : kSizeLabels) {
      if (model_.sliced_accelerators.contains(std::string(label.resource))) continue;
      const Quantity asked = asked_by_pods(pods, label.resource);
      const std::optional<Quantity> most = most_of_pools(all, label);
      if (!most || !(*most < asked)) continue;
      pods.remarks.own().above_pool =
          set_to("NodePool `" + all.front()->name.value + "`" + (all.size() > 1 ? " and the like" : "") +
                     " takes machines of at most " + most->text() + " " + std::string(label.what) +
                     ", and a pod asks for " + asked.text(),
                 pods.place_of("containers"), "containers");
      return;
    }
  }

  Model& model_;
  const ManifestDef* pools_ = &manifest_def("node_pools");
  const ManifestDef* pods_ = &manifest_def("pods");
  std::map<std::string_view, std::map<PoolLabel, std::vector<const Manifest*>>> by_label_;  // by bundle
  bool open_ = false;  ///< a pool takes whatever value of a label, or somebody fills one in
};

}  // namespace

void relate_pool_sizes(Model& model) { PoolSizes(model).run(); }

}  // namespace muster
