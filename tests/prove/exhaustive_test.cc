// Every pool of identical slots up to a size: closed forms, exploration and the whole prover against trying everything.

#include <iostream>
#include <map>

#include "prove/engines.h"
#include "prove/prove.h"
#include "prove/slot_worlds.h"
#include "support/catch.h"
#include "support/share.h"

using namespace muster;

namespace {

constexpr Property kAll[] = {Property::Placeable, Property::AllOrNothing, Property::NoDeadlock, Property::NoLivelock,
                             Property::QuotaConsistent};

bool truth_of(const SlotTruth& truth, Property property) {
  switch (property) {
    case Property::Placeable: return truth.placeable;
    case Property::AllOrNothing: return truth.all_or_nothing;
    case Property::NoDeadlock: return truth.no_deadlock;
    case Property::NoLivelock: return truth.no_livelock;
    case Property::QuotaConsistent: return truth.quota_consistent;
  }
  return false;
}

std::string words(const SlotWorld& world) {
  std::string out = std::to_string(world.slots) + " slots" +
                    (world.quota ? ", quota " + std::to_string(*world.quota) : "") + (world.serial ? ", serial" : "");
  for (const SlotGang& gang : world.gangs) {
    out += "; " + std::string(name_of(gang.mechanism)) + " " + std::to_string(gang.guaranteed) + "/" +
           std::to_string(gang.pods) + (gang.times_out ? " times out" : "");
  }
  return out;
}

struct Counts {
  std::size_t worlds = 0;
  std::size_t wrong = 0;
  std::map<std::string, std::size_t> by_engine;
};

void expect(bool holds, Verdict verdict, const SlotWorld& world, Property property, std::string_view who,
            Counts& counts) {
  if (verdict == (holds ? Verdict::Holds : Verdict::Counterexample)) return;
  if (++counts.wrong > 5) return;
  FAIL_CHECK(who << " says " << name_of(verdict) << " of " << name_of(property) << ", which "
                 << (holds ? "holds" : "does not hold") << ": " << words(world));
}

void compare(const SlotWorld& slots, Counts& counts) {
  ++counts.worlds;
  const SlotTruth truth = try_everything(slots);
  const World world = world_of(slots, slots.slots % 2 == 0 ? 2 : 1);
  const prove::Instance instance = prove::instances_of(world, 0).front();
  for (const Property property : kAll) {
    const bool holds = truth_of(truth, property);
    if (property != Property::Placeable && property != Property::QuotaConsistent) {
      const prove::Answer explored = prove::explore(instance, property, 100'000);
      expect(holds, explored.verdict, slots, property, "exploration", counts);
      if (explored.counterexample && replay(world, property, *explored.counterexample, 0) != "") ++counts.wrong;
      if (const auto closed = prove::closed_form(instance, property)) {
        expect(holds, closed->verdict, slots, property, "the closed form", counts);
        ++counts.by_engine["closed form"];
      }
      if (const auto bounded = prove::bound(instance, property)) {
        expect(holds, bounded->verdict, slots, property, "the bound", counts);
        ++counts.by_engine["bound"];
      }
      if (const auto built = prove::adversary(instance, property)) {
        expect(holds, built->verdict, slots, property, "the adversary", counts);
        ++counts.by_engine["adversary"];
      }
    }
    const std::vector<ProofResult> results = prove_world(world, {property}, {});
    REQUIRE(results.size() == 1);
    expect(holds, results.front().verdict, slots, property, "the prover", counts);
  }
}

void compare_with_quotas(const std::vector<SlotGang>& gangs, std::int64_t slots, Counts& counts) {
  SlotWorld world{slots, gangs, std::nullopt, false};
  const bool by_quota =
      std::ranges::any_of(gangs, [](const SlotGang& gang) { return gang.mechanism == Mechanism::Quota; });
  if (!by_quota) return compare(world, counts);
  std::int64_t sum = 0;
  for (const SlotGang& gang : gangs) sum += gang.mechanism == Mechanism::Quota ? gang.pods : 0;
  for (std::int64_t quota = 1; quota <= sum; ++quota) {
    for (const bool serial : {false, true}) {
      world.quota = quota;
      world.serial = serial;
      compare(world, counts);
    }
  }
}

}  // namespace

namespace {

/// Every `step`th set of so many gangs of up to so many pods, on every number of slots.
Counts judge_sets(std::size_t gangs, std::int64_t pods, std::int64_t most_slots, std::size_t step) {
  Counts counts;
  const std::vector<SlotGang> all = all_slot_gangs(pods);
  std::size_t number = 0;
  for (std::int64_t slots = 1; slots <= most_slots; ++slots) {
    for (std::size_t a = 0; a < all.size(); ++a) {
      if (gangs == 1) compare_with_quotas({all[a]}, slots, counts);
      for (std::size_t b = a; gangs > 1 && b < all.size(); ++b) {
        if (gangs == 2 && number++ % step == 0) compare_with_quotas({all[a], all[b]}, slots, counts);
        for (std::size_t c = b; gangs > 2 && c < all.size(); ++c) {
          if (number++ % step == 0) compare_with_quotas({all[a], all[b], all[c]}, slots, counts);
        }
      }
    }
  }
  std::cout << counts.worlds << " worlds of " << gangs << " gangs\n";
  return counts;
}

}  // namespace

TEST_CASE("every gang of up to 4 pods on up to 8 slots is judged as trying everything judges it", "[prove]") {
  CHECK(judge_sets(1, 4, 8, 1).wrong == 0);
}

TEST_CASE("every two gangs of up to 2 pods on up to 4 slots are judged as trying everything judges them", "[prove]") {
  Counts counts = judge_sets(2, 2, 4, 1);
  CHECK(counts.wrong == 0);
  for (const char* engine : {"closed form", "bound", "adversary"}) CHECK(counts.by_engine[engine] * 20 > counts.worlds);
}

TEST_CASE(
    "a sample of the worlds of two and three gangs of up to 4 pods on up to 8 slots is judged as trying everything "
    "judges it",
    "[prove]") {
  CHECK(judge_sets(2, 4, 8, test::every(2) * 16).wrong == 0);
  CHECK(judge_sets(3, 4, 8, test::every(2) * 499).wrong == 0);
}

TEST_CASE("every two and three gangs of up to 4 pods on up to 8 slots are judged as trying everything judges them",
          "[.][prove][prove-long]") {
  CHECK(judge_sets(2, 4, 8, 1).wrong == 0);
  CHECK(judge_sets(3, 4, 8, 1).wrong == 0);
}
