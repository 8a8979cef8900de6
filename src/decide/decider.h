#pragma once

#include <map>
#include <string>
#include <vector>

#include "decide/decision.h"
#include "decide/evaluation.h"

namespace muster {

/// Whether a table asks for facts of workloads, at once or through those that feed it.
bool looks_at_workloads(const Space& space, const Table& table);

/// Decides one workload after the other. What a table decides depends on the facts that it and its feeders read alone:
/// where those lie in the same cells as before the answer is the same, so that 50,000 workloads that are alike cost
/// little more than one. The book and the site must outlive it.
class Decider {
 public:
  Decider(const RuleBook& book, const Site& site) : book_(book), site_(site) {}

  /// As if it were the only workload, in a fleet where nothing is there yet.
  Decision decide(const Workload& workload);
  /// The same with what the workload is decided in; what `site` does not say is open.
  Decision decide(const Workload& workload, const Site& site);

  /// An output with what the reversibility table says of its choice; nothing known when the book has no such table.
  Choice output(Evaluation& evaluation, std::string_view table, const std::string& name);
  /// What it takes to undo a choice, by the reversibility table, else by the table of the choice.
  Reversibility reversibility_of(const std::string& choice);
  /// "months: manifests carry its names", by the reversibility table; empty where that does not know the choice.
  std::string undoing(const std::string& choice);
  /// The choices of tables that are not asked for by name: those that look at the workload, or those that do not.
  std::vector<NamedChoice> further(Evaluation& evaluation, bool of_workload);

 private:
  struct Binding {
    std::optional<Reversibility> reversibility;
    std::string horizon;
    std::string because;
  };
  const Binding& binding(const std::string& choice);
  Choice bound(Evaluation& evaluation, const Table& table, const std::string& output);
  /// The cells that the start of an evaluation leaves of what a table and its feeders read.
  Box read_by(const Table& table, const Box& start) const;

  const RuleBook& book_;
  const Site& site_;
  std::map<std::string, Binding, std::less<>> bindings_;
  std::map<Box, Decision> seen_;
  std::map<const TableOutput*, std::map<Box, Choice>> choices_;
};

}  // namespace muster
