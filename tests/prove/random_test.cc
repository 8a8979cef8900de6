// Random worlds with unequal nodes, pods of two sizes and required domains.

#include <algorithm>
#include <iostream>
#include <map>

#include "prove/engines.h"
#include "prove/node_worlds.h"
#include "prove/prove.h"
#include "prove/random_walk.h"
#include "support/catch.h"
#include "support/share.h"

using namespace muster;

namespace {

constexpr Property kSearched[] = {Property::AllOrNothing, Property::NoDeadlock, Property::NoLivelock};

std::string words(const World& world) {
  std::string out;
  for (const WorldNodes& nodes : world.pools[0].nodes)
    out += std::to_string(nodes.count) + "x" + std::to_string(nodes.gpus) + nodes.domains.at("leaf") + " ";
  if (world.pools[0].quota.is_set()) out += "quota " + std::to_string(world.pools[0].quota.value) + " ";
  for (const WorldGang& gang : world.gangs) {
    out += "| " + std::to_string(gang.roles[0].pods) + "x" + std::to_string(gang.roles[0].gpus_per_pod) + " " +
           std::string(name_of(gang.mechanism)) + " " + std::to_string(gang.guaranteed.value) +
           (gang.timeout_seconds ? " t" : "") + (gang.domain.empty() ? "" : " leaf") +
           (gang.roles[0].domain.empty() ? "" : " role in a leaf") + (gang.coupled ? " " : " loose ");
  }
  return out;
}

/// A counterexample without one of its gangs, or without one of its commits, shows nothing.
bool is_minimal(const World& world, Property property, const ProofCounterexample& found) {
  for (const ProofHold& hold : found.holds) {
    ProofCounterexample without = found;
    std::erase_if(without.steps, [&](const ProofStep& step) { return step.gang == hold.gang; });
    std::erase_if(without.holds, [&](const ProofHold& other) { return other.gang == hold.gang; });
    if (replay(world, property, without, 0).empty()) return false;
  }
  for (std::size_t i = 0; i < found.steps.size(); ++i) {
    ProofCounterexample without = found;
    if (--without.steps[i].pods == 0) without.steps.erase(without.steps.begin() + static_cast<std::ptrdiff_t>(i));
    if (replay(world, property, without, 0).empty()) return false;
  }
  return true;
}

bool truth_of(const NodeTruth& truth, Property property) {
  return property == Property::AllOrNothing ? truth.all_or_nothing
         : property == Property::NoDeadlock ? truth.no_deadlock
                                            : truth.no_livelock;
}

}  // namespace

TEST_CASE("random worlds of unequal nodes are judged as trying every placement judges them", "[prove]") {
  std::mt19937 dice(20261121);
  std::size_t judged = 0;
  std::size_t wrong = 0;
  for (int i = 0; i < (test::kSanitised ? 700 : 1500) && wrong < 5; ++i) {
    const World world = random_world(dice, {});
    const std::optional<NodeTruth> truth = try_every_node(world, 3000);
    if (!truth) continue;
    ++judged;
    for (const ProofResult& result : prove_world(world, {std::begin(kSearched), std::end(kSearched)}, {})) {
      const Verdict expected = truth_of(*truth, result.property) ? Verdict::Holds : Verdict::Counterexample;
      if (result.verdict != expected) {
        ++wrong;
        FAIL_CHECK(name_of(result.property)
                   << " of " << words(world) << ": " << name_of(result.verdict) << ", " << result.reason);
        continue;
      }
      if (result.verdict == Verdict::Holds) {
        if (!result.certificate.checked) {
          ++wrong;
          FAIL_CHECK("the certificate of " << name_of(result.property) << " of " << words(world) << ": "
                                           << result.certificate.unchecked);
        }
      } else if (!is_minimal(world, result.property, *result.counterexample)) {
        ++wrong;
        FAIL_CHECK("not minimal: " << name_of(result.property) << " of " << words(world));
      }
    }
    // Each engine by itself agrees wherever it answers.
    const prove::Instance instance = prove::instances_of(world, 0).front();
    for (const Property property : kSearched) {
      const Verdict expected = truth_of(*truth, property) ? Verdict::Holds : Verdict::Counterexample;
      std::mt19937_64 more(7);
      for (const std::optional<prove::Answer>& answer :
           {prove::closed_form(instance, property), prove::bound(instance, property),
            prove::adversary(instance, property), prove::random_search(instance, property, more, 4),
            std::optional(prove::explore(instance, property, 100'000))}) {
        if (!answer || answer->verdict == expected) continue;
        ++wrong;
        FAIL_CHECK(name_of(answer->engine)
                   << " says " << name_of(answer->verdict) << " of " << name_of(property) << " of " << words(world));
      }
    }
  }
  std::cout << judged << " random worlds\n";
  CHECK(judged > 400);
  CHECK(wrong == 0);
}

TEST_CASE("what is proved survives ten thousand random adversaries, who break most of what is not", "[prove]") {
  std::mt19937 dice(99);
  int proofs = 0;
  int broken = 0;
  int found = 0;
  for (int i = 0; i < (test::kSanitised ? 6 : 200); ++i) {
    const World world = random_world(dice, {6, 8, 4, 5});
    const std::vector<ProofResult> results =
        prove_world(world, {std::begin(kSearched), std::end(kSearched)}, {20'000, 64, 1, 0});
    const NodeTruth truth = walk_at_random(world, dice, 10'000);
    for (const ProofResult& result : results) {
      const bool stands = truth_of(truth, result.property);
      if (result.verdict == Verdict::Holds) {
        ++proofs;
        INFO(name_of(result.property) << " of " << words(world) << " by " << name_of(*result.engine));
        CHECK(stands);
      } else if (result.verdict == Verdict::Counterexample) {
        ++broken;
        found += stands ? 0 : 1;
      }
    }
  }
  std::cout << proofs << " proofs stood; of " << broken << " counterexamples the adversaries found " << found << "\n";
  CHECK(proofs > 10);
  CHECK(found * 3 > broken * 2);
}

TEST_CASE("on random worlds every engine decides its share", "[prove]") {
  std::mt19937 dice(4);
  std::map<std::string, int> shares;
  int all = 0;
  int unknown = 0;
  for (int i = 0; i < (test::kSanitised ? 18 : 400); ++i) {
    const World world = random_world(dice, {6, 8, 4, 5});
    for (const ProofResult& result :
         prove_world(world, {std::begin(kSearched), std::end(kSearched)}, {20'000, 64, 1, 0})) {
      ++all;
      unknown += result.verdict == Verdict::Unknown ? 1 : 0;
      if (result.engine) ++shares[std::string(name_of(*result.engine))];
    }
  }
  for (const auto& [engine, count] : shares) std::cout << engine << " " << count << " of " << all << "\n";
  std::cout << "unknown " << unknown << "\n";
  for (const char* engine : {"closed-form", "bound", "adversary", "random-search", "exploration"}) {
    INFO(engine);
    CHECK(shares[engine] * (test::kSanitised ? 20 : 10) >= all);
  }
}
