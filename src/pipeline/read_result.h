#pragma once

#include <string>

#include "pipeline/result_places.h"
#include "report/report.h"
#include "syntax/document.h"

namespace muster {

/// What a result says, added to a report: findings and the rest behind what is there, counts to its counts. Nothing is
/// sorted, and what follows from the lists (errors, warnings ...) is not counted. Empty, or what is wrong with it.
std::string read_result(const Node& result, const ResultPlaces& places, Report& report);

/// The part of a result about shards; absent where it has none.
std::optional<Shard> read_shard(const Node& result);

}  // namespace muster
