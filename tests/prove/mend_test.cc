// A counterexample's mended run: every step obeys the mended mechanism, all gangs complete, and nobody holds a part.
#include "base/strings.h"
#include "prove/prove.h"
#include "support/catch.h"

using namespace muster;

namespace {

World two_jobs(Mechanism mechanism) {
  World world;
  world.name = set_to(std::string("w"), {});
  WorldPool pool;
  pool.name = set_to(std::string("p"), {});
  pool.nodes.push_back({1, 8, std::nullopt, std::nullopt, {}, {}, {}});
  world.pools.push_back(pool);
  for (const char* name : {"a", "b"}) {
    WorldGang gang;
    gang.name = set_to(std::string(name), {});
    gang.pool = "p";
    WorldRole role;
    role.pods = 5;
    role.gpus_per_pod = 1;
    gang.roles.push_back(role);
    gang.mechanism = mechanism;
    world.gangs.push_back(gang);
  }
  return world;
}

ProofResult prove_alone(const World& world, Property property) { return prove_world(world, {property}, {}).front(); }

std::string told(const World& world, const std::vector<ProofStep>& steps) {
  std::string out;
  for (const ProofStep& step : steps)
    out += world.gangs[step.gang].name.value + std::to_string(step.pods) + "@" + std::to_string(step.commit) + " ";
  return out;
}

}  // namespace

TEST_CASE("two jobs that block each other run one after the other once they are gangs", "[prove][review]") {
  const World world = two_jobs(Mechanism::PerPod);
  const ProofResult result = prove_alone(world, Property::NoDeadlock);
  REQUIRE(result.counterexample);
  const std::optional<MendedRun> run = mended_run(world, result, {});
  REQUIRE(run);
  CHECK(run->repair == result.counterexample->repairs.front());
  CHECK(told(run->world, run->steps) == "a5@1 a-5@2 b5@3 b-5@4 ");
  CHECK(prove_alone(run->world, Property::NoDeadlock).verdict == Verdict::Holds);
  // The steps obey the mended world and no other: as it was, a commit of five pods at once is none of its mechanism's.
  CHECK(replay_run(run->world, run->steps).empty());
  std::vector<ProofStep> half = run->steps;
  half.front().pods = 4;
  CHECK_FALSE(replay_run(run->world, half).empty());
}

TEST_CASE("a gang that finishes before it is whole is no run", "[prove][review]") {
  const World world = two_jobs(Mechanism::PerPod);
  ProofStep place{1, 0, 0, 0, 0, 1, StepCause::Place, 0};
  ProofStep finish{2, 0, 0, 0, 0, -1, StepCause::Finish, 0};
  CHECK_FALSE(replay_run(world, {place, finish}).empty());
}

TEST_CASE("what never fits has a run once there are nodes enough", "[prove][review]") {
  World world = two_jobs(Mechanism::PerPod);
  world.gangs.pop_back();
  world.gangs.front().roles.front().pods = 12;
  const ProofResult result = prove_alone(world, Property::Placeable);
  REQUIRE(result.counterexample);
  const std::optional<MendedRun> run = mended_run(world, result, {});
  REQUIRE(run);
  CHECK(contains(run->repair, "add 1 node"));
  std::int64_t pods = 0;
  for (const ProofStep& step : run->steps) pods += step.cause == StepCause::Place ? step.pods : 0;
  CHECK(pods == 12);
  CHECK(run->steps.back().cause == StepCause::Finish);
}

TEST_CASE("the mended run has the gangs in the order in which the counterexample has them", "[prove][review]") {
  World world = two_jobs(Mechanism::Atomic);
  world.pools.front().nodes.front().count = 4;
  world.pools.front().nodes.front().gpus = 4;
  // b is whole and comes first; a starts with a part and waits.
  for (const std::size_t gang : {0u, 1u}) {
    world.gangs[gang].roles.front().gpus_per_pod = 2;
    world.gangs[gang].guaranteed = set_to(std::int64_t{gang == 0 ? 3 : 5}, {});
  }
  const ProofResult result = prove_alone(world, Property::AllOrNothing);
  REQUIRE(result.counterexample);
  REQUIRE(result.counterexample->holds.front().gang == 0);
  REQUIRE(result.counterexample->steps.front().gang == 1);
  const std::optional<MendedRun> run = mended_run(world, result, {});
  REQUIRE(run);
  CHECK(run->steps.front().gang == 1);
}

TEST_CASE("a queue that admits less than a gang is mended by a larger limit", "[prove][review]") {
  World world = two_jobs(Mechanism::OrderedAtomic);
  world.queues.push_back({"q", 4});
  world.gangs.front().queue = "q";
  const ProofResult result = prove_alone(world, Property::Placeable);
  REQUIRE(result.counterexample);
  REQUIRE_FALSE(result.counterexample->repairs.empty());
  CHECK(result.counterexample->repairs.front() == "raise the limit of queue `q` to at least 5 GPUs");
  // A second one that is too small, and nodes that are too few, are not mended by it.
  world.gangs.back().roles.front().pods = 50;
  for (const std::string& repair : prove_alone(world, Property::Placeable).counterexample->repairs)
    CHECK_FALSE(contains(repair, "raise the limit"));
}

TEST_CASE("what holds has nothing to mend", "[prove][review]") {
  const World world = two_jobs(Mechanism::OrderedAtomic);
  CHECK_FALSE(mended_run(world, prove_alone(world, Property::NoDeadlock), {}));
}
