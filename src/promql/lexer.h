#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace muster::promql {

struct Token {
  enum class Kind : std::uint8_t { End, Word, Number, Text, Sign, Bad };
  Kind kind = Kind::End;
  std::size_t begin = 0;
  std::string_view text;  ///< as written
};

/// The tokens of an expression, one after the other. A number has the letters behind it: `5m`, `1e-3`, `5min`.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next();
  /// Takes all up to a `]`, without it, and the `]`; nullopt: there is none.
  std::optional<std::string_view> rest_of_brackets();
  std::size_t at() const { return at_; }

 private:
  void skip();
  Token quoted(char quote);
  Token number();

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Without quotes and escapes; nullopt: Prometheus knows one of the escapes not, as in "a\.b".
std::optional<std::string> unquoted(std::string_view text);

/// `1h30m`: whole numbers with y, w, d, h, m, s and ms, in this order.
bool is_duration(std::string_view text);
/// `5`, `0.5`, `1e-3`, `0x1F`, `1_000`.
bool is_number(std::string_view text);

}  // namespace muster::promql
