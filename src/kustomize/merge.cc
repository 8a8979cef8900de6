#include "kustomize/merge.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace muster::kustomize {
namespace {

/// The types on the way to lists that have merge keys.
enum class Shape {
  None,
  Object,
  Metadata,
  Workload,
  CronJob,
  CronSpec,
  JobSpec,
  PodTemplate,
  PodSpec,
  Container,
  Service,
  Lists
};

/// A field of a type: where it leads, and the keys of a list that is merged. No keys and `merged`: a list of texts.
struct Field {
  Shape in;
  std::string_view name;
  Shape to = Shape::None;
  bool merged = false;
  std::string_view keys[2] = {};
};

/// `x-kubernetes-patch-strategy`, `-patch-merge-key` and `-list-map-keys`. Source: the OpenAPI definitions of
/// Kubernetes 1.21.2, which kustomize 5.8 brings.
constexpr Field kFields[] = {
    {Shape::Metadata, "finalizers", Shape::None, true},
    {Shape::Metadata, "ownerReferences", Shape::None, true, {"uid"}},
    {Shape::Workload, "template", Shape::PodTemplate},
    {Shape::CronJob, "jobTemplate", Shape::CronSpec},
    {Shape::CronSpec, "metadata", Shape::Metadata},
    {Shape::CronSpec, "spec", Shape::JobSpec},
    {Shape::JobSpec, "template", Shape::PodTemplate},
    {Shape::PodTemplate, "metadata", Shape::Metadata},
    {Shape::PodTemplate, "spec", Shape::PodSpec},
    {Shape::PodSpec, "containers", Shape::Container, true, {"name"}},
    {Shape::PodSpec, "ephemeralContainers", Shape::Container, true, {"name"}},
    {Shape::PodSpec, "hostAliases", Shape::None, true, {"ip"}},
    {Shape::PodSpec, "imagePullSecrets", Shape::None, true, {"name"}},
    {Shape::PodSpec, "initContainers", Shape::Container, true, {"name"}},
    {Shape::PodSpec, "topologySpreadConstraints", Shape::None, true, {"topologyKey", "whenUnsatisfiable"}},
    {Shape::PodSpec, "volumes", Shape::None, true, {"name"}},
    {Shape::Container, "env", Shape::None, true, {"name"}},
    {Shape::Container, "ports", Shape::None, true, {"containerPort", "protocol"}},
    {Shape::Container, "volumeDevices", Shape::None, true, {"devicePath"}},
    {Shape::Container, "volumeMounts", Shape::None, true, {"mountPath"}},
    {Shape::Service, "ports", Shape::None, true, {"port", "protocol"}},
    {Shape::Lists, "secrets", Shape::None, true, {"name"}},
    {Shape::Lists, "webhooks", Shape::None, true, {"name"}},
};

struct Root {
  std::string_view api_version;
  std::string_view kind;
  std::string_view field;  ///< "" : the object itself
  Shape to;
};

constexpr Root kRoots[] = {
    {"admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "", Shape::Lists},
    {"admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", Shape::Lists},
    {"admissionregistration.k8s.io/v1beta1", "MutatingWebhookConfiguration", "", Shape::Lists},
    {"admissionregistration.k8s.io/v1beta1", "ValidatingWebhookConfiguration", "", Shape::Lists},
    {"apps/v1", "DaemonSet", "spec", Shape::Workload},
    {"apps/v1", "Deployment", "spec", Shape::Workload},
    {"apps/v1", "ReplicaSet", "spec", Shape::Workload},
    {"apps/v1", "StatefulSet", "spec", Shape::Workload},
    {"batch/v1", "CronJob", "spec", Shape::CronJob},
    {"batch/v1", "Job", "spec", Shape::Workload},
    {"batch/v1beta1", "CronJob", "spec", Shape::CronJob},
    {"v1", "Pod", "spec", Shape::PodSpec},
    {"v1", "PodTemplate", "template", Shape::PodTemplate},
    {"v1", "ReplicationController", "spec", Shape::Workload},
    {"v1", "Service", "spec", Shape::Service},
    {"v1", "ServiceAccount", "", Shape::Lists},
};

/// Groups of Kubernetes 1.21, whose objects have the metadata that the definitions describe.
bool has_known_metadata(std::string_view api_version) {
  constexpr std::string_view kGroups[] = {"apps/v1",
                                          "batch/v1",
                                          "batch/v1beta1",
                                          "v1",
                                          "policy/v1",
                                          "policy/v1beta1",
                                          "autoscaling/v1",
                                          "autoscaling/v2beta1",
                                          "autoscaling/v2beta2",
                                          "networking.k8s.io/v1",
                                          "rbac.authorization.k8s.io/v1",
                                          "storage.k8s.io/v1",
                                          "scheduling.k8s.io/v1",
                                          "apiextensions.k8s.io/v1",
                                          "admissionregistration.k8s.io/v1"};
  return std::ranges::find(kGroups, api_version) != std::end(kGroups);
}

const Root* root_of(const Tree& object) {
  for (const Root& root : kRoots) {
    if (root.api_version == text_at(object, "apiVersion") && root.kind == text_at(object, "kind")) return &root;
  }
  return nullptr;
}

/// Where a field leads, with what is known of its list.
struct Schema {
  Shape shape = Shape::None;
  const Root* root = nullptr;
  bool known_metadata = false;
  const Field* list = nullptr;

  Schema field(std::string_view name) const {
    if (shape == Shape::Object && name == "metadata" && known_metadata)
      return {Shape::Metadata, nullptr, false, nullptr};
    if (shape == Shape::Object && root != nullptr && !root->field.empty())
      return root->field == name ? Schema{root->to, nullptr, false, nullptr} : Schema{};
    const Shape in = shape == Shape::Object && root != nullptr ? root->to : shape;
    for (const Field& field : kFields) {
      if (field.in == in && field.name == name) return {field.to, nullptr, false, field.merged ? &field : nullptr};
    }
    return {};
  }
  Schema item() const { return {shape, nullptr, false, nullptr}; }
};

constexpr std::string_view kDirective = "$patch";
using Values = std::vector<std::string>;

bool is_there(const Tree* tree) { return tree != nullptr && !tree->is_null(); }

/// Both sides of a merge; either may be missing.
class Merger {
 public:
  explicit Merger(Work& work) : work_(work) {}

  /// What becomes of a value; nothing when it is taken away.
  bool merge(std::optional<Tree>& target, const Tree* patch, const Schema& schema) {
    if (!work_.spend(1)) return false;
    const Tree* first = target && !target->is_null() ? &*target : is_there(patch) ? patch : nullptr;
    if (first == nullptr) return merge_nulls(target, patch);
    if (is_there(patch) && first->kind != patch->kind)
      return work_.fail("a patch has another kind of value than what it changes");
    if (patch != nullptr && patch->is_null()) {
      target.reset();
      return true;
    }
    if (first->is_mapping()) return mappings(target, patch, schema);
    if (first->is_sequence() && schema.list != nullptr) return keyed_lists(target, patch, schema);
    if (patch != nullptr) target = *patch;
    return patch == nullptr || work_.spend(size_of(*patch));
  }

 private:
  /// A null that is written stays where no patch speaks of it.
  static bool merge_nulls(std::optional<Tree>& target, const Tree* patch) {
    if (patch != nullptr || (target && target->text.empty())) target.reset();
    return true;
  }

  bool directive_of(const Tree& patch, std::string& out) {
    out = std::string(text_at(patch, kDirective));
    if (!out.empty() && out != "delete" && out != "replace" && out != "merge")
      return work_.fail("there is no `$patch: " + out + "`");
    return true;
  }

  bool mappings(std::optional<Tree>& target, const Tree* patch, const Schema& schema) {
    std::string directive;
    if (patch != nullptr && !directive_of(*patch, directive)) return false;
    if (directive == "delete") {
      target.reset();
      return true;
    }
    if (!target || target->is_null() || directive == "replace") target = empty_mapping(patch->where);
    if (patch != nullptr && !work_.spend((target->members.size() + 1) * (patch->members.size() + 1))) return false;
    std::vector<bool> used(patch == nullptr ? 0 : patch->members.size());
    for (Member& member : target->members) {
      const Member* other = take(patch, member.key, used);
      std::optional<Tree> value = std::move(member.value);
      const Schema below = schema.field(member.key);
      const bool whole = other != nullptr && value && below.list == nullptr;
      if (whole && !note_lost_images(member.key, *value, other->value)) return false;
      if (!merge(value, other == nullptr ? nullptr : &other->value, below)) return false;
      if (!value) {
        member.where = {};  // taken out below
      } else {
        if (other != nullptr && value->is_scalar()) member.where = other->where;
        member.value = std::move(*value);
      }
    }
    std::erase_if(target->members, [](const Member& member) { return !member.where.placed(); });
    for (std::size_t i = 0; i < used.size(); ++i) {
      const Member& member = patch->members[i];
      if (used[i] || member.key == kDirective) continue;
      std::optional<Tree> value;  // what only the patch has may hold directives and nulls, too
      if (!merge(value, &member.value, schema.field(member.key))) return false;
      if (value) target->members.push_back({member.key, member.where, std::move(*value)});
    }
    return true;
  }

  /// Of kinds whose lists are replaced: a container that the patch means to change, and that it leaves without an
  /// image.
  bool note_lost_images(std::string_view key, const Tree& target, const Tree& patch) {
    if ((key != "containers" && key != "initContainers") || !target.is_sequence() || !patch.is_sequence()) return true;
    if (!work_.spend(target.items.size() + patch.items.size())) return false;
    std::set<std::string_view> with_image;
    for (const Tree& container : target.items) {
      if (container.find("image") != nullptr) with_image.insert(text_at(container, "name"));
    }
    for (const Tree& container : patch.items) {
      const bool changed = container.is_mapping() && with_image.contains(text_at(container, "name"));
      if (changed && container.find("image") == nullptr && container.find(kDirective) == nullptr)
        work_.lost_images.insert(container.where);
    }
    return true;
  }

  static const Member* take(const Tree* patch, std::string_view key, std::vector<bool>& used) {
    for (std::size_t i = 0; patch != nullptr && i < patch->members.size(); ++i) {
      if (patch->members[i].key != key) continue;
      used[i] = true;
      return &patch->members[i];
    }
    return nullptr;
  }

  // --- lists ---

  bool keyed_lists(std::optional<Tree>& target, const Tree* patch, const Schema& schema) {
    std::string directive;
    std::vector<const Tree*> added;
    for (std::size_t i = 0; patch != nullptr && i < patch->items.size(); ++i) {
      const Tree& item = patch->items[i];
      const bool of_list = item.members.size() == 1 && item.find(kDirective) != nullptr;
      if (of_list && !directive_of(item, directive)) return false;
      if (!of_list) added.push_back(&item);
    }
    if (directive == "delete") {
      target.reset();
      return true;
    }
    if (!target || target->is_null() || directive == "replace") {
      target.emplace();
      target->kind = NodeKind::Sequence;
      target->where = patch->where;
    }
    return schema.list->keys[0].empty() ? texts(*target, added) : keyed_items(*target, added, schema);
  }

  bool texts(Tree& target, const std::vector<const Tree*>& added) {
    std::vector<Tree> out;
    const auto add = [&](const Tree& item) {
      if (!work_.spend(out.size() + 1)) return false;
      if (std::ranges::find(out, item.text, &Tree::text) == out.end()) out.push_back(item);
      return true;
    };
    for (const Tree* item : added) {
      if (!add(*item)) return false;
    }
    for (const Tree& item : target.items) {
      if (!add(item)) return false;
    }
    target.items = std::move(out);
    return true;
  }

  static Values values_of(const Tree& item, const Field& list) {
    Values out;
    for (const std::string_view key : list.keys) {
      if (!key.empty()) out.emplace_back(text_at(item, key));
    }
    return out;
  }

  /// Of two keys one may be left out on one side: the other decides then.
  static bool meet(const Values& a, const Values& b) {
    bool common = false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      common = common || (a[i] == b[i] && !a[i].empty());
      if (a[i] != b[i] && !a[i].empty() && !b[i].empty()) return false;
    }
    return common;
  }

  bool keyed_items(Tree& target, const std::vector<const Tree*>& added, const Schema& schema) {
    const std::size_t all = added.size() + target.items.size();
    if (!work_.spend(all * (added.size() + 1))) return false;
    std::vector<bool> met(target.items.size());
    std::vector<Tree> out;
    for (const Tree* item : added) {
      const Values values = values_of(*item, *schema.list);
      std::size_t at = 0;
      while (at < target.items.size() && (met[at] || !meet(values, values_of(target.items[at], *schema.list)))) ++at;
      std::optional<Tree> value;
      if (at < target.items.size()) {
        met[at] = true;
        value = std::move(target.items[at]);
      }
      if (!merge(value, item, schema.item())) return false;
      if (value && !(value->is_mapping() && value->members.empty())) out.push_back(std::move(*value));
    }
    for (std::size_t i = 0; i < target.items.size(); ++i) {
      std::optional<Tree> value = std::move(target.items[i]);
      if (met[i]) continue;
      if (!merge(value, nullptr, schema.item())) return false;
      if (value) out.push_back(std::move(*value));
    }
    target.items = std::move(out);
    return true;
  }

  Work& work_;
};

}  // namespace

bool merge_patch(Tree& object, Tree patch, Work& work) {
  const std::string_view api_version = text_at(object, "apiVersion");
  const Schema schema{Shape::Object, root_of(object), has_known_metadata(api_version), nullptr};
  std::optional<Tree> target = std::move(object);
  object = {};
  if (!Merger(work).merge(target, &patch, schema)) return false;
  if (target) object = std::move(*target);
  return true;
}

}  // namespace muster::kustomize
