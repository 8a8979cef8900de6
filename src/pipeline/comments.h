#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "input/artifact.h"

namespace muster {

/// Which `#` of a file begin a comment: not those in strings, block scalars, here-documents and quotes. What was not
/// parsed is given the benefit of the doubt.
class CommentProbe {
 public:
  CommentProbe(const ParsedFile& parsed, std::string_view text);

  /// Whether the `#` at an offset stands in text.
  bool in_text(std::uint32_t offset) const;

 private:
  void read_scalars(const ParsedFile& parsed);
  void read_shell();

  std::string_view text_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stretches_;  ///< of text that holds a `#`, sorted, apart
};

}  // namespace muster
