// Dumps of tests/cases/inventory: the fleet file and what is said about them, as the goldens beside them have it.
#include <algorithm>
#include <filesystem>
#include <map>
#include <random>

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
    const std::string fleet =
        test::read_file(test::source_dir() + "/tests/cases/inventory/" + name + "/expected.fleet.yaml");
    if (fleet.empty()) continue;
    const Workspace workspace = test::read_files({{"fleet.yaml", fleet}});
    CHECK(workspace.findings.empty());
    REQUIRE(workspace.model.fleets.size() == 1);
    CHECK_FALSE(workspace.model.fleets.front().node_pools.empty());
  }
}

TEST_CASE("what is no dump is refused with the formats that are known, and passed over in a folder", "[inventory]") {
  const MemoryFileSystem disk({{"a/notes.txt", "hello\n"},
                               {"a/n.txt", "NodeName=n1 CoresPerSocket=1 CPUTot=4 Gres=gpu:2\n"},
                               {"empty.json", "{\"nodes\": [], \"meta\": {}}\n"}});
  const test::Ran refused = test::run_command({"inventory", "a/n.txt", "a/notes.txt"}, disk);
  CHECK(refused.code == 2);
  CHECK(refused.out.empty());
  CHECK(refused.err.starts_with(
      "muster: `a/notes.txt` is no dump that muster knows; it reads\nmuster: scontrol show nodes"));
  const test::Ran passed = test::run_command({"inventory", "a"}, disk);
  CHECK(passed.code == 0);
  CHECK(passed.err == "note: 1 file skipped: no dumps\nmuster: 1 node in 1 pool from 1 file\n");
  CHECK(test::run_command({"inventory", "empty.json"}, disk).code == 2);
  CHECK(test::run_command({"inventory", "missing.txt"}, disk).code == 2);
  CHECK(test::run_command({"inventory"}, disk).code == 2);
}

TEST_CASE("the fleet file replaces nothing unasked and is never written through a link", "[inventory]") {
  const test::TemporaryFolder folder;
  const std::string dump = folder.path() + "/n.txt";
  const std::string target = folder.path() + "/target";
  const std::string out = folder.path() + "/fleet.yaml";
  test::write_file(dump, "NodeName=n1 CoresPerSocket=1 CPUTot=4 Gres=gpu:2\n");
  test::write_file(target, "mine\n");
  std::filesystem::create_symlink(target, out);
  CHECK(test::run_command({"inventory", dump, "-o", out}).code == 2);
  CHECK(test::run_command({"inventory", dump, "-o", out, "--force"}).code == 0);
  CHECK(test::read_file(target) == "mine\n");
  CHECK_FALSE(std::filesystem::is_symlink(out));
  CHECK(test::read_file(out).find("nodes: n1\n") != std::string::npos);
}

TEST_CASE("names and values of strangers cannot change the shape of the fleet file", "[inventory]") {
  const std::string evil =
      R"({"nodes": [{"name": "n1", "cpus": 4, "gres": "gpu:a\": {x}\n- b\u001b:2"}], "meta": {"slurm": {"release": "25.11\n#", "cluster": "e: [\"\\ \n# x"}}})";
  const test::Ran ran = test::run_command({"inventory", "--quiet", "x.json"},
                                          MemoryFileSystem(std::map<std::string, std::string>{{"x.json", evil}}));
  REQUIRE(ran.code == 0);
  const Workspace workspace = test::read_files({{"fleet.yaml", ran.out}});
  CHECK(workspace.findings.empty());
  REQUIRE(workspace.model.fleets.size() == 1);
  CHECK(workspace.model.fleets.front().name.value == "e: [\"\\ \n# x");
}

TEST_CASE("muster check has no opinion about what scontrol prints", "[inventory]") {
  const std::string folder = test::source_dir() + "/tests/cases/inventory/scontrol-text/";
  const test::Checked checked = test::check_files({{"nodes.txt", test::read_file(folder + "nodes.txt")},
                                                   {"partitions.txt", test::read_file(folder + "partitions.txt")},
                                                   {"topology.txt", test::read_file(folder + "topology.txt")}});
  CHECK(test::summary_of(checked) == "");
}

TEST_CASE("no bytes of a dump bring the inventory down", "[inventory]") {
  std::mt19937 random(3);
  for (const std::string& name : test::entries(test::source_dir() + "/tests/cases/inventory")) {
    const std::map<std::string, std::string> dumps = dumps_of(test::source_dir() + "/tests/cases/inventory/" + name);
    for (int round = 0; round < 15; ++round) {
      std::map<std::string, std::string> bent = dumps;
      for (auto& [file, text] : bent) {
        for (int i = 0; i < 3 && !text.empty(); ++i) {
          const std::size_t at = random() % text.size();
          if (random() % 3 == 0)
            text.erase(at, random() % 20);
          else if (random() % 2 == 0)
            text[at] = "\n\"[]{}:,=#\t0-"[random() % 13];
          else
            text.insert(at, text.substr(random() % text.size(), random() % 60));
        }
      }
      const test::Ran ran = inventory_of(bent);
      CHECK(ran.code <= 2);
      if (ran.out.empty()) continue;
      INFO(name << "\n" << ran.out);
      CHECK(test::read_files({{"fleet.yaml", ran.out}}).findings.empty());
    }
  }
}
