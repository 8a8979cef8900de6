// Objects that were renamed are called by their new names where others refer to them.
#include <algorithm>
#include <map>
#include <optional>

#include "kustomize/transform.h"

namespace muster::kustomize {
namespace {

/// Whether the shorter of two lists ends the longer one; an empty one ends only another.
bool end_alike(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  const std::size_t count = std::min(a.size(), b.size());
  if (count == 0) return a.size() == b.size();
  return std::equal(a.end() - static_cast<std::ptrdiff_t>(count), a.end(),
                    b.end() - static_cast<std::ptrdiff_t>(count));
}

using Candidates = std::vector<const Resource*>;

/// What an object is and was, worked out once.
struct Known {
  Id now;
  std::string_view space;
  bool cluster_wide = false;
};

class ReferenceUpdate {
 public:
  ReferenceUpdate(Resources& objects, Work& work) : objects_(objects), work_(work) {
    for (const Resource& resource : objects_) {
      known_.push_back({resource.id(), {}, false});
      known_.back().cluster_wide = known_.back().now.is_cluster_wide();
      if (resource.object.is_null()) continue;
      const Id& now = known_.back().now;
      for (const Id& id : resource.past) {
        std::vector<std::size_t>& those = by_old_name_[id.name];
        const std::size_t index = known_.size() - 1;
        if (those.empty() || those.back() != index) those.push_back(index);
      }
      renamed_ = renamed_ ||
                 std::ranges::any_of(resource.past,
                                     [&](const Id& id) {
                                       return id.name != now.name || id.effective_space() != now.effective_space();
                                     }) ||
                 (!resource.past.empty() && lets_space_out(resource.object));
    }
  }

  bool run(const std::vector<NameReference>& references) {
    if (!renamed_) return true;
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      if (objects_[i].object.is_null()) continue;
      const GroupKind first = objects_[i].first_id().type;
      for (const NameReference& reference : references) {
        if (!first.selected_by(reference.field.type)) continue;
        FieldSpec field = reference.field;
        field.type = {};
        const bool good = each_field(objects_[i].object, field, NodeKind::Null, work_,
                                     [&](Tree& at) { return set(at, i, reference); });
        if (!good) return false;
      }
    }
    return true;
  }

 private:
  /// Whether a binding leaves the namespace of a subject to the account of that name.
  static bool lets_space_out(const Tree& object) {
    const Tree* subjects = object.find("subjects");
    return subjects != nullptr && std::ranges::any_of(subjects->items, [](const Tree& subject) {
             return subject.is_mapping() && subject.find("namespace") == nullptr;
           });
  }

  bool set(Tree& at, std::size_t referrer, const NameReference& reference) {
    if (at.is_null()) return true;
    if (at.is_scalar()) return set_text(at, referrer, reference);
    if (at.is_mapping()) return set_mapping(at, referrer, reference);
    for (Tree& item : at.items) {
      if (item.is_scalar() && !set_text(item, referrer, reference)) return false;
      if (item.is_mapping() && !set_mapping(item, referrer, reference)) return false;
    }
    return true;
  }

  bool set_text(Tree& at, std::size_t referrer, const NameReference& reference) {
    const Resource* found = nullptr;
    if (!select(at.text, std::nullopt, referrer, reference, found)) return false;
    if (found != nullptr) at.text = std::string(found->name());
    return true;
  }

  bool set_mapping(Tree& at, std::size_t referrer, const NameReference& reference) {
    Tree* name = at.find("name");
    if (name == nullptr) return work_.fail("a reference at `" + reference.field.path + "` has no name");
    const Tree* space = at.find("namespace");
    const Resource* found = nullptr;
    const std::optional<std::string> in = space == nullptr ? std::nullopt : std::optional(space->text);
    if (!select(name->text, in, referrer, reference, found)) return false;
    if (found == nullptr) return true;
    name->text = std::string(found->name());
    if (found->space().empty()) return true;
    Tree& now = at.at("namespace", name->where);
    if (now.text != found->space())
      now = text_of(std::string(found->space()), found->object.find("metadata")->find("namespace")->where);
    return true;
  }

