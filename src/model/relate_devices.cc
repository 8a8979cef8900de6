#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

constexpr std::string_view kClaim = "ResourceClaim";
constexpr std::string_view kTemplate = "ResourceClaimTemplate";
constexpr std::size_t kMostOfOneClaim = 100;  // objects of one name that are looked at

const WrittenValue* value_at(const WrittenValue* tree, std::initializer_list<std::string_view> path) {
  for (const std::string_view key : path) {
    if (tree != nullptr) tree = tree->find(key);
  }
  return tree;
}

bool is_true(const WrittenValue* flag) {
  return flag != nullptr && flag->kind == WrittenValue::Kind::Bool && flag->state == State::Set && flag->flag;
}

bool is_false(const WrittenValue* flag) {
  return flag != nullptr && flag->kind == WrittenValue::Kind::Bool && flag->state == State::Set && !flag->flag;
}

std::string_view claim_text(const WrittenValue* value) {
  return value != nullptr && value->is_text() ? std::string_view(value->text()) : std::string_view();
}

/// What a claim, or a template that makes such, asks for.
struct Asked {
  const Manifest* object = nullptr;  ///< it, or the ComputeDomain that makes it
  bool channel = false;              ///< of a ComputeDomain
};

/// A part of the requests, flat as in v1beta1 or not.
void take_requests(const Manifest& claim, ClaimUse& use) {
  const auto take_class = [&](const WrittenValue& asked) {
    use.all = use.all || claim_text(asked.find("allocationMode")) == "All";
    const std::string_view name = claim_text(asked.find("deviceClassName"));
    if (!name.empty()) use.classes.emplace_back(name);
  };
  for (const WrittenValue& request : claim.part("requests").items()) {
    const std::string name(claim_text(request.find("name")));
    use.requests.push_back(name);
    const WrittenValue* exactly = request.find("exactly");
    take_class(exactly == nullptr ? request : *exactly);
    const WrittenValue* alternatives = request.find("firstAvailable");
    if (alternatives == nullptr) continue;
    for (const WrittenValue& one : alternatives->items()) {
      use.requests.push_back(name + "/" + std::string(claim_text(one.find("name"))));
      take_class(one);
    }
  }
  std::ranges::sort(use.classes);
}

/// Each entry of `resources.claims` of the containers.
void each_used(const Manifest& pods, const auto& take) {
  for (const char* list : {"init_containers", "containers"}) {
    for (const WrittenValue& container : pods.part(list).items()) {
      const WrittenValue* claims = value_at(&container, {"resources", "claims"});
      if (claims == nullptr) continue;
      for (const WrittenValue& claim : claims->items()) take(claim);
    }
  }
}

bool is_gpu_resource(std::string_view name) {
  return name == "nvidia.com/gpu" || name == "amd.com/gpu" || name.starts_with("nvidia.com/mig-");
}

/// An extended resource for GPUs that a container asks for.
Located<std::string> plain_gpus(const Manifest& pods) {
  for (const WrittenValue& container : pods.part("containers").items()) {
    for (const char* amounts : {"limits", "requests"}) {
      const WrittenValue* asked = value_at(&container, {"resources", amounts});
      for (std::size_t i = 0; asked != nullptr && i < asked->keys().size(); ++i) {
        if (is_gpu_resource(asked->keys()[i]) && asked->items()[i].text() != "0")
          return set_to(asked->keys()[i], asked->items()[i].where, FieldName(asked->keys()[i]));
      }
    }
  }
  return {};
}

class ClaimUses {
 public:
  explicit ClaimUses(Model& model) : model_(model) {}

  void run() {
    for (const Manifest& one : model_.manifests) note(one);
    for (const Manifest& one : model_.manifests) {
      if (one.def == pods_) each_claim(one);
    }
    share_domains();
    for (Manifest& one : model_.manifests) {
      if (one.def == domains_) find_unused(one);
    }
  }

 private:
  void note(const Manifest& one) {
    if (one.def->collection == "helm_releases") open_.insert(folder_of(one.file));
    if (one.def == claims_) add(one, one.kind, one.name.value, {&one, false});
    if (one.def != domains_) return;
    const std::string_view name = claim_text(value_at(&one.part("channel"), {"resourceClaimTemplate", "name"}));
    if (!name.empty()) add(one, kTemplate, name, {&one, true});
  }

  void add(const Manifest& one, std::string_view kind, std::string_view name, Asked asked) {
    made_[{kind, name}].push_back(asked);
    folders_.insert({kind, folder_of(one.file)});
  }

