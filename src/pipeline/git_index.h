#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace muster {

/// The paths that git tracks, as its index has them.
class TrackedPaths {
 public:
  /// Bytes of one object name: SHA-1, or in a repository that says so, SHA-256.
  enum class HashSize : std::size_t { Sha1 = 20, Sha256 = 32 };

  TrackedPaths() = default;
  /// Reads an index of version 2, 3 or 4. Fails where it is broken, or only a part of the truth (a split index).
  /// Source of the format: git/git:Documentation/gitformat-index.adoc (2.39).
  static Result<TrackedPaths> read(std::string_view index, HashSize hash);

  /// A file, or a submodule, of that path from the root of the work tree.
  bool has(std::string_view path) const;
  /// The path itself, or anything below it.
  bool has_at_or_below(std::string_view path) const;
  std::size_t size() const { return paths_.size(); }

 private:
  std::vector<std::string> paths_;  ///< sorted
};

}  // namespace muster
