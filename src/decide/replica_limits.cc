#include "decide/replica_limits.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "base/capped.h"
#include "base/strings.h"
#include "decide/pools.h"
#include "model/fact_value.h"
#include "model/node_pools.h"

namespace muster {
namespace {

constexpr std::string_view kPoolLabel = "karpenter.sh/nodepool";

/// maxReplicaCount where it is not written. Source: kedacore/keda:apis/keda/v1alpha1/scaledobject_types.go,
/// defaultHPAMaxReplicas (2.18).
constexpr std::int64_t kMostOfKeda = 100;

/// What an autoscaler makes more of.
struct Scaled {
  const Manifest* by = nullptr;  ///< nullptr: nothing scales it, and it has so many
  const Gang* gang = nullptr;
  const Role* role = nullptr;  ///< that asks for accelerators
  std::string resource;
  std::int64_t each = 0;  ///< of the resource, for a replica
  std::int64_t most = 0;  ///< replicas
  Span where;             ///< where that stands
  bool assumed = false;   ///< nobody wrote it

  std::int64_t devices() const { return multiply_capped(each, most); }
};

std::optional<std::int64_t> whole(const WrittenValue* value) {
  if (value == nullptr || value->state != State::Set) return std::nullopt;
  if (value->kind == WrittenValue::Kind::Int) return value->number();
  const std::optional<Quantity> amount = value->is_text() ? Quantity::parse(value->text()) : std::nullopt;
  return amount ? std::optional(amount->whole) : std::nullopt;
}

/// In thousandths, as CPUs are counted.
std::optional<std::int64_t> thousandths(const WrittenValue* value) {
  if (value == nullptr || value->state != State::Set) return std::nullopt;
  if (value->kind == WrittenValue::Kind::Int) return multiply_capped(value->number(), 1000);
  const std::optional<Quantity> amount = value->is_text() ? Quantity::parse(value->text()) : std::nullopt;
  if (!amount) return std::nullopt;
  return add_capped(multiply_capped(amount->whole, 1000), amount->nano / 1'000'000);
}

/// Devices of one replica: those of a group where the object makes groups, else those of a pod.
std::int64_t of_replica(const Gang& gang, const Role& role) {
  if (gang.instances.state != State::Absent) return gang.gpus.known() ? gang.gpus.value : 0;
  const bool alone = std::ranges::count_if(gang.roles, [](const Role& one) { return one.accelerator.is_set(); }) == 1;
  return alone && role.gpus_each.known() ? role.gpus_each.value : 0;
}

class ReplicaLimits {
 public:
  explicit ReplicaLimits(const Model& model) : model_(model), pools_(model) {
    for (const CloudPool& pool : model.cloud_pools) clouds_.emplace_back(pool);
  }

  std::vector<Finding> run() {
    find_scalers();
    for (const Manifest& one : model_.manifests) {
      if (one.def == quotas_ && counts_all(one)) {
        of_space_[{one.bundle, one.space}].push_back(&one);
        bundles_[one.space].insert(one.bundle);
      }
      if (one.def == node_pools_) of_bundle_[one.bundle].push_back(&one);
    }
    const std::set<std::string_view> kinds = scaled_kinds();
    for (const Gang& gang : model_.gangs) {
      if (!kinds.contains(gang.kind)) continue;
      const bool asks = std::ranges::any_of(gang.roles, [](const Role& one) { return one.accelerator.is_set(); });
      if (asks) gangs_[{gang.bundle, gang.kind, gang.space, gang.name.value}].push_back(&gang);
    }
    std::set<const Gang*> moved;
    for (const Manifest* scaler : scalers_) {
      moved.insert(gang_of(*scaler));
      const std::optional<Scaled> scaled = read(*scaler);
      if (!scaled) continue;
      if (!hold_against_quota(*scaled)) hold_against_sizes(*scaled);
      hold_against_queue(*scaled);
      hold_against_node_pools(*scaled);
      hold_against_clouds(*scaled);
      hold_against_fleet(*scaled);
    }
    for (const auto& [key, gangs] : gangs_) {
      const std::optional<Scaled> fixed =
          gangs.size() == 1 && !moved.contains(gangs[0]) ? read(*gangs[0]) : std::nullopt;
      if (!fixed) continue;
      if (!hold_against_quota(*fixed)) hold_against_sizes(*fixed);
      hold_against_node_pools(*fixed);
      hold_against_clouds(*fixed);
    }
    return std::move(out_);
  }