  void each_claim(const Manifest& pods) {
    const WrittenValue& claims = pods.part("claims");
    if (claims.state == State::Set) claiming_.insert(folder_of(pods.file));
    for (const WrittenValue& entry : claims.items()) {
      const WrittenValue* by_template = entry.find("resourceClaimTemplateName");
      const WrittenValue* target = by_template != nullptr ? by_template : entry.find("resourceClaimName");
      const WrittenValue* name = entry.find("name");
      if (claim_text(target).empty() || claim_text(name).empty()) continue;
      ClaimUse use;
      static_cast<Object&>(use) = pods;
      use.of = by_template != nullptr ? kTemplate : kClaim;
      use.entry = set_to(std::string(name->text()), name->where, "name");
      use.target = set_to(std::string(target->text()), target->where,
                          by_template != nullptr ? "resourceClaimTemplateName" : "resourceClaimName");
      use.gang = pods.gang;
      use.pods = &pods;
      use.plain_gpus = plain_gpus(pods);
      used_.insert({by_template != nullptr ? kTemplate : kClaim, target->text()});
      look_for(use, pods);
      model_.claim_uses.push_back(std::move(use));
    }
  }

  void look_for(ClaimUse& use, const Manifest& pods) {
    const auto made = made_.find({use.of, use.target.value});
    const std::string_view folder = folder_of(use.file);
    if (made == made_.end()) {
      use.lost = folders_.contains({use.of, folder}) && !open_.contains(folder);
      return;
    }
    const Asked* found = nearest(made->second, use);
    if (found == nullptr) return;
    use.found = true;
    if (found->channel) {
      const WrittenValue& nodes = found->object->part("nodes");
      if (nodes.state == State::Set && nodes.kind == WrittenValue::Kind::Int)
        use.nodes = set_to(nodes.number(), nodes.where, "numNodes");
      use.classes.emplace_back("compute-domain-default-channel.nvidia.com");
      return;
    }
    use.claim = found->object;
    take_requests(*found->object, use);
    const WrittenValue& labels = found->object->part("labels");
    use.labels_known = labels.state != State::Unknown;
    const WrittenValue* queue = labels.find("kai.scheduler/queue");
    if (queue != nullptr && queue->is_text())
      use.queue_label = set_to(std::string(queue->text()), queue->where, "kai.scheduler/queue");
    use.labels_known = use.labels_known && (queue == nullptr || queue->is_text());
    find_no_request(use, pods);
  }

  /// In its file, else the only one of its bundle; nullptr where nobody can tell.
  static const Asked* nearest(const std::vector<Asked>& all, ClaimUse& use) {
    const Asked* of_bundle = nullptr;
    const Asked* of_file = nullptr;
    std::set<std::string> spaces;
    bool several = false;
    for (std::size_t i = 0; i < std::min(all.size(), kMostOfOneClaim); ++i) {
      const Manifest& one = *all[i].object;
      if (one.bundle != use.bundle) continue;
      if (!one.space.empty() && !use.space.empty() && one.space != use.space) {
        spaces.insert(one.space);
        continue;
      }
      if (one.file == use.file && of_file == nullptr) of_file = &all[i];
      several = several || of_bundle != nullptr;
      of_bundle = &all[i];
    }
    if (of_file != nullptr) return of_file;
    if (of_bundle == nullptr && spaces.size() == 1 && all.size() == 1) use.other_space = *spaces.begin();
    return several ? nullptr : of_bundle;
  }

  static void find_no_request(ClaimUse& use, const Manifest& pods) {
    if (std::ranges::any_of(use.requests, &std::string::empty) || use.requests.empty()) return;
    each_used(pods, [&](const WrittenValue& used) {
      const WrittenValue* request = used.find("request");
      if (claim_text(used.find("name")) != use.entry.value || claim_text(request).empty()) return;
      if (std::ranges::find(use.requests, request->text()) == use.requests.end() && !use.no_request.is_set())
        use.no_request = set_to(std::string(request->text()), request->where, "request");
    });
  }

  /// Pods of several workloads in one domain come to its number together.
  void share_domains() {
    std::map<std::pair<std::string_view, std::string_view>, std::set<std::optional<std::size_t>>> users;
    for (const ClaimUse& use : model_.claim_uses) {
      if (use.nodes.is_set()) users[{use.bundle, use.target.value}].insert(use.gang);
    }
    for (ClaimUse& use : model_.claim_uses) {
      if (use.nodes.is_set() && users[{use.bundle, use.target.value}].size() > 1) use.nodes = {};
    }
  }

  /// A ComputeDomain whose channel no pod claims, though pods of its folder claim others.
  void find_unused(Manifest& domain) {
    const WrittenValue* name = value_at(&domain.part("channel"), {"resourceClaimTemplate", "name"});
    if (claim_text(name).empty() || used_.contains({kTemplate, name->text()}) ||
        !claiming_.contains(folder_of(domain.file)))
      return;
    domain.remarks.own().no_pods = set_to(std::string(name->text()), name->where, "name");
  }

