#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "pipeline/check.h"
#include "source/revision_files.h"

namespace muster {

/// What came of checking a revision of git.
struct CheckedRevision {
  std::string commit;  ///< its id
  Workspace workspace;
  Report report;  ///< empty where the revision had no file at the paths
  std::vector<SubmoduleState> submodules;
};

/// Checks the paths of `options` as they were at a revision, by the configuration of then; nothing is checked out.
/// Files that the options name are taken from the disk where the revision lacks them. Fails where there is no
/// repository or revision, or the repository has only a part of it. `on_disk`: submodules, by absolute path, that are
/// to be as the disk has them.
Result<std::unique_ptr<CheckedRevision>> check_revision(const std::string& revision, const Options& options,
                                                        const FileSystem& disk,
                                                        const std::set<std::string>& on_disk = {});

/// Submodules that changed and that one of the two sides could not read, each as a line. A side without submodules of
/// its own is the disk, where `earlier` or `later` is nullptr.
std::vector<std::string> submodules_not_compared(const std::vector<SubmoduleState>* earlier,
                                             const std::vector<SubmoduleState>* later, const FileSystem& disk);

}  // namespace muster
