#pragma once

#include <string>
#include <utility>
#include <vector>

#include "source/source_map.h"

namespace muster {

/// Asks the rules what they made of one line.
struct TraceRequest {
  const SourceMap& sources;
  FileId file{};
  std::uint32_t line = 0;
};

enum class ConditionState { Holds, Fails, Open };

/// One condition of a rule, with the values it read.
struct ConditionTrace {
  std::string text;
  ConditionState state = ConditionState::Holds;
  std::vector<std::pair<std::string, std::string>> values;  ///< `g.size` and 8; `?` for what is unknown
  std::vector<std::string> needs;                           ///< when open: what would decide it
};

/// What became of a rule on an object that stands on the line, or whose finding would point there.
struct RuleTrace {
  enum class Outcome { Fires, Quiet, Open, OtherVersion };
  std::string rule;
  std::string object;
  Outcome outcome = Outcome::Quiet;
  std::vector<std::string> needs;          ///< when open
  std::vector<ConditionTrace> conditions;  ///< up to the first that fails
};

}  // namespace muster
