// Pods that are larger than every machine that the node pools they select take, or that select what none has.
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/quantity.h"
#include "base/strings.h"
#include "model/model.h"
#include "model/node_pools.h"

namespace muster {
namespace {

constexpr std::size_t kMostPoolsOfLabel = 100;  // that one selector may mean

/// What pods ask for, and the labels by which a pool limits how much of it a machine has. Sources:
/// aws/karpenter-provider-aws:pkg/apis/v1/labels.go (1.14);
/// https://docs.aws.amazon.com/eks/latest/userguide/create-node-pool.html
struct SizeLabel {
  std::string_view resource;
  std::string_view what;
  std::string_view one;
  std::array<std::string_view, 2> keys;
};
constexpr std::array<SizeLabel, 2> kSizeLabels{{
    {"cpu", "CPUs", "CPU", {"karpenter.k8s.aws/instance-cpu", "eks.amazonaws.com/instance-cpu"}},
    {"nvidia.com/gpu", "GPUs", "GPU", {"karpenter.k8s.aws/instance-gpu-count", "eks.amazonaws.com/instance-gpu-count"}},
}};

/// The most that a machine of the pool has, where the pool limits it.
std::optional<Quantity> most_of_pool(const PoolNodes& pool, const SizeLabel& label) {
  std::optional<Quantity> out;
  if (const CloudPool* cloud = pool.cloud()) {
    if (label.resource == "nvidia.com/gpu" && cloud->gpus) out = Quantity::of(*cloud->gpus);
    return out;
  }
  for (const WrittenValue& one : pool.manifest()->part("requirements").items()) {
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
std::optional<Quantity> most_of_pools(const std::vector<const PoolNodes*>& pools, const SizeLabel& label) {
  std::optional<Quantity> out;
  for (const PoolNodes* pool : pools) {
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

/// Pools of all bundles: what runs is often one cluster, whichever folder its pools stand in.
class PoolSizes {
 public:
  explicit PoolSizes(Model& model) : model_(model) {
    for (const Manifest& one : model.manifests) {
      if (one.def == pools_) add(made_.emplace_back(one));
      if (one.def == nodes_) other_nodes_ = true;
    }
    for (const CloudPool& one : model.cloud_pools) add(made_.emplace_back(one));
    other_nodes_ = other_nodes_ || model.other_nodes;
  }

  void run() {
    if (made_.empty()) return;
    for (Manifest& one : model_.manifests) {
      if (one.def != pods_) continue;
      find_size(one);
      find_labels(one);
    }
  }

 private:
  void add(const PoolNodes& pool) {
    for (const PoolLabel& label : pool.named_labels()) by_label_[label].push_back(&pool);
    for (const PoolLabel& label : pool.named_labels()) by_key_[label.first].push_back(&pool);
    if (pool.open()) open_.push_back(&pool);
  }

  /// The pools whose nodes have what the pods select by a label of the pools' own.
  std::vector<const PoolNodes*> meant(const Manifest& pods) const {
    const WrittenValue& selector = pods.part("node_selector");
    std::vector<const PoolNodes*> out;
    if (!selector.is_text_map() || open_.size() > kMostPoolsOfLabel) return out;
    for (std::size_t i = 0; i < selector.keys().size(); ++i) {
      const auto found = by_label_.find({selector.keys()[i], selector.items()[i].text()});
      if (found == by_label_.end()) continue;
      if (found->second.size() > kMostPoolsOfLabel) return {};
      for (const std::vector<const PoolNodes*>* some : {&found->second, &open_}) {
        for (const PoolNodes* pool : *some) {
          if (pool->fit(selector) != PoolFit::No) out.push_back(pool);
        }
        if (out.empty()) break;  // none has the label and the others that are selected
      }
      return out;
    }
    return out;
  }

  void find_size(Manifest& pods) {
    const std::vector<const PoolNodes*> all = meant(pods);
    const bool of_cloud = std::ranges::any_of(all, [](const PoolNodes* pool) { return pool->cloud() != nullptr; });
    if (all.empty() || (of_cloud && (other_nodes_ || is_of_template(pods.file)))) return;
    for (const SizeLabel& label : kSizeLabels) {
      if (model_.sliced_accelerators.contains(std::string(label.resource))) continue;
      const Quantity asked = asked_by_pods(pods, label.resource);
      const std::optional<Quantity> most = most_of_pools(all, label);
      if (!most || !(*most < asked)) continue;
      pods.remarks.own().above_pool =
          set_to(all.front()->words() + (all.size() > 1 ? " and the like" : "") + " takes machines of at most " +
                     most->text() + " " + std::string(*most == Quantity::of(1) ? label.one : label.what) +
                     ", and a pod asks for " + asked.text(),
                 pods.place_of("containers"), "containers");
      return;
    }
  }

  /// Pods with GPUs that select a label which pools of Terraform have with another value. Those that Karpenter makes
  /// count as well, and nodes of any other kind leave it open.
  void find_labels(Manifest& pods) {
    const WrittenValue& selector = pods.part("node_selector");
    if (model_.cloud_pools.empty() || other_nodes_ || !selector.is_text_map() || !asks_for_gpus(pods) ||
        is_of_template(pods.file))
      return;
    const auto [kept, fresh] = without_pool_.try_emplace(key_of_selector(selector));
    if (fresh) kept->second = label_without_pool(selector);
    if (!kept->second) return;
    const std::size_t i = kept->second->first;
    pods.remarks.own().no_pool = set_to(std::string(kept->second->second), selector.items()[i].where, "nodeSelector");
  }

  /// Which of its labels no pool has, and in words what they have instead; nothing: one may have all, or nobody knows.
  std::optional<std::pair<std::size_t, std::string>> label_without_pool(const WrittenValue& selector) const {
    const bool some = std::ranges::any_of(made_, [&](const PoolNodes& pool) {
      const bool may_have_gpus = pool.cloud() == nullptr || pool.cloud()->may_have_gpus();
      return may_have_gpus && pool.fit(selector) != PoolFit::No;
    });
    if (some) return std::nullopt;
    for (std::size_t i = 0; i < selector.keys().size(); ++i) {
      const std::string_view key = selector.keys()[i];
      const auto of_key = by_key_.find(key);
      if (is_well_known_label(key) || of_key == by_key_.end()) continue;
      const bool of_gpus = std::ranges::any_of(of_key->second, [](const PoolNodes* pool) { return pool->for_gpus(); });
      if (!of_gpus || by_label_.contains({key, selector.items()[i].text()})) continue;
      std::set<std::string_view> values;
      for (auto label = by_label_.lower_bound({key, {}}); label != by_label_.end() && label->first.first == key;
           ++label)
        values.insert(label->first.second);
      std::string shown;
      for (const std::string_view value : values) shown += (shown.empty() ? "`" : ", `") + std::string(value) + "`";
      if (values.size() > kShown) shown = "`" + std::string(*values.begin()) + "` and others";
      return std::pair{i, "`" + std::string(key) + ": " + std::string(selector.items()[i].text()) +
                              "`, and the node pools here have " + shown};
    }
    return std::nullopt;
  }

  Model& model_;
  const ManifestDef* pools_ = &manifest_def("node_pools");
  const ManifestDef* pods_ = &manifest_def("pods");
  const ManifestDef* nodes_ = &manifest_def("node_objects");
  std::deque<PoolNodes> made_;
  std::map<PoolLabel, std::vector<const PoolNodes*>> by_label_;
  std::map<std::string_view, std::vector<const PoolNodes*>> by_key_;
  std::map<std::string, std::optional<std::pair<std::size_t, std::string>>> without_pool_;  ///< by selector
  std::vector<const PoolNodes*> open_;  ///< that take whatever value of a label, or somebody fills one in
  bool other_nodes_ = false;
};

}  // namespace

void relate_pool_sizes(Model& model) { PoolSizes(model).run(); }

}  // namespace muster
