#include "kustomize/field_spec.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace muster::kustomize {
namespace {

// What kustomize brings, a line for each path: the types it holds for (kind, kind.group, kind.group/version), `+` where
// the field is made, and the path. Source: sigs.k8s.io/kustomize/api v0.21.1, internal/konfig/builtinpluginconsts.

constexpr std::string_view kNameSpace = R"(
Namespace + metadata/name
APIService.apiregistration.k8s.io + spec/service/namespace
CustomResourceDefinition.apiextensions.k8s.io - spec/conversion/webhook/clientConfig/service/namespace
)";

constexpr std::string_view kTemplateLabels = R"(
* + metadata/labels
ReplicationController./v1,Deployment,ReplicaSet,DaemonSet,StatefulSet.apps,Job.batch + spec/template/metadata/labels
StatefulSet.apps + spec/volumeClaimTemplates[]/metadata/labels
CronJob.batch + spec/jobTemplate/metadata/labels
CronJob.batch + spec/jobTemplate/spec/template/metadata/labels
)";

// AFFINITY stands for spec/template/spec/affinity.
constexpr std::string_view kSelectors = R"(
Service./v1,ReplicationController./v1 + spec/selector
Deployment,ReplicaSet,DaemonSet,StatefulSet.apps + spec/selector/matchLabels
Deployment.apps,StatefulSet.apps - AFFINITY/podAffinity/PREFERRED/matchLabels
Deployment.apps,StatefulSet.apps - AFFINITY/podAffinity/REQUIRED/matchLabels
Deployment.apps,StatefulSet.apps - AFFINITY/podAntiAffinity/PREFERRED/matchLabels
Deployment.apps,StatefulSet.apps - AFFINITY/podAntiAffinity/REQUIRED/matchLabels
Deployment.apps,StatefulSet.apps - spec/template/spec/topologySpreadConstraints/labelSelector/matchLabels
Job.batch,PodDisruptionBudget.policy - spec/selector/matchLabels
CronJob.batch - spec/jobTemplate/spec/selector/matchLabels
NetworkPolicy.networking.k8s.io - spec/podSelector/matchLabels
NetworkPolicy.networking.k8s.io - spec/ingress/from/podSelector/matchLabels
NetworkPolicy.networking.k8s.io - spec/egress/to/podSelector/matchLabels
)";

constexpr std::string_view kAnnotations = R"(
* + metadata/annotations
ReplicationController./v1,Deployment,ReplicaSet,DaemonSet,StatefulSet,Job.batch + spec/template/metadata/annotations
CronJob.batch + spec/jobTemplate/metadata/annotations
CronJob.batch + spec/jobTemplate/spec/template/metadata/annotations
)";

constexpr std::string_view kImages = R"(
* + spec/containers[]/image
* + spec/initContainers[]/image
* + spec/volumes[]/image/reference
* + spec/template/spec/containers[]/image
* + spec/template/spec/initContainers[]/image
* + spec/template/spec/volumes[]/image/reference
)";

constexpr std::string_view kReplicas = "Deployment,ReplicationController,ReplicaSet,StatefulSet + spec/replicas";

