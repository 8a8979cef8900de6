#pragma once

#include <string>
#include <vector>

namespace muster::test {

struct Skip {
  std::string test;
  std::string reason;
};

/// Remembers that a test could not run. tests/skips.txt lists the tests that may.
void skip(const std::string& test, const std::string& reason);
const std::vector<Skip>& skips();

}  // namespace muster::test
