#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/fleet.h"

namespace muster {

/// One number about a fleet's money, with all that it takes to check it by hand.
struct MoneyFigure {
  std::string id;       ///< stranded, two-plane-break-even
  std::string what;     ///< in words
  std::string unit;     ///< USD a year, USD in three years, GPUs, engineers
  std::string formula;  ///< with the inputs' values where they are known, else with their names
  std::string source;
  std::optional<double> low;         ///< nothing while an input is missing
  std::optional<double> high;        ///< as `low`, but where an input is a range
  std::vector<std::string> missing;  ///< facts of the fleet file
};

/// In the order of reading: what the fleet costs, what idles, two planes or one, an own platform or a bought one.
/// `maturity` is the choice of the table of that name, 1 to 4, where it is decided. Empty where the fleet file says
/// nothing about money.
std::vector<MoneyFigure> money_of(const Fleet& fleet, const std::optional<std::string>& maturity);

}  // namespace muster
