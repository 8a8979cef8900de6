#pragma once

#include <set>
#include <string>

#include "kustomize/files.h"
#include "kustomize/transform.h"

namespace muster::kustomize {

/// Where the paths of patches begin, and where to say which files they are in.
struct PatchPlace {
  Files& files;
  const std::string& folder;
  std::set<FileId>& parts;
};

/// An entry of `patches` or `patchesJson6902`: a strategic-merge or JSON patch, by path or in place, for its `target`
/// or for the object it names.
bool apply_patch_entry(Resources& objects, const Tree& entry, const PatchPlace& place, Work& work);

/// An entry of `patchesStrategicMerge`: a path, or the patch itself.
bool apply_merge_entry(Resources& objects, const Tree& entry, const PatchPlace& place, Work& work);

}  // namespace muster::kustomize
