#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "model/gang.h"
#include "model/object.h"

namespace muster {

/// Which of the nodes that fit the components of a heterogeneous job take, one component after the other.
enum class NodesTaken {
  Any,     ///< whichever an adversary likes
  First,   ///< those that stand first in the pool; Slurm, where nodes are alike
  Unsaid,  ///< the scheduler's own, by what is not known here
};

template <>
struct EnumNames<NodesTaken> {
  static constexpr std::string_view names[] = {"any", "first", "unknown"};
};

/// Nodes of a pool that are alike.
struct WorldNodes {
  std::int64_t count = 0;
  std::int64_t gpus = 0;                   ///< free accelerators of one node
  std::optional<std::int64_t> milli_cpus;  ///< nothing: more than anybody asks for
  std::optional<std::int64_t> memory;      ///< bytes
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> domains;  ///< level -> the domain these nodes stand in
  Span where;
  std::string of{};  ///< their node pool, where the pool is made of several
};

/// The nodes a set of gangs competes for.
struct WorldPool {
  Located<std::string> name;
  std::vector<WorldNodes> nodes;
  Located<std::int64_t> quota;  ///< accelerators that gangs of mechanism quota may be admitted for at a time
  Located<bool> serial;         ///< the next gang is admitted only when all pods of those before are placed
  Span where;
};

/// Pods of one gang that are alike.
struct WorldRole {
  std::string name;
  std::string pool;  ///< empty: that of the gang
  std::int64_t pods = 0;
  std::int64_t gpus_per_pod = 0;
  std::int64_t milli_cpus_per_pod = 0;
  std::int64_t memory_per_pod = 0;              ///< bytes
  std::int64_t guaranteed = 0;                  ///< of `guaranteed` of the gang at least so many are of this role
  std::map<std::string, std::string> selector;  ///< labels a node must have
  std::string domain;  ///< level of a topology domain in which all pods of this role stand; empty: none
  /// By level: the roles of the gang that give the same name there stand in one domain of that level, all of them.
  std::map<std::string, std::string> within;
};

struct WorldGang {
  Located<std::string> name;
  std::string pool;
  std::vector<WorldRole> roles;
  Located<std::int64_t> guaranteed;  ///< K
  Mechanism mechanism = Mechanism::PerPod;
  std::optional<std::int64_t>
      timeout_seconds;       ///< hold-and-release, quota: what is held short is given back; nothing: never
  std::int64_t at_once = 0;  ///< hold-and-release: below so many a pod that does not fit makes it give back at once
  std::string domain;        ///< level of a topology domain in which all pods of the gang stand; empty: none
  std::int64_t priority = 0;
  bool preempts = false;               ///< gangs of lower priority give way to it, as a whole
  bool evicts_pods = false;            ///< or, of those that are not restarted whole, single pods
  bool restarts_whole = false;         ///< when a pod of it is evicted all of them are, to be placed anew
  bool one_per_node = false;           ///< no node takes two pods of it: nodes of a Slurm job
  NodesTaken takes = NodesTaken::Any;  ///< components: which nodes each of them takes
  std::string queue;                   ///< in World::queues; empty: none that could stop it
  std::string scheduler;               ///< who binds its pods; empty: the same as everybody
  bool coupled = true;                 ///< no member is useful alone; else each pod runs and completes for itself
  std::string may_work_alone;          ///< `coupled`, unless this is so, which nobody says; empty: it is known
  std::vector<std::string>
      beyond;               ///< what it asks of its nodes that the world does not state: licenses, a node feature
  std::string taken_apart;  ///< why gangs that are not of the world may take single pods of it away; empty: none does
  std::optional<std::size_t> gang;  ///< in Model::gangs, where it was found there
  Span where;
};

/// A queue lets its gangs hold so many accelerators at a time.
struct WorldQueue {
  std::string name;
  std::int64_t gpus = 0;
};

/// A setting of the input that decides how gangs are placed.
struct WorldSource {
  std::string says;
  Span where;
};

/// A gang that competes for the pools and could not be made part of the world, and what would decide it.
struct WorldAbsentee {
  std::string gang;
  std::string needs;
};

/// Pools and gangs of one world file document, or of one bundle of the input. Format: docs/prover.md.
struct World : Object {
  static constexpr std::string_view kWord = "world";
  std::vector<WorldPool> pools;
  std::vector<WorldGang> gangs;
  std::vector<WorldQueue> queues;
  std::vector<std::string> assumes;  ///< what nobody wrote and was taken as its component ships it, sorted
  std::vector<WorldSource> rests_on;
  std::vector<WorldAbsentee> besides;
};

}  // namespace muster
