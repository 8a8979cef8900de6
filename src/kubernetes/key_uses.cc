#include "kubernetes/key_uses.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "gang/manifest.h"
#include "kubernetes/secret_makers.h"
#include "syntax/embedded.h"
#include "syntax/placeholder.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

constexpr std::size_t kMostUses = 1000;  // of one object, and of keys
constexpr int kMostLevels = 12;
constexpr std::size_t kMostSteps = 10'000;

/// Whether the operator of a group makes pods of the templates as they are. Not those that bring ConfigMaps of their
/// own.
bool has_plain_templates(std::string_view group) {
  constexpr std::array<std::string_view, 6> kPlain{"batch.volcano.sh", "jobset.x-k8s.io",
                                                   "kubeflow.org",     "leaderworkerset.x-k8s.io",
                                                   "ray.io",           "trainer.kubeflow.org"};
  return std::ranges::find(kPlain, group) != kPlain.end();
}

bool is_known(const Node& node) {
  return node.is_scalar() && !node.text().empty() && !is_placeholder(node.text()) && !is_screaming(node.text());
}

/// Whatever name somebody gave, capitals too.
bool is_known_key(const Node& node) { return node.is_scalar() && !node.text().empty() && !is_placeholder(node.text()); }

void take_ports(const Node& ports, NamedKeys& out) {
  out.open = !ports.is_sequence() || ports.size() > kMostUses;
  for (std::size_t i = 0; !out.open && i < ports.size(); ++i) {
    const Node port = ports.item(i);
    out.open = !is_known(port["port"]) || (port["name"].exists() && !is_known(port["name"]));
    out.keys.emplace_back(port["port"].text());
    if (port["name"].exists()) out.keys.emplace_back(port["name"].text());
  }
}

/// Those that Kubernetes, Kubeflow and OpenShift make in each namespace.
bool is_made_account(const Node& name) {
  constexpr std::array<std::string_view, 6> kMade{"default", "default-editor", "default-viewer",
                                                  "builder", "deployer",       "pipeline"};
  return std::ranges::find(kMade, name.text()) != kMade.end();
}

constexpr std::string_view kGatewayGroup = "gateway.networking.k8s.io";

/// Groups whose policies say by targetRef or targetRefs what they are for.
bool has_policies(std::string_view group) {
  constexpr std::array<std::string_view, 7> kOfPolicies{
      "extensions.kuadrant.io",    "extensions.istio.io", "gateway.envoyproxy.io", "gateway.kgateway.dev",
      "gateway.networking.k8s.io", "kuadrant.io",         "security.istio.io"};
  return std::ranges::find(kOfPolicies, group) != kOfPolicies.end();
}

class UseReader {
 public:
  UseReader(const KeyUse& user, std::vector<KeyUse>& out) : user_(user), out_(out) {}

