#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// What is wrong with an expression and where, in bytes of its text.
struct ExprIssue {
  std::string message;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

enum class TokenKind : unsigned char { End, Identifier, Quoted, Int, Uint, Double, String, Bytes, Mark };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string text;  ///< identifier or mark; decoded value of a string or bytes; digits of a number
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};

/// Cuts an expression into tokens by the lexis of the CEL specification (doc/langdef.md, "Syntax"); the last one is
/// End. `Quoted` is a field name between backticks. On an error the issue is filled and the tokens end there.
std::vector<Token> tokenize(std::string_view text, std::vector<ExprIssue>& issues);

}  // namespace muster
