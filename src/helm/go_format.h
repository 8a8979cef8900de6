#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "helm/value.h"

namespace muster::helm {

/// What fmt.Sprintf makes of it: verbs v, s, d, q, t, f, g, e, x, X, c and T with flags, width and precision; a verb
/// that does not fit says so as Go does, `%!d(string=a)`. Widths are bounded. Source: golang/go:src/fmt/print.go
/// (1.25).
std::string go_format(std::string_view format, const std::vector<Value>& values);

}  // namespace muster::helm
