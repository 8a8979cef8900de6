#pragma once

#include <memory>
#include <string>

#include "pipeline/check.h"
#include "report/diff.h"

namespace muster {

/// One side of a comparison, checked.
struct DiffSide {
  DiffSideName name;
  std::string root;  ///< absolute folder: what stands below it has the same name on both sides
  Workspace workspace;
  Report report;
};

/// Checks a folder or file of the disk, or the working folder as it was at a revision of git.
Result<std::unique_ptr<DiffSide>> read_diff_side(const std::string& argument, const Options& options,
                                                 const FileSystem& disk);

/// What became of the earlier side. The sides own the texts that it shows.
DiffReport compare_sides(const DiffSide& earlier, const DiffSide& later, const FileSystem& disk);

}  // namespace muster
