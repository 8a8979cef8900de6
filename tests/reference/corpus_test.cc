// Real files and upstream's own schemas, where the reference material stands beside the repository.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include "support/catch.h"
#include "support/command.h"
#include "support/files.h"
#include "support/json.h"
#include "support/skip.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using muster::test::Ran;
using muster::test::run_command;

/// What is wrong with a place, or nothing: it can be opened from where one stands, below the path that was checked.
std::string fault_of(const Json& location, const std::string& root) {
  const std::string file = location["file"];
  if (!file.starts_with(root + "/") || file.find("..") != std::string::npos) return "not below the path: " + file;
  if (!fs::is_regular_file(file)) return "not there: " + file;
  if (location["line"] < 1 || location["column"] < 1 || location["end_line"] < location["line"])
    return "no region: " + location.dump();
  return "";
}

}  // namespace

TEST_CASE("every finding in the corpus has a place, and threads do not change one", "[reference]") {
  const std::optional<std::string> reference = muster::test::reference_dir();
  if (!reference) return muster::test::skip("reference material", "there is no ../shared/corpus");
  const std::string corpus = fs::weakly_canonical(*reference + "/corpus").string();
  const auto start = std::chrono::steady_clock::now();
  const Ran ran = run_command({"check", corpus, "--format", "json", "-j", "1"});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  REQUIRE((ran.code == 0 || ran.code == 1));
  CHECK(ran.err.empty());
  const Json report = Json::parse(ran.out);
  std::cout << "corpus: " << report["summary"].dump() << " in " << took.count() << " s\n";
  std::string faults;
  for (const char* list : {"findings", "undecided"}) {
    for (const Json& entry : report[list]) {
      const std::string fault = fault_of(entry["location"], corpus);
      if (!fault.empty()) faults += entry["rule"].get<std::string>() + " " + fault + "\n";
      for (const Json& related : entry.value("related", Json::array())) {
        const std::string other = fault_of(related["location"], corpus);
        if (!other.empty()) faults += entry["rule"].get<std::string>() + " related " + other + "\n";
      }
    }
  }
  CHECK(faults.empty());
  CHECK((run_command({"check", corpus, "--format", "json", "-j", "2"}).out == ran.out));
}

TEST_CASE("generated Volcano Jobs satisfy Volcano's own schema", "[reference]") {
  const std::optional<std::string> reference = muster::test::reference_dir();
  if (!reference) return muster::test::skip("reference material", "there is no ../shared/corpus");
  const muster::test::TemporaryFolder folder;
  muster::test::write_file(folder.path() + "/fleet.yaml",
                           "muster: fleet/v1\nname: east\nnode_pools:\n  - {name: h100, nodes: \"n[1-16]\", "
                           "gpus_per_node: 8, control_plane: kubernetes}\n"
                           "tenants:\n  - {name: research, guaranteed_gpus: 64, limit_gpus: 128}\n");
  muster::test::write_file(folder.path() + "/w.yaml",
                           "muster: workloads/v1\nworkloads:\n"
                           "  - {name: finetune, tenant: research, nodes: 4, gpus_per_node: 8, tightly_coupled: true, "
                           "bare_metal: false, python_native_pipeline: false, edge_or_dev: false}\n"
                           "  - {name: small, nodes: 2, gpus_per_node: 1, tightly_coupled: true, bare_metal: false, "
                           "python_native_pipeline: false, edge_or_dev: false}\n");
  const Ran ran = run_command({"generate", "volcano-job", "--fleet", folder.path() + "/fleet.yaml", "--workloads",
                               folder.path() + "/w.yaml", "--out", folder.path() + "/out"});
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  const std::string command = "python3 '" + *reference + "/tools/validate_crd.py' --all '" + folder.path() +
                              "/out' > '" + folder.path() + "/log' 2>&1";
  const int status = std::system(command.c_str());
  INFO(muster::test::read_file(folder.path() + "/log"));
  CHECK(status == 0);
}
