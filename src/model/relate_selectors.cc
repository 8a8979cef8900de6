#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/strings.h"
#include "model/model.h"
#include "model/storage_class.h"

namespace muster {
namespace {

constexpr std::size_t kMostLooks = 10'000;  // for one selector: what is selected by thousands is there
constexpr std::size_t kMostCopies = 50;     // of one object, which each overlay builds anew

/// Operators and controllers label pods of their own: ray.io/cluster, job-name.
bool is_users_label(std::string_view key) {
  constexpr std::array<std::string_view, 4> kControllers{"job-name", "controller-uid", "pod-template-hash",
                                                         "controller-revision-hash"};
  if (std::ranges::find(kControllers, key) != kControllers.end()) return false;
  return !contains(key, "/") || key.starts_with("app.kubernetes.io/");
}

/// The pods that objects of Kubernetes itself make, by their labels.
class PodsByLabel {
 public:
  explicit PodsByLabel(const Model& model) {
    const ManifestDef* makers = &manifest_def("pod_makers");
    std::set<ObjectKey> accelerated;
    for (const Container& one : model.containers) accelerated.insert(object_key(one));
    for (const Manifest& one : model.manifests) {
      if (one.def != makers) continue;
      const bool serves = accelerated.contains(object_key(one));
      if (one.part("service_name").is_text()) naming_.insert({one.bundle, one.part("service_name").text()});
      const WrittenValue& labels = one.part("pod_labels");
      if (!labels.keys().empty()) called_.try_emplace({one.file, one.name.value}, &one);
      open_ = open_ || labels.state == State::Unknown;
      for (std::size_t i = 0; i < labels.keys().size(); ++i) {
        const WrittenValue& value = labels.items()[i];
        if (!value.is_text()) {
          open_keys_.insert(labels.keys()[i]);
          continue;
        }
        by_label_[{labels.keys()[i], value.text()}].push_back(&one);
        keys_of_file_[one.file].insert(labels.keys()[i]);
        if (serves) keys_of_space_[{folder_of(one.file), one.space}].insert(labels.keys()[i]);
        values_of_folder_[folder_of(one.file)].insert(value.text());
      }
    }
    for (const Gang& gang : model.gangs) {
      for (const Role& role : gang.roles) {
        for (const auto& [key, value] : role.labels) of_roles_.insert({key, value});
      }
    }
  }

  /// Whether pods of the object's name in its file have labels of the selector's keys with other values, and no pods of
  /// an operator may have its own: they were meant.
  bool misses_namesake(const Manifest& object, const WrittenValue& selector) const {
    const auto found = called_.find({object.file, object.name.value});
    if (found == called_.end()) return false;
    const WrittenValue& labels = found->second->part("pod_labels");
    bool of_others = true;
    for (std::size_t i = 0; i < selector.keys().size(); ++i) {
      const WrittenValue* own = labels.find(selector.keys()[i]);
      if (own == nullptr || !own->is_text()) return false;
      of_others = of_others && of_roles_.contains({selector.keys()[i], selector.items()[i].text()});
    }
    return !of_others;
  }

  /// Whether somebody fills in what the labels are.
  bool is_open(const WrittenValue& selector) const {
    return open_ || std::ranges::any_of(selector.keys(), [&](const auto& key) { return open_keys_.contains(key); });
  }

  /// Whether pods beside the object have one of the labels, with whatever value.
  bool stand_beside(const Manifest& object, const WrittenValue& selector) const {
    const auto found = keys_of_file_.find(object.file);
    if (found != keys_of_file_.end() &&
        std::ranges::any_of(selector.keys(), [&](const auto& key) { return found->second.contains(key); }))
      return true;
    return has_value_beside(object, selector);
  }

  /// Whether pods with accelerators of its namespace in its folder have labels of all keys, with whatever values, and
  /// no pods of an operator may have its own. Others are those of the endpoint picker.
  bool stand_in_space(const Manifest& object, const WrittenValue& selector) const {
    const auto found = keys_of_space_.find({folder_of(object.file), object.space});
    if (found == keys_of_space_.end()) return false;
    for (std::size_t i = 0; i < selector.keys().size(); ++i) {
      const std::string_view key = selector.keys()[i];
      if (!found->second.contains(key) || of_roles_.contains({key, selector.items()[i].text()})) return false;
    }
    return !selector.keys().empty();
  }

  /// `app: train` beside pods of the folder that have `job: train`.
  bool has_value_beside(const Manifest& object, const WrittenValue& selector) const {
    const auto found = values_of_folder_.find(folder_of(object.file));
    return found != values_of_folder_.end() && selector.items().size() == 1 &&
           found->second.contains(selector.items()[0].text());
  }

  /// Whether a StatefulSet names the object as its Service.
  bool is_named(const Manifest& object) const { return naming_.contains({object.bundle, object.name.value}); }