 private:
  /// Of its namespace, which it says: no scope leaves some of the pods out.
  static bool counts_all(const Manifest& quota) {
    return !quota.space.empty() && quota.part("scopes").state == State::Absent &&
           quota.part("scope_selector").state == State::Absent;
  }

  void find_scalers() {
    for (const Manifest& one : model_.manifests) {
      if (one.def == hpas_ || one.def == keda_ || one.def == services_) scalers_.push_back(&one);
    }
  }

  std::string_view scaled_kind(const Manifest& scaler) const {
    if (scaler.def == services_) return scaler.kind;
    const WrittenValue* kind = scaler.part("target").find("kind");
    return kind != nullptr && kind->is_text() ? kind->text() : std::string_view("Deployment");
  }

  /// What an autoscaler of the input scales, and what has its replicas written; others of a fleet's jobs do not count.
  std::set<std::string_view> scaled_kinds() const {
    std::set<std::string_view> out{"Deployment", "ReplicaSet", "StatefulSet"};
    for (const Manifest* scaler : scalers_) out.insert(scaled_kind(*scaler));
    return out;
  }

  const Gang* gang_of(const Manifest& scaler) const {
    const std::string_view kind = scaled_kind(scaler);
    std::string_view name = scaler.name.value;
    if (scaler.def != services_) {
      const WrittenValue* named = scaler.part("target").find("name");
      if (named == nullptr || !named->is_text()) return nullptr;
      name = named->text();
    }
    const auto found = gangs_.find({scaler.bundle, kind, scaler.space, name});
    if (found == gangs_.end()) return nullptr;
    if (found->second.size() == 1) return found->second.front();
    const Gang* near = nullptr;  // of several variants that of its own file
    for (const Gang* gang : found->second) {
      if (gang->file != scaler.file) continue;
      if (near != nullptr) return nullptr;
      near = gang;
    }
    return near;
  }

  /// Of such an InferenceService nobody reads how many replicas it may have. Source: kserve/kserve:
  /// pkg/controller/v1beta1/inferenceservice/reconcilers/autoscaler/autoscaler_reconciler.go (0.15).
  static bool is_scaled_elsewhere(const Manifest& service) {
    const std::string_view by = service.part("annotations").text_of("serving.kserve.io/autoscalerClass");
    return by == "external" || by == "none";
  }

  std::optional<Scaled> read(const Manifest& scaler) const {
    if (scaler.kind == "ScaledJob" || (scaler.def == services_ && is_scaled_elsewhere(scaler))) return std::nullopt;
    Scaled out;
    out.by = &scaler;
    out.gang = gang_of(scaler);
    if (out.gang == nullptr) return std::nullopt;
    const auto role = std::ranges::find_if(out.gang->roles, [](const Role& one) { return one.accelerator.is_set(); });
    if (role == out.gang->roles.end()) return std::nullopt;
    out.role = &*role;
    out.resource = role->accelerator.value;
    out.each = of_replica(*out.gang, *role);
    const std::string_view part = scaler.def == services_ ? "max_replicas" : "max";
    const WrittenValue& most = scaler.part(part);
    out.where = most.where;
    if (most.state == State::Absent && scaler.def == keda_) {
      out.assumed = true;
      out.most = kMostOfKeda;
      out.where = scaler.place_of("target");
    } else if (const std::optional<std::int64_t> written = whole(&most)) {
      out.most = *written;  // of KServe, 0 is no bound
    }
    const bool usable = out.each > 0 && out.most > 0 && out.where.placed();
    return usable ? std::optional(std::move(out)) : std::nullopt;
  }

  /// What a Deployment or StatefulSet has by its own number.
  std::optional<Scaled> read(const Gang& gang) const {
    if (gang.kind != "Deployment" && gang.kind != "StatefulSet" && gang.kind != "ReplicaSet") return std::nullopt;
    const auto role = std::ranges::find_if(gang.roles, [](const Role& one) { return one.accelerator.is_set(); });
    if (role == gang.roles.end() || gang.instances.state != State::Absent || !gang.size.is_set() || gang.size.value < 2)
      return std::nullopt;
    Scaled out;
    out.gang = &gang;
    out.role = &*role;
    out.resource = role->accelerator.value;
    out.each = of_replica(gang, *role);
    out.most = gang.size.value;
    out.where = gang.size.where;
    return out.each > 0 && out.where.placed() ? std::optional(std::move(out)) : std::nullopt;
  }

