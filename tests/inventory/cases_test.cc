// Dumps of tests/cases/inventory: the fleet file and what is said about them, as the goldens beside them have it.
#include <algorithm>
#include <map>

#include "pipeline/check.h"
#include "support/cases.h"
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/model.h"

using namespace muster;

namespace {

std::map<std::string, std::string> dumps_of(const std::string& folder) {
  std::map<std::string, std::string> out;
  for (const std::string& name : test::entries(folder)) {
    if (!name.starts_with("expected.")) out[name] = test::read_file(folder + "/" + name);
  }
  return out;
}

test::Ran inventory_of(const std::map<std::string, std::string>& dumps, bool backwards = false) {
  std::vector<std::string> words{"inventory", "--quiet"};
  for (const auto& [name, text] : dumps) words.push_back(name);
  if (backwards) std::reverse(words.begin() + 2, words.end());
  return test::run_command(words, MemoryFileSystem(dumps));
}

}  // namespace

TEST_CASE("dumps become the fleet file beside them", "[inventory]") {
  std::size_t cases = 0;
  for (const std::string& name : test::entries(test::source_dir() + "/tests/cases/inventory")) {
    const std::string folder = test::source_dir() + "/tests/cases/inventory/" + name;
    INFO(name);
    const std::map<std::string, std::string> dumps = dumps_of(folder);
    const test::Ran ran = inventory_of(dumps);
    test::check_golden(folder + "/expected.fleet.yaml", ran.out);
    test::check_golden(folder + "/expected.findings.txt", "exit " + std::to_string(ran.code) + "\n" + ran.err);
    const test::Ran backwards = inventory_of(dumps, true);
    CHECK(backwards.out == ran.out);
    CHECK(backwards.err == ran.err);
    ++cases;
  }
  CHECK(cases >= 10);
}

TEST_CASE("muster's own reader has no complaint about the fleet files of the cases", "[inventory]") {
  for (const std::string& name : test::entries(test::source_dir() + "/tests/cases/inventory")) {
    INFO(name);
    const std::string fleet = test::read_file(test::source_dir() + "/tests/cases/inventory/" + name + "/expected.fleet.yaml");
    if (fleet.empty()) continue;
    const Workspace workspace = test::read_files({{"fleet.yaml", fleet}});
    CHECK(workspace.findings.empty());
    REQUIRE(workspace.model.fleets.size() == 1);
    CHECK_FALSE(workspace.model.fleets.front().node_pools.empty());
  }
}
