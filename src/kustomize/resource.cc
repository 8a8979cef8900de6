#include "kustomize/resource.h"

#include <algorithm>

namespace muster::kustomize {
namespace {

/// Source: sigs.k8s.io/kustomize/kyaml v0.21.1, openapi/openapi.go, precomputedIsNamespaceScoped (Kubernetes 1.21).
constexpr std::string_view kClusterWide[] = {
    "admissionregistration.k8s.io/v1 MutatingWebhookConfiguration",
    "admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration",
    "admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration",
    "admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfiguration",
    "apiextensions.k8s.io/v1 CustomResourceDefinition",
    "apiextensions.k8s.io/v1beta1 CustomResourceDefinition",
    "apiregistration.k8s.io/v1 APIService",
    "apiregistration.k8s.io/v1beta1 APIService",
    "certificates.k8s.io/v1 CertificateSigningRequest",
    "certificates.k8s.io/v1beta1 CertificateSigningRequest",
    "flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema",
    "flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfiguration",
    "networking.k8s.io/v1 IngressClass",
    "networking.k8s.io/v1beta1 IngressClass",
    "node.k8s.io/v1 RuntimeClass",
    "node.k8s.io/v1beta1 RuntimeClass",
    "policy/v1beta1 PodSecurityPolicy",
    "rbac.authorization.k8s.io/v1 ClusterRole",
    "rbac.authorization.k8s.io/v1 ClusterRoleBinding",
    "rbac.authorization.k8s.io/v1beta1 ClusterRole",
    "rbac.authorization.k8s.io/v1beta1 ClusterRoleBinding",
    "scheduling.k8s.io/v1 PriorityClass",
    "scheduling.k8s.io/v1beta1 PriorityClass",
    "storage.k8s.io/v1 CSIDriver",
    "storage.k8s.io/v1 CSINode",
    "storage.k8s.io/v1 StorageClass",
    "storage.k8s.io/v1 VolumeAttachment",
    "storage.k8s.io/v1beta1 CSIDriver",
    "storage.k8s.io/v1beta1 CSINode",
    "storage.k8s.io/v1beta1 StorageClass",
    "storage.k8s.io/v1beta1 VolumeAttachment",
    "v1 ComponentStatus",
    "v1 Namespace",
    "v1 Node",
    "v1 NodeProxyOptions",
    "v1 PersistentVolume",
};
static_assert(std::ranges::is_sorted(kClusterWide));

}  // namespace

GroupKind GroupKind::of(std::string_view api_version, std::string_view kind) {
  const std::size_t slash = api_version.find('/');
  if (slash == api_version.npos) return {"", std::string(api_version), std::string(kind)};
  return {std::string(api_version.substr(0, slash)), std::string(api_version.substr(slash + 1)), std::string(kind)};
}

bool GroupKind::selected_by(const GroupKind& selector) const {
  return (selector.group.empty() || selector.group == group) &&
         (selector.version.empty() || selector.version == version) && (selector.kind.empty() || selector.kind == kind);
}

bool Id::is_cluster_wide() const {
  const std::string name_of = (type.group.empty() ? "" : type.group + "/") + type.version + " " + type.kind;
  return std::ranges::binary_search(kClusterWide, std::string_view(name_of));
}

std::string_view Id::effective_space() const {
  if (is_cluster_wide()) return "_non_namespaceable_";
  return space.empty() ? std::string_view("default") : std::string_view(space);
}

bool Id::equals(const Id& other) const {
  return name == other.name && type == other.type && effective_space() == other.effective_space();
}

std::string Id::text() const { return type.kind + " " + (space.empty() ? "" : space + "/") + name; }

Id Resource::id() const {
  return {GroupKind::of(text_at(object, "apiVersion"), text_at(object, "kind")), std::string(name()),
          std::string(space())};
}

bool Resource::is_called(const Id& other) const {
  if (object.is_null()) return false;
  const GroupKind now = GroupKind::of(text_at(object, "apiVersion"), text_at(object, "kind"));
  const auto is_it = [&](Id id) {
    id.type.group = now.group;  // only the kind of old is known
    id.type.version = now.version;
    return id.equals(other);
  };
  return is_it(id()) || std::ranges::any_of(past, is_it);
}

void Resource::set_metadata(std::string_view key, std::string_view text, const Span& where) {
  object.at("metadata", object.where).at(key, where) = text_of(std::string(text), where, ScalarStyle::Quoted);
}

bool add_objects(Tree document, Work& work, std::vector<Resource>& out) {
  if (document.is_null()) return true;
  if (!document.is_mapping()) return work.fail("a document of a resource is no object");
  const std::string_view kind = text_at(document, "kind");
  if (kind.empty()) return work.fail("an object has no kind");
  Tree* items = document.find("items");
  if (kind.ends_with("List") && items != nullptr && (items->is_sequence() || items->is_null())) {
    for (Tree& item : items->items) {
      if (!add_objects(std::move(item), work, out)) return false;
    }
    return true;
  }
  if (text_at(document, "metadata", "name").empty()) return work.fail("an object has no metadata.name");
  Resource resource;
  resource.object = std::move(document);
  out.push_back(std::move(resource));
  return true;
}

}  // namespace muster::kustomize
