#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/program.h"
#include "base/result.h"
#include "source/file_system.h"

namespace muster {

/// What the tree of a revision has at a path.
struct GitEntry {
  std::string path;  ///< from the root of the repository
  std::string id;    ///< of the object, in hexadecimal
  enum class Kind { File, Link, Submodule } kind = Kind::File;
  std::uint64_t size = 0;  ///< in bytes; 0 of a submodule
};

/// A git repository, asked by the installed git. The repository is input: somebody else's configuration and objects.
/// What is relied on, so that none of it starts a program or opens a connection:
/// * only `rev-parse`, `ls-tree` and `cat-file --batch` are called: they run no hook, filter, text conversion, pager or
///   alias, and look at no index, which is where core.fsmonitor would be asked;
/// * GIT_NO_LAZY_FETCH, and for git before 2.45 no protocol being allowed, keep a partial clone from fetching what it
///   lacks with the transport programs that its own configuration names;
/// * git itself refuses a repository of another user (safe.directory): neither GIT_DIR nor a configuration is given
///   that would take this for granted, so the user's and the machine's own configuration are read, and no other
///   variable of the environment arrives;
/// * a bare repository that lies about in the input is none (safe.bareRepository); what git itself keeps of a submodule
///   in `.git/modules` looks like one, and is asked for by its name alone.
/// Source: git/git:Documentation/git.adoc, config/safe.adoc (2.45); tried with 2.39 (tests/source/git_test.cc).
class GitRepository {
 public:
  /// The one that a folder of the disk is in: the nearest at or above it with `.git`.
  static Result<GitRepository> open(const std::string& folder, const FileSystem& disk);

  /// Absolute.
  const std::string& root() const { return root_; }
  /// The id of the commit that a revision names. An error says why there is none, and what to do.
  Result<std::string> commit_of(const std::string& revision) const;
  /// Whether its branch has no commit yet.
  bool is_unborn() const;
  /// Every file, link and submodule of a commit, by path.
  Result<std::vector<GitEntry>> tree_of(const std::string& commit) const;
  /// A program that gives the contents of objects, see GitBlobs.
  Result<RunningProgram> start_reading() const;
  /// The repository of a submodule that has a commit of it: that of its work tree, else what `.git/modules` keeps.
  /// `path` from the root; `name` by .gitmodules. Nothing where neither has it.
  std::optional<GitRepository> submodule(const std::string& path, const std::string& name, const std::string& commit,
                                         const FileSystem& disk) const;

 private:
  GitRepository(std::string root, std::string git) : root_(std::move(root)), folder_(root_), git_(std::move(git)) {}
  ProgramCall call(std::vector<std::string> arguments) const;
  bool is_shallow() const;
  std::string answer(std::vector<std::string> arguments) const;

  std::string root_;
  std::string folder_;  ///< where git is called: the root, or a folder below `.git/modules`
  bool in_modules_ = false;
  std::string git_;  ///< absolute path of the program
};

/// The names of submodules by their paths, as a .gitmodules has them.
std::map<std::string, std::string> submodule_names(std::string_view gitmodules);

/// Contents of blobs, one after the other.
class GitBlobs {
 public:
  explicit GitBlobs(RunningProgram reader) : reader_(std::move(reader)) {}
  /// Of an object of a tree. Fails where the repository does not have it.
  Result<std::string> read(const GitEntry& entry);

 private:
  RunningProgram reader_;
};

}  // namespace muster
