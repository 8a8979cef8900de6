// A mistake in the model of a mechanism does not go unseen: with each of them, exploration and trying everything differ
// on some small world.

#include <functional>

#include "prove/engines.h"
#include "prove/slot_worlds.h"
#include "support/catch.h"

using namespace muster;

namespace {

struct Mutation {
  const char* what;
  std::function<void(prove::Instance&)> apply;
};

void each_gang(prove::Instance& instance, const std::function<void(prove::GangSpec&)>& change) {
  for (prove::GangSpec& gang : instance.gangs) change(gang);
}

const Mutation kMutations[] = {
    {"an atomic commit is made pod by pod",
     [](prove::Instance& i) { each_gang(i, [](prove::GangSpec& g) { g.guaranteed = 1; }); }},
    {"one pod less is guaranteed",
     [](prove::Instance& i) {
       each_gang(i, [](prove::GangSpec& g) { g.guaranteed = std::max<std::int64_t>(1, g.guaranteed - 1); });
     }},
    {"one pod more is guaranteed",
     [](prove::Instance& i) {
       each_gang(i, [](prove::GangSpec& g) { g.guaranteed = std::min(g.pods, g.guaranteed + 1); });
     }},
    {"what is held is never given back",
     [](prove::Instance& i) { each_gang(i, [](prove::GangSpec& g) { g.hold_until = 0; }); }},
    {"one pod less ends the holding",
     [](prove::Instance& i) {
       each_gang(i, [](prove::GangSpec& g) { g.hold_until = std::max<std::int64_t>(0, g.hold_until - 1); });
     }},
    {"one pod more ends the holding",
     [](prove::Instance& i) {
       each_gang(i,
                 [](prove::GangSpec& g) { g.hold_until = g.hold_until == 0 ? 0 : std::min(g.pods, g.hold_until + 1); });
     }},
    {"what is bound is given back, too",
     [](prove::Instance& i) {
       each_gang(i, [](prove::GangSpec& g) { g.hold_until = g.hold_until == 0 ? 0 : g.pods; });
     }},
    {"the quota admits everybody", [](prove::Instance& i) { i.rules.front().quota.reset(); }},
    {"the quota has one more",
     [](prove::Instance& i) {
       if (i.rules.front().quota) ++*i.rules.front().quota;
     }},
    {"the quota has one less",
     [](prove::Instance& i) {
       if (i.rules.front().quota) --*i.rules.front().quota;
     }},
    {"admission is never serial", [](prove::Instance& i) { i.rules.front().serial = false; }},
    {"admission is always serial", [](prove::Instance& i) { i.rules.front().serial = true; }},
    {"a gang by quota counts for nothing",
     [](prove::Instance& i) { each_gang(i, [](prove::GangSpec& g) { g.by_quota = false; }); }},
    {"a gang has one pod less",
     [](prove::Instance& i) {
       for (prove::PodKind& kind : i.kinds) {
         if (kind.count > 1) --kind.count, --i.gangs[kind.gang].pods;
       }
     }},
    {"a node has one GPU more", [](prove::Instance& i) { ++i.classes.front().free[0]; }},
    {"no gang is tightly coupled",
     [](prove::Instance& i) { each_gang(i, [](prove::GangSpec& g) { g.coupled = false; }); }},
};

bool differs(const Mutation& mutation, const SlotWorld& slots, Property property, bool holds) {
  const World world = world_of(slots, 1);
  prove::Instance instance = prove::instances_of(world, 0).front();
  mutation.apply(instance);
  return prove::explore(instance, property, 10'000).verdict != (holds ? Verdict::Holds : Verdict::Counterexample);
}

bool is_seen(const Mutation& mutation) {
  const std::vector<SlotGang> all = all_slot_gangs(3);
  for (std::int64_t slots = 1; slots <= 4; ++slots) {
    for (std::size_t a = 0; a < all.size(); ++a) {
      for (std::size_t b = a; b < all.size(); ++b) {
        const bool by_quota = all[a].mechanism == Mechanism::Quota || all[b].mechanism == Mechanism::Quota;
        for (std::int64_t quota = by_quota ? 2 : 0; quota <= (by_quota ? 6 : 0); ++quota) {
          for (const bool serial : {false, true}) {
            if (serial && !by_quota) continue;
            SlotWorld world{slots, {all[a], all[b]}, std::nullopt, serial};
            if (by_quota) world.quota = quota;
            const SlotTruth truth = try_everything(world);
            if (differs(mutation, world, Property::AllOrNothing, truth.all_or_nothing) ||
                differs(mutation, world, Property::NoDeadlock, truth.no_deadlock) ||
                differs(mutation, world, Property::NoLivelock, truth.no_livelock)) {
              return true;
            }
          }
        }
      }
    }
  }
  return false;
}

}  // namespace

TEST_CASE("a mistake in the model of a mechanism is seen on some small world", "[prove]") {
  for (const Mutation& mutation : kMutations) {
    INFO(mutation.what);
    CHECK(is_seen(mutation));
  }
}
