#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace muster {

/// Where a shell script cannot be read: a word that opens and is closed by none, or one that closes what is not open.
struct ShellBlockSlip {
  enum class Kind {
    Unclosed,    ///< `word` opens, and the text ends before something closes it
    Unexpected,  ///< `word` closes or goes on, and `open` is what stands open there; empty: nothing is
    Quote,       ///< `word` is a quote, and the text ends within it
  };
  Kind kind = Kind::Unclosed;
  std::string word;
  std::uint32_t begin = 0;  ///< of the word
  std::string open;
  std::uint32_t open_begin = 0;
};

/// The first of a script for sh or bash. Whatever it does not know is silence, and so is what stands behind an `exit`
/// that comes for sure: the shell reads a command at a time. Linear in the text.
/// Source: POSIX.1-2017, XCU 2.10 Shell Grammar; the manual of bash 5.2; held against `bash -n` of 5.2.15.
std::optional<ShellBlockSlip> shell_block_slip(std::string_view text);

/// The word that closes what this one opens: `fi` of `if`.
std::string_view closing_word(std::string_view opening);

}  // namespace muster
