#include "syntax/shell_word_skipper.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace muster {
namespace {

constexpr int kDeepestBraces = 64;
constexpr int kDeepestItems = 64;  // of lists of arrays, which have none within another

}  // namespace

std::size_t ShellWordSkipper::continuation() const {
  if (peek() != '\\') return 0;
  if (peek(1) == '\n') return 2;
  return peek(1) == '\r' && peek(2) == '\n' ? 3 : 0;
}

void ShellWordSkipper::skip_gaps() {
  while (at_ < text_.size() && (is_gap(peek()) || continuation() > 0)) at_ += std::max<std::size_t>(continuation(), 1);
}

void ShellWordSkipper::skip_comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }

void ShellWordSkipper::skip_lines() {
  for (skip_gaps(); !over() && (peek() == '\n' || peek() == '#'); skip_gaps()) {
    if (peek() == '#') skip_comment();
    if (peek() == '\n') line_end();
  }
}

void ShellWordSkipper::skip_parens() {
  int depth = 0;
  for (; at_ < text_.size(); ++at_) {
    if (peek() == '\\') {
      ++at_;
    } else if (peek() == '(') {
      ++depth;
    } else if (peek() == ')' && --depth == 0) {
      ++at_;
      return;
    }
  }
  give_up();
}

void ShellWordSkipper::unclosed(char quote, std::size_t begin) {
  const std::size_t place = odd_quote_.value_or(begin);
  odd_ = OddQuote{odd_quote_ ? text_[place] : quote, static_cast<std::uint32_t>(place)};
}

/// A text of several lines with a word right behind it: its end was to be the beginning of another.
void ShellWordSkipper::note_odd(std::size_t begin) {
  const bool lines = text_.substr(begin, at_ - begin).find('\n') != std::string_view::npos;
  if (!odd_quote_ && lines && is_word_char(peek())) odd_quote_ = begin;
}

void ShellWordSkipper::single_quote(bool escapes) {
  const std::size_t begin = at_++;
  for (; at_ < text_.size() && peek() != '\''; ++at_) {
    if (escapes && peek() == '\\') ++at_;
  }
  if (at_ >= text_.size()) return unclosed('\'', begin);
  ++at_;
  note_odd(begin);
}

void ShellWordSkipper::double_quote() {
  const std::size_t begin = at_++;
  const bool outer = std::exchange(quoted_, true);
  while (!over() && peek() != '"') {
    if (peek() == '\\') {
      at_ += 2;
    } else if (!expansion()) {
      ++at_;
    }
  }
  quoted_ = outer;
  if (stopped_ || odd_) return;
  if (at_ >= text_.size()) return unclosed('"', begin);
  ++at_;
  note_odd(begin);
}

/// `$(...)`, `${...}`, `$((...))` or backquotes, if one begins here.
bool ShellWordSkipper::expansion() {
  if (peek() == '`') {
    for (++at_; at_ < text_.size() && peek() != '`'; ++at_) at_ += peek() == '\\' ? 1 : 0;
    if (at_ >= text_.size()) give_up();
    ++at_;
    return true;
  }
  if (starts("$((")) {
    ++at_;
    skip_parens();
    return true;
  }
  if (starts("$(")) {
    at_ += 2;
    substitution();
    return true;
  }
  if (!starts("${")) return false;
  at_ += 2;
  braces();
  return true;
}

/// Past the `}` of `${...}`: the first that is no other expansion's, whatever `{` stand before it. What `'` is
/// within `"` shells think differently of.
void ShellWordSkipper::braces() {
  if (++braces_ > kDeepestBraces) return give_up();
  while (!over()) {
    if (peek() == '\\') {
      at_ += 2;
    } else if (peek() == '}') {
      ++at_;
      --braces_;
      return;
    } else if (peek() == '\n' || (peek() == '\'' && quoted_)) {
      return give_up();
    } else if (peek() == '\'') {
      single_quote(false);
    } else if (peek() == '"') {
      double_quote();
    } else if (!expansion()) {
      ++at_;
    }
  }
  give_up();
}

void ShellWordSkipper::word(bool test) {
  const std::size_t begin = at_;
  while (!over() && !ends_plain_word(peek())) {
    if (continuation() > 0) {
      at_ += continuation();
    } else if (peek() == '\\') {
      at_ = std::min(at_ + 2, text_.size());
    } else if (peek() == '\'') {
      single_quote(at_ > begin && text_[at_ - 1] == '$');
    } else if (peek() == '"') {
      double_quote();
    } else if (!expansion()) {
      ++at_;
    }
    if (peek() == '(' && at_ > begin && !over() && !test) {
      const char before = text_[at_ - 1];
      if (before == '=') return items();
      if (std::string_view("?*+@!").find(before) != std::string_view::npos) skip_parens();
    }
  }
  if (at_ == begin && !over()) ++at_;
}

/// NAME=( ... )
void ShellWordSkipper::items() {
  if (++items_ > kDeepestItems) return give_up();
  ++at_;
  while (!over()) {
    skip_lines();
    if (over()) break;
    if (peek() == ')') {
      ++at_;
      --items_;
      return;
    }
    if (starts("<(") || starts(">(")) {
      at_ += 2;
      substitution();
      continue;
    }
    if (ends_plain_word(peek())) return give_up();
    word();
  }
  if (!odd_) give_up();
}

void ShellWordSkipper::double_brackets() {
  while (!over()) {
    // `(#|$)` is an expression: a comment begins behind a blank or a line.
    const bool behind_blank = at_ > 0 && (is_gap(text_[at_ - 1]) || text_[at_ - 1] == '\n');
    if (peek() == '#' && !behind_blank) {
      ++at_;
      continue;
    }
    skip_lines();
    if (over()) break;
    if (starts("]]") && (at_ + 2 >= text_.size() || ends_plain_word(peek(2)))) {
      at_ += 2;
      return;
    }
    if (ends_plain_word(peek())) {
      ++at_;
    } else {
      word(true);
    }
  }
  if (!odd_) give_up();
}

}  // namespace muster
