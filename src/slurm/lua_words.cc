#include "slurm/lua_words.h"

#include <algorithm>
#include <string>

#include "base/strings.h"

namespace muster {

LuaWords::LuaWords(std::string_view text) : text_(text) {
  if (text_.starts_with('#')) at_ = std::min(text_.find('\n'), text_.size());
}

std::string_view LuaWords::next() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (is_white(c)) {
      ++at_;
    } else if (text_.substr(at_).starts_with("--")) {
      at_ += 2;
      if (!skip_long()) at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '"' || c == '\'') {
      skip_quoted(c);
    } else if (!skip_long()) {
      return word();
    }
  }
  return {};
}

std::string_view LuaWords::word() {
  const std::size_t begin = at_++;
  if (is_word_char(text_[begin])) {
    while (at_ < text_.size() && is_word_char(text_[at_])) ++at_;
  }
  return text_.substr(begin, at_ - begin);
}

void LuaWords::skip_quoted(char quote) {
  for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
    if (text_[at_] == '\n') broken_ = true;
    if (text_[at_] == '\\') ++at_;
  }
  if (at_ >= text_.size()) broken_ = true;
  at_ = std::min(at_ + 1, text_.size());
}

/// `[[ ... ]]`, `[==[ ... ]==]`
bool LuaWords::skip_long() {
  if (at_ >= text_.size() || text_[at_] != '[') return false;
  const std::size_t second = text_.find_first_not_of('=', at_ + 1);
  if (second == text_.npos || text_[second] != '[') return false;
  const std::string close = "]" + std::string(second - at_ - 1, '=') + "]";
  const std::size_t end = text_.find(close, second + 1);
  broken_ = broken_ || end == text_.npos;
  at_ = end == text_.npos ? text_.size() : end + close.size();
  return true;
}

}  // namespace muster
