#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "finding/fix.h"

namespace muster {

enum class Severity : unsigned char { Error, Warning, Info };
enum class Plane : unsigned char { Workload, NodeRuntime, Fleet };
enum class Reversibility { Reversible, Costly, BakedIn };
enum class RuleStatus { Preview, Stable, Deprecated };

/// What follows in the real system.
enum class Effect : unsigned char {
  Rejected,  ///< the component refuses the file or object
  Crash,     ///< it takes the component down
  Ignored,   ///< a setting silently without effect
  NeverRuns,
  PartialPlacement,
  Deadlock,
  Degraded,
  Exposed,
  Risk,
};

template <>
struct EnumNames<Severity> {
  static constexpr std::string_view names[] = {"error", "warning", "info"};
};
template <>
struct EnumNames<Plane> {
  static constexpr std::string_view names[] = {"workload", "node-runtime", "fleet"};
};
template <>
struct EnumNames<Reversibility> {
  static constexpr std::string_view names[] = {"reversible", "costly", "baked-in"};
};
template <>
struct EnumNames<RuleStatus> {
  static constexpr std::string_view names[] = {"preview", "stable", "deprecated"};
};
template <>
struct EnumNames<Effect> {
  static constexpr std::string_view names[] = {"rejected", "crash",    "ignored", "never-runs", "partial-placement",
                                               "deadlock", "degraded", "exposed", "risk"};
};

/// The plain words of a rule: all a report needs to know about it.
struct RuleInfo {
  std::string id;      ///< kebab-case; names the bad pattern
  std::string family;  ///< the folder of its file
  std::string since;
  RuleStatus status = RuleStatus::Stable;
  Severity severity = Severity::Error;  ///< unless the finding says otherwise
  Plane plane = Plane::Workload;
  Reversibility reversibility = Reversibility::Reversible;
  Effect effect = Effect::Risk;  ///< unless the finding says otherwise
  std::optional<FixSafety> fix;  ///< whether, and how safely, --fix does away with what it finds
  bool suppressible = true;
  bool shipped = false;  ///< the reference, docs/rules.md, has a section that bears its id
  std::string why;       ///< the teaching text
  std::string follows;   ///< what comes of it, likewise with ${}
  std::string help;      ///< what to do, with ${} still in it
  std::vector<std::string> sources;
};

/// Words of a rule with three dots for each `${}`: what a finding fills in is not known of the rule alone.
std::string without_values(std::string words);

}  // namespace muster
