#pragma once

#include "expr/expr.h"
#include "syntax/document.h"

namespace muster {

/// A node as a value of the rule language: maps, lists, texts, numbers and booleans, as Kubernetes reads plain scalars.
/// Beyond a bound of values the rest is null.
Value any_value(const Node& node, EvalContext& context);

}  // namespace muster
