#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "finding/rule_info.h"
#include "model/workload.h"

namespace muster {

/// A decided value, or what it could still be and the facts that would settle it.
struct Choice {
  std::optional<std::string> value;
  std::vector<std::string> possible;  ///< when open, in the order of the table's values
  std::vector<std::string> unknown;   ///< exactly the facts whose values decide; sorted
  std::string because;                ///< of the row that decided; empty when open
  std::string rule;                   ///< table/row; empty when open
  Reversibility reversibility = Reversibility::Reversible;
  std::string horizon;  ///< for how long it binds: days, months, years; empty when no table says

  bool may_be(std::string_view word) const {
    return value ? *value == word : std::ranges::find(possible, word) != possible.end();
  }
};

/// A choice with its name: the table that makes it, and `table.output` for further outputs of one.
struct NamedChoice {
  std::string id;
  Choice choice;
};

/// An add-on that is needed, or could be.
struct AddonChoice {
  std::string id;
  Choice level;                      ///< required, recommended; `none` where it is not needed
  std::vector<std::string> options;  ///< products to choose from
};

/// What became of a row.
enum class RowState {
  Hits,
  MayHit,  ///< an open fact decides
  Fails,
  Taken,  ///< it matches, but an earlier row took the case
};

template <>
struct EnumNames<RowState> {
  static constexpr std::string_view names[] = {"hits", "may-hit", "fails", "taken"};
};

/// What a row wants of an input and what it got.
struct TraceCell {
  std::string input;
  std::string wanted;
  std::string value;  ///< empty: open
  bool fails = false;
  Span where;  ///< of the fact; not placed for outputs of tables and --set
};

struct TraceRow {
  std::string id;
  std::string outcome;  ///< primary=k3s, host=k3s
  RowState state = RowState::Fails;
  std::vector<TraceCell> cells;  ///< those that fail, and those that are open
};

/// The rows of a table in the order in which they were tried.
struct TableTrace {
  std::string table;
  std::vector<TraceRow> rows;
};

struct FactChange {
  std::string fact;
  std::string from;  ///< empty: open so far
  std::string to;
  Span where;
  std::string before{};  ///< of a version of which no least one is known: `to` stands for each before this one
};

/// What keeps a workload from an outcome.
struct WhyNot {
  std::string value;
  std::string table;
  std::string output;
  bool already = false;
  std::vector<TraceRow> rows;  ///< that give the value, those with the fewest failing cells first
  std::vector<std::vector<FactChange>>
      changes;                     ///< the smallest sets of changes that lead there; each enough by itself
  std::vector<std::string> fixed;  ///< facts that nobody can change but that would have to; when there are no changes
};

/// What differs for a workload in one of the pools that can hold it.
struct PoolDecision {
  std::string pool;
  std::vector<NamedChoice> choices;  ///< those that its facts decide otherwise than another pool's
};

/// What the tables say about one workload.
struct Decision {
  std::string workload;
  Choice primary;
  Choice host;
  Choice runs_on;                    ///< the plane in this fleet; host while no table says
  std::vector<AddonChoice> addons;   ///< only those that are, or may be, needed; sorted by id
  Choice hybrid;                     ///< none, partition ...
  std::vector<NamedChoice> choices;  ///< of the other tables that look at the workload, in feeding order
  std::vector<PoolDecision> pools;   ///< that can hold it; empty without a fleet file that has some
  std::size_t pools_left_out = 0;    ///< so many can hold it, too many to answer for each
  std::vector<TableTrace> trace;     ///< where it was asked for
  std::vector<WhyNot> why_not;       ///< where it was asked for

  bool decided() const { return primary.value && host.value; }
};

/// The gang scheduler of one cluster, for all of its workloads that need one.
struct ClusterScheduler {
  std::string plane;  ///< kubernetes, k3s
  Choice scheduler;
  std::vector<std::string> workloads;
};

/// How far one number can go, all others as they are, before a choice of the fleet becomes another.
struct BreakEven {
  std::string choice;  ///< planes, hybrid, build-or-buy ...
  std::string value;   ///< the choice as it is
  std::string fact;
  std::string now;
  bool upwards = true;
  std::string until;  ///< the last value with which it stays
  std::string then;
};

/// What the tables say about all workloads together.
struct FleetDecision {
  Choice planes;                     ///< none, slurm, kubernetes, both
  std::vector<std::string> kinds;    ///< the planes by kind: slurm, kubernetes, k3s; empty while open
  Choice hybrid;                     ///< how the work of the other kind is carried: none, partition ...
  std::string economics;             ///< what two planes cost and strand, in figures; empty while those are not known
  std::vector<NamedChoice> choices;  ///< of the tables that look at the fleet alone
  std::vector<ClusterScheduler> gang_schedulers;
  std::vector<BreakEven> break_evens;  ///< by choice
};

}  // namespace muster
