#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace muster {

/// What a file's bytes turned out to be.
struct DecodedText {
  enum class Verdict {
    Text,         ///< UTF-8 without byte order mark in `text`
    Binary,       ///< NUL bytes or the like: not a config file
    InvalidUtf8,  ///< text, but with bytes that are not UTF-8, the first at `bad_offset`; those bytes are `?` in `text`
  };
  Verdict verdict = Verdict::Text;
  std::string text;
  std::size_t bad_offset = 0;
};

/// UTF-8 with or without byte order mark, UTF-16 and UTF-32 with one. UTF-16 without its mark is binary: kubectl
/// refuses it, too. Line ends stay as they are; only where a text knows no line feed at all, its carriage returns
/// become line feeds.
DecodedText decode_text(std::string bytes);

}  // namespace muster