// Referred type, referring types, path. PODS: all kinds with pods but ReplicationController; RUNS: all but ReplicaSet
// and PodTemplate. POD in a path is where their pod's spec stands.
constexpr std::string_view kReferences = R"(
Deployment HorizontalPodAutoscaler spec/scaleTargetRef/name
ReplicationController HorizontalPodAutoscaler spec/scaleTargetRef/name
ReplicaSet HorizontalPodAutoscaler spec/scaleTargetRef/name
StatefulSet HorizontalPodAutoscaler spec/scaleTargetRef/name
ConfigMap./v1 PODS POD/volumes/configMap/name
ConfigMap./v1 PODS POD/containers/env/valueFrom/configMapKeyRef/name
ConfigMap./v1 PODS POD/initContainers/env/valueFrom/configMapKeyRef/name
ConfigMap./v1 PODS POD/containers/envFrom/configMapRef/name
ConfigMap./v1 PODS POD/initContainers/envFrom/configMapRef/name
ConfigMap./v1 PODS POD/volumes/projected/sources/configMap/name
ConfigMap./v1 Node spec/configSource/configMap
ConfigMap./v1 Role,ClusterRole rules/resourceNames
ConfigMap./v1 Ingress metadata/annotations/nginx.ingress.kubernetes.io\/fastcgi-params-configmap
Secret./v1 PODS POD/volumes/secret/secretName
Secret./v1 PODS POD/containers/env/valueFrom/secretKeyRef/name
Secret./v1 PODS POD/initContainers/env/valueFrom/secretKeyRef/name
Secret./v1 PODS POD/containers/envFrom/secretRef/name
Secret./v1 PODS POD/initContainers/envFrom/secretRef/name
Secret./v1 PODS POD/imagePullSecrets/name
Secret./v1 PODS POD/volumes/projected/sources/secret/name
Secret./v1 Ingress spec/tls/secretName
Secret./v1 Ingress metadata/annotations/ingress.kubernetes.io\/auth-secret
Secret./v1 Ingress metadata/annotations/nginx.ingress.kubernetes.io\/auth-secret
Secret./v1 Ingress metadata/annotations/nginx.ingress.kubernetes.io\/auth-tls-secret
Secret./v1 ServiceAccount imagePullSecrets/name
Secret./v1 StorageClass parameters/secretName
Secret./v1 StorageClass parameters/adminSecretName
Secret./v1 StorageClass parameters/userSecretName
Secret./v1 StorageClass parameters/secretRef
Secret./v1 Role,ClusterRole rules/resourceNames
Secret./v1 Service.serving.knative.dev/v1 spec/template/spec/containers/env/valueFrom/secretKeyRef/name
Secret./v1 PersistentVolume spec/azureFile/secretName
Service./v1 StatefulSet.apps spec/serviceName
Service./v1 Ingress spec/rules/http/paths/backend/serviceName
Service./v1 Ingress spec/backend/serviceName
Service./v1 Ingress spec/rules/http/paths/backend/service/name
Service./v1 Ingress spec/defaultBackend/service/name
Service./v1 APIService.apiregistration.k8s.io spec/service/name
Service./v1 ValidatingWebhookConfiguration.admissionregistration.k8s.io webhooks/clientConfig/service
Service./v1 MutatingWebhookConfiguration.admissionregistration.k8s.io webhooks/clientConfig/service
Role.rbac.authorization.k8s.io RoleBinding.rbac.authorization.k8s.io roleRef/name
ClusterRole.rbac.authorization.k8s.io RoleBinding.rbac.authorization.k8s.io roleRef/name
ClusterRole.rbac.authorization.k8s.io ClusterRoleBinding.rbac.authorization.k8s.io roleRef/name
ServiceAccount./v1 RoleBinding.rbac.authorization.k8s.io subjects
ServiceAccount./v1 ClusterRoleBinding.rbac.authorization.k8s.io subjects
ServiceAccount./v1 RUNS POD/serviceAccountName
PersistentVolumeClaim./v1 RUNS POD/volumes/persistentVolumeClaim/claimName
PersistentVolume./v1 PersistentVolumeClaim spec/volumeName
PersistentVolume./v1 ClusterRole rules/resourceNames
StorageClass.storage.k8s.io/v1 PersistentVolume,PersistentVolumeClaim spec/storageClassName
StorageClass.storage.k8s.io/v1 StatefulSet spec/volumeClaimTemplates/spec/storageClassName
PriorityClass.scheduling.k8s.io/v1 RUNS POD/priorityClassName
ValidatingAdmissionPolicy.admissionregistration.k8s.io ValidatingAdmissionPolicyBinding spec/policyName
)";

constexpr std::string_view kPods = "Pod,PodTemplate,Deployment,ReplicaSet,DaemonSet,StatefulSet,Job,CronJob";
constexpr std::string_view kRuns = "Pod,StatefulSet,Deployment,ReplicationController,CronJob,Job,DaemonSet";