  /// Who makes how many replicas of what.
  static std::string made(const Scaled& scaled) {
    const std::string replicas = count_of(static_cast<std::size_t>(scaled.most), "replica");
    if (scaled.by == nullptr) return "`" + scaled.gang->name.value + "` has " + replicas;
    return "`" + scaled.by->name.value + "` may make " + replicas + " of `" + scaled.gang->name.value + "`";
  }

  void say(std::string_view rule, const Scaled& scaled, const std::string& what, std::int64_t limit, Span place) {
    Finding& finding = out_.emplace_back(
        problem(rule, scaled.where,
                made(scaled) + " with " + with_thousands(static_cast<std::uint64_t>(scaled.devices())) + " `" +
                    scaled.resource + "`, and " + what + " " + with_thousands(static_cast<std::uint64_t>(limit)) +
                    ": enough for " + with_thousands(static_cast<std::uint64_t>(limit / scaled.each))));
    finding.object = scaled.by != nullptr ? scaled.by->id : scaled.gang->id;
    if (place.placed()) finding.related.push_back({place, "this many"});
    if (scaled.role->accelerator.where.placed())
      finding.related.push_back({scaled.role->accelerator.where, "what each of its pods asks for"});
    if (scaled.assumed)
      finding.assumes = std::vector<std::string>{"KEDA makes up to 100 where maxReplicaCount is not written (2.18)"};
  }

  /// Those of its namespace: of its own bundle, or of the one other that has some and nothing of this name, as a
  /// kustomization of namespaces and what they may use.
  const std::vector<const Manifest*>* quotas_of(const Gang& gang) const {
    if (const auto own = of_space_.find({gang.bundle, gang.space}); own != of_space_.end()) return &own->second;
    const auto bundles = bundles_.find(gang.space);
    if (bundles == bundles_.end() || bundles->second.size() != 1 || gang.space == "default") return nullptr;
    const std::string_view other = *bundles->second.begin();
    if (gangs_.contains({other, gang.kind, gang.space, gang.name.value})) return nullptr;
    return &of_space_.find({other, gang.space})->second;
  }

  /// The least of the quotas that count all pods of the namespace. Source:
  /// https://kubernetes.io/docs/concepts/policy/resource-quotas/ (1.37): requests.nvidia.com/gpu.
  bool hold_against_quota(const Scaled& scaled) {
    const std::vector<const Manifest*>* quotas = quotas_of(*scaled.gang);
    if (quotas == nullptr) return false;
    const Manifest* least = nullptr;
    std::int64_t limit = 0;
    Span place;
    for (const Manifest* quota : *quotas) {
      const WrittenValue* hard = quota->part("hard").find("requests." + scaled.resource);
      const std::optional<std::int64_t> amount = whole(hard);
      if (!amount || *amount < 0 || (least != nullptr && *amount >= limit)) continue;
      least = quota;
      limit = *amount;
      place = hard->where;
    }
    if (least == nullptr || scaled.devices() <= limit) return false;
    say(scaled.by != nullptr ? "autoscaler-above-quota" : "replicas-above-quota", scaled,
        "ResourceQuota `" + least->name.value + "` of its namespace allows", limit, place);
    return true;
  }

