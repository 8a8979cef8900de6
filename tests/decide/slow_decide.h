#pragma once

#include <map>
#include <string>
#include <vector>

#include "rulebook/table.h"

namespace muster::test {

using Facts = std::map<std::string, std::string>;

/// What the tables decide where every fact is known, by trying their rows one after the other. Reads cells from their
/// text and shares nothing with the evaluation in boxes. By `table.output`; a collecting table gives `table.item` =
/// level.
std::map<std::string, std::string> decide_slowly(const std::vector<Table>& tables, const Facts& facts);

}  // namespace muster::test
