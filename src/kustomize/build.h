#pragma once

#include <set>
#include <string>
#include <vector>

#include "kustomize/files.h"
#include "kustomize/transform.h"

namespace muster::kustomize {

/// What `kustomize build` makes of a folder.
struct Built {
  Resources objects;
  std::set<FileId> parts;                            ///< files whose objects are in it, or change what is
  std::vector<std::string> missing;                  ///< files that generators read and that are not in the input
  std::vector<std::pair<std::string, Span>> unread;  ///< those of ConfigMaps, and who names them
};

/// Builds a kustomization. False where that cannot be done, or kustomize refuses it: `work` says why.
bool build(Files& files, const std::string& folder, Work& work, Built& out);

/// What the kustomization of a folder speaks of, whether it can be built or not.
struct Mentioned {
  std::set<std::string> folders;  ///< other kustomizations
  std::set<FileId> patches;
  std::set<FileId> resources;
  std::vector<Span> outside;  ///< what names resources and patches that do not lie in its folder or below
  std::vector<std::pair<std::string, Span>>
      absent;  ///< resources and components that are not there, and who names them
};
Mentioned mentioned_by(Files& files, const std::string& folder);

}  // namespace muster::kustomize
