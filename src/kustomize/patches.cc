#include "kustomize/patches.h"

#include <algorithm>
#include <optional>

#include "base/paths.h"
#include "base/strings.h"
#include "kustomize/json_patch.h"
#include "kustomize/merge.h"
#include "kustomize/selector.h"
#include "syntax/json_reader.h"

namespace muster::kustomize {
namespace {

/// What a strategic-merge patch may change beside its object's contents.
struct Allowed {
  bool name = false;
  bool kind = false;
};

/// What an object had below a key before it was patched.
std::optional<Member> kept(const Tree& parent, std::string_view key) {
  const auto found = std::ranges::find(parent.members, key, &Member::key);
  return found == parent.members.end() ? std::nullopt : std::optional(*found);
}

void restore(Tree& parent, std::string_view key, const std::optional<Member>& before) {
  const auto now = std::ranges::find(parent.members, key, &Member::key);
  if (!before) {
    parent.erase(key);
  } else if (now == parent.members.end()) {
    parent.members.push_back(*before);
  } else {
    *now = *before;
  }
}

bool merge_into(Resource& resource, const Tree& patch, const Allowed& allowed, Work& work) {
  if (allowed.name || allowed.kind) resource.remember_id();
  const std::optional<Member> api_version = kept(resource.object, "apiVersion");
  const std::optional<Member> kind = kept(resource.object, "kind");
  const Tree* metadata = resource.object.find("metadata");
  const Span where = metadata == nullptr ? resource.object.where : metadata->where;
  const std::optional<Member> name = metadata == nullptr ? std::nullopt : kept(*metadata, "name");
  const std::optional<Member> space = metadata == nullptr ? std::nullopt : kept(*metadata, "namespace");
  if (!work.spend(size_of(patch)) || !merge_patch(resource.object, patch, work)) return false;
  if (resource.object.is_null()) return true;
  restore(resource.object, "apiVersion", api_version);
  if (!allowed.kind) restore(resource.object, "kind", kind);
  Tree& now = resource.object.at("metadata", where);
  now.kind = NodeKind::Mapping;
  if (!allowed.name) restore(now, "name", name);
  restore(now, "namespace", space);
  return true;
}

/// For the one object that the patch names.
bool merge_by_name(Resources& objects, const Resource& patch, const Allowed& allowed, Work& work) {
  const Id id = patch.id();
  if (!work.spend(objects.size())) return false;
  Resource* found = nullptr;
  for (Resource& resource : objects) {
    if (!resource.is_called(id)) continue;
    if (found != nullptr) return work.fail("a patch is for " + id.text() + ", and there are several");
    found = &resource;
  }
  if (found == nullptr) return work.fail("a patch is for " + id.text() + ", which is not there");
  return merge_into(*found, patch.object, allowed, work);
}

/// A pattern may be meant for what is there in some builds alone.
void note_target(const Tree& target, bool met, Work& work) {
  const Tree* name = target.find("name");
  if (name == nullptr || !name->is_scalar() || name->text.find_first_of("*+?|()[]^$\\") != std::string::npos) return;
  bool& known = work.targets[name->where];
  known = known || met;
}

bool apply_merge(Resources& objects, const std::vector<Tree>& documents, const Tree* target, const Allowed& allowed,
                 Work& work) {
  Resources patches;
  for (const Tree& document : documents) {
    if (!add_objects(document, work, patches)) return false;
  }
  if (patches.empty()) return work.fail("a patch is empty");
  if (target == nullptr) {
    return std::ranges::all_of(patches,
                               [&](const Resource& patch) { return merge_by_name(objects, patch, allowed, work); });
  }
  if (patches.size() > 1) return work.fail("an entry of `patches` with a `target` holds several patches");
  std::vector<std::size_t> selected;
  if (!select(objects, *target, work, selected)) return false;
  note_target(*target, !selected.empty(), work);
  for (const std::size_t i : selected) {
    if (!merge_into(objects[i], patches.front().object, allowed, work)) return false;
  }
  return are_distinct(objects, work);
}

bool apply_json(Resources& objects, const Tree& operations, const Tree* target, Work& work) {
  if (target == nullptr) return work.fail("a JSON patch has no `target`");
  std::vector<std::size_t> selected;
  if (!select(objects, *target, work, selected)) return false;
  note_target(*target, !selected.empty(), work);
  for (const std::size_t i : selected) {
    objects[i].remember_id();
    if (!apply_json_patch(objects[i].object, operations, work)) return false;
  }
  return true;
}

bool is_json(std::string_view text) {
  Document document;
  std::vector<Finding> findings;
  return read_json(FileId::None, text, document, findings);
}

bool read_patch(const Tree& path, const PatchPlace& place, Work& work, std::vector<Tree>& out) {
  const FileId* file = place.files.find(joined_path(place.folder, path.text));
  if (file == nullptr) return fail_missing(work, "the patch ", path.text, place.folder, path.where);
  place.parts.insert(*file);
  const std::vector<Tree>* documents = nullptr;
  if (!place.files.documents_of(*file, work, documents)) return false;
  out = *documents;
  return true;
}

}  // namespace

bool apply_patch_entry(Resources& objects, const Tree& entry, const PatchPlace& place, Work& work) {
  const std::string path(text_at(entry, "path"));
  const Tree* text = entry.find("patch");
  const bool in_place = text != nullptr && text->is_scalar() && !trim(text->text).empty();
  if (in_place == !path.empty()) return work.fail("an entry of `patches` needs one of `path` and `patch`");
  std::vector<Tree> documents;
  if (in_place ? !place.files.documents_in(*text, work, documents)
               : !read_patch(*entry.find("path"), place, work, documents))
    return false;
  const Tree* target = entry.find("target");
  if (target != nullptr && target->is_null()) target = nullptr;
  std::erase_if(documents, [](const Tree& document) { return document.is_null(); });
  if (documents.size() == 1 && documents.front().is_sequence()) {
    const std::string_view source = in_place ? trim(text->text) : place.files.text_of(path, place.folder);
    if (source.starts_with('[') && !is_json(source))
      return work.fail("a JSON patch begins with a bracket and is no JSON");
    return apply_json(objects, documents.front(), target, work);
  }
  const Tree* options = entry.find("options");
  const Allowed allowed{options != nullptr && text_at(*options, "allowNameChange") == "true",
                        options != nullptr && text_at(*options, "allowKindChange") == "true"};
  return apply_merge(objects, documents, target, allowed, work);
}

bool apply_merge_entry(Resources& objects, const Tree& entry, const PatchPlace& place, Work& work) {
  if (!entry.is_scalar()) return work.fail("an entry of `patchesStrategicMerge` is no text");
  std::vector<Tree> documents;
  const bool in_place = contains(entry.text, "\n") || contains(entry.text, ": ");
  if (in_place ? !place.files.documents_in(entry, work, documents) : !read_patch(entry, place, work, documents))
    return false;
  return apply_merge(objects, documents, nullptr, {}, work);
}

}  // namespace muster::kustomize