  void pod(const Node& spec) {
    if (!is_made_account(spec["serviceAccountName"])) whole("ServiceAccount", spec["serviceAccountName"]);
    std::map<std::string_view, Node> maps;  // volumes of whole ConfigMaps
    const std::set<std::string_view> mounted = mounted_volumes(spec);
    const Node volumes = spec["volumes"];
    for (std::size_t i = 0; volumes.is_sequence() && i < volumes.size(); ++i) {
      whole("PersistentVolumeClaim", volumes.item(i)["persistentVolumeClaim"]["claimName"]);
      if (!mounted.contains(volumes.item(i)["name"].text())) continue;
      const Node map = volumes.item(i)["configMap"];
      if (is_true(map["optional"])) continue;
      whole("ConfigMap", map["name"]);
      items(map["items"], "ConfigMap", map["name"]);
      const Node secret = volumes.item(i)["secret"];
      if (!is_true(secret["optional"])) items(secret["items"], "Secret", secret["secretName"]);
      if (map["name"].exists() && !map["items"].exists()) maps.emplace(volumes.item(i)["name"].text(), map["name"]);
    }
    for (const std::string_view list : {"initContainers", "containers"}) {
      const Node containers = spec[list];
      for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c) {
        variables(containers.item(c)["env"]);
        const Node from = containers.item(c)["envFrom"];
        for (std::size_t i = 0; from.is_sequence() && i < from.size(); ++i) {
          const Node map = from.item(i)["configMapRef"];
          if (!is_true(map["optional"])) whole("ConfigMap", map["name"]);
        }
        const Node mounts = containers.item(c)["volumeMounts"];
        for (std::size_t i = 0; !maps.empty() && mounts.is_sequence() && i < mounts.size(); ++i) {
          const auto map = maps.find(mounts.item(i)["name"].text());
          const Node path = mounts.item(i)["subPath"];
          if (map != maps.end() && path.text().find('/') == std::string_view::npos) use("ConfigMap", map->second, path);
        }
      }
    }
  }

  /// Pod templates wherever they stand: of the groups of a RayCluster, the replicas of a PyTorchJob. Whole objects
  /// alone: repositories of operators have one name in many samples, each with keys of its own.
  void pods_within(const Node& node, int level) {
    if (level > kMostLevels || ++steps_ > kMostSteps) return;
    for (std::size_t i = 0; node.is_sequence() && i < node.size(); ++i) pods_within(node.item(i), level + 1);
    if (!node.is_mapping()) return;
    keys_ = false;
    if (node["containers"].is_sequence()) return pod(node);
    for (std::size_t i = 0; i < node.size(); ++i) pods_within(node.value(i), level + 1);
  }

  void ingress(const Node& spec) {
    backend(spec["defaultBackend"]["service"]);
    const Node rules = spec["rules"];
    for (std::size_t r = 0; rules.is_sequence() && r < rules.size(); ++r) {
      const Node paths = rules.item(r)["http"]["paths"];
      for (std::size_t i = 0; paths.is_sequence() && i < paths.size(); ++i)
        backend(paths.item(i)["backend"]["service"]);
    }
  }

  void account(const Node& name) { whole("ServiceAccount", name); }

  void node_class(const Node& ref) {
    if (ref["kind"].text() == "EC2NodeClass") whole("EC2NodeClass", ref["name"]);
  }

  void map(const Node& name) { whole("ConfigMap", name); }

  void named(std::string_view of, const Node& ref) { whole(of, ref["name"]); }

  void key_of_map(const Node& name, const Node& key) { use("ConfigMap", name, key); }

  /// Locks of Argo Workflows: its `optional` is not looked at. Source:
  /// argoproj/argo-workflows:workflow/controller/controller.go (3.6), createSynchronizationManager.
  void semaphores(const Node& spec) {
    semaphores_of(spec["synchronization"]);
    const Node templates = spec["templates"];
    for (std::size_t i = 0; templates.is_sequence() && i < std::min(templates.size(), kMostUses); ++i)
      semaphores_of(templates.item(i)["synchronization"]);
  }

  void snapshot(const Node& source) { whole("PersistentVolumeClaim", source["persistentVolumeClaimName"]); }

  /// `pvc://CLAIM/folder` of each part of an InferenceService.
  /// Source: kserve/kserve:pkg/utils/storage.go (0.20).
  void models(const Node& spec) {
    for (std::size_t p = 0; spec.is_mapping() && p < std::min(spec.size(), kMostUses); ++p) {
      const Node part = spec.value(p);
      for (std::size_t i = 0; part.is_mapping() && i < std::min(part.size(), kMostUses); ++i)
        stored(part.value(i)["storageUri"]);
    }
  }

  /// A Gateway, and the listener that `sectionName` names.
  /// Source: kubernetes-sigs/gateway-api:apis/v1/shared_types.go, ParentReference (1.4).
  void parents(const Node& refs) {
    for (std::size_t i = 0; refs.is_sequence() && i < std::min(refs.size(), kMostUses); ++i) {
      const Node ref = refs.item(i);
      const Node space = ref["namespace"];
      const bool gateway = !ref["kind"].exists() || ref["kind"].text() == "Gateway";
      const bool open = space.exists() && !is_known(space);
      if (!gateway || open || (ref["group"].exists() && ref["group"].text() != kGatewayGroup)) continue;
      if (!whole("Gateway", ref["name"])) continue;
      if (space.exists()) out_.back().space = SharedText(space.text());
      const Node section = ref["sectionName"];
      if (is_known(section)) out_.back().key = set_to(std::string(section.text()), section.where(), "sectionName");
    }
  }

  /// What a policy is for, which stands in its own namespace.
  /// Source: kubernetes-sigs/gateway-api:apis/v1/policy_types.go, LocalPolicyTargetReference (1.4).
  void targets(const Node& spec) {
    target(spec["targetRef"]);
    const Node refs = spec["targetRefs"];
    for (std::size_t i = 0; refs.is_sequence() && i < std::min(refs.size(), kMostUses); ++i) target(refs.item(i));
  }

  void route(const Node& spec) {
    const Node rules = spec["rules"];
    for (std::size_t r = 0; rules.is_sequence() && r < rules.size(); ++r) {
      const Node refs = rules.item(r)["backendRefs"];
      for (std::size_t i = 0; refs.is_sequence() && i < refs.size(); ++i) {
        const Node ref = refs.item(i);
        const bool plain = !ref["namespace"].exists() && !ref["group"].exists();
        if (plain && (!ref["kind"].exists() || ref["kind"].text() == "Service"))
          use("Service", ref["name"], ref["port"]);
      }
    }
  }

 private:
  /// The kubelet passes over the others.
  /// Source: kubernetes/kubernetes:pkg/kubelet/volumemanager/populator/desired_state_of_world_populator.go (1.36).
  static std::set<std::string_view> mounted_volumes(const Node& spec) {
    std::set<std::string_view> out;
    for (const std::string_view list : {"initContainers", "containers"}) {
      const Node containers = spec[list];
      for (std::size_t c = 0; containers.is_sequence() && c < containers.size(); ++c) {
        const Node mounts = containers.item(c)["volumeMounts"];
        for (std::size_t i = 0; mounts.is_sequence() && i < mounts.size(); ++i)
          out.insert(mounts.item(i)["name"].text());
      }
    }
    return out;
  }

  void stored(const Node& uri) {
    constexpr std::string_view kClaim = "pvc://";
    if (!is_known(uri) || !uri.text().starts_with(kClaim)) return;
    const std::string_view path = uri.text().substr(kClaim.size());
    if (!whole("PersistentVolumeClaim", uri)) return;
    out_.back().target.value = path.substr(0, path.find('/'));
  }

  void semaphores_of(const Node& locks) {
    const Node list = locks["semaphores"];
    semaphore(locks["semaphore"]);
    for (std::size_t i = 0; list.is_sequence() && i < std::min(list.size(), kMostUses); ++i) semaphore(list.item(i));
  }

  void semaphore(const Node& lock) {
    const std::size_t before = out_.size();
    use("ConfigMap", lock["configMapKeyRef"]["name"], lock["configMapKeyRef"]["key"]);
    if (out_.size() > before && lock["namespace"].exists()) out_.back().space = SharedText(lock["namespace"].text());
  }

  void target(const Node& ref) {
    const bool own = !ref["namespace"].exists() || ref["namespace"].text() == std::string_view(user_.space);
    if (own && ref["group"].text() == kGatewayGroup && is_route_target(ref["kind"].text()))
      whole(ref["kind"].text(), ref["name"]);
  }

  void variables(const Node& env) {
    for (std::size_t i = 0; env.is_sequence() && i < env.size(); ++i) {
      const Node from = env.item(i)["valueFrom"];
      if (!from.is_mapping()) continue;
      const Node map = from["configMapKeyRef"];
      const Node secret = from["secretKeyRef"];
      if (!is_true(map["optional"])) use("ConfigMap", map["name"], map["key"]);
      if (!is_true(secret["optional"])) use("Secret", secret["name"], secret["key"]);
    }
  }

  void items(const Node& list, std::string_view of, const Node& name) {
    for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) use(of, name, list.item(i)["key"]);
  }

  void backend(const Node& service) {
    const Node port = service["port"];
    use("Service", service["name"], port["number"].exists() ? port["number"] : port["name"]);
  }

  void use(std::string_view of, const Node& name, const Node& key) {
    if (keys_ && is_known_key(key) && whole(of, name))
      out_.back().key = set_to(std::string(key.text()), key.where(), "key");
  }

  /// Whether it could be added.
  bool whole(std::string_view of, const Node& name) {
    if (!is_known(name) || made_ == kMostUses) return false;
    ++made_;
    KeyUse one = user_;
    one.of = of;
    one.target = set_to(std::string(name.text()), name.where(), "name");
    out_.push_back(std::move(one));
    return true;
  }

  const KeyUse& user_;
  std::vector<KeyUse>& out_;
  std::size_t made_ = 0;
  std::size_t steps_ = 0;
  bool keys_ = true;
};

