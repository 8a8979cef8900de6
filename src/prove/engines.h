#pragma once

#include <optional>
#include <random>

#include "prove/instance.h"
#include "prove/placement.h"
#include "prove/prove.h"

namespace muster::prove {

// Each engine says nothing where it does not decide.

/// What an engine found out about one property of an instance.
struct Answer {
  Verdict verdict = Verdict::Unknown;
  Engine engine = Engine::ClosedForm;
  std::string reason;
  ProofCertificate certificate;
  std::optional<Placement> placement;                 ///< the bad state, where it is one of pods at rest
  std::optional<ProofCounterexample> counterexample;  ///< else ready
  std::int64_t states = 0;
  bool budget_exhausted = false;
};

/// Whether each gang fits the empty pool.
Answer decide_placeable(const Instance& instance, std::int64_t budget);
/// Whether admission by quota lets in what the nodes cannot hold.
Answer decide_quota(const Instance& instance, std::int64_t budget);

/// Whole commits, and sums of identical pods.
std::optional<Answer> closed_form(const Instance& instance, Property property);
/// What can be held against what would block.
std::optional<Answer> bound(const Instance& instance, Property property);
/// A placement built to block: the largest gangs first, the pods that are hardest to place left out.
/// Not where a domain would have to be chosen.
std::optional<Answer> adversary(const Instance& instance, Property property);
/// The same with dice.
std::optional<Answer> random_search(const Instance& instance, Property property, std::mt19937_64& dice,
                                    std::int64_t tries);
/// All states, up to a budget; always answers, if only with unknown.
Answer explore(const Instance& instance, Property property, std::int64_t budget);

/// Slots of an instance whose pods all ask for the same and may all go everywhere; nothing where they do not.
std::optional<std::int64_t> identical_slots(const Instance& instance);

}  // namespace muster::prove
