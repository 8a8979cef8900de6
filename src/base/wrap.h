#pragma once

#include <string>
#include <string_view>

namespace muster {

/// Columns of a terminal that lines for people keep to.
inline constexpr std::size_t kLineWidth = 120;

/// `label` and behind it the words of `text`, in lines of at most kLineWidth code points; what follows the first line
/// is indented by `indent` blanks. A word that is longer than a line is cut. Ends with a line's end.
std::string wrapped(std::string_view label, std::string_view text, std::size_t indent);

/// A text of several lines, each printable: those that are too long are wrapped, the others stay as they are.
std::string wrapped_lines(std::string_view text);
/// The same without wrapping.
std::string printable_lines(std::string_view text);

}  // namespace muster