/// The one account that a binding is for, in the namespace that it says.
void binding(const Node& subjects, KeyUse user, std::vector<KeyUse>& uses) {
  constexpr std::size_t kMostSubjects = 1000;  // more are a list of people
  user.of_several = subjects.size() > 1;
  for (std::size_t i = 0; subjects.is_sequence() && i < std::min(subjects.size(), kMostSubjects); ++i) {
    const Node subject = subjects.item(i);
    if (subject["kind"].text() != "ServiceAccount" || is_made_account(subject["name"])) continue;
    user.space = SharedText(subject["namespace"].text());
    UseReader(user, uses).account(subject["name"]);
  }
}

/// A ConfigMap that somebody else makes, and the key of it that nodes without a label take.
void device_plugin_config(const Node& config, KeyUse user, std::vector<KeyUse>& uses) {
  if (is_true(config["create"]) || config["data"].size() > 0) return;
  user.space = {};
  user.by_operator = true;
  UseReader(user, uses).key_of_map(config["name"], config["default"]);
}

/// The MIG manager's, of which the chart and the operator make one by themselves.
void mig_config(const Node& config, KeyUse user, std::vector<KeyUse>& uses) {
  if (is_true(config["create"]) || config["data"].size() > 0 || config["name"].text() == kDefaultMigConfig) return;
  user.space = {};
  user.by_operator = true;
  UseReader(user, uses).map(config["name"]);
}