  /// The same of what its pods request of memory and CPUs, as far as it is written.
  void hold_against_sizes(const Scaled& scaled) {
    const std::vector<const Manifest*>* quotas = quotas_of(*scaled.gang);
    if (quotas == nullptr || scaled.gang->roles.size() != 1) return;
    struct Size {
      std::string_view name;
      std::int64_t each;
      std::optional<std::int64_t> (*read)(const WrittenValue*);  ///< in the unit of `each`
    };
    for (const Size& size :
         {Size{"memory", scaled.role->memory_each, whole}, Size{"cpu", scaled.role->milli_cpus_each, thousandths}}) {
      for (const Manifest* quota : *quotas) {
        const WrittenValue* hard = quota->part("hard").find("requests." + std::string(size.name));
        if (hard == nullptr) hard = quota->part("hard").find(size.name);
        const std::optional<std::int64_t> amount = size.read(hard);
        if (size.each <= 0 || !amount || *amount <= 0) continue;
        const std::int64_t fit = *amount / size.each;
        if (scaled.most <= fit) continue;
        Finding& finding = out_.emplace_back(
            problem(scaled.by != nullptr ? "autoscaler-above-quota" : "replicas-above-quota", scaled.where,
                    made(scaled) + ", and ResourceQuota `" + quota->name.value + "` of its namespace allows " +
                        std::string(hard->text()) + " of " + std::string(size.name) + ": enough for " +
                        with_thousands(static_cast<std::uint64_t>(fit))));
        finding.object = scaled.by != nullptr ? scaled.by->id : scaled.gang->id;
        finding.related.push_back({hard->where, "this much"});
        return;
      }
    }
  }

  /// Pods of a Deployment are admitted one by one, each into whatever flavor has room: all of them count.
  void hold_against_queue(const Scaled& scaled) {
    const Gang& gang = *scaled.gang;
    if (!gang.queue_index || !gang.scheduler.known() || gang.scheduler.value != "kueue") return;
    const Queue& queue = model_.queues[*gang.queue_index];
    std::int64_t limit = 0;
    bool lends = false;  // what others of its cohort may lend has no bound
    Span place;
    for (const Quota& quota : queue.quotas) {
      if (quota.resource != scaled.resource) continue;
      if (!quota.limit.is_set()) return;
      limit = add_capped(limit, std::max<std::int64_t>(quota.limit.value.whole, 0));
      if (!place.placed()) place = quota.limit.where;
      if (queue.cohort.state == State::Absent) continue;
      if (quota.borrowing.is_set()) {
        limit = add_capped(limit, std::max<std::int64_t>(quota.borrowing.value.whole, 0));
      } else {
        lends = true;
      }
    }
    if (!place.placed() || scaled.devices() <= limit) return;
    say(lends ? "autoscaler-above-nominal-quota" : "autoscaler-above-quota", scaled,
        "its ClusterQueue `" + queue.name.value + "` has" + (lends ? " of its own" : ""), limit, place);
  }

  /// Whether the pods name that pool, and none of its labels says otherwise.
  static bool names(const Role& role, const Manifest& pool) {
    bool named = false;
    for (const auto& [key, value] : role.node_selector) {
      const WrittenValue* label = pool.part("labels").find(key);
      if (key != kPoolLabel && label == nullptr) continue;
      if ((key == kPoolLabel ? std::string_view(pool.name.value) : label->text()) != value) return false;
      named = true;
    }
    return named;
  }

  void hold_against_node_pools(const Scaled& scaled) {
    const auto found = of_bundle_.find(scaled.gang->bundle);
    if (found == of_bundle_.end() || model_.sliced_accelerators.contains(scaled.resource)) return;
    std::vector<const Manifest*> those;
    for (const Manifest* pool : found->second) {
      if (names(*scaled.role, *pool)) those.push_back(pool);
    }
    const bool named = !those.empty();
    if (!named && scaled.role->picks_nodes) return;
    if (!named) those = found->second;
    std::int64_t limit = 0;
    Span place;
    for (const Manifest* pool : those) {
      const WrittenValue* written = pool->part("limits").find(scaled.resource);
      const std::optional<std::int64_t> amount = whole(written);
      if (!amount || *amount < 0) return;  // without a limit it makes as many as are asked for
      limit = add_capped(limit, *amount);
      if (!place.placed()) place = written->where;
    }
    if (scaled.devices() <= limit) return;
    const std::string pool = those.size() == 1 ? "NodePool `" + those.front()->name.value + "` makes at most"
                                               : count_of(those.size(), "NodePool") + " make at most";
    const bool fixed = scaled.by == nullptr;
    say(named   ? fixed ? "replicas-above-nodes" : "autoscaler-above-nodes"
        : fixed ? "replicas-above-node-limits"
                : "autoscaler-above-node-limits",
        scaled, pool, limit, place);
  }