  /// Namespaces of the service accounts that a RoleBinding speaks of.
  static bool binds_in(const Resource& referrer, std::string_view space) {
    const Tree* subjects =
        text_at(referrer.object, "kind") == "RoleBinding" ? referrer.object.find("subjects") : nullptr;
    return subjects != nullptr && std::ranges::any_of(subjects->items, [&](const Tree& subject) {
             return text_at(subject, "kind") == "ServiceAccount" && text_at(subject, "namespace") == space;
           });
  }

  bool may_refer(std::size_t referrer, std::size_t candidate) const {
    const Known& from = known_[referrer];
    const Known& to = known_[candidate];
    if (from.cluster_wide || to.cluster_wide) return true;
    if (from.now.effective_space() == to.now.effective_space()) return true;
    return to.now.type.kind == "ServiceAccount" && binds_in(objects_[referrer], objects_[candidate].space());
  }

  static bool was(const Resource& resource, const GroupKind& type) {
    const GroupKind now = resource.id().type;
    return std::ranges::any_of(
        resource.past, [&](const Id& id) { return GroupKind{now.group, now.version, id.type.kind}.selected_by(type); });
  }

  bool is_bound_role(const Resource& candidate, std::size_t referrer, const NameReference& reference) const {
    if (!reference.field.path.ends_with("roleRef/name")) return true;
    const Tree* role = objects_[referrer].object.find("roleRef");
    if (role == nullptr || role->find("apiGroup") == nullptr || role->find("kind") == nullptr) return true;
    return was(candidate, {std::string(text_at(*role, "apiGroup")), "", std::string(text_at(*role, "kind"))});
  }

  /// `out`: the one object that was called so; nullptr when there is none.
  bool select(const std::string& name, const std::optional<std::string>& space, std::size_t referrer,
              const NameReference& reference, const Resource*& out) {
    const auto named = by_old_name_.find(name);
    if (named == by_old_name_.end()) return true;
    if (!work_.spend(named->second.size())) return false;
    Candidates found;
    Candidates of_space;
    for (const std::size_t i : named->second) {
      const Resource& candidate = objects_[i];
      if (!may_refer(referrer, i) || !was(candidate, reference.target)) continue;
      if (!is_bound_role(candidate, referrer, reference)) continue;
      if (space && candidate.first_id().effective_space() == *space) of_space.push_back(&candidate);
      if (!space || known_[i].now.effective_space() == *space) found.push_back(&candidate);
    }
    if (!of_space.empty()) found = std::move(of_space);
    return one_of(found, objects_[referrer], out);
  }

  bool one_of(Candidates found, const Resource& referrer, const Resource*& out) {
    if (found.size() > 1) {
      std::erase_if(found, [&](const Resource* one) {
        const bool prefix =
            one->prefixes.empty() || referrer.prefixes.empty() || end_alike(one->prefixes, referrer.prefixes);
        const bool suffix =
            one->suffixes.empty() || referrer.suffixes.empty() || end_alike(one->suffixes, referrer.suffixes);
        return !prefix || !suffix;
      });
    }
    if (found.size() > 1) {
      std::erase_if(found, [&](const Resource* one) {
        return !end_alike(one->prefixes, referrer.prefixes) || !end_alike(one->suffixes, referrer.suffixes);
      });
    }
    if (found.empty()) return true;
    const bool alike = std::ranges::all_of(found, [&](const Resource* one) {
      return one->name() == found.front()->name() && one->space() == found.front()->space();
    });
    if (!alike)
      return work_.fail("a reference to `" + std::string(found.front()->name()) + "` may mean several objects");
    out = found.front();
    return true;
  }

  Resources& objects_;
  Work& work_;
  std::vector<Known> known_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_old_name_;
  bool renamed_ = false;
};

}  // namespace

bool update_references(Resources& objects, const std::vector<NameReference>& references, Work& work) {
  return ReferenceUpdate(objects, work).run(references);
}

}  // namespace muster::kustomize
