#pragma once

#include <string>
#include <vector>

#include "pipeline/check.h"

namespace muster {

/// A file that fixes change, as bytes.
struct FixedFile {
  std::string path;  ///< as it is shown, and opened from here
  std::string before;
  std::string after;
};

/// A finding whose fix was not made, and why.
struct NotFixed {
  std::string place;  ///< FILE:LINE
  std::string rule;
  std::string why;
};

struct FixRun {
  std::vector<FixedFile> files;  ///< sorted by path
  std::size_t fixed = 0;         ///< findings that are gone
  std::size_t unsafe = 0;        ///< findings whose fix was not asked for
  std::size_t known = 0;         ///< findings with a fix that a baseline or revision has: they are left
  std::vector<NotFixed> left;
};

/// Works out the fixes of what `report`, the gate's, found, and checks the input with them before anything is written:
/// the findings have to be gone, and none of weight may come. What would not hold to that is left as it is. Workspace and report
/// become those of the input as it is then; nothing is written here. Fails where the input cannot be checked again.
Result<FixRun> fix_findings(const Options& options, bool unsafe, const FileSystem& disk, Workspace& workspace,
                            Report& report);

}  // namespace muster
