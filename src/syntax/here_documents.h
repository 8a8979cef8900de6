#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "syntax/cut_text.h"

namespace muster {

/// A here-document of a shell script: what stands between `<<WORD` and WORD.
struct HereDocument {
  std::size_t first = 0;  ///< of its lines
  std::size_t end = 0;    ///< the line that is WORD
  bool expanded = false;  ///< the shell fills it in
  /// Within another text the script, and with it the word, is indented.
  std::size_t indent = 0;
};

/// Those of a text, by the line that begins them. `lines` have to stay. Linear in the text.
class HereDocuments {
 public:
  explicit HereDocuments(const std::vector<TextLine>& lines) : lines_(lines) {}

  std::optional<HereDocument> at(std::size_t line);

 private:
  /// The first line below that is the word alone.
  std::optional<std::size_t> first_below(std::string_view word, std::size_t line);

  const std::vector<TextLine>& lines_;
  bool built_ = false;
  std::unordered_map<std::string_view, std::vector<std::size_t>> by_text_;  ///< lines of one word, once somebody asks
};

/// `{xxx}` for what the shell fills in, of the same length. A line with what is shorter than that is all blanks.
std::string with_shell_marks(std::string_view line);

/// `${xxx}` for each `${...}`, whatever stands in it, of the same length.
std::string with_brace_marks(std::string_view line);

}  // namespace muster
