#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "source/file_system.h"
#include "source/git.h"

namespace muster {

/// A submodule that a commit has.
struct SubmoduleState {
  std::string path;  ///< absolute
  std::string commit;
  bool read = false;  ///< its repository is here and has the commit; else what the disk has stands there
};

/// The disk as it was at a revision of a repository: below its root stands what the commit has, in submodules what the
/// commits have that it names, and everywhere else what the disk has. Nothing is checked out. Links are followed within
/// the tree, and those out of a submodule lead to the disk. Contents are read one after the other: not for several
/// threads at once.
class RevisionFiles final : public FileSystem {
 public:
  /// `flags`: files and folders that a command line names; where the commit lacks one, the disk has it. `on_disk`:
  /// submodules, by absolute path, that are to be as the disk has them. The disk outlives it.
  static Result<std::unique_ptr<RevisionFiles>> open(const GitRepository& repository, const std::string& commit,
                                                     const FileSystem& disk, const std::vector<std::string>& flags = {},
                                                     const std::set<std::string>& on_disk = {});

  /// How many objects were asked for that the repository does not have, as in a partial clone.
  std::size_t lacking() const;
  /// Its submodules and theirs, by path.
  std::vector<SubmoduleState> submodules() const;

  Kind kind(const std::string& path) const override;
  std::uint64_t size(const std::string& path) const override;
  Result<std::string> read(const std::string& path) const override;
  Result<std::vector<Entry>> list(const std::string& path) const override;
  std::string absolute(const std::string& path) const override;
  Result<std::string> read_standard_input(std::uint64_t limit) const override;

 private:
  RevisionFiles(std::string root, std::vector<GitEntry> entries, RunningProgram reader, const FileSystem& disk)
      : root_(std::move(root)), entries_(std::move(entries)), blobs_(std::move(reader)), disk_(disk) {}

  /// Where a path leads: into the tree, from its root, or else into a submodule or to the disk.
  struct Place {
    const FileSystem* outside = nullptr;
    std::string path;
    bool in_tree() const { return outside == nullptr; }
  };
  struct Inner {
    SubmoduleState state;
    std::unique_ptr<RevisionFiles> files;  ///< where it is read
  };
  static Result<std::unique_ptr<RevisionFiles>> open_alone(const GitRepository& repository, const std::string& commit,
                                                           const FileSystem& disk,
                                                           const std::vector<std::string>& flags);
  void open_submodules(const GitRepository& repository, const std::vector<std::string>& flags,
                       const std::set<std::string>& on_disk, std::size_t& left);
  const FileSystem& submodule_at(std::string_view within) const;
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
  std::vector<Inner> inner_;        ///< sorted by path
};

}  // namespace muster
