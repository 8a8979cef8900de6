#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/manifest.h"

namespace muster {

/// Folders that objects name from the top of their repository, as Applications of Argo CD and Kustomizations of Flux
/// do, and what stands in them. Of the users of one folder a hundred are looked at.
class NamedFolders {
 public:
  /// `unlisted`: Model::unlisted_files, which nobody who names their folder applies.
  explicit NamedFolders(const std::set<std::string>& unlisted) : unlisted_(unlisted) {}

  /// Nothing where the path is no text that is written out, or the top.
  void add(const WrittenValue& path, const Manifest& user);
  bool empty() const { return users_.empty(); }

  /// Those that name the folder of the object, or of the kustomization or chart that makes it, where their own files
  /// are of the same repository.
  std::vector<const Manifest*> users_of(const Object& object) const;

 private:
  const std::set<std::string>& unlisted_;
  std::map<std::string_view, std::vector<const Manifest*>> users_;  ///< by folder
};

}  // namespace muster