  Model& model_;
  const ManifestDef* pods_ = &manifest_def("pods");
  const ManifestDef* claims_ = &manifest_def("resource_claims");
  const ManifestDef* domains_ = &manifest_def("compute_domains");
  std::map<std::pair<std::string_view, std::string_view>, std::vector<Asked>> made_;  // by kind and name
  std::set<std::pair<std::string_view, std::string_view>> folders_;                   // by kind: that have such
  std::set<std::pair<std::string_view, std::string_view>> used_;                      // by kind and name
  std::set<std::string_view> open_;      // folders where something else makes objects, too
  std::set<std::string_view> claiming_;  // folders with pods that list claims
};

bool asks_for_admin_access(const Manifest& claim) {
  return std::ranges::any_of(claim.part("requests").items(), [](const WrittenValue& request) {
    return is_true(request.find("adminAccess")) || is_true(value_at(&request, {"exactly", "adminAccess"}));
  });
}

/// Source: kubernetes/api:resource/v1/types.go, DRAAdminNamespaceLabelKey (1.33: resource.k8s.io, 1.34 and later).
bool allows_admin_access(const Manifest& space) {
  const WrittenValue& labels = space.part("labels");
  return labels.state == State::Unknown || labels.find("resource.kubernetes.io/admin-access") != nullptr ||
         labels.find("resource.k8s.io/admin-access") != nullptr;
}

/// Claims with admin access in a namespace that does not have its label in any file of the bundle.
void find_unlabelled(Model& model) {
  const ManifestDef* claims = &manifest_def("resource_claims");
  const ManifestDef* spaces = &manifest_def("kubernetes_namespaces");
  std::map<std::pair<std::string_view, std::string_view>, bool> allowed;  // by bundle and name
  for (const Manifest& one : model.manifests) {
    if (one.def != spaces) continue;
    bool& allows = allowed.try_emplace({one.bundle, one.name.value}, false).first->second;
    allows = allows || allows_admin_access(one);
  }
  for (Manifest& one : model.manifests) {
    if (one.def != claims || one.space.empty() || !asks_for_admin_access(one)) continue;
    const auto found = allowed.find({one.bundle, one.space});
    if (found != allowed.end() && !found->second)
      one.remarks.own().no_label = set_to(one.space.view(), one.where, "namespace");
  }
}

/// Whether the release installs NVIDIA's DRA driver to hand out GPUs beside a device plugin. Source:
/// kubernetes-sigs/dra-driver-nvidia-gpu:deployments/helm/dra-driver-nvidia-gpu/templates/validation.yaml (0.5).
bool hands_out_gpus(const Manifest& release) {
  const std::string_view chart = release.part("chart").text();
  const WrittenValue& values = release.part("values");
  return (chart == "nvidia-dra-driver-gpu" || chart == "dra-driver-nvidia-gpu") &&
         is_true(values.find("gpuResourcesEnabledOverride")) &&
         !is_false(value_at(&values, {"resources", "gpus", "enabled"}));
}

/// Its device plugin is on unless values say otherwise. Source:
/// NVIDIA/gpu-operator:deployments/gpu-operator/values.yaml (26.7).
bool has_device_plugin(const Manifest& release) {
  const WrittenValue& values = release.part("values");
  const bool known = values.state == State::Absent || values.kind == WrittenValue::Kind::Map;
  return release.part("chart").text() == "gpu-operator" && known && values.state != State::Unknown &&
         !is_false(value_at(&values, {"devicePlugin", "enabled"})) &&
         !is_false(value_at(&values, {"clusterPolicy", "deployCR"}));
}

/// Whether two objects of one folder, or two releases of one bundle, are for the same devices.
bool collide(const Manifest& one, const Manifest& other) {
  if (one.def->collection == "helm_releases")
    return one.bundle == other.bundle && hands_out_gpus(one) && has_device_plugin(other);
  const std::string_view folder = folder_of(one.file);
  // Of examples in files of their own one is applied.
  const bool apart = one.file != other.file && (contains(folder, "sample") || contains(folder, "example"));
  if (apart || folder != folder_of(other.file) || one.bundle != other.bundle) return false;
  if (one.def->collection == "gpu_clusters") return other.def->collection == "nvidia_policies";
  if (one.def != other.def || one.name.value == other.name.value) return false;
  if (one.def->collection == "device_classes") {
    const WrittenValue& resource = one.part("extended_resource");
    return resource.is_text() && resource.text() == other.part("extended_resource").text();
  }
  if (one.part("is_default").flag != other.part("is_default").flag) return false;
  const WrittenValue& nodes = one.part("node_selector");
  const WrittenValue& others = other.part("node_selector");
  return nodes.state != State::Unknown && others.state != State::Unknown && nodes.selects(others) &&
         others.selects(nodes);
}

