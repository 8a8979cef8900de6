#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expr/expr.h"

namespace muster {

/// Why conditions that must all hold never do: `g.size` cannot be above 8 and below 4. Nothing where that is not
/// certain: only comparisons of a path with literals are looked at, and what is false whatever the fields say.
std::optional<std::string> find_contradiction(const std::vector<Expr>& conditions);

}  // namespace muster