/// Deployment, Job.batch, Service.serving.knative.dev/v1, Pod./v1; `*` is any.
GroupKind type_of(std::string_view text) {
  GroupKind out;
  if (text == "*") return out;
  const std::size_t dot = text.find('.');
  out.kind = std::string(text.substr(0, dot));
  if (dot == text.npos) return out;
  const std::string_view rest = text.substr(dot + 1);
  const std::size_t slash = rest.find('/');
  out.group = std::string(rest.substr(0, slash));
  if (slash != rest.npos) out.version = std::string(rest.substr(slash + 1));
  return out;
}

std::string_view pod_spec_of(std::string_view kind) {
  return kind == "Pod"           ? "spec"
         : kind == "PodTemplate" ? "template/spec"
         : kind == "CronJob"     ? "spec/jobTemplate/spec/template/spec"
                                 : "spec/template/spec";
}

std::string written_out(std::string_view path) {
  std::string out = replace_all(std::string(path), "AFFINITY", "spec/template/spec/affinity");
  out = replace_all(out, "PREFERRED", "preferredDuringSchedulingIgnoredDuringExecution/podAffinityTerm/labelSelector");
  return replace_all(out, "REQUIRED", "requiredDuringSchedulingIgnoredDuringExecution/labelSelector");
}

void add_specs(std::string_view table, std::vector<FieldSpec>& out) {
  for (const std::string_view line : split(table, '\n')) {
    const std::vector<std::string_view> words = split_blanks(line);
    if (words.size() != 3) continue;
    for (const std::string_view type : split(words[0], ','))
      out.push_back({type_of(type), written_out(words[2]), words[1] == "+"});
  }
}

void add_references(std::vector<NameReference>& out) {
  for (const std::string_view line : split(kReferences, '\n')) {
    const std::vector<std::string_view> words = split_blanks(line);
    if (words.size() != 3) continue;
    const std::string_view from = words[1] == "PODS" ? kPods : words[1] == "RUNS" ? kRuns : words[1];
    for (const std::string_view type : split(from, ',')) {
      const GroupKind referrer = type_of(type);
      std::string path(words[2]);
      if (path.starts_with("POD/")) path = std::string(pod_spec_of(referrer.kind)) + path.substr(3);
      out.push_back({type_of(words[0]), {referrer, std::move(path), false}});
    }
  }
}

std::vector<std::string> steps_of(std::string_view path) {
  std::vector<std::string> out(1);
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '\\' && i + 1 < path.size() && path[i + 1] == '/') {
      out.back() += path[++i];
    } else if (path[i] == '/') {
      out.emplace_back();
    } else {
      out.back() += path[i];
    }
  }
  if (!out.empty() && out.front().empty()) out.erase(out.begin());
  return out;
}

class FieldWalk {
 public:
  FieldWalk(const FieldSpec& spec, NodeKind made, Work& work, const ChangeField& change)
      : spec_(spec), steps_(steps_of(spec.path)), made_(made), work_(work), change_(change) {}

  bool walk(Tree& at, std::size_t step) {
    if (!work_.spend(1)) return false;
    if (step == steps_.size()) return change_(at);
    if (at.is_null()) return true;
    if (at.is_sequence()) {
      for (Tree& item : at.items) {
        if (!walk(item, step)) return false;
      }
      return true;
    }
    if (!at.is_mapping()) return work_.fail("`" + spec_.path + "` leads through a text");
    std::string_view name = steps_[step];
    const bool list = name.ends_with("[]");
    if (list) name.remove_suffix(2);
    const bool last = step + 1 == steps_.size();
    const NodeKind kind = list ? NodeKind::Null : last ? made_ : NodeKind::Mapping;
    const bool create = spec_.create && made_ != NodeKind::Null && !list;
    Tree* next = at.find(name);
    if (next == nullptr && create) next = &at.at(name, at.where);
    if (next == nullptr) return true;
    if (next->is_null() && create) {
      next->kind = kind;
      next->text.clear();
    }
    return walk(*next, step + 1);
  }

 private:
  const FieldSpec& spec_;
  std::vector<std::string> steps_;
  NodeKind made_;
  Work& work_;
  const ChangeField& change_;
};