  /// What the selector matches, kMostCopies at most.
  std::vector<const Manifest*> matched(const Manifest& object, const WrittenValue& selector) const {
    const std::vector<const Manifest*>* fewest = nullptr;
    for (std::size_t i = 0; i < selector.keys().size(); ++i) {
      const auto found = by_label_.find({selector.keys()[i], selector.items()[i].text()});
      if (found == by_label_.end()) return {};
      if (fewest == nullptr || found->second.size() < fewest->size()) fewest = &found->second;
    }
    std::vector<const Manifest*> out;
    for (std::size_t i = 0; fewest != nullptr && i < fewest->size() && out.size() < kMostCopies; ++i) {
      const Manifest& one = *(*fewest)[i];
      if (i == kMostLooks || fits(one, object, selector)) out.push_back(&one);
      if (i == kMostLooks) out.push_back(&one);
    }
    return out;
  }

 private:
  static bool fits(const Manifest& pods, const Manifest& object, const WrittenValue& selector) {
    if (!pods.space.empty() && !object.space.empty() && pods.space != object.space) return false;
    return selector.selects(pods.part("pod_labels"));
  }

  std::map<std::pair<std::string_view, std::string_view>, std::vector<const Manifest*>> by_label_;
  std::map<std::string_view, std::set<std::string_view>> keys_of_file_;
  std::map<std::pair<std::string_view, std::string_view>, std::set<std::string_view>> keys_of_space_;  ///< by folder
  std::map<std::string_view, std::set<std::string_view>> values_of_folder_;
  std::set<std::string_view> open_keys_;
  std::map<std::pair<std::string_view, std::string_view>, const Manifest*> called_;  ///< by file and name
  std::set<std::pair<std::string_view, std::string_view>> of_roles_;                 ///< labels of all pods of gangs
  std::set<std::pair<std::string_view, std::string_view>> naming_;  ///< Services of StatefulSets, by bundle and name
  bool open_ = false;
};

std::string text_of(const WrittenValue& selector) {
  std::string out;
  for (std::size_t i = 0; i < selector.keys().size() && i < kShown; ++i)
    out += (out.empty() ? "" : ",") + std::string(selector.keys()[i]) + "=" + std::string(selector.items()[i].text());
  return out;
}

/// Files with pods of other makers, whose labels nobody looks at here.
std::set<std::string_view> files_of_operators(const Model& model) {
  const ManifestDef& makers = manifest_def("pod_makers");
  const std::vector<std::string_view> own = split(makers.kinds, ' ');
  std::set<std::string_view> out;
  for (const Gang& gang : model.gangs) {
    if (std::ranges::find(own, gang.kind.view()) == own.end()) out.insert(gang.file);
  }
  return out;
}

/// Names of all ports of an object's pods; none where somebody fills one in, or no container has any.
std::optional<std::set<std::string_view>> port_names(const Manifest& pods) {
  const WrittenValue& containers = pods.part("containers");
  std::set<std::string_view> out;
  bool any = false;
  bool open = containers.state != State::Set;
  const auto add = [&](const WrittenValue& container) {
    const WrittenValue* ports = container.find("ports");
    open = open || container.state != State::Set;
    if (ports == nullptr) return;
    open = open || ports->state != State::Set;
    for (const WrittenValue& port : ports->items()) {
      any = true;
      const WrittenValue* name = port.find("name");
      open = open || port.state != State::Set || (name != nullptr && !name->is_text());
      if (name != nullptr) out.insert(name->text());
    }
  };
  for (const WrittenValue& container : containers.items()) add(container);
  for (const WrittenValue& sidecar : pods.part("init_containers").items()) add(sidecar);  // some run beside them
  if (open || !any) return std::nullopt;
  return out;
}

/// Source: kubernetes/endpointslice:utils.go, getEndpointPorts (1.36): a name that no container has is left out.
void relate_ports(Manifest& service, const Manifest& pods) {
  const std::optional<std::set<std::string_view>> names = port_names(pods);
  if (!names) return;
  for (const WrittenValue& port : service.part("ports").items()) {
    const WrittenValue* target = port.find("targetPort");
    if (target == nullptr || !target->is_text() || parse_int(target->text()) || names->contains(target->text()))
      continue;
    service.remarks.own().no_port = set_to(target->text(), target->where, "targetPort");
    return;
  }
}

using Containers = std::map<ObjectKey, std::vector<const Container*>>;

/// Containers that want accelerators, by object.
Containers containers_of(const Model& model) {
  Containers out;
  for (const Container& one : model.containers) out[object_key(one)].push_back(&one);
  return out;
}

/// Where a Service sends no connection to the port of the only program of its pods. Of Triton each of its three does.
void relate_server(Manifest& service, const Manifest& pods, const Containers& containers) {
  const auto found = containers.find(object_key(pods));
  if (found == containers.end() || pods.part("containers").items().size() != 1) return;
  const Container& only = *found->second.front();
  const WrittenValue& ports = service.part("ports");
  if (!only.remarks->server_port->is_set() || ports.items().empty() || service.part("cluster_ip").text() == "None")
    return;
  const std::int64_t last = only.remarks->server_port->value + (only.remarks->server->value == "triton" ? 2 : 0);
  for (const WrittenValue& port : ports.items()) {
    const WrittenValue* target = port.find("targetPort");
    if (target == nullptr) target = port.find("port");
    if (target == nullptr || target->state != State::Set || target->kind != WrittenValue::Kind::Int) return;
    if (target->number() >= only.remarks->server_port->value && target->number() <= last) return;
  }
  service.remarks.own().missed_port = set_to(only.remarks->server_port->value, ports.items().front().where, "ports");
}

/// One object, or what several overlays and folders make under its name, all with as many pods.
bool are_copies(const std::vector<const Manifest*>& matched) {
  const Manifest& first = *matched.front();
  return matched.size() < kMostCopies && std::ranges::all_of(matched, [&](const Manifest* one) {
           const WrittenValue& replicas = one->part("replicas");
           return one->kind == first.kind && one->name.value == first.name.value &&
                  replicas.state == first.part("replicas").state && replicas.text() == first.part("replicas").text();
         });
}

void relate(Manifest& object, const WrittenValue& selector, const PodsByLabel& pods, const Containers& containers,
            bool beside_operators) {
  if (!selector.is_text_map() || !std::ranges::all_of(selector.keys(), is_users_label)) return;
  const bool open = pods.is_open(selector);
  const std::vector<const Manifest*> matched = pods.matched(object, selector);
  const bool service = object.def == &manifest_def("services");
  const bool beside = (!beside_operators && pods.stand_beside(object, selector)) || (service && pods.is_named(object));
  if (matched.empty() && ((beside && !open) || (service && pods.misses_namesake(object, selector))))
    object.remarks.own().no_pods = set_to(text_of(selector), selector.where, "selector");
  if (open || matched.empty() || (matched[0]->kind != "Deployment" && matched[0]->kind != "StatefulSet")) return;
  if (service && matched.size() == 1) {
    relate_ports(object, *matched[0]);
    relate_server(object, *matched[0], containers);
  }
  if (!are_copies(matched)) return;
  const WrittenValue& replicas = matched[0]->part("replicas");
  const bool written = replicas.state == State::Set && replicas.kind == WrittenValue::Kind::Int;
  if (written || replicas.state == State::Absent)
    object.remarks.own().only_pods =
        set_to(written ? replicas.number() : 1, written ? replicas.where : matched[0]->where, "replicas");
}

/// A pool has endpoints of its own namespace alone. Source: kubernetes-sigs/gateway-api-inference-extension:
/// api/v1/inferencepool_types.go, InferencePoolSpec.Selector (1.0).
void relate_endpoints(Manifest& pool, const PodsByLabel& pods, bool beside_operators) {
  const WrittenValue& selector = pool.part("selector");
  if (!selector.is_text_map() || beside_operators || pods.is_open(selector)) return;
  if (pods.matched(pool, selector).empty() && pods.stand_in_space(pool, selector))
    pool.remarks.own().no_pods = set_to(text_of(selector), selector.where, "selector");
}

void relate_selected(Model& model) {
  const ManifestDef* pools = &manifest_def("inference_pools");
  const ManifestDef* services = &manifest_def("services");
  const ManifestDef* budgets = &manifest_def("disruption_budgets");
  const auto selects = [&](const Manifest& one) {
    return one.def == services || one.def == budgets || one.def == pools;
  };
  if (std::ranges::none_of(model.manifests, selects)) return;
  const PodsByLabel pods(model);
  const Containers containers = containers_of(model);
  const std::set<std::string_view> operators = files_of_operators(model);
  for (Manifest& one : model.manifests) {
    const bool beside = operators.contains(one.file);
    if (one.def == services && one.part("type").text() != "ExternalName")
      relate(one, one.part("selector"), pods, containers, beside);
    if (one.def == pools) relate_endpoints(one, pods, beside);
    if (one.def != budgets || one.part("selector").find("matchExpressions") != nullptr) continue;
    const WrittenValue* labels = one.part("selector").find("matchLabels");
    if (labels != nullptr) relate(one, *labels, pods, containers, beside);
  }
}

/// Claims by bundle and name, and which of them nobody uses.
class ClaimCheck {
 public:
  explicit ClaimCheck(Model& model) : model_(model) {
    for (const Manifest& one : model.manifests) {
      if (one.def == classes_) drivers_.try_emplace({one.bundle, one.name.value}, &one);
      if (one.def == claims_) made_.try_emplace(one.name.value, &one);
      if (one.def == volumes_ && one.kind == "PersistentVolume") volumes_by_name_.try_emplace(one.name.value, &one);
      if (one.def != makers_ && one.def != pods_) continue;
      each_claim(one, [&](const WrittenValue& name) { used_.insert(name.text()); });
    }
    for (const auto& [name, claim] : made_) {
      if (!used_.contains(name)) unused_in_.insert(claim->file);
    }
  }

