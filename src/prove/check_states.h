#pragma once

#include <functional>
#include <string>
#include <vector>

#include "prove/check_view.h"

namespace muster::check {

/// Pods of each part on each node, a byte each; then for each team whether it is settled; then the faults that are
/// left. Nodes of one place stand in order: like nodes are not told apart.
using Moment = std::string;

/// The transition system of docs/prover.md, step by step: every step that it writes down, whether it leads anywhere or
/// not.
class Walk {
 public:
  explicit Walk(View& view);

  /// There are more pods or nodes than a state has room for.
  bool is_too_wide() const { return too_wide_; }
  Moment start() const;
  void each_step(const Moment& now, const std::function<void(Moment)>& visit);
  bool breaks(const Moment& now, Property property);

 private:
  struct Sums {
    std::vector<std::int64_t> parts;
    std::vector<std::int64_t> teams;
  };

  std::size_t byte(std::size_t node, std::size_t part) const { return node * view_.parts.size() + part; }
  Sums sums(const Moment& now) const;
  bool settled(const Moment& now, std::size_t team) const { return now[marks_ + team] != 0; }
  std::int64_t taken_of_queue(const Sums& sums, std::size_t queue) const;
  bool is_admitted(const Moment& now, const Sums& sums, std::size_t team) const;
  bool has_room(const Moment& now, const Part& part, std::size_t node, std::int64_t below) const;
  bool stands_with_others(const Moment& now, std::size_t part, std::size_t node) const;
  bool takes(const Moment& now, const Sums& sums, std::size_t part, std::size_t node) const;
  bool place(const Moment& base, Moment& now, Sums& sums, std::size_t team, std::int64_t pods, std::size_t from,
             const std::function<bool(const Moment&)>& visit);
  bool next_commits(const Moment& now, std::size_t team, const std::function<bool(const Moment&)>& visit);
  bool can_place(const Moment& now, std::size_t team);
  Moment without_below(const Moment& now, std::int64_t priority) const;
  bool is_stuck(const Moment& now, std::size_t team);
  bool gives_back(const Moment& now, const Sums& sums, std::size_t team) const;
  void clear(Moment& now, std::size_t team) const;
  void evict(const Moment& now, const Sums& sums, std::size_t by, const std::function<void(Moment)>& visit);
  /// In order, and who is settled marked.
  Moment tidy(Moment now) const;

  View& view_;
  std::vector<std::size_t> place_of_;  ///< of each node
  std::size_t marks_ = 0;              ///< where the teams' marks begin
  bool too_wide_ = false;
};

}  // namespace muster::check
