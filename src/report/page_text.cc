#include <algorithm>

#include "base/utf8.h"
#include "report/page.h"

namespace muster {
namespace {

// Control characters: printable() leaves none of the input's own.
constexpr char kBegin = '\x01';
constexpr char kEnd = '\x02';

/// Prose and words in turn.
template <class Prose, class Word>
void each_part(std::string_view text, const Prose& on_prose, const Word& on_word) {
  while (!text.empty()) {
    const std::size_t begin = text.find(kBegin);
    on_prose(text.substr(0, begin));
    if (begin == std::string_view::npos) return;
    text.remove_prefix(begin + 1);
    const std::size_t end = std::min(text.find(kEnd), text.size());
    on_word(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string markdown_prose(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == kLineBreak) {
      out += "<br>";
    } else if (c == '@') {
      out += "&#64;";  // a name behind it would be called
    } else {
      // Between letters and before blanks most of them begin nothing; what does is escaped wherever it stands.
      if (std::string_view("\\`*_[]#|~$").find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

/// A code span: nothing in it is obeyed but the fence, which is longer than any run of backticks within.
std::string markdown_word(std::string_view word, MarkdownPlace place) {
  if (word.empty()) return "";
  std::size_t longest = 0;
  std::size_t run = 0;
  std::string inner;
  for (const char c : word) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    if (c == '|' && place == MarkdownPlace::Cell) inner += '\\';
    inner += c;
  }
  const std::string fence(longest + 1, '`');
  const bool apart = inner.front() == '`' || inner.back() == '`' || inner.front() == ' ' || inner.back() == ' ';
  return fence + (apart ? " " : "") + inner + (apart ? " " : "") + fence;
}

}  // namespace

std::string code(std::string_view word) { return kBegin + printable(word) + kEnd; }

std::string prose(std::string_view sentence) {
  std::string out;
  bool inside = false;
  const std::string text = printable(sentence);
  const auto ticks = std::ranges::count(text, '`');
  std::ptrdiff_t seen = 0;
  for (const char c : text) {
    // A last one without a partner stays what it is.
    if (c != '`' || (++seen == ticks && !inside)) {
      out += c;
      continue;
    }
    out += inside ? kEnd : kBegin;
    inside = !inside;
  }
  return out;
}

std::string unmarked(std::string_view text) {
  std::string out;
  std::ranges::copy_if(text, std::back_inserter(out),
                       [](char c) { return c != kBegin && c != kEnd && c != kLineBreak; });
  return out;
}

std::string markdown_text(std::string_view text, MarkdownPlace place) {
  std::string out;
  // What begins a line must not make a list, a heading or a quotation of it.
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool numbered = digits > 0 && digits < text.size() && (text[digits] == '.' || text[digits] == ')');
  if (place == MarkdownPlace::Line && !text.empty() && std::string_view("-+=>").find(text.front()) != text.npos) {
    out = "\\";
  } else if (place == MarkdownPlace::Line && numbered) {
    out = std::string(text.substr(0, digits)) + "\\";
    text.remove_prefix(digits);
  }
  each_part(
      text, [&](std::string_view part) { out += markdown_prose(part); },
      [&](std::string_view word) { out += markdown_word(word, place); });
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

namespace {

/// Long words get places where a line may break, so that none is wider than a column: after a separator,
/// before a capital, else anywhere.
std::string breakable(std::string_view text) {
  constexpr std::size_t kWish = 10;
  constexpr std::size_t kMost = 18;
  std::string out;
  std::size_t run = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    const std::string_view letter = text.substr(at, length);
    out += letter == std::string_view(&kLineBreak, 1) ? "<br>" : escaped(letter);
    at += length;
    run = letter == " " || letter.front() == kLineBreak ? 0 : run + 1;
    const auto is_upper = [&](std::size_t i) { return i < text.size() && text[i] >= 'A' && text[i] <= 'Z'; };
    const bool ends_word = letter.size() == 1 && letter.front() >= 'a' && letter.front() <= 'z' && is_upper(at);
    const bool separates =
        ends_word || (letter.size() == 1 && std::string_view("/-_.,:=").find(letter.front()) != text.npos);
    if (at == text.size() || text[at] == ' ' || !(run >= kMost || (run >= kWish && separates))) continue;
    out += "<wbr>";
    run = 0;
  }
  return out;
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  each_part(
      text, [&](std::string_view part) { out += replace_all(breakable(part), " %", "\u00a0%"); },
      [&](std::string_view word) { out += "<code>" + breakable(word) + "</code>"; });
  return out;
}

}  // namespace muster
