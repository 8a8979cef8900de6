#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace muster::test {

/// An expression and what comes of it: "3 : int", "error: divide by zero", "unknown: u", "syntax: expected a value".
struct ExprCase {
  std::string_view text;
  std::string_view expected;
};

/// Evaluates with a gradual check. Variables: u and v are unknown; m is {"known": 1, "open": unknown "m.open"}; l is
/// [1, unknown "l[1]"]; x.y is 5.
std::string evaluated(std::string_view text);

/// Checks every case and shows those that differ.
void check_cases(const std::vector<ExprCase>& cases);

}  // namespace muster::test
