#include "worlds/kept_out.h"

#include <algorithm>
#include <array>

#include "base/capped.h"
#include "base/quantity.h"
#include "base/strings.h"

namespace muster {
namespace {

std::int64_t count_of_pods(const Role& role) { return role.count.known() ? role.count.value : 1; }

/// In thousandths or whole, rounded down; nothing where it cannot be read.
std::optional<std::int64_t> amount_of(const WrittenValue& value, std::int64_t scale) {
  if (value.state != State::Set) return std::nullopt;
  if (value.kind == WrittenValue::Kind::Int) return multiply_capped(value.number(), scale);
  const std::optional<Quantity> read =
      value.kind == WrittenValue::Kind::Text ? Quantity::parse(value.text()) : std::nullopt;
  if (!read) return std::nullopt;
  return add_capped(multiply_capped(read->whole, scale), read->nano / (1'000'000'000 / scale));
}

bool some_role_asks_none(const Gang& gang, std::int64_t Role::*amount) {
  return std::ranges::any_of(gang.roles, [&](const Role& role) { return role.*amount == 0; });
}

/// Whether it fills in what a pod of the gang does not say, or refuses some of what pods may say.
bool changes_pods(const Manifest& range, const Gang& gang) {
  const bool all_written =
      !some_role_asks_none(gang, &Role::milli_cpus_each) && !some_role_asks_none(gang, &Role::memory_each);
  const WrittenValue& limits = range.part("limits");
  if (limits.state == State::Unknown) return true;
  return std::ranges::any_of(limits.items(), [&](const WrittenValue& item) {
    const WrittenValue* type = item.find("type");
    if (type != nullptr && type->is_text() && type->text() != "Container" && type->text() != "Pod") return false;
    constexpr std::array<std::string_view, 3> kRefuse{"max", "min", "maxLimitRequestRatio"};
    const auto has = [&](std::string_view key) { return item.find(key) != nullptr; };
    return std::ranges::any_of(kRefuse, has) || (!all_written && (has("default") || has("defaultRequest")));
  });
}

/// Whether its scheduler places none of its pods before a number of them exist.
bool is_waited_for(const Gang& gang) {
  return gang.mechanism.known() && gang.guaranteed.known() &&
         (gang.mechanism.value == Mechanism::Atomic || gang.mechanism.value == Mechanism::HoldAndRelease);
}

/// Pods that exist only when others run, while their scheduler waits for all of them.
bool waits_for_itself(const Gang& gang) {
  if (!is_waited_for(gang)) return false;
  const std::int64_t guaranteed = gang.guaranteed.value;
  switch (gang.startup) {
    case Startup::Parallel: return false;
    case Startup::Ordered: return guaranteed > 1 && gang.size.value > 1;
    case Startup::Staged:
      return guaranteed > (gang.remarks->first_stage->known() ? gang.remarks->first_stage->value : 1);
    case Startup::LauncherWaits:
      return gang.scheduler.value != "kai" && gang.scheduler.value != "kueue" && (!gang.essential.known() || guaranteed > gang.essential.value);
  }
  return false;
}

/// Whether it surely admits what stands in that namespace.
bool selects(const WrittenValue& namespaces, const std::string& space) {
  if (namespaces.state != State::Set || namespaces.kind != WrittenValue::Kind::Map) return false;
  if (namespaces.items().empty()) return true;
  const WrittenValue* labels = namespaces.find("matchLabels");
  const bool by_name = namespaces.items().size() == 1 && labels != nullptr && labels->items().size() == 1 &&
                       labels->keys().front() == "kubernetes.io/metadata.name";
  return by_name && !space.empty() && labels->items().front().text() == space;
}

bool is_stopped(const Queue& queue) {
  return queue.stop_policy.state != State::Absent && queue.stop_policy.value != "None";
}

}  // namespace

KeptOut::KeptOut(const Model& model, std::int64_t concurrent) : model_(model), of_pods_(model.gangs.size()) {
  const ManifestDef* quotas = &manifest_def("resource_quotas");
  const ManifestDef* ranges = &manifest_def("limit_ranges");
  const ManifestDef* runtimes = &manifest_def("runtime_classes");
  const ManifestDef* groups = &manifest_def("pod_group_objects");
  const ManifestDef* queues = &manifest_def("cluster_queues");
  const ManifestDef* flavors = &manifest_def("flavor_objects");
  for (const Manifest& one : model.manifests) {
    if (one.def == quotas) quotas_[{one.bundle, one.space}].push_back(&one);
    if (one.def == ranges) ranges_[{one.bundle, one.space}].push_back(&one);
    if (one.def == runtimes) runtimes_.try_emplace({one.bundle, one.name.value}, &one);
    if (one.def == groups) groups_.try_emplace({one.bundle, one.id}, &one);
    if (one.def == queues) cluster_queues_.try_emplace({one.bundle, one.name.value}, &one);
    if (one.def == flavors && !one.part("taints").items().empty()) tainted_.emplace(one.bundle, one.name.value);
  }
  const ManifestDef* scalers = &manifest_def("autoscalers");
  for (const Manifest& one : model.manifests) {
    if (one.gang && one.def == scalers)
      of_pods_[*one.gang].push_back("as many replicas as HorizontalPodAutoscaler `" + one.name.value + "` sets");
    if (one.gang) add_pods(one);
  }
  if (quotas_.empty()) return;
  for (const Gang& gang : model.gangs) add_gang(gang, concurrent);
}

/// Pod templates of the gang.
void KeptOut::add_pods(const Manifest& pods) {
  if (pods.def != pods_ && pods.def != makers_) return;
  std::vector<std::string>& words = of_pods_[*pods.gang];
  const Gang& gang = model_.gangs[*pods.gang];
  const bool several = !gang.size.known() || gang.size.value > 1;
  if (several && pods.remarks->one_node.is_set())
    words.push_back("the one node that mounts claim `" + pods.remarks->one_node->value + "`");
  const WrittenValue& runtime = pods.part("runtime_class");
  const auto found = runtime.is_text() ? runtimes_.find({pods.bundle, std::string(runtime.text())}) : runtimes_.end();
  if (found == runtimes_.end()) return;
  const auto has = [&](std::string_view part) { return found->second->part(part).state != State::Absent; };
  if (has("overhead") || has("scheduling"))
    words.push_back("what RuntimeClass `" + std::string(runtime.text()) + "` adds");
}

void KeptOut::add_gang(const Gang& gang, std::int64_t concurrent) {
  if (gang.control_plane != ControlPlane::Kubernetes) return;
  Total& total = totals_[{gang.bundle, gang.space}];
  const std::int64_t gangs = multiply_capped(concurrent, gang.instances.known() ? gang.instances.value : 1);
  for (const Role& role : gang.roles) {
    const std::int64_t pods = multiply_capped(count_of_pods(role), gangs);
    total.pods = add_capped(total.pods, pods);
    total.milli_cpus = add_capped(total.milli_cpus, multiply_capped(role.milli_cpus_each, pods));
    total.memory = add_capped(total.memory, multiply_capped(role.memory_each, pods));
    if (!role.accelerator.known()) continue;
    std::int64_t& devices = total.devices[role.accelerator.value];
    devices = add_capped(devices, multiply_capped(role.gpus_each.known() ? role.gpus_each.value : 1, pods));
  }
}

/// Whether so much may be too little for all gangs of the namespace. A pod that does not say what a quota counts is
/// refused. Source: kubernetes/kubernetes:pkg/quota/v1/evaluator/core/pods.go (1.37).
bool KeptOut::is_short(const Gang& gang, std::string_view hard, const WrittenValue& amount) const {
  const Total& total = totals_.at({gang.bundle, gang.space});
  const auto less_than = [&](std::int64_t asked, std::int64_t scale) {
    const std::optional<std::int64_t> most = amount_of(amount, scale);
    return !most || *most < asked;
  };
  if (hard == "pods" || hard == "count/pods") return less_than(total.pods, 1);
  if (hard == "cpu" || hard == "requests.cpu")
    return some_role_asks_none(gang, &Role::milli_cpus_each) || less_than(total.milli_cpus, 1000);
  if (hard == "memory" || hard == "requests.memory")
    return some_role_asks_none(gang, &Role::memory_each) || less_than(total.memory, 1);
  if (hard == "limits.cpu" || hard == "limits.memory") return true;  // limits are not counted
  constexpr std::string_view kRequests = "requests.";
  if (!hard.starts_with(kRequests)) return false;
  const std::string resource(hard.substr(kRequests.size()));
  const bool asks = std::ranges::any_of(
      gang.roles, [&](const Role& role) { return role.accelerator.known() && role.accelerator.value == resource; });
  return asks && less_than(total.devices.at(resource), 1);
}

/// Volcano and coscheduling look at no pod of a group before so much is there, whatever its pods ask for.
bool KeptOut::wants_more_than_it_takes(const Gang& gang) const {
  if (!gang.pod_group_index) return false;
  const PodGroup& group = model_.pod_groups[*gang.pod_group_index];
  const auto found = groups_.find({group.bundle, group.id});
  if (found == groups_.end()) return false;
  const WrittenValue& resources = found->second->part("min_resources");
  if (resources.state == State::Unknown) return true;
  for (std::size_t i = 0; i < resources.keys().size(); ++i) {
    const std::string_view resource = resources.keys()[i];
    std::int64_t taken = 0;
    for (const Role& role : gang.roles) {
      const bool devices = role.accelerator.known() && role.accelerator.value == resource && role.gpus_each.known();
      const std::int64_t each = resource == "cpu"      ? role.milli_cpus_each
                                : resource == "memory" ? role.memory_each
                                : devices              ? role.gpus_each.value
                                                       : 0;
      taken = add_capped(taken, multiply_capped(each, count_of_pods(role)));
    }
    const std::optional<std::int64_t> wanted = amount_of(resources.items()[i], resource == "cpu" ? 1000 : 1);
    if (!wanted || *wanted > taken) return true;
  }
  return false;
}

/// What Kueue asks beside quotas.
void KeptOut::ask_queue(const Gang& gang, std::vector<std::string>& out) const {
  const Queue* queue = gang.queue_object ? &model_.queues[*gang.queue_object] : nullptr;
  if (queue == nullptr || queue->system != GangSystem::Kueue) return;
  if (is_stopped(*queue)) out.push_back("the end of `stopPolicy` of queue `" + queue->name.value + "`");
  if (queue->local) queue = queue->cluster_queue_index ? &model_.queues[*queue->cluster_queue_index] : nullptr;
  if (queue == nullptr) return;
  const std::string name = "ClusterQueue `" + queue->name.value + "`";
  if (queue->system == GangSystem::Kueue && is_stopped(*queue)) out.push_back("the end of `stopPolicy` of " + name);
  for (const QueueFlavor& flavor : queue->flavors) {
    if (tainted_.contains({queue->bundle, flavor.name.value}))
      out.push_back("the taints of ResourceFlavor `" + flavor.name.value + "`");
  }
  const auto found = cluster_queues_.find({queue->bundle, queue->name.value});
  if (found == cluster_queues_.end()) return;
  if (!selects(found->second->part("namespaces"), gang.space))
    out.push_back("a namespace that the `namespaceSelector` of " + name + " matches");
  if (found->second->part("checks").state != State::Absent) out.push_back("the admission checks of " + name);
}

std::vector<std::string> KeptOut::words_for(std::size_t g) const {
  const Gang& gang = model_.gangs[g];
  if (gang.control_plane != ControlPlane::Kubernetes) return {};
  std::vector<std::string> out = of_pods_[g];
  ask_queue(gang, out);
  const auto add = [&](std::string word) {
    if (std::ranges::find(out, word) == out.end()) out.push_back(std::move(word));
  };
  if (const auto found = quotas_.find({gang.bundle, gang.space}); found != quotas_.end()) {
    for (const Manifest* quota : found->second) {
      const WrittenValue& hard = quota->part("hard");
      for (std::size_t i = 0; i < hard.keys().size(); ++i) {
        if (is_short(gang, hard.keys()[i], hard.items()[i]))
          add("room in ResourceQuota `" + quota->name.value + "` (`" + std::string(hard.keys()[i]) + "`)");
      }
    }
  }
  if (const auto found = ranges_.find({gang.bundle, gang.space}); found != ranges_.end()) {
    for (const Manifest* range : found->second) {
      if (changes_pods(*range, gang)) add("what LimitRange `" + range->name.value + "` adds or refuses");
    }
  }
  if (wants_more_than_it_takes(gang)) add("`minResources` of its PodGroup");
  if (is_waited_for(gang) && gang.size.known() && gang.guaranteed.value > gang.size.value)
    add(std::to_string(gang.guaranteed.value) + " pods, of which it has " + std::to_string(gang.size.value));
  if (waits_for_itself(gang)) add("pods that are created only when others of it run");
  return out;
}

}  // namespace muster
