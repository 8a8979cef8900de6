#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "finding/matching.h"
#include "pipeline/discover.h"
#include "pipeline/finding_keys.h"
#include "source/file_system.h"

namespace muster {

/// Where a baseline is looked for and written unless somebody says otherwise.
inline constexpr std::string_view kBaselineName = ".muster-baseline.json";

/// A file of findings that are accepted for now (muster: baseline/v1). Its paths begin at its folder.
struct Baseline {
  std::string folder;  ///< absolute
  std::vector<KeyedFindings> entries;
};

/// Everything that is wrong with the file is one error, each with its place.
Result<Baseline> read_baseline(const std::string& path, const FileSystem& disk);

/// How keys of a baseline call files: from its folder, wherever one stands.
PlaceName names_from(const std::string& folder, const FileSystem& disk);

/// What a baseline says of findings.
struct BaselineMatch {
  std::vector<bool> known;            ///< by finding
  std::vector<KeyedFindings> stale;   ///< what should have been found again
  std::vector<KeyedFindings> unseen;  ///< what stands in files that were not looked at
};
BaselineMatch match_baseline(const Baseline& baseline, const std::vector<KeyedFindings>& found, const FindingKeys& keys,
                             const Inputs& inputs, const FileSystem& disk);

}  // namespace muster
