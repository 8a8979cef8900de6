#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/file_system.h"
#include "source/git.h"

namespace muster {

/// The disk as it was at a revision of a repository: below its root stands what the commit has, everywhere else, and in
/// submodules, what the disk has. Nothing is checked out. Links are followed within the tree. Contents are read one
/// after the other: not for several threads at once.
class RevisionFiles final : public FileSystem {
 public:
  /// `flags`: files and folders that a command line names; where the commit lacks one, the disk has it. The disk
  /// outlives it.
  static Result<std::unique_ptr<RevisionFiles>> open(const GitRepository& repository, const std::string& commit,
                                                     const FileSystem& disk,
                                                     const std::vector<std::string>& flags = {});

  /// How many objects were asked for that the repository does not have, as in a partial clone.
  std::size_t lacking() const { return lacking_; }

  Kind kind(const std::string& path) const override;
  std::uint64_t size(const std::string& path) const override;
  Result<std::string> read(const std::string& path) const override;
  Result<std::vector<Entry>> list(const std::string& path) const override;
  std::string absolute(const std::string& path) const override;
  Result<std::string> read_standard_input(std::uint64_t limit) const override;

 private:
  RevisionFiles(std::string root, std::vector<GitEntry> entries, RunningProgram reader, const FileSystem& disk)
      : root_(std::move(root)), entries_(std::move(entries)), blobs_(std::move(reader)), disk_(disk) {}

  /// Where a path leads: into the tree, from its root, or to the disk.
  struct Place {
    bool in_tree = false;
    std::string path;
  };
  Place place_of(const std::string& path) const;
  Place resolved(std::string within) const;
  std::optional<std::string> below_root(std::string_view absolute) const;
  const GitEntry* entry_at(std::string_view within) const;
  Kind kind_within(const std::string& within) const;
  std::string target_of(const GitEntry& link) const;
  Entry listed(const std::string& within, std::string name) const;

  std::string root_;
  std::vector<GitEntry> entries_;  ///< sorted by path
  mutable GitBlobs blobs_;
  mutable std::map<std::string, std::string> targets_;  ///< of links that were read, by path
  mutable std::size_t lacking_ = 0;
  const FileSystem& disk_;
  std::vector<std::string> flags_;  ///< absolute
};

}  // namespace muster
