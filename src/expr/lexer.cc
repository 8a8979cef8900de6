#include "expr/lexer.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "base/utf8.h"

namespace muster {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Longest first, so that `<=` is not read as `<`.
constexpr std::array<std::string_view, 25> kMarks{"&&", "||", "==", "!=", "<=", ">=", ".?", "[?", "{?",
                                                  "+",  "-",  "*",  "/",  "%",  "!",  "<",  ">",  "?",
                                                  ":",  ".",  ",",  "(",  ")",  "[",  "]"};

class Lexer {
 public:
  Lexer(std::string_view text, std::vector<ExprIssue>& issues) : text_(text), issues_(issues) {}

  std::vector<Token> run() {
    tokens_.reserve(text_.size() / 4 + 2);  // most have fewer
    while (skip_blanks() && next()) {
    }
    tokens_.push_back({TokenKind::End, "", static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_)});
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  bool skip_blanks() {
    while (at_ < text_.size()) {
      if (is_white(text_[at_]) || text_[at_] == '\f') {
        ++at_;
      } else if (peek() == '/' && peek(1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return true;
      }
    }
    return false;
  }

  bool fail(std::size_t begin, std::string message) {
    issues_.push_back(
        {std::move(message), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::max(begin + 1, at_))});
    return false;
  }

  void add(TokenKind kind, std::string text, std::size_t begin) {
    tokens_.push_back({kind, std::move(text), static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at_)});
  }

  bool next() {
    const std::size_t begin = at_;
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number(begin);
    if (is_letter(peek())) {
      if (string_prefix()) return string(begin);
      while (is_letter(peek()) || is_digit(peek())) ++at_;
      add(TokenKind::Identifier, std::string(text_.substr(begin, at_ - begin)), begin);
      return true;
    }
    if (peek() == '"' || peek() == '\'') return string(begin);
    if (peek() == '`') return quoted_identifier(begin);
    for (const std::string_view mark : kMarks) {
      if (mark.front() != text_[at_] || !text_.substr(at_).starts_with(mark)) continue;
      at_ += mark.size();
      add(TokenKind::Mark, std::string(mark), begin);
      return true;
    }
    if (peek() == '{' || peek() == '}') {
      ++at_;
      add(TokenKind::Mark, std::string(1, text_[begin]), begin);
      return true;
    }
    return fail(begin,
                "unexpected character `" + printable(text_.substr(begin, code_point_length(text_, begin))) + "`");
  }

  bool quoted_identifier(std::size_t begin) {
    const std::size_t end = text_.find('`', at_ + 1);
    if (end == text_.npos) return fail(begin, "a field name in backticks is not closed");
    const std::string_view name = text_.substr(begin + 1, end - begin - 1);
    at_ = end + 1;
    const bool good = !name.empty() && std::ranges::all_of(name, [](char c) {
      return is_letter(c) || is_digit(c) || std::string_view("-./ ").find(c) != std::string_view::npos;
    });
    if (!good)
      return fail(begin, "a field name in backticks is made of letters, digits, `_`, `-`, `.`, `/` and blanks");
    add(TokenKind::Quoted, std::string(text_.substr(begin + 1, end - begin - 1)), begin);
    return true;
  }

  bool number(std::size_t begin) {
    TokenKind kind = TokenKind::Int;
    if (peek() == '0' && peek(1) == 'x') {
      at_ += 2;
      if (hex_value(peek()) < 0) return fail(begin, "a hexadecimal number needs digits");
      while (hex_value(peek()) >= 0) ++at_;
    } else {
      while (is_digit(peek())) ++at_;
      if (peek() == '.' && is_digit(peek(1))) {
        kind = TokenKind::Double;
        ++at_;
        while (is_digit(peek())) ++at_;
      }
      if (peek() == 'e' || peek() == 'E') {
        const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
        if (is_digit(peek(sign))) {
          kind = TokenKind::Double;
          at_ += sign;
          while (is_digit(peek())) ++at_;
        }
      }
    }
    const std::string digits(text_.substr(begin, at_ - begin));
    if (kind == TokenKind::Int && (peek() == 'u' || peek() == 'U')) {
      kind = TokenKind::Uint;
      ++at_;
    }
    add(kind, digits, begin);
    return true;
  }

  /// r"", b"", rb"", br"" in any case; leaves at_ where it was.
  bool string_prefix() {
    raw_ = bytes_ = false;
    std::size_t at = at_;
    for (; at < at_ + 2 && at < text_.size(); ++at) {
      const char c = text_[at];
      if ((c == 'r' || c == 'R') && !raw_) {
        raw_ = true;
      } else if ((c == 'b' || c == 'B') && !bytes_) {
        bytes_ = true;
      } else {
        break;
      }
    }
    const bool quote = at > at_ && at < text_.size() && (text_[at] == '"' || text_[at] == '\'');
    if (quote) {
      at_ = at;
    } else {
      raw_ = bytes_ = false;
    }
    return quote;
  }

  bool string(std::size_t begin) {
    const bool raw = raw_;
    const bool bytes = bytes_;
    raw_ = bytes_ = false;
    const char quote = peek();
    const std::string three(3, quote);
    const bool long_form = text_.substr(at_).starts_with(three);
    const std::string close = long_form ? three : std::string(1, quote);
    at_ += close.size();
    std::string value;
    while (!text_.substr(at_).starts_with(close)) {
      if (at_ >= text_.size() || (!long_form && (peek() == '\n' || peek() == '\r')))
        return fail(begin, "a string is not closed");
      if (peek() == '\\' && !raw) {
        if (!escape(value, bytes)) return false;
      } else {
        value += text_[at_++];
      }
    }
    at_ += close.size();
    add(bytes ? TokenKind::Bytes : TokenKind::String, std::move(value), begin);
    return true;
  }

  bool escape(std::string& out, bool bytes) {
    const std::size_t begin = at_++;
    const char c = peek();
    ++at_;
    constexpr std::string_view kFrom = "abfnrtv\\?\"'`";
    constexpr std::string_view kTo = "\a\b\f\n\r\t\v\\?\"'`";
    if (const std::size_t simple = kFrom.find(c); simple != kFrom.npos) {
      out += kTo[simple];
      return true;
    }
    const bool octal = c >= '0' && c <= '3';
    const std::size_t digits = octal                  ? 2
                               : c == 'x' || c == 'X' ? 2
                               : c == 'u' && !bytes   ? 4
                               : c == 'U' && !bytes   ? 8
                                                      : 0;
    if (digits == 0) return fail(begin, "unknown escape in a string");
    char32_t value = octal ? static_cast<char32_t>(c - '0') : 0;
    for (std::size_t i = 0; i < digits; ++i, ++at_) {
      const int digit = hex_value(peek());
      if (digit < 0 || (octal && digit > 7)) return fail(begin, "an escape in a string has too few digits");
      value = value * (octal ? 8 : 16) + static_cast<char32_t>(digit);
    }
    if (bytes) {
      out += static_cast<char>(value);
      return true;
    }
    if (value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) return fail(begin, "an escape names no character");
    append_utf8(out, value);
    return true;
  }

  std::string_view text_;
  std::vector<ExprIssue>& issues_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  bool raw_ = false;
  bool bytes_ = false;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, std::vector<ExprIssue>& issues) { return Lexer(text, issues).run(); }

}  // namespace muster
