#include "support/goodput.h"

#include "support/catch.h"
#include "support/model.h"

namespace muster::test {
namespace {

Workspace read(const GoodputFacts& facts, const std::string& instead) {
  const std::string nodes = std::to_string(facts.nodes);
  const std::string job = instead.empty() ? ", checkpoint: {write_seconds: " + std::to_string(facts.write) +
                                                ", interval_seconds: " + std::to_string(facts.interval) +
                                                "}, recovery_seconds: " + std::to_string(facts.recovery)
                                          : instead;
  return read_files(
      {{"r/fleet.yaml", "muster: fleet/v1\nname: f\nnode_pools:\n  - {name: p, nodes: \"n[00001-" + nodes +
                            "]\", gpus_per_node: 8}\nreliability: {gpu_hours_per_interruption: " +
                            std::to_string(facts.rate) + ", repair_hours: " + std::to_string(facts.repair) + "}\n"},
       {"r/workloads.yaml",
        "muster: workloads/v1\nworkloads:\n  - {name: w, nodes: " + nodes + ", gpus_per_node: 8" + job + "}\n"}});
}

}  // namespace

Goodput goodput(const GoodputFacts& facts, const std::string& instead) {
  const Workspace w = read(facts, instead);
  const std::optional<Goodput> out = goodput_of(w.model.workloads.front(), w.model.fleets.front());
  REQUIRE(out);
  return *out;
}

Spares spares(const GoodputFacts& facts) {
  const Workspace w = read(facts, "");
  const std::optional<Spares> out = spares_of(w.model.fleets.front());
  REQUIRE(out);
  return *out;
}

}  // namespace muster::test
