#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "pipeline/check.h"
#include "report/diff.h"
#include "source/revision_files.h"

namespace muster {

/// One side of a comparison, checked.
struct DiffSide {
  DiffSideName name;
  std::string root;                        ///< absolute folder: what stands below it has the same name on both sides
  std::vector<SubmoduleState> submodules;  ///< of a commit
  Workspace workspace;
  Report report;
};

/// Checks a folder or file of the disk, or the working folder as it was at a revision of git, with submodules that are
/// to be as the disk has them.
Result<std::unique_ptr<DiffSide>> read_diff_side(const std::string& argument, const Options& options,
                                                 const FileSystem& disk, const std::set<std::string>& on_disk = {});

/// Submodules that `side` has read and `other` has not: they would differ for this reason alone.
std::set<std::string> read_on_one_side(const DiffSide& side, const DiffSide& other);

/// What became of the earlier side. The sides own the texts that it shows.
DiffReport compare_sides(const DiffSide& earlier, const DiffSide& later, const FileSystem& disk);

}  // namespace muster