void gpu_operator_values(const Node& values, const KeyUse& user, std::vector<KeyUse>& uses) {
  device_plugin_config(values["devicePlugin"]["config"], user, uses);
  mig_config(values["migManager"]["config"], user, uses);
}

/// The same in a source of an Application of Argo CD.
void gpu_operator_source(const Node& source, const KeyUse& user, std::vector<KeyUse>& uses) {
  if (source["chart"].text() != "gpu-operator") return;
  const Node given = source["helm"]["valuesObject"];
  std::vector<Finding> said_elsewhere;
  const std::optional<Document> text =
      given.exists() ? std::nullopt : read_text_document(source["helm"]["values"], &said_elsewhere);
  gpu_operator_values(text ? text->root() : given, user, uses);
}

/// Source: fluxcd/helm-controller:api/v2/reference_types.go, ValuesReference (1.3).
void values_from(const Node& list, KeyUse user, std::vector<KeyUse>& uses) {
  user.of_values = true;
  for (std::size_t i = 0; list.is_sequence() && i < std::min(list.size(), kMostUses); ++i) {
    const Node one = list.item(i);
    const std::string_view kind = one["kind"].text();
    if ((kind == "ConfigMap" || kind == "Secret") && !is_true(one["optional"])) UseReader(user, uses).named(kind, one);
  }
}

