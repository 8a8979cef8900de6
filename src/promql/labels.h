#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "promql/query.h"

namespace muster::promql {

/// An operation of two sides that have no equal labels, whatever the samples: its result is empty, or all of the left
/// side where it is `unless`.
struct Unmatched {
  std::size_t node;   ///< of the query
  std::string label;  ///< one that every series of one side has, and none of the other
  bool left_has = false;
};

/// `recorded`: names that rules of the input give to what they work out, which may have any labels. A metric that is
/// scraped has `job` and `instance`; a name with a colon is one that somebody recorded. What is grouped by the labels
/// of pods has them. Nothing where nodes times labels are more than 200,000. Source:
/// prometheus/prometheus:promql/engine.go, VectorBinop, VectorAnd and signatureFunc (3.14).
std::vector<Unmatched> unmatched_operations(const Query& query, const std::set<std::string_view>& recorded);

/// The counter of an expression that is but a comparison which it passes once and for all, `sum(errors_total) > 0`.
/// nullptr: it is none such.
const Node* counter_above(const Query& query);

}  // namespace muster::promql
