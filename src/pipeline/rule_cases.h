#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "pipeline/check.h"

namespace muster {

/// A case of a rule: one file, or a folder of files that belong together, with what is expected of it as comments:
/// `# finding: ID` or `# unknown: ID` on the line or alone above it; or as lines `FILE:LINE ID` (`unknown FILE:LINE
/// ID`) of a file expect.txt. What has no such mark must be clean. `# silenced by: TEXT`, on the line or alone above
/// it, says what to write instead of that line (`nothing`: leave it out) so that the rule finds nothing any more.
struct RuleCase {
  std::string path;                    ///< as it can be opened
  std::multiset<std::string> missing;  ///< expected and not found, as in expect.txt
  std::multiset<std::string> surplus;  ///< found and not expected
  std::multiset<std::string> loud;     ///< FILE:LINE of changes after which the rule still finds something
  std::size_t changes = 0;             ///< that were made
};

/// Runs every case below `folder`, which holds one folder a rule as tests/cases/rules does. Fails when it cannot be
/// read or the rule book is refused.
Result<std::vector<RuleCase>> run_rule_cases(const std::string& folder, const Options& options, const FileSystem& disk);

}  // namespace muster
