#pragma once

#include <memory>
#include <string>

#include "pipeline/check.h"

namespace muster {

/// What came of checking a revision of git.
struct CheckedRevision {
  std::string commit;  ///< its id
  Workspace workspace;
  Report report;  ///< empty where the revision had no file at the paths
};

/// Checks the paths of `options` as they were at a revision, by the configuration of then; nothing is checked out.
/// Files that the options name are taken from the disk where the revision lacks them. Fails where there is no
/// repository or revision, or the repository has only a part of it.
Result<std::unique_ptr<CheckedRevision>> check_revision(const std::string& revision, const Options& options,
                                                        const FileSystem& disk);

}  // namespace muster
