#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "model/world.h"

namespace muster {

/// What is asked of the gangs of a pool. Definitions: docs/prover.md.
enum class Property { Placeable, AllOrNothing, NoDeadlock, NoLivelock, QuotaConsistent };
enum class Verdict { Holds, Counterexample, Unknown };
/// What decided.
enum class Engine {
  ClosedForm,    ///< whole commits; sums of identical pods
  Bound,         ///< what the gangs can hold is less than what would block them
  Packing,       ///< whether one gang fits the empty pool
  Adversary,     ///< a placement built to block
  RandomSearch,  ///< the same with dice: it finds and never proves
  Exploration,   ///< all states
};

template <>
struct EnumNames<Property> {
  static constexpr std::string_view names[] = {"placeable", "all-or-nothing", "no-deadlock", "no-livelock",
                                               "quota-consistent"};
};
template <>
struct EnumNames<Verdict> {
  static constexpr std::string_view names[] = {"holds", "counterexample", "unknown"};
};
template <>
struct EnumNames<Engine> {
  static constexpr std::string_view names[] = {"closed-form", "bound",         "packing",
                                               "adversary",   "random-search", "exploration"};
};

/// How far to look.
struct ProveLimits {
  std::int64_t states = 200'000;  ///< of the exploration, for each pool and property
  std::int64_t tries = 64;        ///< of the random search
  std::uint64_t seed = 1;
  std::int64_t faults = 0;  ///< pods the adversary may take away after they were placed
};

/// Why pods come or go.
enum class StepCause {
  Place,
  Fault,     ///< one is lost
  Evict,     ///< it makes way for another gang
  Finish,    ///< a whole gang, or a pod that works alone
  GiveBack,  ///< what is held short, after its timeout
};

template <>
struct EnumNames<StepCause> {
  static constexpr std::string_view names[] = {"place", "fault", "evict", "finish", "give-back"};
};

/// One pod or several alike on one node. Placements of one commit happen together or not at all.
struct ProofStep {
  std::int64_t commit = 0;
  std::size_t gang = 0;   ///< in World::gangs
  std::size_t role = 0;   ///< in WorldGang::roles
  std::size_t pool = 0;   ///< in World::pools
  std::int64_t node = 0;  ///< number within the pool, counted over its classes
  std::int64_t pods = 0;  ///< below 0: so many go
  StepCause cause = StepCause::Place;
  std::size_t by = 0;  ///< Evict: the gang it makes way for, in World::gangs
};

struct ProofHold {
  std::size_t gang = 0;  ///< in World::gangs
  std::int64_t placed = 0;
  std::int64_t needs = 0;
};

struct ProofCounterexample {
  std::vector<ProofHold> holds;  ///< of the state at the end; the gangs that are stuck first
  std::vector<ProofStep> steps;
  std::int64_t free_gpus = 0;        ///< at the end, in the pools of the instance
  std::vector<std::string> repairs;  ///< each was proved to mend it
};

/// Why it holds, in numbers that can be checked without the engine that found them.
struct ProofCertificate {
  enum class Kind {
    None,
    NothingToDo,   ///< no gang that the property speaks of
    WholeCommits,  ///< no gang can hold less than all of its pods for ever
    Sums,          ///< identical pods: `slots` is no sum of what the gangs can hold
    Bound,         ///< for each entry: held < blocking
    Fits,          ///< each gang, or each set of gangs that is admitted together, has a placement on empty nodes
    AllStates,     ///< `states` different states, none of them bad
  };
  struct Entry {
    std::size_t gang = 0;  ///< in World::gangs
    std::size_t role = 0;
    std::int64_t held = 0;      ///< accelerators that all gangs can hold at most while a pod of it waits
    std::int64_t blocking = 0;  ///< accelerators that have to be held at least for no such pod to fit
  };
  /// Nodes that are filled alike with pods of one role. Each set of fills begins with empty nodes.
  struct Fill {
    std::size_t set = 0;
    std::size_t pool = 0;    ///< in World::pools
    std::int64_t first = 0;  ///< number of the first node within the pool
    std::int64_t nodes = 0;
    std::size_t gang = 0;  ///< in World::gangs
    std::size_t role = 0;
    std::int64_t pods = 0;  ///< on each of these nodes
  };
  Kind kind = Kind::None;
  std::int64_t slots = 0;
  std::int64_t states = 0;
  std::vector<Entry> entries;
  std::vector<Fill> fills;
  bool checked = false;   ///< a checker that shares nothing with the engines went through it and accepts it
  std::string unchecked;  ///< else why it did not
};

template <>
struct EnumNames<ProofCertificate::Kind> {
  static constexpr std::string_view names[] = {"none",  "nothing-to-do", "whole-commits", "sums",
                                               "bound", "fits",          "all-states"};
};

/// One property of the gangs of a set of pools.
struct ProofResult {
  std::vector<std::size_t> pools;  ///< in World::pools: those that the same gangs reach
  std::vector<std::size_t> gangs;  ///< in World::gangs
  Property property = Property::Placeable;
  Verdict verdict = Verdict::Unknown;
  std::optional<Engine> engine;  ///< what decided, if anything did
  std::string reason;            ///< one sentence
  std::int64_t states = 0;       ///< that the exploration saw
  std::int64_t budget = 0;       ///< that it might have seen
  bool budget_exhausted = false;
  ProofCertificate certificate;  ///< of what holds
  std::optional<ProofCounterexample> counterexample;
};

/// Every property asked for, of every set of pools, in the order of the world's pools. Deterministic for one seed.
/// Every counterexample was replayed by replay(), every certificate went through check_proof(): what that refuses is
/// unknown, what it does not come to the end of says so.
std::vector<ProofResult> prove_world(const World& world, const std::vector<Property>& properties,
                                     const ProveLimits& limits);

/// Plays the steps pod by pod on single nodes by the rules of each mechanism, and looks whether the property is broken
/// at the end. Empty: it is; else what is wrong with the counterexample. Deliberately plain; shares nothing with the
/// engines.
std::string replay(const World& world, Property property, const ProofCounterexample& counterexample,
                   std::int64_t faults);

/// Plays steps alone, likewise. Empty: each of them obeys the mechanism of its gang; else what is wrong.
std::string replay_run(const World& world, const std::vector<ProofStep>& steps);

/// How it goes once a counterexample is mended: its gangs come in the same order, each waits until all of it fits, and
/// all of them complete.
struct MendedRun {
  std::string repair;  ///< in words
  World world;         ///< with it
  std::vector<ProofStep> steps;
};

/// The run with the smallest repair, replayed; nothing where no change mends it or the steps are not found.
std::optional<MendedRun> mended_run(const World& world, const ProofResult& result, const ProveLimits& limits);

enum class CheckOutcome { Accepted, Refused, TooLarge };

struct CheckAnswer {
  CheckOutcome outcome = CheckOutcome::Accepted;
  std::string why;  ///< what is wrong, or what would have been too much
};

/// Goes through the certificate of what holds by the world alone and the transition system as docs/prover.md writes it,
/// in about `work` steps. Shares nothing with the engines.
CheckAnswer check_proof(const World& world, const ProofResult& result, std::int64_t faults, std::int64_t work);

/// Plain words for a name in a result: the pool and number of a node.
std::string node_name(const World& world, std::size_t pool, std::int64_t node);

}  // namespace muster
