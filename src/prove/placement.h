#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "prove/instance.h"
#include "prove/prove.h"

namespace muster::prove {

/// Neighbouring nodes of one class that hold the same pods.
struct NodeGroup {
  std::size_t node_class = 0;
  std::int64_t first = 0;  ///< number of the first node within its pool
  std::int64_t count = 0;
  Amounts free{};
  std::vector<std::pair<std::size_t, std::int64_t>> pods;  ///< kind and pods of it on each node, sorted by kind

  std::int64_t pods_of(std::size_t kind) const;
};

/// Pods of gangs on the nodes of an instance, by groups of nodes: what a fleet of any size costs depends on how many
/// different things happen to its nodes. Any placement that fits can come about, whatever the order: see
/// docs/prover.md.
class Placement {
 public:
  explicit Placement(const Instance& instance);

  const Instance& instance() const { return *instance_; }
  const std::vector<NodeGroup>& groups() const { return groups_; }
  std::int64_t held(std::size_t gang) const { return held_[gang]; }
  std::int64_t held_of_kind(std::size_t kind) const { return held_of_kind_[kind]; }
  bool is_whole(std::size_t gang) const { return held_[gang] == instance_->gangs[gang].pods; }
  std::int64_t free_gpus() const;

  /// Pods of that kind that a node of the group can take, in view of the domains its ties are bound to.
  std::int64_t room(const NodeGroup& group, std::size_t kind) const;
  /// Whether one more pod of that kind fits anywhere.
  bool fits(std::size_t kind) const;
  /// How many more pods of that kind its queue allows.
  std::int64_t room_in_queue(std::size_t kind) const {
    return queue_room(*instance_, kind, taken_beside(instance_->kinds[kind].gang));
  }

  /// Puts pods on each of the first `nodes` nodes of a group; the caller has looked that they fit.
  void put(std::size_t group, std::int64_t nodes, std::size_t kind, std::int64_t pods_each);
  void remove(std::size_t gang);
  /// Takes one pod away from each of the first `nodes` nodes of a group.
  void take_away(std::size_t group, std::int64_t nodes, std::size_t kind);
  /// Pods of the tie to come go into that domain of its level; -1: wherever the first one goes.
  void bind_domain(std::size_t tie, std::int32_t domain) { domain_[tie] = domain; }
  bool is_bound(std::size_t tie) const { return domain_[tie] >= 0; }

  /// No pod of the gang that is still to come fits, not even where gangs of lower priority give way.
  bool is_stuck(std::size_t gang) const;
  /// The gang may hold what it holds: all at once or none, and no more of the quota than there is.
  bool quota_allows(std::size_t gang) const;

  /// Whether the property is broken in this state.
  bool breaks(Property property) const;
  /// A gang holds some pods, waits for more, and none fits.
  bool is_short(std::size_t gang) const { return held_[gang] > 0 && !is_whole(gang) && is_stuck(gang); }
  /// What the gang holds is given back after a timeout.
  bool gives_back(std::size_t gang) const { return held_[gang] > 0 && held_[gang] < instance_->gangs[gang].hold_until; }

  /// The placement as steps from the empty pool, gang by gang.
  std::vector<ProofStep> steps() const;

 private:
  std::size_t cut(std::size_t group, std::int64_t nodes);
  /// Without what gangs of lower priority hold.
  void remove_below(std::int64_t priority);
  bool can_go_on(const GangSpec& gang) const;
  /// After the pods of a gang came or went.
  void count_taken(std::size_t gang);
  std::int64_t taken_beside(std::size_t gang) const {
    return instance_->gangs[gang].queue ? taken_in_[*instance_->gangs[gang].queue] : 0;
  }
  /// Ties of the gang that no pod holds to a domain.
  void free_ties(const GangSpec& gang);
  /// What each gang holds, node by node; not yet commits.
  std::vector<std::vector<ProofStep>> steps_by_gang() const;
  /// The commits of one gang, numbered on from `commit`: the first takes what it guarantees, the least of each role
  /// before the rest.
  void append_steps(std::size_t gang, const std::vector<ProofStep>& steps, bool one_by_one, std::int64_t& commit,
                    std::vector<ProofStep>& out) const;

  const Instance* instance_;
  std::vector<NodeGroup> groups_;
  std::vector<std::int64_t> held_;
  std::vector<std::int64_t> held_of_kind_;
  std::vector<std::int64_t> taken_by_;  ///< accelerators of the limit of its queue, by gang
  std::vector<std::int64_t> taken_in_;  ///< the same, by queue
  std::vector<std::int32_t> domain_;    ///< by tie; -1: not yet bound
};

/// The state as a counterexample of the property.
ProofCounterexample counterexample_of(const Placement& placement, Property property);

/// Drops gangs, then pods, as long as the property stays broken.
void shrink(Placement& placement, Property property);

}  // namespace muster::prove
