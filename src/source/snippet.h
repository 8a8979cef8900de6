#pragma once

#include <string>

#include "source/source_map.h"

namespace muster {

/// The line of a span with carets below it, in the manner of compilers:
///     |
///  14 |       schedulerName: default-scheduler
///     |                      ^^^^^^^^^^^^^^^^^
/// Long lines are cut around the span; control characters are shown, not sent. Ends with a line end.
std::string render_snippet(const SourceMap& sources, const Span& span, std::size_t gutter);

/// Digits of the line number, at least 2, so that several snippets of one finding line up.
std::size_t gutter_width(std::uint32_t line);

}  // namespace muster
