#pragma once

#include <set>
#include <string>

#include "facts/object_type.h"
#include "facts/value.h"

namespace muster {

/// What a rule says of an object.
enum class RuleVerdict { Quiet, Fires, Open };

struct Judgement {
  RuleVerdict verdict = RuleVerdict::Quiet;
  std::set<std::string> needs;
  std::string releases;  ///< where it fires in some only: `from slurm 25.05 on`
  bool newest = true;    ///< whether the newest release is one of them
  bool later = false;    ///< whether the release that is stated came before all of them
  bool always = false;   ///< it did, and does the same
  bool vague = false;    ///< and is told by a platform or folders alone
  Targets shown;         ///< the newest releases in which it fires, for its words
};

inline void add_needs(const Value& value, std::set<std::string>& needs) {
  for (const UnknownNeed* need = value.needs(); need != nullptr; need = need->next) needs.emplace(need->needs);
}

}  // namespace muster