/// Source: NVIDIA/gpu-operator:controllers/object_controls.go (26.7), DEFAULT_CONFIG.
void gpu_operator_object(const Node& object, std::string_view kind, const KeyUse& user, std::vector<KeyUse>& uses) {
  const Node spec = object["spec"];
  const bool dumped = object["metadata"]["uid"].exists() || object["metadata"]["resourceVersion"].exists();
  if (kind == "ClusterPolicy") return dumped ? void() : gpu_operator_values(spec, user, uses);
  if (kind == "HelmRelease" && spec["chart"]["spec"]["chart"].text() == "gpu-operator")
    return gpu_operator_values(spec["values"], user, uses);
  if (kind == "HelmChart" && spec["chart"].text() == "gpu-operator") {
    std::vector<Finding> said_elsewhere;
    const std::optional<Document> text = read_text_document(spec["valuesContent"], &said_elsewhere);
    return text ? gpu_operator_values(text->root(), user, uses) : void();
  }
  if (kind != "Application") return;
  const Node sources = spec["sources"];
  if (!sources.is_sequence() || sources.size() == 0) return gpu_operator_source(spec["source"], user, uses);
  for (std::size_t i = 0; i < std::min(sources.size(), kMostUses); ++i)
    gpu_operator_source(sources.item(i), user, uses);
}

}  // namespace

void take_keys(const Node& data, NamedKeys& out) {
  if (!data.exists() || data.is_null()) return;
  out.open = out.open || !data.is_mapping() || data.size() > kMostUses;
  for (std::size_t i = 0; !out.open && i < data.size(); ++i) {
    out.open = !is_known_key(data.key(i)) || data.key(i).text() == "<<";
    out.keys.emplace_back(data.key(i).text());
  }
}

namespace {

/// Whose controllers make HTTPRoutes. Sources: envoyproxy/ai-gateway:api/v1alpha1/ai_gateway_route.go (0.4),
/// kserve/kserve:pkg/controller/v1beta1/inferenceservice/reconcilers/ingress/httproute_reconciler.go (0.20).
bool makes_routes(std::string_view group, std::string_view kind) {
  return (group == "aigateway.envoyproxy.io" && kind == "AIGatewayRoute") ||
         (group == "serving.kserve.io" && (kind == "InferenceService" || kind == "LLMInferenceService"));
}

/// False: it is a user, too.
bool add_made_routes(const Node& object, std::string_view api_version, std::vector<NamedKeys>& keys) {
  const bool of_kserve = api_group(api_version) == "serving.kserve.io";
  for (const std::string_view ending : {"", "-predictor", "-transformer", "-explainer", "-kserve-route"}) {
    if (!ending.empty() && !of_kserve) break;  // of another the route has its name
    NamedKeys one;
    identify(object, api_version, "HTTPRoute", one);
    one.name.value += ending;
    one.open = one.of_controller = true;
    keys.push_back(std::move(one));
  }
  return false;
}

/// What others name in the object; false: nothing.
bool read_named_keys(const Node& object, std::string_view api_version, std::string_view kind,
                     std::vector<NamedKeys>& keys) {
  const std::string_view group = api_group(api_version);
  const bool data = group.empty() && (kind == "ConfigMap" || kind == "Secret");
  const bool service = group.empty() && kind == "Service";
  const bool node_class = group == "karpenter.k8s.aws" && kind == "EC2NodeClass";
  const bool account = group.empty() && kind == "ServiceAccount";
  if (data || service || account || node_class) {
    NamedKeys one;
    identify(object, api_version, kind, one);
    one.open = !is_known(object["metadata"]["name"]) || object["sops"].exists();
    if (service) take_ports(object["spec"]["ports"], one);
    for (const std::string_view field : {"data", "stringData", "binaryData"}) take_keys(object[field], one);
    // Of a Secret without anything, somebody else fills in what it is to have.
    one.open = one.open || one.keys.empty() || (data && is_filled_by_controller(object));
    keys.push_back(std::move(one));
    return true;
  }
  if (is_route_target(kind) && group == kGatewayGroup) {
    NamedKeys one;
    identify(object, api_version, kind, one);
    const Node listeners = object["spec"]["listeners"];
    one.open = !is_known(object["metadata"]["name"]) || !listeners.is_sequence() || listeners.size() > kMostUses;
    for (std::size_t i = 0; !one.open && i < listeners.size(); ++i) {
      one.open = !is_known(listeners.item(i)["name"]);
      one.keys.emplace_back(listeners.item(i)["name"].text());
    }
    keys.push_back(std::move(one));
    return kind == "Gateway";
  }
  if (makes_routes(group, kind)) return add_made_routes(object, api_version, keys);
  if (makes_secret(group, kind)) {
    keys.push_back(read_made_secret(object, api_version, kind));
    return true;
  }
  // Its provisioner makes both. Source: kube-object-storage/lib-bucket-provisioner:README.md.
  if (group == "objectbucket.io" && kind == "ObjectBucketClaim") {
    for (const std::string_view made : {"ConfigMap", "Secret"}) {
      NamedKeys one;
      identify(object, api_version, made, one);
      one.open = true;
      keys.push_back(std::move(one));
    }
    return true;
  }
  return false;
}

}  // namespace

