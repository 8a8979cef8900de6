#include "gang/queue_fit.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/strings.h"

namespace muster {
namespace {

constexpr int kMostAbove = 32;  // queues above a queue; more is a cycle

struct NamedValue {
  std::string_view name;
  std::int64_t value;
};
// Source: kai-scheduler/KAI-Scheduler:docs/priority/README.md (0.17).
constexpr std::array kKaiClasses{NamedValue{"build", 100}, NamedValue{"build-preemptible", 75},
                                 NamedValue{"inference", 125}, NamedValue{"train", 50}};
// From this value on nobody takes its place. Source:
// kai-scheduler/KAI-Scheduler:pkg/apis/scheduling/v2alpha2/podgroup_types.go (0.17).
constexpr std::int64_t kNonPreemptible = 100;

class QueueFitter {
 public:
  explicit QueueFitter(Model& model) : model_(model) {
    const ManifestDef* classes = &manifest_def("priority_classes");
    for (const Manifest& manifest : model.manifests) {
      const WrittenValue* value = manifest.def == classes ? &manifest.part("value") : nullptr;
      if (value == nullptr || !manifest.name.is_set()) continue;
      const bool known = value->state == State::Set && value->kind == WrittenValue::Kind::Int;
      const std::optional<std::int64_t> number = known ? std::optional(value->number()) : std::nullopt;
      const auto [at, fresh] = classes_.try_emplace({manifest.bundle, manifest.name.value}, number);
      if (!fresh && at->second != number) at->second = std::nullopt;
    }
    for (const Queue& queue : model.queues) {
      if (!queue.name.is_set() || queue.local) continue;
      const auto [at, fresh] = queues_.try_emplace({queue.bundle, queue.system, queue.name.value}, &queue);
      if (!fresh) at->second = nullptr;  // of several clusters: which of them it is nobody says
    }
  }

  void run() {
    for (Gang& gang : model_.gangs) {
      if (!gang.scheduler.known()) continue;
      if (gang.placed_like == "kai") fit_kai(gang);
      if (gang.scheduler.value == "kueue") find_unmet_level(gang);
      if (!gang.task_groups.empty()) fit_yunikorn(gang);
    }
  }

 private:
  using QueueKey = std::tuple<std::string_view, GangSystem, std::string_view>;

  const Queue* queue_called(const Gang& gang, GangSystem system, std::string_view name) const {
    const auto found = queues_.find({gang.bundle, system, name});
    return found == queues_.end() ? nullptr : found->second;
  }

  template <class Visit>
  void each_above(const Gang& gang, const Queue* queue, Visit visit) const {
    for (int i = 0; queue != nullptr && i < kMostAbove; ++i) {
      visit(*queue);
      const Queue* above = queue->parent.is_set() ? queue_called(gang, queue->system, queue->parent.value) : nullptr;
      queue = above == queue ? nullptr : above;
    }
  }

  // --- KAI ---

  void fit_kai(Gang& gang) const {
    gang.remarks.own().preemptible = preemptible(gang);
    if (!gang.queue_index || gang.queue_given) return;  // KAI's chart makes those, too
    each_above(gang, &model_.queues[*gang.queue_index], [&](const Queue& queue) {
      const auto quota = std::ranges::find(queue.quotas, "gpu", &Quota::resource);
      const bool bounds = quota != queue.quotas.end() && quota->deserved.known() && quota->deserved.value.whole >= 0;
      if (bounds && (!gang.remarks->own_quota->known() || quota->deserved.value < gang.remarks->own_quota->value))
        gang.remarks.own().own_quota = quota->deserved;
    });
  }

  /// Source: kai-scheduler/KAI-Scheduler:pkg/podgrouper/podgrouper/plugins/defaultgrouper/default_grouper.go (0.17).
  Located<bool> preemptible(const Gang& gang) const {
    const Located<std::string>& word = gang.remarks->preemptibility;
    if (word.unknown()) return unknown_until<bool>(word.needs(), word.where, word.field);
    if (word.is_set() && (word.value == "preemptible" || word.value == "non-preemptible"))
      return set_to(word.value == "preemptible", word.where, word.field);
    const Located<std::string>& name = gang.remarks->priority_class;
    if (name.unknown()) return unknown_until<bool>(name.needs(), name.where, name.field);
    if (name.state == State::Absent) return by_kind(gang);
    const auto found = classes_.find({gang.bundle, name.value});
    std::optional<std::int64_t> value = found == classes_.end() ? std::nullopt : found->second;
    if (found == classes_.end()) {
      const auto given = std::ranges::find(kKaiClasses, name.value, &NamedValue::name);
      if (given != kKaiClasses.end()) value = given->value;
    }
    if (!value) return unknown_until<bool>("the value of PriorityClass `" + name.value + "`", name.where, name.field);
    return set_to(*value < kNonPreemptible, name.where, name.field);
  }

