#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "finding/finding.h"
#include "observe/wait_world.h"
#include "source/source_map.h"

namespace muster {

struct KnownRows;

/// How it is with a gang in the moment of the dump.
enum class GangState {
  Runs,         ///< has what it needs
  Waits,        ///< holds nothing and waits
  Stuck,        ///< holds a part, waits for the rest, and the rest finds no place
  Starts,       ///< holds a part, and the rest finds a place or has not been looked at yet
  Undecided,    ///< holds a part and waits, and whether its pods need each other is not known
  Independent,  ///< its pods do not need each other
};

template <>
struct EnumNames<GangState> {
  static constexpr std::string_view names[] = {"runs", "waits", "stuck", "starts", "undecided", "independent"};
};

/// What ends the waiting of a stuck gang.
enum class Until {
  Never,    ///< also not when everything that can end has ended: a deadlock
  Others,   ///< others that run have to end first
  Change,   ///< GPUs are not what it lacks: somebody has to change something
  Unknown,  ///< the input does not tell
};

template <>
struct EnumNames<Until> {
  static constexpr std::string_view names[] = {"never", "others-end", "change", "unknown"};
};

/// What a gang holds on one node.
struct ObservedHold {
  std::string node;
  std::int64_t pods = 0;
  std::int64_t gpus = 0;
};

/// Like pods of a gang that wait.
struct ObservedWait {
  std::int64_t pods = 0;
  std::int64_t gpus_each = 0;
  bool gpus_known = true;  ///< false: they come by a claim
  std::string message;     ///< of the scheduler, of one of them; may be empty
  std::string tell;        ///< id of the text that was recognised; may be empty
  std::string meaning;
};

/// A gang, or pods of one owner.
struct ObservedGang {
  std::string name;   ///< as shown: namespace/name, with its kind where two have the same
  std::string kind;   ///< PyTorchJob, PodGroup (volcano), Job ...
  std::string space;  ///< namespace
  GangState state = GangState::Runs;
  std::optional<Until> until;  ///< of stuck ones
  std::string why;             ///< of `state` or `until`, one line
  std::optional<std::int64_t> needs;
  std::string needs_from;           ///< where that was read; or what would decide it
  std::string queue;                ///< that it waits in; empty where the input does not tell
  std::int64_t bound = 0;           ///< pods that have a node
  std::int64_t pending = 0;         ///< pods that have none
  std::int64_t done = 0;            ///< pods that ended well
  std::int64_t gpus = 0;            ///< that it holds
  std::vector<ObservedHold> holds;  ///< by node
  std::vector<ObservedWait> waits;
  std::string evict;  ///< the command; may be empty
};

/// What would make the others go on.
struct ObservedEviction {
  std::vector<std::size_t> gangs;  ///< in Observed::gangs
  std::int64_t gpus = 0;
  Eviction::Method method = Eviction::Method::Exact;
  std::vector<std::size_t> at_once;  ///< gangs that then go on, with what is free
  std::vector<std::size_t> after;    ///< when those have finished
  bool needs_ends = false;           ///< and what runs has ended
};

/// A job of Slurm, or a heterogeneous one as a whole.
struct ObservedJob {
  std::string id;  ///< 17, 7_[1-8], 5 (of components 5+0, 5+1)
  std::string name;
  std::string partition;
  std::string state;  ///< in the words of Slurm
  std::string reason;
  std::string meaning;  ///< of the reason
  std::int64_t nodes = 0;
  std::optional<std::int64_t> gpus;  ///< held, or asked for; nothing where the dump does not tell
  std::vector<std::string> on;       ///< nodes that it holds
  bool holds = false;
  bool stranded = false;  ///< holds, and does not run
  bool stuck = false;
  bool never = false;  ///< does not start before somebody changes something
  std::string why;     ///< of stranded, stuck and never
  std::string evict;
};

/// Something that the input does not tell.
struct ObservedGap {
  std::string what;
  std::string decides;
};

/// The state of a cluster in the moment of the dumps.
struct Observed {
  bool kubernetes = false;
  bool slurm = false;
  std::vector<ObservedGang> gangs;  ///< by name; those of one pod that has its node are counted only
  std::vector<std::size_t> cycle;
  std::optional<ObservedEviction> eviction;
  std::vector<ObservedJob> jobs;
  std::int64_t pods = 0;
  std::int64_t nodes = 0;                  ///< in the input
  std::optional<std::int64_t> total_gpus;  ///< of all nodes in the input
  std::optional<std::int64_t> free_gpus;
  std::int64_t held_gpus = 0;
  std::int64_t idle_gpus = 0;  ///< held by what is stuck
  std::vector<ObservedGap> gaps;
  std::vector<std::string> assumes;
  std::vector<Finding> findings;  ///< input that cannot be read
  std::vector<FileId> unknown;    ///< files without anything of use

  bool is_stuck() const;
  bool is_open() const;
};

/// What the files say, whatever their order.
Observed observe(const SourceMap& sources, const KnownRows& known);

/// What is read, for messages; one a line.
std::string known_observations();

}  // namespace muster
