// What decision tables learn from a fleet file as a whole.
#include "facts/site_facts.h"

#include "pipeline/check.h"
#include "support/catch.h"
#include "support/files.h"

namespace {

muster::SiteFacts facts_of(const std::string& body) {
  const muster::MemoryFileSystem disk({{"fleet.yaml", "muster: fleet/v1\nname: f\n" + body}});
  muster::Options options;
  options.paths = {"fleet.yaml"};
  const muster::Result<muster::Workspace> read = muster::read_workspace(options, disk);
  REQUIRE(read);
  for (const muster::Finding& finding : read->findings) INFO(finding.message);
  REQUIRE(read->findings.empty());
  return read->site.facts;
}

std::string fact(const muster::SiteFacts& facts, const std::string& name) {
  const auto found = facts.find(name);
  return found == facts.end() ? "unknown" : found->second;
}

// 1,000 GPUs at 2.5 USD an hour cost 21,900,000 USD a year.
const std::string kThousand = "node_pools: [{name: p, nodes: \"n[001-125]\", gpus_per_node: 8}]\n";

}  // namespace

TEST_CASE("GPUs are counted over all pools, once each pool says how many its nodes have", "[facts]") {
  CHECK(fact(facts_of(kThousand), "fleet.gpus") == "1000");
  CHECK(fact(facts_of("node_pools: [{name: p, nodes: \"n[1-2]\", gpus_per_node: 8}, {name: q, nodes: m1}]\n"),
             "fleet.gpus") == "unknown");
}

TEST_CASE("a list that is empty says no, a list that is absent says nothing", "[facts]") {
  const muster::SiteFacts absent = facts_of("");
  const muster::SiteFacts empty = facts_of("control_planes: []\ntenants: []\ntopology: {levels: [], domains: []}\n");
  const muster::SiteFacts full = facts_of(
      "control_planes: [{kind: slurm}]\ntenants: [{name: a, guaranteed_gpus: 4}, {name: b, parent: a}]\n"
      "topology: {levels: [leaf], domains: [{name: l, level: leaf, nodes: n1}]}\n");
  for (const char* name : {"fleet.scheduler", "fleet.quotas", "fleet.topology", "fleet.hierarchical_quotas"}) {
    INFO(name);
    CHECK(fact(absent, name) == "unknown");
    CHECK(fact(empty, name) == "false");
    CHECK(fact(full, name) == "true");
  }
}

TEST_CASE("joining two planes pays once what they strand costs more than their engineers", "[facts]") {
  const auto pays = [](const std::string& share, const std::string& engineers) {
    return fact(
        facts_of(kThousand + "economics: {gpu_hour_usd: 2.5, engineer_usd_per_year: 300000, two_plane_engineers: " +
                 engineers + ", stranded_share: " + share + "}\n"),
        "economics.convergence_pays");
  };
  CHECK(pays("0.05", "3") == "true");      // 1,095,000 against 900,000
  CHECK(pays("0.04", "3") == "false");     // 876,000 against 900,000
  CHECK(pays("0.05", "3.65") == "false");  // as much on both sides
  CHECK(fact(facts_of(kThousand + "economics: {gpu_hour_usd: 2.5, stranded_share: 0.5}\n"),
             "economics.convergence_pays") == "unknown");
}

TEST_CASE("a team pays where it and the goodput it lacks cost no more than the licences", "[facts]") {
  const auto pays = [](const std::string& licence, const std::string& gain) {
    return fact(facts_of(kThousand +
                         "requirements: {platform_engineers: 3}\neconomics: {gpu_hour_usd: 2.5, engineer_usd_per_year: "
                         "300000, licence_usd_per_gpu_year: " +
                         licence + ", bought_goodput_gain: " + gain + "}\n"),
                "economics.team_pays");
  };
  CHECK(pays("1000", "0") == "true");      // 900,000 against 1,000,000
  CHECK(pays("800", "0") == "false");      // 900,000 against 800,000
  CHECK(pays("1000", "0.01") == "false");  // 900,000 and a point of goodput, 219,000, against 1,000,000
  // An engineer beside the bought one: 1,119,000 against 1,300,000.
  CHECK(pays("1000", "0.01, bought_platform_engineers: 1") == "true");
}

TEST_CASE("a feature gate that is not written down is unknown", "[facts]") {
  const muster::SiteFacts facts = facts_of(
      "control_planes: [{kind: kubernetes, version: \"1.34\", feature_gates: {DynamicResourceAllocation: false}}]\n");
  CHECK(fact(facts, "kubernetes.dynamic_resource_allocation") == "false");
  CHECK(fact(facts, "kubernetes.generic_workload") == "unknown");
}
