#pragma once

#include <string>
#include <string_view>

#include "rulebook/rule.h"

namespace muster {

/// Where a rule points: at the one item of the list at its `at` for which a condition `LIST.exists(...)` holds, else at
/// `at` itself. Not placed where that stands nowhere. The containers of a pod are two lists.
inline Span pointed_at(const Rule& rule, EvalContext& context) {
  if (!rule.at) return {};
  constexpr std::string_view kContainers = ".containers";
  const auto item_of = [&](std::string_view list) {
    for (const Expr& condition : rule.when) {
      const Span item = condition.witness_in(list, context);
      if (item.placed()) return item;
    }
    return Span{};
  };
  const std::string_view list = rule.at->text();
  Span item = item_of(list);
  if (!item.placed() && list.ends_with(kContainers))
    item = item_of(std::string(list.substr(0, list.size() - kContainers.size())) + ".init_containers");
  return item.placed() ? item : rule.at->place(context);
}

}  // namespace muster
