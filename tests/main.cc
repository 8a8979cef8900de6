#define CATCH_CONFIG_RUNNER
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <string>

#include "support/catch.h"
#include "support/skip.h"

namespace {

/// Names before the colon in tests/skips.txt.
std::set<std::string> allowed_skips() {
  std::set<std::string> names;
  std::ifstream in("tests/skips.txt");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('#')) names.insert(line.substr(0, line.find(':')));
  }
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  std::filesystem::current_path(MUSTER_SOURCE_DIR);  // goldens show paths from the root of the repository
  bool failed = Catch::Session().run(argc, argv) != 0;
  const std::set<std::string> allowed = allowed_skips();
  for (const muster::test::Skip& skip : muster::test::skips()) {
    std::cout << "skipped: " << skip.test << ": " << skip.reason << "\n";
    if (allowed.contains(skip.test)) continue;
    std::cout << "that skip is not in tests/skips.txt\n";
    failed = true;
  }
  std::cout << muster::test::skips().size() << " tests skipped\n";
  return failed ? 1 : 0;
}