  void run() {
    if (made_.empty()) return;
    for (Manifest& one : model_.manifests) {
      if (one.def == claims_) find_driver(one);
      if (one.def == claims_) find_class(one);
      if (one.def != makers_ && one.def != pods_) continue;
      each_claim(one, [&](const WrittenValue& name) { relate(one, name); });
    }
  }

 private:
  static void each_claim(const Manifest& pods, const auto& take) {
    for (const WrittenValue& volume : pods.part("volumes").items()) {
      const WrittenValue* claim = volume.find("persistentVolumeClaim");
      const WrittenValue* name = claim == nullptr ? nullptr : claim->find("claimName");
      if (name != nullptr && name->is_text()) take(*name);
    }
  }

  void find_driver(Manifest& claim) {
    const auto found = drivers_.find({claim.bundle, claim.part("storage_class").text()});
    if (found == drivers_.end()) return;
    const WrittenValue& driver = found->second->part("provisioner");
    if (driver.is_text()) claim.remarks.own().driver = set_to(driver.text(), driver.where, "provisioner");
  }

  /// A claim without a class gets the default one, and then no volume without a class.
  void find_class(Manifest& claim) {
    const WrittenValue& name = claim.part("volume");
    const auto found = name.is_text() ? volumes_by_name_.find(name.text()) : volumes_by_name_.end();
    if (found == volumes_by_name_.end() || claim.part("storage_class").state != State::Absent) return;
    const WrittenValue& of_volume = found->second->part("storage_class");
    if (of_volume.state == State::Absent || (of_volume.is_text() && of_volume.text().empty()))
      claim.remarks.own().class_filled_in = set_to(name.text(), name.where, "volumeName");
  }

