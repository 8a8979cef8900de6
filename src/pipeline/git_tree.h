#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "pipeline/git_ignore.h"
#include "pipeline/git_index.h"
#include "source/file_system.h"

namespace muster {

/// The work tree of git that a folder with `.git` is the root of.
class GitTree {
 public:
  GitTree(std::string root, const FileSystem& disk) : root_(std::move(root)), disk_(disk) {}

  const std::string& root() const { return root_; }
  /// The patterns of info/exclude.
  IgnorePatterns excludes() const;
  /// Whether git tracks a file, by its absolute path. Where its index cannot be read, everything is taken to be
  /// tracked.
  bool tracks(std::string_view absolute) const;
  /// The same of a folder: whether it holds anything tracked, or is a submodule.
  bool tracks_below(std::string_view absolute) const;

 private:
  std::string git_folder() const;
  std::string shared_folder() const;
  const std::optional<TrackedPaths>& index() const;
  std::string_view within(std::string_view absolute) const;

  std::string root_;
  const FileSystem& disk_;
  mutable bool read_ = false;
  mutable std::optional<TrackedPaths> index_;
};

/// The ignore files that count in a folder, the nearest first. Frames live as long as the walk through their folder.
struct IgnoreFrame {
  const IgnoreFrame* above = nullptr;
  std::string folder;  ///< absolute
  IgnorePatterns patterns;
};

/// What the nearest ignore file that speaks of a path says.
bool is_ignored(const IgnoreFrame* frames, std::string_view absolute, FileSystem::Kind kind);

}  // namespace muster
