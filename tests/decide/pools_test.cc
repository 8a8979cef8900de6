// What differs by pool, and what is too much to answer for each.
#include "base/strings.h"
#include "decide/decide.h"
#include "report/decisions.h"
#include "support/catch.h"
#include "support/model.h"

namespace {

/// A fleet of so many pools; every one has the accelerator that `model` says of its number.
template <class Model>
muster::Workspace fleet_of(std::size_t pools, Model model) {
  std::string fleet = "muster: fleet/v1\nname: f\nnode_pools:\n";
  for (std::size_t i = 0; i < pools; ++i) {
    fleet += "  - {name: p" + std::to_string(i) + ", nodes: \"n" + std::to_string(i) +
             "-[1-4]\", gpus_per_node: 8, control_plane: kubernetes, accelerator: {model: " + model(i) + "}}\n";
  }
  return muster::test::read_files(
      {{"r/fleet.yaml", fleet},
       {"r/workloads.yaml", "muster: workloads/v1\nworkloads:\n  - {name: w, nodes: 2, gpus_per_node: 8}\n"}});
}

}  // namespace

TEST_CASE("pools that nobody can tell apart answer together, however many they are", "[decide]") {
  const muster::Workspace w = fleet_of(100, [](std::size_t i) { return i % 2 == 0 ? "h100" : "h200"; });
  REQUIRE(w.decisions.size() == 1);
  CHECK(w.decisions[0].pools.size() == 100);
  CHECK(w.decisions[0].pools_left_out == 0);
}

TEST_CASE("that pools are too many to answer for each is said", "[decide]") {
  const muster::Workspace w = fleet_of(70, [](std::size_t i) { return "m" + std::to_string(i); });
  REQUIRE(w.decisions.size() == 1);
  CHECK(w.decisions[0].pools.empty());
  CHECK(w.decisions[0].pools_left_out == 70);
  const muster::FleetDecision fleet = muster::decide_fleet(w.model, *w.book, w.site, w.decisions);
  CHECK(muster::contains(muster::decisions_text(w.decisions, fleet, w.inputs.sources),
                         "  not asked for each pool: 70 can hold it"));
}

TEST_CASE("a pool that grows holds what it can grow to", "[decide]") {
  const muster::Workspace w = muster::test::read_files(
      {{"r/fleet.yaml",
        "muster: fleet/v1\nname: f\nnode_pools:\n"
        "  - {name: small, nodes: \"s[1-4]\", gpus_per_node: 8}\n"
        "  - {name: grows, nodes: \"g[1-4]\", gpus_per_node: 8, autoscaling: {by: karpenter, max_nodes: 64}}\n"
        "  - {name: open, nodes: \"o[1-4]\", gpus_per_node: 8, autoscaling: {by: karpenter}}\n"},
       {"r/workloads.yaml", "muster: workloads/v1\nworkloads:\n  - {name: w, nodes: 32, gpus_per_node: 8}\n"}});
  REQUIRE(w.decisions.size() == 1);
  std::vector<std::string> names;
  for (const muster::PoolDecision& pool : w.decisions[0].pools) names.push_back(pool.pool);
  CHECK(names == std::vector<std::string>{"grows", "open"});
}
