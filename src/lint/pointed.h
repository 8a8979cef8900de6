#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rulebook/rule.h"

namespace muster {

/// Where a rule points: at the one item of the list at its `at` for which a condition `LIST.exists(...)` holds, else at
/// `at` itself. Not placed where that stands nowhere. The containers of a pod are two lists.
inline Span pointed_at(const Rule& rule, EvalContext& context) {
  if (!rule.at) return {};
  constexpr std::string_view kContainers = ".containers";
  std::vector<std::string> lists{std::string(rule.at->text())};
  if (lists.front().ends_with(kContainers)) {
    const std::string pod = lists.front().substr(0, lists.front().size() - kContainers.size());
    lists.push_back(pod + ".init_containers");
  }
  for (const std::string& list : lists) {
    for (const Expr& condition : rule.when) {
      const Span item = condition.witness_in(list, context);
      if (item.placed()) return item;
    }
  }
  return rule.at->place(context);
}

}  // namespace muster