  /// Pools of Terraform that its pods name, where nothing else of the input makes nodes.
  void hold_against_clouds(const Scaled& scaled) {
    if (model_.other_nodes || is_of_template(scaled.gang->file) || !of_bundle_.empty() ||
        scaled.resource != "nvidia.com/gpu" || model_.sliced_accelerators.contains(scaled.resource))
      return;
    std::vector<const CloudPool*> those;
    std::int64_t limit = 0;
    bool named = false;
    for (const PoolNodes& pool : clouds_) {
      PoolFit fit = PoolFit::Maybe;
      for (const auto& [key, value] : scaled.role->node_selector) {
        const PoolFit one = pool.fit(key, value);
        if (one != PoolFit::Maybe && fit != PoolFit::No) fit = one;
      }
      const CloudPool& cloud = *pool.cloud();
      if (fit == PoolFit::No || !cloud.may_have_gpus()) continue;
      if (!cloud.gpus || !cloud.most_nodes) return;
      limit = add_capped(limit, multiply_capped(*cloud.gpus, *cloud.most_nodes));
      named = named || fit == PoolFit::Named;
      those.push_back(&cloud);
    }
    if (!named || scaled.devices() <= limit) return;
    say(scaled.by == nullptr ? "replicas-above-nodes" : "autoscaler-above-nodes", scaled,
        those.size() == 1 ? those.front()->words + " has at most"
                          : "the " + count_of(those.size(), "pool") + " of Terraform for them have at most",
        limit, those.front()->most_where);
  }

  /// Whole devices of the pools of Kubernetes that its pods may go to.
  void hold_against_fleet(const Scaled& scaled) {
    if (model_.fleets.size() != 1 || of_bundle_.contains(scaled.gang->bundle)) return;
    const Fleet& fleet = model_.fleets.front();
    const bool whole_devices = scaled.resource == "nvidia.com/gpu" || scaled.resource == "amd.com/gpu";
    if (!whole_devices || model_.sliced_accelerators.contains(scaled.resource)) return;
    if (!fleet.bundle.empty() && fleet.bundle != scaled.gang->bundle) return;
    std::int64_t limit = 0;
    std::vector<const NodePool*> those;
    for (const FleetPools::Pool& pool : pools_.all()) {
      if (pool.plane == "slurm" || !may_hold(*scaled.role, *pool.pool)) continue;
      const std::string how = word_of(pool.pool->fact("accelerator.partitioning"));
      if (pool.plane.empty() || !pool.gpus || !pool.most || (!how.empty() && how != "none")) return;
      limit = add_capped(limit, multiply_capped(*pool.gpus, *pool.most));
      if (*pool.gpus > 0) those.push_back(pool.pool);
    }
    if (those.empty() || scaled.devices() <= limit) return;
    say("autoscaler-above-nodes", scaled,
        those.size() == 1 ? "pool `" + those.front()->name.value + "` has"
                          : "the " + count_of(those.size(), "pool") + " that can hold them have",
        limit, those.front()->where);
  }

  /// A label that the fleet file does not list may be there all the same.
  static bool may_hold(const Role& role, const NodePool& pool) {
    return std::ranges::all_of(role.node_selector, [&](const auto& wanted) {
      const auto label = pool.labels.find(wanted.first);
      return label == pool.labels.end() || label->second == wanted.second;
    });
  }

  using Space = std::pair<std::string_view, std::string_view>;
  const Model& model_;
  FleetPools pools_;
  std::deque<PoolNodes> clouds_;
  const ManifestDef* hpas_ = &manifest_def("autoscalers");
  const ManifestDef* keda_ = &manifest_def("scaled_objects");
  const ManifestDef* services_ = &manifest_def("inference_services");
  const ManifestDef* quotas_ = &manifest_def("resource_quotas");
  const ManifestDef* node_pools_ = &manifest_def("node_pools");
  std::vector<const Manifest*> scalers_;
  std::map<std::string_view, std::set<std::string_view>> bundles_;  ///< with quotas, by namespace
  std::map<Space, std::vector<const Manifest*>> of_space_;          ///< quotas by bundle and namespace
  std::map<std::string_view, std::vector<const Manifest*>> of_bundle_;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>, std::vector<const Gang*>>
      gangs_;  ///< by bundle, kind, namespace and name
  std::vector<Finding> out_;
};

}  // namespace

std::vector<Finding> replicas_above_limits(const Model& model) { return ReplicaLimits(model).run(); }

}  // namespace muster
