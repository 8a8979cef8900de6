#include "promql/lexer.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster::promql {
namespace {

bool begins_word(char c) { return (is_word_char(c) && !is_digit(c)) || c == ':'; }

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

constexpr std::array<std::string_view, 8> kTwoSigns{"==", "!=", "<=", ">=", "=~", "!~", "</", ">/"};

}  // namespace

void Lexer::skip() {
  while (at_ < text_.size() && (is_white(text_[at_]) || text_[at_] == '#')) {
    if (text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size() - 1);
    ++at_;
  }
}

Token Lexer::next() {
  skip();
  if (at_ >= text_.size()) return {Token::Kind::End, text_.size(), {}};
  const std::size_t begin = at_;
  const char c = text_[at_];
  if (begins_word(c)) {
    while (at_ < text_.size() && (is_word_char(text_[at_]) || text_[at_] == ':')) ++at_;
    return {Token::Kind::Word, begin, text_.substr(begin, at_ - begin)};
  }
  if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
  if (c == '"' || c == '\'' || c == '`') return quoted(c);
  const std::string_view two = text_.substr(at_, 2);
  at_ += std::ranges::find(kTwoSigns, two) != kTwoSigns.end() ? 2 : 1;
  constexpr std::string_view kSigns = "+-*/%^=<>(){}[],@";
  const std::string_view written = text_.substr(begin, at_ - begin);
  const bool known = written.size() == 2 || kSigns.find(c) != kSigns.npos;
  return {known ? Token::Kind::Sign : Token::Kind::Bad, begin, written};
}

Token Lexer::number() {
  const std::size_t begin = at_;
  const bool hex = starts_with_ignoring_case(text_.substr(at_), "0x");
  while (at_ < text_.size()) {
    const char c = text_[at_];
    const char before = at_ > begin ? text_[at_ - 1] : ' ';
    const bool power = !hex && (c == '+' || c == '-') && (before == 'e' || before == 'E') &&
                       std::all_of(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                                   text_.begin() + static_cast<std::ptrdiff_t>(at_ - 1),
                                   [](char d) { return is_digit(d) || d == '.' || d == '_'; });
    if (!is_word_char(c) && c != '.' && !power) break;
    ++at_;
  }
  return {Token::Kind::Number, begin, text_.substr(begin, at_ - begin)};
}

Token Lexer::quoted(char quote) {
  const std::size_t begin = at_++;
  while (at_ < text_.size() && text_[at_] != quote) {
    if (quote != '`' && text_[at_] == '\n') break;
    at_ += quote != '`' && text_[at_] == '\\' ? 2 : 1;
  }
  if (at_ >= text_.size() || text_[at_] != quote) {
    at_ = text_.size();
    return {Token::Kind::Bad, begin, text_.substr(begin, 1)};
  }
  ++at_;
  return {Token::Kind::Text, begin, text_.substr(begin, at_ - begin)};
}

std::optional<std::string_view> Lexer::rest_of_brackets() {
  const std::size_t end = text_.find(']', at_);
  if (end == text_.npos) return std::nullopt;
  const std::string_view out = text_.substr(at_, end - at_);
  at_ = end + 1;
  return out;
}

std::optional<std::string> unquoted(std::string_view text) {
  const char quote = text.front();
  const std::string_view within = text.substr(1, text.size() - 2);
  if (quote == '`') return std::string(within);
  std::string out;
  for (std::size_t i = 0; i < within.size(); ++i) {
    if (within[i] != '\\') {
      out += within[i];
      continue;
    }
    const char escape = ++i < within.size() ? within[i] : '\0';
    constexpr std::string_view kEscapes = "abfnrtv\\";
    constexpr std::string_view kMeant = "\a\b\f\n\r\t\v\\";
    const std::size_t known = kEscapes.find(escape);
    if (escape != '\0' && known != kEscapes.npos) {
      out += kMeant[known];
    } else if (escape == quote) {
      out += quote;
    } else if (escape == 'x' || escape == 'u' || escape == 'U' || (escape >= '0' && escape <= '7')) {
      out += '?';  // a character that nobody asks for
    } else {
      return std::nullopt;
    }
  }
  return out;
}

bool is_duration(std::string_view text) {
  constexpr std::array<std::string_view, 7> kUnits{"y", "w", "d", "h", "m", "s", "ms"};
  std::size_t unit = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t digits = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    const std::size_t letters = at;
    while (at < text.size() && text[at] >= 'a' && text[at] <= 'z') ++at;
    if (digits == letters) return false;
    const std::string_view written = text.substr(letters, at - letters);
    while (unit < kUnits.size() && kUnits[unit] != written) ++unit;
    if (unit++ == kUnits.size()) return false;
  }
  return !text.empty();
}

bool is_number(std::string_view text) {
  if (starts_with_ignoring_case(text, "0x")) return text.size() > 2 && std::ranges::all_of(text.substr(2), is_hex);
  std::size_t at = 0;
  std::size_t digits = 0;
  const auto take = [&] {
    for (; at < text.size() && (is_digit(text[at]) || text[at] == '_'); ++at) digits += is_digit(text[at]) ? 1U : 0U;
  };
  take();
  if (at < text.size() && text[at] == '.') {
    ++at;
    take();
  }
  if (digits == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    digits = 0;
    take();
    if (digits == 0) return false;
  }
  return at == text.size();
}

}  // namespace muster::promql
