#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "decide/decision.h"
#include "facts/site_facts.h"
#include "model/model.h"
#include "rulebook/rule_book.h"

namespace muster {

class Circumstances;

/// Evaluates the tables for a workload over all values that its unknown facts could have. A value that is the same for
/// all of them is decided; else it is open, with exactly the facts that decide it. Planes and other work are facts of
/// the site, too: decide_all gathers them.
Decision decide(const Workload& workload, const RuleBook& book, const Site& site = {});

/// The decision over all workloads together: one plane or two, and how they share the fleet. `decisions` are those of
/// decide_all.
FleetDecision decide_fleet(const Model& model, const RuleBook& book, const Site& site,
                           const std::vector<Decision>& decisions);

/// Where its choices turn, which takes longer than they do: each number of the fleet is tried out.
std::vector<BreakEven> break_evens_of(const Model& model, const RuleBook& book, const Site& site,
                                      const std::vector<Decision>& decisions);

/// A site with what its workloads together say, and a workload of which nothing is known: what the tables about the
/// fleet are asked with.
Site with_work(const Model& model, const Site& site, const std::vector<Decision>& decisions);
Workload no_workload();

/// One a workload, in the order of the model.
std::vector<Decision> decide_all(const Model& model, const RuleBook& book, const Site& site = {});
/// The same where what the workloads are decided in was gathered already, of the same arguments.
std::vector<Decision> decide_all(const Model& model, const RuleBook& book, const Site& site,
                                 const Circumstances& around);

/// Every table that looks at workloads with its rows as they were tried for one.
std::vector<TableTrace> trace_tables(const Workload& workload, const RuleBook& book, const Site& site);

/// What would have to change for a value: `k3s`, or `host=k3s` where several outputs have such a word. Fails when no
/// table knows the value.
Result<WhyNot> why_not(const Workload& workload, const RuleBook& book, const Site& site, const std::string& value);

/// `fact=value` for a workload, or for the targets: as if the file said so.
std::optional<Error> set_fact(const std::string& text, const RuleBook& book, Workload& workload, Site& site);

/// The same for all of a model: a fact of workloads is set for each of them, one of the fleet or of its pools before
/// what follows from it is derived anew; what is derived can be set, too, and stays.
std::optional<Error> set_facts(const std::vector<std::string>& texts, const RuleBook& book, Model& model, Site& site);

/// What expressions may ask about decisions; `decisions` must outlive them.
DomainFunctions decision_functions(const std::vector<Decision>& decisions);

}  // namespace muster