void read_key_uses(const Node& object, std::string_view api_version, std::string_view kind,
                   std::vector<NamedKeys>& keys, std::vector<KeyUse>& uses) {
  const std::string_view group = api_group(api_version);
  if (read_named_keys(object, api_version, kind, keys)) return;
  if (object["metadata"]["uid"].exists()) return;  // its cluster had what it names
  if (group == "karpenter.sh" && kind == "NodePool") {
    KeyUse user;
    identify(object, api_version, kind, user);
    return UseReader(user, uses).node_class(object["spec"]["template"]["spec"]["nodeClassRef"]);
  }
  if (group == "rbac.authorization.k8s.io" && kind.ends_with("RoleBinding")) {
    KeyUse user;
    identify(object, api_version, kind, user);
    return binding(object["subjects"], std::move(user), uses);
  }
  const bool served = group == "serving.kserve.io" && kind == "InferenceService";
  if (served || (group == "snapshot.storage.k8s.io" && kind == "VolumeSnapshot")) {
    KeyUse user;
    identify(object, api_version, kind, user);
    UseReader reader(user, uses);
    return served ? reader.models(object["spec"]) : reader.snapshot(object["spec"]["source"]);
  }
  if (group == "argoproj.io" && kind.find("Workflow") != kind.npos) {
    KeyUse user;
    identify(object, api_version, kind, user);
    const Node spec = object["spec"];
    return UseReader(user, uses).semaphores(kind == "CronWorkflow" ? spec["workflowSpec"] : spec);
  }
  const bool installs = group == "helm.cattle.io" || group == "helm.toolkit.fluxcd.io" || group == "argoproj.io";
  if (group == "nvidia.com" || installs) {
    KeyUse user;
    identify(object, api_version, kind, user);
    if (kind == "HelmRelease") values_from(object["spec"]["valuesFrom"], user, uses);
    return gpu_operator_object(object, kind, user, uses);
  }
  const bool ingress = group == "networking.k8s.io" && kind == "Ingress";
  const bool attached = group == kGatewayGroup && kind.ends_with("Route");
  const bool route = attached && (kind == "HTTPRoute" || kind == "GRPCRoute");
  if (has_policies(group) && !attached) {
    KeyUse user;
    identify(object, api_version, kind, user);
    return UseReader(user, uses).targets(object["spec"]);
  }
  const bool pods = group.empty() ? kind == "Pod" : group == "apps" || group == "batch";
  const bool templates = has_plain_templates(group);
  if (!ingress && !attached && !pods && !templates) return;
  const Node spec = object["spec"];
  KeyUse user;
  identify(object, api_version, kind, user);
  UseReader reader(user, uses);
  if (ingress) return reader.ingress(spec);
  if (attached) reader.parents(spec["parentRefs"]);
  if (route) reader.route(spec);
  if (attached) return;
  if (templates) return reader.pods_within(spec, 0);
  if (kind == "Pod") return reader.pod(spec);
  reader.pod((kind == "CronJob" ? spec["jobTemplate"]["spec"] : spec)["template"]["spec"]);
}

}  // namespace muster
