// Random worlds with every mechanism at once, against every state that the written transition system reaches.

#include <cstdlib>
#include <iostream>
#include <map>

#include "prove/prove.h"
#include "prove/slot_worlds.h"
#include "prove/whole_worlds.h"
#include "support/catch.h"
#include "support/share.h"

using namespace muster;

namespace {

constexpr Property kEach[] = {Property::Placeable, Property::AllOrNothing, Property::NoDeadlock, Property::NoLivelock,
                              Property::QuotaConsistent};

struct Tally {
  int judged = 0;
  int wrong = 0;
  int unknown = 0;
  int broken = 0;
  int not_replayed = 0;
  int refused = 0;    ///< certificates
  int unchecked = 0;  ///< certificates that were too much to check
  std::map<std::string, int> by_engine;
};

void judge(const World& world, std::int64_t faults, Tally& tally) {
  std::map<std::vector<std::size_t>, std::optional<WholeTruth>> truths;
  for (const ProofResult& result : prove_world(world, {std::begin(kEach), std::end(kEach)}, {20'000, 64, 1, faults})) {
    const auto [truth, fresh] = truths.try_emplace(result.gangs);
    if (fresh) truth->second = try_whole_world(world, result.gangs, faults, 4'000);
    const std::optional<bool> holds = truth->second ? truth->second->of(result.property) : std::nullopt;
    if (!holds) continue;
    ++tally.judged;
    if (result.engine) ++tally.by_engine[std::string(name_of(*result.engine))];
    if (result.verdict == Verdict::Unknown) {
      ++tally.unknown;
      if (result.reason.find("did not replay") != std::string::npos && ++tally.not_replayed <= 5)
        UNSCOPED_INFO(words_of(world) << ": " << result.reason);
      if (result.reason.find("a second look") != std::string::npos && ++tally.refused <= 5) {
        FAIL_CHECK("the certificate of " << name_of(result.property) << ": " << result.reason << " [faults " << faults
                                         << "] " << words_of(world));
      }
      continue;
    }
    tally.broken += *holds ? 0 : 1;
    if ((result.verdict == Verdict::Holds) != *holds && ++tally.wrong <= 5) {
      FAIL_CHECK(name_of(result.property)
                 << (*holds ? " holds" : " is broken") << ", " << (result.engine ? name_of(*result.engine) : "nobody")
                 << " says " << name_of(result.verdict) << ": " << result.reason << " [faults " << faults << "] "
                 << words_of(world));
    }
    tally.unchecked += result.verdict == Verdict::Holds && !result.certificate.checked ? 1 : 0;
    if (result.counterexample && !replay(world, result.property, *result.counterexample, faults).empty())
      ++tally.not_replayed;
  }
}

Tally judge_random(int worlds, unsigned seed, World (*make)(std::mt19937&) = random_whole_world) {
  std::mt19937 dice(seed);
  Tally tally;
  for (int i = 0; i < worlds && tally.wrong < 5; ++i) {
    const World world = make(dice);
    judge(world, dice() % 4 == 0 ? 1 : 0, tally);
  }
  std::cout << worlds << " whole worlds: " << tally.judged << " verdicts, " << tally.broken << " broken, "
            << tally.unknown << " unknown, " << tally.wrong << " wrong, " << tally.not_replayed << " not replayed, "
            << tally.refused << " refused, " << tally.unchecked << " unchecked;";
  for (const auto& [engine, count] : tally.by_engine) std::cout << " " << engine << " " << count;
  std::cout << "\n";
  return tally;
}

void expect_sound(const Tally& tally) {
  CHECK(tally.wrong == 0);
  CHECK(tally.not_replayed == 0);
  CHECK(tally.refused == 0);
  CHECK(tally.unchecked * 100 < tally.judged);
  CHECK(tally.unknown * 100 < tally.judged * 3);
  CHECK(tally.broken * 10 > tally.judged);
}

}  // namespace

TEST_CASE("worlds with every mechanism at once are judged as the written transition system judges them", "[prove]") {
  expect_sound(judge_random(60, 20261122));
}

TEST_CASE("roles that share a domain are judged as the written transition system judges them", "[prove]") {
  expect_sound(judge_random(60, 20261123, random_set_world));
}

TEST_CASE(
    "every two gangs of up to two pods on two slots, pods lost, evicted or finished alone, are judged as trying "
    "everything judges them",
    "[prove]") {
  const std::vector<SlotGang> all = all_slot_gangs(2);
  Tally tally;
  for (const SlotGang& a : all) {
    for (const SlotGang& b : all) {
      for (int variant = 0; variant < 3 && tally.wrong < 5; ++variant) {
        World world = world_of({2, {a, b}, std::nullopt, false}, 1);
        for (WorldNodes& nodes : world.pools.front().nodes) nodes.domains["leaf"] = "x";
        for (WorldGang& gang : world.gangs) gang.roles.front().pool = "p";
        world.gangs[0].coupled = variant != 1;
        world.gangs[1].preempts = world.gangs[1].evicts_pods = variant == 2;
        world.gangs[1].priority = variant == 2 ? 1 : 0;
        judge(world, variant == 0 ? 1 : 0, tally);
      }
    }
  }
  std::cout << tally.judged << " verdicts of two gangs, " << tally.broken << " broken\n";
  CHECK(tally.wrong == 0);
  CHECK(tally.not_replayed == 0);
  CHECK(tally.refused == 0);
  CHECK(tally.unchecked == 0);
  CHECK(tally.broken > 50);
}

TEST_CASE("five thousand worlds with every mechanism at once are judged as the written transition system judges them",
          "[.][prove][prove-long]") {
  const char* seed = std::getenv("MUSTER_SEED");
  expect_sound(judge_random(5'000, seed == nullptr ? 1 : static_cast<unsigned>(std::atoi(seed))));
}

TEST_CASE("five thousand worlds of roles that share domains are judged as the written transition system judges them",
          "[.][prove][prove-long]") {
  const char* seed = std::getenv("MUSTER_SEED");
  expect_sound(judge_random(5'000, seed == nullptr ? 1 : static_cast<unsigned>(std::atoi(seed)), random_set_world));
}