  /// Source: kai-scheduler/KAI-Scheduler:docs/priority/README.md (0.17), "Workload Default Priority".
  static Located<bool> by_kind(const Gang& gang) {
    const bool stays = (gang.kind == "Deployment" && gang.group == "apps") ||
                       (gang.kind == "Service" && gang.group == "serving.knative.dev") ||
                       (gang.kind == "Notebook" && gang.group == "kubeflow.org");
    if (!stays) return defaulted_to(true, gang.where, "priorityClassName");
    return assumed_to(
        false,
        "KAI gives a " + gang.kind +
            " a class that nobody preempts, as shipped (0.17); say otherwise with label `priorityClassName`",
        gang.where, "priorityClassName");
  }

  // --- Kueue ---

  /// Flavors are tried one after the other. Source:
  /// kubernetes-sigs/kueue:pkg/scheduler/flavorassigner/tas_flavorassigner.go (0.19).
  void find_unmet_level(Gang& gang) const {
    if (!gang.queue_index) return;
    const Queue& queue = model_.queues[*gang.queue_index];
    for (const Role& role : gang.roles) {
      if (!role.wanted_level->is_set() || !role.accelerator.is_set()) continue;
      bool some = false;
      bool met = false;
      for (const QueueFlavor& flavor : queue.flavors) {
        if (std::ranges::find(flavor.resources, role.accelerator.value) == flavor.resources.end()) continue;
        some = true;
        met = met || flavor_has(queue, flavor, role.wanted_level->value).value_or(true);
      }
      if (some && !met) gang.remarks.own().unmet_level = role.wanted_level;
    }
  }

  /// Nothing where its object or Topology is not in the input.
  std::optional<bool> flavor_has(const Queue& queue, const QueueFlavor& flavor, const std::string& level) const {
    const auto in_bundle = [&](const auto& all, const std::string& name) {
      return std::ranges::find_if(all, [&](const auto& one) {
        return one.bundle == queue.bundle && one.name.is_set() && one.name.value == name;
      });
    };
    if (!flavor.name.is_set()) return std::nullopt;
    const auto object = in_bundle(model_.resource_flavors, flavor.name.value);
    if (object == model_.resource_flavors.end() || object->topology.unknown()) return std::nullopt;
    if (object->topology.state == State::Absent) return false;
    for (const LevelTopology& topology : model_.level_topologies) {
      const bool is_it = topology.system == GangSystem::Kueue && topology.bundle == queue.bundle &&
                         topology.name.value == object->topology.value;
      if (!is_it) continue;
      return std::ranges::any_of(
          topology.levels, [&](const TopologyLevel& one) { return one.label.unknown() || one.label.value == level; });
    }
    return std::nullopt;
  }

  // --- YuniKorn ---

  /// Source: apache/yunikorn-core:pkg/scheduler/partition.go (1.9), AddApplication.
  void fit_yunikorn(Gang& gang) const {
    if (!gang.queue.is_set()) return;
    const std::string path = gang.queue.value.starts_with("root.") ? gang.queue.value : "root." + gang.queue.value;
    const Queue* queue = queue_called(gang, GangSystem::Yunikorn, path);
    if (queue == nullptr || queue->children > 0) return;
    gang.remarks.own().sort_policy = queue->sort_policy;
    std::map<std::string, double> asked;
    for (const TaskGroup& group : gang.task_groups) {
      for (const auto& [resource, each] : group.each)
        asked[resource] += as_number(each) * static_cast<double>(group.min);
    }
    each_above(gang, queue, [&](const Queue& one) {
      for (const Quota& quota : one.quotas) {
        const auto more = asked.find(quota.resource);
        if (more == asked.end() || !quota.limit.known() || more->second <= as_number(quota.limit.value)) continue;
        if (gang.remarks->above_max->state == State::Absent)
          gang.remarks.own().above_max = set_to(quota.resource, quota.limit.where, quota.limit.field);
      }
    });
  }

  static double as_number(const Quantity& quantity) {
    return static_cast<double>(quantity.whole) + static_cast<double>(quantity.nano) * 1e-9;
  }

  Model& model_;
  std::map<std::pair<std::string, std::string>, std::optional<std::int64_t>> classes_;  ///< by bundle and name
  std::map<QueueKey, const Queue*> queues_;
};

}  // namespace

void fit_into_queues(Model& model) { QueueFitter(model).run(); }

}  // namespace muster
