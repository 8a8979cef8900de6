#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "promql/query.h"

namespace muster::promql {

struct Function {
  std::string_view name;
  std::string_view takes;  ///< a letter each: v(ector), r(ange), s(calar), t(ext)
  int variadic = 0;        ///< so many of the last may be there besides all but it; -1: any number
  Type gives = Type::Vector;
};

/// nullptr: no release knows it.
const Function* find_function(std::string_view name);
/// The function that a misspelt one most likely meant, ready to append to a message.
std::string did_you_mean_function(std::string_view name);

/// How many arguments an aggregation takes, 1 or 2; nullopt: it is none. In lower case.
std::optional<std::size_t> arguments_of_aggregation(std::string_view word);

}  // namespace muster::promql
