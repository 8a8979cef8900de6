#include "promql/functions.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/strings.h"

namespace muster::promql {
namespace {

// Source: prometheus/prometheus:promql/parser/functions.go (3.14), and holt_winters of 2.x.
constexpr std::array kFunctions{
    Function{"abs", "v"},
    Function{"absent", "v"},
    Function{"absent_over_time", "r"},
    Function{"acos", "v"},
    Function{"acosh", "v"},
    Function{"asin", "v"},
    Function{"asinh", "v"},
    Function{"atan", "v"},
    Function{"atanh", "v"},
    Function{"avg_over_time", "r"},
    Function{"ceil", "v"},
    Function{"changes", "r"},
    Function{"clamp", "vss"},
    Function{"clamp_max", "vs"},
    Function{"clamp_min", "vs"},
    Function{"cos", "v"},
    Function{"cosh", "v"},
    Function{"count_over_time", "r"},
    Function{"day_of_month", "v", 1},
    Function{"day_of_week", "v", 1},
    Function{"day_of_year", "v", 1},
    Function{"days_in_month", "v", 1},
    Function{"deg", "v"},
    Function{"delta", "r"},
    Function{"deriv", "r"},
    Function{"double_exponential_smoothing", "rss"},
    Function{"end", "", 0, Type::Scalar},
    Function{"exp", "v"},
    Function{"first_over_time", "r"},
    Function{"floor", "v"},
    Function{"histogram_avg", "v"},
    Function{"histogram_count", "v"},
    Function{"histogram_fraction", "ssv"},
    Function{"histogram_quantile", "sv"},
    Function{"histogram_quantiles", "vtss", 9},
    Function{"histogram_stddev", "v"},
    Function{"histogram_stdvar", "v"},
    Function{"histogram_sum", "v"},
    Function{"holt_winters", "rss"},
    Function{"hour", "v", 1},
    Function{"idelta", "r"},
    Function{"increase", "r"},
    Function{"info", "vv", 1},
    Function{"irate", "r"},
    Function{"label_join", "vttt", -1},
    Function{"label_replace", "vtttt"},
    Function{"last_over_time", "r"},
    Function{"ln", "v"},
    Function{"log10", "v"},
    Function{"log2", "v"},
    Function{"mad_over_time", "r"},
    Function{"max_of", "ss", 0, Type::Scalar},
    Function{"max_over_time", "r"},
    Function{"min_of", "ss", 0, Type::Scalar},
    Function{"min_over_time", "r"},
    Function{"minute", "v", 1},
    Function{"month", "v", 1},
    Function{"pi", "", 0, Type::Scalar},
    Function{"predict_linear", "rs"},
    Function{"present_over_time", "r"},
    Function{"quantile_over_time", "sr"},
    Function{"rad", "v"},
    Function{"range", "", 0, Type::Scalar},
    Function{"rate", "r"},
    Function{"resets", "r"},
    Function{"round", "vs", 1},
    Function{"scalar", "v", 0, Type::Scalar},
    Function{"sgn", "v"},
    Function{"sin", "v"},
    Function{"sinh", "v"},
    Function{"sort", "v"},
    Function{"sort_by_label", "vt", -1},
    Function{"sort_by_label_desc", "vt", -1},
    Function{"sort_desc", "v"},
    Function{"sqrt", "v"},
    Function{"start", "", 0, Type::Scalar},
    Function{"start_timestamp", "v"},
    Function{"stddev_over_time", "r"},
    Function{"stdvar_over_time", "r"},
    Function{"step", "", 0, Type::Scalar},
    Function{"sum_over_time", "r"},
    Function{"tan", "v"},
    Function{"tanh", "v"},
    Function{"time", "", 0, Type::Scalar},
    Function{"timestamp", "v"},
    Function{"ts_of_first_over_time", "r"},
    Function{"ts_of_last_over_time", "r"},
    Function{"ts_of_max_over_time", "r"},
    Function{"ts_of_min_over_time", "r"},
    Function{"vector", "s"},
    Function{"year", "v", 1},
};

static_assert(std::ranges::is_sorted(kFunctions, {}, &Function::name));

}  // namespace

const Function* find_function(std::string_view name) {
  const auto found = std::ranges::lower_bound(kFunctions, name, {}, &Function::name);
  return found != kFunctions.end() && found->name == name ? &*found : nullptr;
}

std::string did_you_mean_function(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Function& one : kFunctions) names.push_back(one.name);
  return did_you_mean(name, names);
}

std::optional<std::size_t> arguments_of_aggregation(std::string_view word) {
  constexpr std::array<std::string_view, 8> kOfOne{"avg", "count", "group", "max", "min", "stddev", "stdvar", "sum"};
  constexpr std::array<std::string_view, 6> kOfTwo{"bottomk", "count_values", "limit_ratio",
                                                   "limitk",  "quantile",     "topk"};
  if (std::ranges::find(kOfOne, word) != kOfOne.end()) return 1;
  if (std::ranges::find(kOfTwo, word) != kOfTwo.end()) return 2;
  return std::nullopt;
}

}  // namespace muster::promql
