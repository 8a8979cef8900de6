#include "helm/lexer.h"

#include <algorithm>

#include "base/strings.h"

namespace muster::helm {
namespace {

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_in_name(char c) { return begins_name(c) || is_digit(c); }

}  // namespace

Item Lexer::next() {
  const Item item = within_ ? inside() : outside();
  at_ = item.end;
  return item;
}

Item Lexer::outside() {
  const std::size_t open = text_.find("{{", at_);
  if (open != at_) return {at_ == text_.size() ? Token::End : Token::Text, at_, std::min(open, text_.size())};
  std::size_t end = at_ + 2;
  if (at(end) == '-' && is_white(at(end + 1))) end += 2;
  if (text_.substr(end).starts_with("/*")) return comment(end);
  within_ = true;
  opened_ = at_;
  return {Token::Open, at_, end};
}

Item Lexer::comment(std::size_t behind_open) {
  const std::size_t close = text_.find("*/", behind_open);
  if (close == text_.npos) return {Token::Unclosed, at_, std::min(at_ + 2, text_.size())};
  std::size_t behind = close + 2;
  if (is_white(at(behind)) && at(behind + 1) == '-') behind += 2;
  if (!text_.substr(behind).starts_with("}}")) return {Token::Unclosed, at_, behind};
  return {Token::Comment, at_, behind + 2};
}

Item Lexer::inside() {
  const std::size_t begin = at_;
  if (begin == text_.size()) return {Token::Unclosed, opened_, opened_ + 2};
  if (is_white(at(begin)) && at(begin + 1) == '-' && text_.substr(begin + 2).starts_with("}}"))
    return close(begin, begin + 4);
  if (text_.substr(begin).starts_with("}}")) return close(begin, begin + 2);
  const char c = at(begin);
  if (is_white(c)) {
    std::size_t end = begin + 1;
    while (is_white(at(end)) && !(at(end + 1) == '-' && text_.substr(end + 2).starts_with("}}"))) ++end;
    return {Token::Space, begin, end};
  }
  if (c == '"' || c == '\'' || c == '`') return quoted(begin, c);
  if (c == '$') return {Token::Variable, begin, name_end(begin + 1)};
  if (c == '.' && !is_digit(at(begin + 1)))
    return begins_name(at(begin + 1)) ? Item{Token::Field, begin, name_end(begin + 1)}
                                      : Item{Token::Dot, begin, begin + 1};
  if (is_digit(c) || ((c == '+' || c == '-' || c == '.') && (is_digit(at(begin + 1)) || at(begin + 1) == '.')))
    return {Token::Number, begin, number_end(begin + 1)};
  if (begins_name(c)) return {Token::Word, begin, name_end(begin)};
  if (c == ':' && at(begin + 1) == '=') return {Token::Declare, begin, begin + 2};
  switch (c) {
    case '=': return {Token::Assign, begin, begin + 1};
    case '|': return {Token::Pipe, begin, begin + 1};
    case ',': return {Token::Comma, begin, begin + 1};
    case '(': return {Token::LeftParen, begin, begin + 1};
    case ')': return {Token::RightParen, begin, begin + 1};
    default: return {Token::Odd, begin, begin + 1};
  }
}

Item Lexer::close(std::size_t begin, std::size_t end) {
  within_ = false;
  return {Token::Close, begin, end};
}

Item Lexer::quoted(std::size_t begin, char mark) const {
  for (std::size_t i = begin + 1; i < text_.size(); ++i) {
    if (text_[i] == mark) return {mark == '\'' && !is_one(begin + 1, i) ? Token::Odd : Token::String, begin, i + 1};
    if (mark == '`') continue;
    if (text_[i] == '\n') break;
    if (text_[i] == '\\') ++i;
  }
  return {Token::Unclosed, begin, begin + 1};
}

/// One character, of several bytes or written with a backslash.
bool Lexer::is_one(std::size_t begin, std::size_t end) const {
  const std::string_view text = text_.substr(begin, end - begin);
  const auto more = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  return text.starts_with('\\') || std::ranges::count_if(text, [&](char c) { return !more(c); }) == 1;
}

std::size_t Lexer::name_end(std::size_t i) const {
  while (is_in_name(at(i))) ++i;
  return i;
}

std::size_t Lexer::number_end(std::size_t i) const {
  while (is_in_name(at(i)) || at(i) == '.' || ((at(i) == '+' || at(i) == '-') && (at(i - 1) | 0x20) == 'e')) ++i;
  return i;
}

}  // namespace muster::helm
