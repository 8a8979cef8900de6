// Add-ons go by where the work runs in this fleet, not by the shape of the work alone.
#include "decide/decide.h"
#include "support/catch.h"
#include "support/model.h"

namespace {

/// A gang in a fleet that has one plane and runs.
muster::Workspace gang_on(const std::string& plane, const std::string& bare_metal) {
  return muster::test::read_files(
      {{"r/fleet.yaml", "muster: fleet/v1\nname: f\nstage: production\ncontrol_planes: [{kind: " + plane +
                            "}]\nnode_pools: [{name: p, nodes: \"n[1-8]\", gpus_per_node: 8, control_plane: " + plane +
                            "}]\n"},
       {"r/workloads.yaml",
        "muster: workloads/v1\nworkloads:\n  - {name: w, nodes: 4, gpus_per_node: 8, tightly_coupled: true, "
        "bare_metal: " +
            bare_metal +
            ", long_lived_services: false, multi_tenant: true, python_native_pipeline: false, edge_or_dev: false}\n"}});
}

std::string level_of(const muster::Decision& decision, std::string_view id) {
  const auto found = std::ranges::find(decision.addons, id, &muster::AddonChoice::id);
  return found == decision.addons.end() ? "none" : found->level.value.value_or("open");
}

}  // namespace

TEST_CASE("a gang for bare metal that a Kubernetes carries needs a gang scheduler", "[decide]") {
  const muster::Workspace w = gang_on("kubernetes", "true");
  REQUIRE(w.decisions.size() == 1);
  CHECK(w.decisions[0].host.value == "slurm");
  CHECK(w.decisions[0].runs_on.value == "kubernetes");
  CHECK(level_of(w.decisions[0], "gang-scheduler") == "required");
  CHECK(level_of(w.decisions[0], "topology-conf") == "none");
}

TEST_CASE("a gang in containers that a Slurm takes needs none", "[decide]") {
  const muster::Workspace w = gang_on("slurm", "false");
  REQUIRE(w.decisions.size() == 1);
  CHECK(w.decisions[0].host.value == "kubernetes");
  CHECK(w.decisions[0].runs_on.value == "slurm");
  CHECK(level_of(w.decisions[0], "gang-scheduler") == "none");
  CHECK(level_of(w.decisions[0], "topology-conf") == "recommended");
}
