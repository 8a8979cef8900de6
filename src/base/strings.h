#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// Blank, tab, CR or LF.
constexpr bool is_white(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
/// 0 to 9, whatever the locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Without blanks, tabs, CR and LF at both ends.
constexpr std::string_view trim(std::string_view text) {
  while (!text.empty() && is_white(text.back())) text.remove_suffix(1);
  while (!text.empty() && is_white(text.front())) text.remove_prefix(1);
  return text;
}
/// ASCII only; other bytes stay.
std::string to_lower(std::string_view text);
bool equals_ignoring_case(std::string_view a, std::string_view b);
bool starts_with_ignoring_case(std::string_view text, std::string_view prefix);
/// Pieces between separators; an empty text has one empty piece.
std::vector<std::string_view> split(std::string_view text, char separator);
/// Non-empty runs of characters that are not blank, tab, CR or LF.
std::vector<std::string_view> split_blanks(std::string_view text);
std::string join(std::span<const std::string> pieces, std::string_view separator);
std::string join(std::span<const std::string_view> pieces, std::string_view separator);
std::string replace_all(std::string text, std::string_view from, std::string_view to);
/// What text.find(part, from) says, sooner in long texts.
std::size_t find_part(std::string_view text, std::string_view part, std::size_t from = 0);
inline bool contains(std::string_view text, std::string_view part) {
  return part.size() <= text.size() && find_part(text, part) != text.npos;
}
bool contains_ignoring_case(std::string_view text, std::string_view part);

/// `text`, as messages name what stands in a file.
std::string in_ticks(std::string_view text);

/// The mode that `600`, `0640` or `02750` writes, with its bits beyond 0777; nothing where it is no octal mode.
std::optional<int> octal_mode(std::string_view text);

/// A letter of ASCII, a digit or `_`: what names in shells and in most languages are made of.
constexpr bool is_word_char(char c) {
  return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/// The whole text as a decimal integer, sign allowed; nothing else around it.
std::optional<std::int64_t> parse_int(std::string_view text);

/// "1 error", "2 errors", "2 switches".
std::string count_of(std::size_t count, std::string_view noun);
/// "1.3 KiB"-free plain count with thousands separators: 12500 -> "12,500".
std::string with_thousands(std::uint64_t value);

/// Optimal string alignment distance (a swap of neighbours counts one), cut off above `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);
/// The candidate a misspelt word most likely meant, if one is near enough (a third of its length, at most 3).
std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates);
/// Asks `nearest` for many words, until it has compared words so often that input must be meant to take long: then
/// there is none.
class NearMisses {
 public:
  std::optional<std::string_view> nearest(std::string_view word, std::span<const std::string_view> candidates);

 private:
  std::size_t left_ = 100'000;
};
/// The candidate that a word is a slip of: one letter too few, too many or another, two swapped, of long words two of
/// these; nothing where another is as near. No slip is `gpu` for `cpu`.
std::optional<std::string_view> slip_of(std::string_view word, std::span<const std::string_view> candidates);
/// Like nearest, ready to append to a message: "; did you mean `gpus_per_node`?" or "".
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

/// The folder that a path stands in; empty at the top.
std::string_view folder_of(std::string_view path);

/// Shell-like glob over a whole path: `*` and `?` stay within a folder, `**` crosses folders.
bool glob_matches(std::string_view pattern, std::string_view path);

}  // namespace muster
