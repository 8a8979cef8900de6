#pragma once

#include <set>
#include <string>
#include <vector>

namespace muster::test {

/// A case of tests/cases: one file, or a folder of files that belong together.
struct Case {
  std::string path;  ///< absolute
  std::string name;  ///< for messages: rules/gang-of-one/fires.yaml
};

/// The cases below tests/cases/FOLDER, sorted.
std::vector<Case> cases_in(const std::string& folder);

/// `FILE:LINE rule` for each mark: `# finding: ID`, on the line it stands on or, alone on a line, the next; or the
/// lines of a file expect.txt where comments cannot stand. Unknown ones are marked `# unknown: ID` and begin with
/// `unknown `.
std::multiset<std::string> expectations(const Case& test_case);

/// What a check of the case finds, in the same words.
std::multiset<std::string> outcomes(const Case& test_case);

}  // namespace muster::test