  void relate(Manifest& pods, const WrittenValue& name) {
    const auto found = made_.find(name.text());
    if (found == made_.end()) {
      // Another claim, which nobody uses, stands in the same file: it was meant.
      if (pods.def == makers_ && pods.kind != "StatefulSet" && unused_in_.contains(pods.file))
        pods.remarks.own().dangling = set_to(name.text(), name.where, "claimName");
      return;
    }
    const WrittenValue& access = found->second->part("access");
    const bool one_node = !access.items().empty() && std::ranges::all_of(access.items(), [](const WrittenValue& mode) {
      return mode.text() == "ReadWriteOnce" || mode.text() == "ReadWriteOncePod";
    });
    if (one_node && !is_of_node(found->second->part("storage_class")))
      pods.remarks.own().one_node = set_to(name.text(), name.where, "claimName");
    if (found->second->space == pods.space && is_fuse(*found->second))
      pods.remarks.own().fuse_claim = set_to(name.text(), name.where, "claimName");
  }

  /// Whether the volume that the claim names is a bucket, which a sidecar mounts.
  bool is_fuse(const Manifest& claim) const {
    const auto volume = volumes_by_name_.find(claim.part("volume").text());
    return volume != volumes_by_name_.end() &&
           volume->second->part("csi_driver").text() == "gcsfuse.csi.storage.gke.io";
  }

  static bool is_of_node(const WrittenValue& storage_class) {
    return is_folder_or_share(storage_class.text()) || storage_class.state == State::Unknown;
  }

  Model& model_;
  const ManifestDef* claims_ = &manifest_def("volume_claims");
  const ManifestDef* classes_ = &manifest_def("storage_classes");
  const ManifestDef* makers_ = &manifest_def("pod_makers");
  const ManifestDef* pods_ = &manifest_def("pods");
  const ManifestDef* volumes_ = &manifest_def("local_volumes");
  std::map<std::string_view, const Manifest*> volumes_by_name_;
  std::map<std::pair<std::string_view, std::string_view>, const Manifest*> drivers_;  // StorageClasses by bundle, name
  std::map<std::string_view, const Manifest*> made_;
  std::set<std::string_view> used_;
  std::set<std::string_view> unused_in_;
};

}  // namespace

void relate_selectors(Model& model) {
  relate_selected(model);
  ClaimCheck(model).run();
  relate_volumes(model);
  relate_set_services(model);
  relate_monitor_ports(model);
  relate_ray(model);
  relate_operator_labels(model);
}

}  // namespace muster
