#include "admission/pod_templates.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/strings.h"
#include "gang/pod_template.h"

namespace muster {
namespace {

// Groups of Kubernetes itself that serve one version; of the others any is meant.
constexpr std::array<std::string_view, 3> kServedAsV1{"", "apps", "batch"};

/// `o.?spec.?template`
std::string optional_path(std::string_view from, const KeyPath& path) {
  std::string out(from);
  for (const std::string& step : path) out += ".?" + step;
  return out;
}

std::string plain_path(std::string_view from, const KeyPath& path) {
  std::string out(from);
  for (const std::string& step : path) out += "." + step;
  return out;
}

KeyPath joined(KeyPath path, const KeyPath& more) {
  path.insert(path.end(), more.begin(), more.end());
  return path;
}

bool is_plain(const KeyPath& path) {
  return std::ranges::all_of(path, [](const std::string& step) {
    return std::ranges::all_of(step, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; });
  });
}

/// Where the templates of a kind stand. Roles whose pods stand in other objects or are no templates are left out.
class Finder {
 public:
  void add(const KindFile& kind) {
    if (!kind.wraps.empty()) return;
    bool any = false;
    for (const RoleForm& role : kind.roles) any = add(kind.base, role) || any;
    for (const PartForm& part : kind.parts) {
      if (part.each) continue;
      for (const RoleForm& role : part.form.roles) any = add(joined(kind.base, part.form.base), role) || any;
    }
    if (any) add_resource(kind.group, kind.kind, resources_);
  }

  PodKinds done() {
    PodKinds out;
    out.resources = std::move(resources_);
    std::vector<std::string> single(single_.begin(), single_.end());
    out.templates = "[o, " + join(single, ", ") + "]";
    for (const std::string& list : lists_) out.templates += " + " + list;
    return out;
  }

 private:
  bool add(const KeyPath& base, const RoleForm& role) {
    if (role.bare || !role.has_pods || !role.in.empty() || !is_plain(base) || !is_plain(role.pods)) return false;
    if (role.each) return add_each(joined(base, *role.each), role);
    const KeyPath at = joined(base, role.pods);
    if (!at.empty()) single_.insert("?" + optional_path("o", at));
    if (role.otherwise && is_plain(*role.otherwise))
      single_.insert("?" + optional_path("o", joined(base, *role.otherwise)));
    return true;
  }

  /// Items of a list have a name of their own; those of a map are called by their keys.
  bool add_each(const KeyPath& each, const RoleForm& role) {
    if (!is_plain(each)) return false;
    const std::string all = optional_path("o", each);
    if (role.name_path.empty()) {
      lists_.insert("[" + all + ".orValue({})].map(m, m.map(k, " + optional_path("m[k]", role.pods) + ".hasValue(), " +
                    plain_path("m[k]", role.pods) + "))[0]");
    } else {
      lists_.insert(all + ".orValue([]).map(x, " + optional_path("x", role.pods) + ".hasValue(), " +
                    plain_path("x", role.pods) + ")");
    }
    return true;
  }

  std::vector<AdmittedResources> resources_;
  std::set<std::string> single_;
  std::set<std::string> lists_;
};

/// Whether `p` asks for something whose name has the pattern.
std::string asks_for(const std::string& pattern) {
  return "(p.spec.containers + p.spec.?initContainers.orValue([])).exists(c, [c.?resources.?limits.orValue({}), "
         "c.?resources.?requests.orValue({})].exists(m, m.exists(k, k.contains('/') && k.matches('" +
         pattern + "') && string(m[k]) != '0')))";
}

}  // namespace

std::string resource_name(std::string_view kind) {
  std::string name = to_lower(kind);
  const bool sibilant = name.ends_with("s") || name.ends_with("x") || name.ends_with("ch") || name.ends_with("sh");
  if (name.ends_with("y")) {
    name.pop_back();
    return name + "ies";
  }
  return name + (sibilant ? "es" : "s");
}

void add_resource(std::string_view group, std::string_view kind, std::vector<AdmittedResources>& out) {
  const std::string name = resource_name(kind);
  auto at = std::ranges::lower_bound(out, group, {}, &AdmittedResources::group);
  if (at == out.end() || at->group != group) {
    const bool v1 = std::ranges::find(kServedAsV1, group) != kServedAsV1.end();
    at = out.insert(at, {std::string(group), v1 ? "v1" : "*", {}});
  }
  const auto place = std::ranges::lower_bound(at->names, name);
  if (place == at->names.end() || *place != name) at->names.insert(place, name);
}

PodKinds pod_kinds(const std::vector<const KindFile*>& kinds) {
  Finder finder;
  for (const KindFile* kind : kinds) finder.add(*kind);
  return finder.done();
}

std::string asks_for_devices() {
  return "p.?spec.?containers.hasValue() && (p.spec.?resourceClaims.orValue([]).size() > 0 || " +
         asks_for(accelerator_pattern()) + ")";
}

std::string is_device_guest() {
  return "p.?spec.?containers.hasValue() && p.spec.?resourceClaims.orValue([]).size() == 0 && "
         "p.spec.?tolerations.orValue([]).exists(t, t.?key.orValue('') in ['nvidia.com/gpu', 'amd.com/gpu', "
         "'google.com/tpu']) && !" +
         asks_for(accelerator_pattern());
}

}  // namespace muster
