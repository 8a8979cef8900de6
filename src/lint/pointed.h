#pragma once

#include "rulebook/rule.h"

namespace muster {

/// Where a rule points: at the one item of the list at its `at` for which a condition `LIST.exists(...)` holds, else at
/// `at` itself. Not placed where that stands nowhere.
inline Span pointed_at(const Rule& rule, EvalContext& context) {
  if (!rule.at) return {};
  for (const Expr& condition : rule.when) {
    const Span item = condition.witness_in(rule.at->text(), context);
    if (item.placed()) return item;
  }
  return rule.at->place(context);
}

}  // namespace muster