void find_beside(Model& model) {
  std::vector<Manifest*> all;
  for (Manifest& one : model.manifests) {
    const std::string_view of = one.def->collection;
    const bool release = of == "helm_releases" && (hands_out_gpus(one) || has_device_plugin(one));
    if (release || of == "device_classes" || of == "gpu_clusters" || of == "nvidia_drivers" || of == "nvidia_policies")
      all.push_back(&one);
  }
  if (all.size() > 4 * kMostOfOneClaim) return;
  for (Manifest* one : all) {
    const std::string_view of = one->def->collection;
    for (const Manifest* other : all) {
      // Of two alike the later one is told of the earlier.
      const bool alike = of == "device_classes" || of == "nvidia_drivers";
      if (other == one && alike) break;
      if (other == one || of == "nvidia_policies" || !collide(*one, *other)) continue;
      one->remarks.own().beside = set_to(other->kind + " `" + other->name.value + "`", one->where, "name");
      break;
    }
  }
}

/// NVIDIADrivers beside a ClusterPolicy that keeps drivers to itself. A GPUCluster takes them all the same.
/// Source: NVIDIA/gpu-operator:controllers/nvidiadriver_controller.go (25.10 to 26.7).
void find_unread_drivers(Model& model) {
  std::map<std::string_view, const Manifest*> policies;  // by bundle; nullptr: drivers may count there
  for (const Manifest& one : model.manifests) {
    if (one.def->collection == "gpu_clusters") policies[one.bundle] = nullptr;
    if (one.def->collection != "nvidia_policies") continue;
    const WrittenValue& driver = one.part("gpu_driver");
    const WrittenValue* by_crd = driver.find("useNvidiaDriverCRD");
    const bool open = driver.state == State::Unknown || (by_crd != nullptr && by_crd->text() != "false");
    const auto [found, fresh] = policies.try_emplace(one.bundle, &one);
    if (open) found->second = nullptr;
  }
  for (Manifest& one : model.manifests) {
    if (one.def->collection != "nvidia_drivers") continue;
    const auto found = policies.find(one.bundle);
    if (found != policies.end() && found->second != nullptr)
      one.remarks.own().unread_by = set_to(found->second->name.value, one.where, "name");
  }
}

/// DaemonSets of GPUs that do not tolerate the taint which others beside them do.
void find_kept_off(Model& model) {
  constexpr std::array<std::string_view, 3> kOfGpus{"dcgm-exporter", "k8s-device-plugin", "dra-driver"};
  constexpr std::string_view kTaint = "nvidia.com/gpu";
  const auto tolerates = [&](const WrittenValue& list) {
    return std::ranges::any_of(list.items(), [&](const WrittenValue& one) {
      const WrittenValue* key = one.find("key");
      // Another taint of GPUs may be the one that the cluster has.
      return key == nullptr || key->text().empty() || contains(key->text(), "gpu") || key->state == State::Unknown;
    });
  };
  std::set<std::string_view> tainted;  // bundles where a DaemonSet tolerates the taint by its name
  for (const Manifest& one : model.manifests) {
    if (one.def->collection != "daemon_sets") continue;
    for (const WrittenValue& toleration : one.part("tolerations").items()) {
      const WrittenValue* key = toleration.find("key");
      if (key != nullptr && key->text() == kTaint) tainted.insert(one.bundle);
    }
  }
  for (Manifest& one : model.manifests) {
    if (one.def->collection != "daemon_sets" || !tainted.contains(one.bundle)) continue;
    // NVIDIA's own manifest of it, of the plugin's image, tolerates nothing.
    if (contains(one.name.value, "gpu-feature-discovery")) continue;
    const WrittenValue& tolerations = one.part("tolerations");
    if (tolerations.state == State::Unknown || tolerates(tolerations)) continue;
    for (const WrittenValue& container : one.part("containers").items()) {
      const WrittenValue* image = container.find("image");
      const bool of_gpus = image != nullptr && std::ranges::any_of(kOfGpus, [&](std::string_view word) {
                             return contains(image->text(), word);
                           });
      if (of_gpus && !one.remarks->not_tolerated.is_set())
        one.remarks.own().not_tolerated = set_to(std::string(kTaint), image->where, "tolerations");
    }
  }
}

}  // namespace

void relate_devices(Model& model) {
  ClaimUses(model).run();
  find_unlabelled(model);
  find_beside(model);
  find_unread_drivers(model);
  find_kept_off(model);
}

}  // namespace muster
