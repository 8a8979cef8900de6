#define CATCH_CONFIG_RUNNER
#include <filesystem>
#include <iostream>

#include "support/catch.h"
#include "support/skip.h"

int main(int argc, char** argv) {
  std::filesystem::current_path(MUSTER_SOURCE_DIR);  // goldens show paths from the root of the repository
  const int failed = Catch::Session().run(argc, argv);
  const std::vector<muster::test::Skip>& skips = muster::test::skips();
  for (const muster::test::Skip& skip : skips) std::cout << "skipped: " << skip.test << ": " << skip.reason << "\n";
  std::cout << skips.size() << " tests skipped\n";
  return failed == 0 ? 0 : 1;
}
