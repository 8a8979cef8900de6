#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gang/scheduler.h"
#include "kubernetes/kind_file.h"
#include "observe/known_rows.h"
#include "observe/node_choice.h"
#include "observe/tells.h"
#include "syntax/document.h"

namespace muster {

/// Bytes of a condition's message that are kept.
constexpr std::size_t kMessageKept = 400;

/// Amounts by number of the resource, sorted; CPUs in thousandths, everything else in whole units.
using Asks = std::vector<std::pair<std::uint32_t, std::int64_t>>;

/// Numbers for texts that come again and again.
class Interner {
 public:
  std::uint32_t number_of(std::string_view text);
  const std::string& text_of(std::uint32_t number) const { return *texts_[number]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
  std::vector<const std::string*> texts_;
};

/// Whether pods need each other, as far as one pod shows it.
enum class Coupling { Unknown, Independent, Elastic, Coupled };

/// Who made a pod: the outermost workload that its labels and owners name.
struct Owner {
  const KindFile* row = nullptr;  ///< of its kind; nullptr for one that no file describes
  std::string kind;               ///< PyTorchJob; Pod for one without owner
  std::string name;
  std::string resource;  ///< for kubectl: pytorchjobs.kubeflow.org; empty where deleting it would not do
  std::string selector;  ///< of its pods, where they are deleted rather than the owner
  std::string object;    ///< KIND/NAME under which its object stands in the input; empty without one
  bool by_kind = false;  ///< its pods need each other, whatever they run
  Ends ends = Ends::Unknown;
};

/// The group that a pod says it belongs to.
struct GroupMembership {
  const Scheduler* row = nullptr;  ///< whose group it is
  const MembershipMark* mark = nullptr;
  std::string name;
  bool made_by_user = true;  ///< not one that the system makes for whatever pod comes
};

enum class PodState { Bound, Pending, Done, Failed, Leaving };

/// A pod, as far as it matters who waits for what.
struct PodRecord {
  std::string space;
  std::string name;
  std::string node;
  PodState state = PodState::Pending;
  Owner owner;
  std::optional<GroupMembership> group;
  Asks asks;
  std::int64_t gpus = 0;
  bool gpus_known = true;
  Coupling coupling = Coupling::Unknown;
  std::string coupling_why;
  std::optional<std::int64_t> size;  ///< of its gang, where the pod itself says it
  std::string size_from;
  std::string queue;   ///< that the pod itself names
  std::string reason;  ///< of PodScheduled: Unschedulable, SchedulingGated; empty where no scheduler has looked
  std::string message;
  NodeChoice choice;  ///< of pending ones
};

/// Reads a Pod. Numbers of `resources` are those of the asks.
PodRecord read_pod(const Node& pod, const KnownRows& known, Interner& resources);

/// Amounts of a list such as status.allocatable.
Asks read_amounts(const Node& list, Interner& resources);

/// Who a pod belongs to; see docs/observed.md for the order.
Owner read_owner(const Node& pod, const KnownRows& known);
std::optional<GroupMembership> read_membership(const Node& pod, const SchedulerBook& schedulers);

/// What a kind is called in reports: `Job (volcano)`; itself where no row says otherwise.
std::string shown_kind(std::string_view api_version, std::string_view kind, const KnownRows& known);

}  // namespace muster
