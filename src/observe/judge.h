#pragma once

#include <cstdint>
#include <vector>

#include "observe/observed.h"
#include "observe/snapshot.h"
#include "observe/units.h"

namespace muster {

/// Judges the gangs that hold a part: what they lack, who holds it, what would free it. `units` are those of
/// make_units.
void judge_gangs(const Snapshot& snapshot, std::vector<PodUnit> units, Observed& out);

/// The gangs that hold a part of what they need, and what is free.
class Board {
 public:
  Board(const Snapshot& snapshot, const std::vector<PodUnit>& units);

  /// What is free now; gangs by number of `candidates`.
  const WaitWorld& now() const { return now_; }
  /// The same when everything has ended that can: what runs, what was not understood, and pods on their own, but no
  /// services.
  WaitWorld after_all_ends() const;
  const std::vector<std::size_t>& candidates() const { return candidates_; }  ///< in `units`
  /// Whether a gang finds no place even when no other gang of the world holds anything.
  bool never_fits(const WaitWorld& world, std::size_t gang) const;
  std::size_t strangers() const { return strangers_; }  ///< nodes of pods that the input does not describe
  bool too_large() const { return too_large_; }

 private:
  void find_resources();
  void find_nodes();
  std::size_t choice_of(const PodRecord& pod);
  void add(std::size_t unit);
  Amounts dense(const Asks& asks) const;

  const Snapshot& snapshot_;
  const std::vector<PodUnit>& units_;
  std::vector<std::int32_t> column_;  ///< of a resource in Amounts, or -1
  std::size_t columns_ = 0;
  std::vector<NodeMarks> nodes_;
  std::map<std::string, std::uint32_t> numbers_;  ///< of nodes
  std::map<std::string, std::size_t> choices_;
  std::vector<std::size_t> candidates_;
  WaitWorld now_;
  std::size_t strangers_ = 0;
  std::int64_t looks_ = 0;
  bool too_large_ = false;
};

}  // namespace muster
