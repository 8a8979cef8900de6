#pragma once

#include <string>
#include <vector>

#include "finding/finding.h"
#include "finding/rule_info.h"
#include "source/source_map.h"

namespace muster {

/// A decision, or a setting that belongs to one, that is not what it was.
struct ChangedChoice {
  std::string subject;  ///< a workload, a gang, a site, `the fleet`
  std::string choice;   ///< control-plane, topology-model ...
  std::string setting;  ///< TopologyPlugin; empty: the decision itself
  std::string from;     ///< empty: it was not there
  std::string to;       ///< empty: it is gone
  Reversibility reversibility = Reversibility::Reversible;
  std::string because;   ///< of the decision as it is now
  std::string undo;      ///< what it takes to leave such a choice: "months: manifests carry its names"
  bool touched = false;  ///< it had a value that does not hold any more: somebody has to undo something
};

/// Names that came and went.
struct ChangedNames {
  std::string where;               ///< a site, a fleet; empty: the cluster
  std::string what;                ///< nodes, switches, blocks, domains, hypernodes
  std::vector<std::string> added;  ///< sorted, numbers as numbers
  std::vector<std::string> removed;
};

struct MovedFinding {
  Span from;  ///< in the earlier input
  Finding finding;
};

/// One side as it was named, and the commit where it is one.
struct DiffSideName {
  std::string name;
  std::string commit;
};

/// What a change does.
struct DiffReport {
  DiffSideName earlier;
  DiffSideName later;
  const SourceMap* earlier_sources = nullptr;
  const SourceMap* later_sources = nullptr;
  std::vector<Finding> added;
  std::vector<Finding> removed;     ///< in the earlier input
  std::vector<MovedFinding> moved;  ///< into another file
  std::size_t unchanged = 0;        ///< findings, moved ones not among them
  std::vector<ChangedChoice> decisions;
  std::vector<ChangedChoice> settings;
  std::vector<ChangedNames> topology;
  std::vector<std::string> not_compared;  ///< submodules that differ and that one side could not read: a line each

  /// Decisions and settings of that reversibility that are touched.
  std::size_t touched(Reversibility reversibility) const;
};

std::string diff_text(const DiffReport& diff);
/// muster.diff/v1.
std::string diff_json(const DiffReport& diff);

}  // namespace muster
