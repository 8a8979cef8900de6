#pragma once

#include <string_view>
#include <vector>

#include "source/span.h"

namespace muster {

/// `.Values.X.Y` in a template of a chart.
struct ValueStep {
  std::string_view parent;  ///< X
  std::string_view name;    ///< Y
  Span where;
};

/// Actions that every rendering carries out, without their braces and the blanks within: outside of all blocks, or the
/// opening of one that stands outside of all others.
std::vector<std::string_view> certain_actions(std::string_view text);

/// Reads of a value in another one that every rendering makes: outside of all blocks, or in the condition of one that
/// stands outside of all others. A rendering ends there where X is not set. Linear in the text.
/// Source: golang/go:src/text/template/exec.go, evalField (1.25): nil pointer evaluating interface {}.Y.
std::vector<ValueStep> certain_steps(std::string_view text, FileId file);

}  // namespace muster
