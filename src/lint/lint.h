#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "decide/decision.h"
#include "finding/finding.h"
#include "lint/trace.h"
#include "rulebook/rule_book.h"

namespace muster {

/// A suppression of muster.yaml by a condition over the rule's own variable.
struct ObjectSuppression {
  std::string rule;
  Expr where;
  std::size_t entry = 0;  ///< its number in the file
};

/// A finding that conditions of muster.yaml hold for; whether they suppress it depends on their file and date, too.
struct CoveredFinding {
  Finding finding;
  std::vector<std::size_t> entries;
};

/// How the need begins of what an expression stumbled over: a value of another type, most often.
inline constexpr std::string_view kNeedsEvaluation = "an evaluation without error: ";

/// What the rules found.
struct LintResult {
  std::vector<Finding> findings;
  std::vector<CoveredFinding> covered;
  std::vector<Undecided> undecided;
  std::vector<RuleTrace> traces;  ///< where they were asked for, in the order of the rules
};

struct LintInput {
  const Model& model;
  const std::vector<Decision>& decisions;  ///< by index into Model::workloads
  const RuleBook& book;
  const Targets& targets;
  const std::vector<ObjectSuppression>& suppressions;
  unsigned threads = 1;
  const TraceRequest* trace = nullptr;     ///< fill LintResult::traces for this line
  std::uint64_t most_steps = 200'000'000;  ///< of a rule over all objects, some seconds; beyond them it is undecided
  /// Called, by any thread, once no rule about manifests is left: those about anything else read none of them, but
  /// for the ones that claims of devices are found in.
  std::function<void()> behind_manifests;
};

/// Evaluates every rule over every object it is for. What fires is a finding, what cannot be judged is undecided; a
/// rule that depends on a version nobody gave is judged for every release muster knows, and undecided where they
/// differ. Rules that would only inform stay silent about what they do not know.
LintResult lint(const LintInput& input);

/// Gives the findings of readers and decoders the words of their rule; those of rules that are off are dropped.
void complete_from_rules(std::vector<Finding>& findings, const RuleBook& book);

}  // namespace muster