bool read_spec(const Tree& entry, FieldSpec& out) {
  out.type = {std::string(text_at(entry, "group")), std::string(text_at(entry, "version")),
              std::string(text_at(entry, "kind"))};
  out.path = text_at(entry, "path");
  out.create = text_at(entry, "create") == "true";
  return !out.path.empty();
}

bool is_same(const FieldSpec& a, const FieldSpec& b) { return a.type == b.type && a.path == b.path; }

void merge_specs(const std::vector<FieldSpec>& from, std::vector<FieldSpec>& into) {
  for (const FieldSpec& spec : from) {
    if (std::ranges::none_of(into, [&](const FieldSpec& other) { return is_same(spec, other); })) into.push_back(spec);
  }
}

}  // namespace

const FieldConfig& FieldConfig::shipped() {
  static const FieldConfig kShipped = [] {
    FieldConfig out;
    out.name_prefix = out.name_suffix = {{{}, "metadata/name", false}};
    add_specs(kNameSpace, out.name_space);
    add_specs(kSelectors, out.common_labels);
    add_specs(kTemplateLabels, out.common_labels);
    add_specs(kTemplateLabels, out.template_labels);
    add_specs(kAnnotations, out.common_annotations);
    add_specs(kImages, out.images);
    add_specs(kReplicas, out.replicas);
    add_references(out.references);
    return out;
  }();
  return kShipped;
}

void FieldConfig::merge(const FieldConfig& other) {
  merge_specs(other.name_prefix, name_prefix);
  merge_specs(other.name_suffix, name_suffix);
  merge_specs(other.name_space, name_space);
  merge_specs(other.common_labels, common_labels);
  merge_specs(other.template_labels, template_labels);
  merge_specs(other.labels, labels);
  merge_specs(other.common_annotations, common_annotations);
  merge_specs(other.images, images);
  merge_specs(other.replicas, replicas);
  for (const NameReference& reference : other.references) {
    const auto same = [&](const NameReference& one) {
      return one.target == reference.target && is_same(one.field, reference.field);
    };
    if (std::ranges::none_of(references, same)) references.push_back(reference);
  }
}

bool FieldConfig::add_file(const Tree& root, Work& work) {
  const std::pair<std::string_view, std::vector<FieldSpec>*> lists[] = {{"namePrefix", &name_prefix},
                                                                        {"nameSuffix", &name_suffix},
                                                                        {"namespace", &name_space},
                                                                        {"commonLabels", &common_labels},
                                                                        {"templateLabels", &template_labels},
                                                                        {"labels", &labels},
                                                                        {"images", &images},
                                                                        {"replicas", &replicas},
                                                                        {"commonAnnotations", &common_annotations}};
  FieldConfig own;
  for (const auto& [name, list] : lists) {
    const Tree* entries = root.find(name);
    for (std::size_t i = 0; entries != nullptr && i < entries->items.size(); ++i) {
      FieldSpec spec;
      if (!read_spec(entries->items[i], spec)) return work.fail("an entry of `configurations` has no path");
      const std::vector<FieldSpec> one{std::move(spec)};
      merge_specs(one, *list);
    }
  }
  const Tree* references_of = root.find("nameReference");
  for (std::size_t i = 0; references_of != nullptr && i < references_of->items.size(); ++i) {
    const Tree& entry = references_of->items[i];
    FieldSpec target;
    read_spec(entry, target);
    const Tree* fields = entry.find("fieldSpecs");
    for (std::size_t f = 0; fields != nullptr && f < fields->items.size(); ++f) {
      NameReference reference{target.type, {}};
      if (!read_spec(fields->items[f], reference.field)) return work.fail("an entry of `configurations` has no path");
      own.references.push_back(std::move(reference));
    }
  }
  merge(own);
  return work.spend(references.size());
}

bool each_field(Tree& object, const FieldSpec& spec, NodeKind made, Work& work, const ChangeField& change) {
  if (!work.spend(1)) return false;
  if (!GroupKind::of(text_at(object, "apiVersion"), text_at(object, "kind")).selected_by(spec.type)) return true;
  return FieldWalk(spec, made, work, change).walk(object, 0);
}

}  // namespace muster::kustomize
