// Gangs of which no node takes two pods, as the nodes of a Slurm job.
#include <random>

#include "prove/prove.h"
#include "prove/slurm_fits.h"
#include "support/catch.h"
#include "support/model.h"

using namespace muster;

namespace {

World world_with(const std::string& nodes, const std::string& gangs) {
  const Workspace workspace = test::read_files({{"world.yaml", "muster: world/v1\nname: w\npools: [{name: p, nodes: [" +
                                                                   nodes + "]}]\ngangs: [" + gangs + "]\n"}});
  REQUIRE(workspace.findings.empty());
  return workspace.model.worlds.front();
}

ProofResult prove_property(const World& world, Property property) { return prove_world(world, {property}, {}).front(); }

/// One to three roles with pods of one to five GPUs, some of them for marked nodes only, some in one leaf
/// by the role or by the job.
World random_job(std::mt19937& dice) {
  const auto below = [&](int n) { return static_cast<int>(dice() % static_cast<unsigned>(n)); };
  std::string nodes;
  for (int n = 1 + below(4); n > 0; --n) {
    nodes += "{gpus: " + std::to_string(1 + below(6)) + ", domains: {leaf: l" + std::to_string(below(2)) + "}" +
             (below(2) == 0 ? ", labels: {a: y}" : "") + "}, ";
  }
  const bool leaf = below(3) == 0;
  std::string roles;
  for (int n = 1 + below(3); n > 0; --n) {
    roles += "{pods: " + std::to_string(1 + below(3)) + ", gpus_per_pod: " + std::to_string(1 + below(3)) +
             (below(3) == 0 ? ", node_labels: {a: y}" : "") + (below(3) == 0 ? ", domain: leaf" : "") + "}, ";
  }
  const std::string apart = below(4) == 0 ? "false" : "true";
  return world_with(nodes + "{gpus: 0, domains: {leaf: l0}}", "{name: a, mechanism: atomic, one_per_node: " + apart +
                                                                  (leaf ? ", domain: leaf" : "") + ", roles: [" +
                                                                  roles + "]}");
}

}  // namespace

TEST_CASE("a job of more nodes than there are is not placeable, though fewer would have the GPUs", "[prove]") {
  const std::string job = "{name: a, pods: 3, gpus_per_pod: 4, mechanism: atomic";
  CHECK(prove_property(world_with("{count: 2, gpus: 8}", job + "}"), Property::Placeable).verdict == Verdict::Holds);
  const ProofResult apart =
      prove_property(world_with("{count: 2, gpus: 8}", job + ", one_per_node: true}"), Property::Placeable);
  CHECK(apart.verdict == Verdict::Counterexample);
  CHECK(apart.reason == "`a` needs 3 pods; the empty nodes take 2");
  REQUIRE(apart.counterexample);
  CHECK(apart.counterexample->repairs == std::vector<std::string>{"add 1 node of 8 GPUs to pool `p`"});
}

TEST_CASE("a pod of a gang that takes no node twice can be kept out while others have room", "[prove]") {
  const std::string others = ", mechanism: per-pod}, {name: b, pods: 2, gpus_per_pod: 4, mechanism: per-pod}";
  const std::string nodes = "{count: 2, gpus: 8}";
  // Three slots of four are held at most while `a` waits: any of its pods finds the fourth, but on the node where it
  // has one.
  CHECK(prove_property(world_with(nodes, "{name: a, pods: 2, gpus_per_pod: 4" + others), Property::AllOrNothing)
            .verdict == Verdict::Holds);
  const World apart = world_with(nodes, "{name: a, pods: 2, gpus_per_pod: 4, one_per_node: true" + others);
  const ProofResult result = prove_property(apart, Property::AllOrNothing);
  REQUIRE(result.counterexample);
  CHECK(result.counterexample->free_gpus == 4);
  CHECK(replay(apart, Property::AllOrNothing, *result.counterexample, 0).empty());
  const ProofResult alone =
      prove_property(world_with(nodes, "{name: a, pods: 2, gpus_per_pod: 4, one_per_node: true, mechanism: per-pod}"),
                     Property::NoDeadlock);
  CHECK(alone.verdict == Verdict::Holds);
  CHECK(alone.certificate.checked);
  // The nodes on which it has pods are not held by others: five of the others can be full.
  const std::string many =
      "{name: a, pods: 40, gpus_per_pod: 4, one_per_node: true, mechanism: per-pod}, {name: b, "
      "pods: 10, gpus_per_pod: 4, mechanism: per-pod}";
  const ProofResult fits = prove_property(world_with("{count: 100, gpus: 8}", many), Property::AllOrNothing);
  CHECK(fits.verdict == Verdict::Holds);
  CHECK(fits.engine == Engine::Bound);
  CHECK(fits.certificate.checked);
  CHECK(prove_property(world_with("{count: 44, gpus: 8}", many), Property::AllOrNothing).verdict ==
        Verdict::Counterexample);
}

TEST_CASE("that a gang takes no node twice changes nothing where no node has room for two of its pods", "[prove]") {
  const ProofResult result = prove_property(
      world_with("{count: 3, gpus: 8}",
                 "{name: a, pods: 2, gpus_per_pod: 5, one_per_node: true, mechanism: per-pod, instances: 2}"),
      Property::NoDeadlock);
  CHECK(result.verdict == Verdict::Holds);
  CHECK(result.engine == Engine::ClosedForm);
}

TEST_CASE("components of a heterogeneous job take each other's nodes, not only each other's GPUs", "[prove]") {
  const std::string parts =
      "mechanism: ordered-atomic, components: [{pods: 6, gpus_per_pod: 4}, {pods: 6, gpus_per_pod: 4}]}";
  CHECK(prove_property(world_with("{count: 8, gpus: 8}", "{name: a, " + parts), Property::Placeable).verdict ==
        Verdict::Holds);
  CHECK(prove_property(world_with("{count: 8, gpus: 8}", "{name: a, one_per_node: true, " + parts), Property::Placeable)
            .verdict == Verdict::Counterexample);
  CHECK(
      prove_property(world_with("{count: 12, gpus: 8}", "{name: a, one_per_node: true, " + parts), Property::Placeable)
          .verdict == Verdict::Holds);
  const std::string unequal =
      "{name: a, one_per_node: true, mechanism: ordered-atomic, components: [{pods: 1, gpus_per_pod: 8}, {pods: 2, "
      "gpus_per_pod: 1}]}";
  CHECK(prove_property(world_with("{count: 3, gpus: 8}", unequal), Property::Placeable).verdict == Verdict::Holds);
}

TEST_CASE("jobs on unequal nodes are placeable exactly if some choice of nodes takes them", "[prove]") {
  std::mt19937 dice(11);
  int fit = 0;
  for (int i = 0; i < 1500; ++i) {
    const World world = random_job(dice);
    const WorldGang& gang = world.gangs.front();
    const bool fits = test::fits_now(world, gang, test::free_gpus(world, {}));
    const ProofResult result = prove_property(world, Property::Placeable);
    INFO("world " << i << ": " << result.reason);
    REQUIRE(result.verdict == (fits ? Verdict::Holds : Verdict::Counterexample));
    fit += fits ? 1 : 0;
  }
  CHECK(fit > 300);
  CHECK(fit < 1200);
}
