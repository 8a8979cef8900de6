#pragma once

#include <cstddef>
#include <string_view>

namespace muster::helm {

enum class Token {
  Text,
  Comment,
  Open,
  Close,
  Word,
  Field,
  Variable,
  Dot,
  Number,
  String,
  Pipe,
  LeftParen,
  RightParen,
  Declare,
  Assign,
  Comma,
  Space,
  Odd,
  Unclosed,
  End
};

/// Offsets in the text.
struct Item {
  Token token = Token::End;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// A template of Go's text/template, one token after the other; outside of actions a text is one token, and so is a
/// comment with its braces. An Open or Close with a trim marker takes the marker and its blank too: it has four
/// characters instead of two. Source: golang/go:src/text/template/parse/lex.go (1.25).
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Item next();

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  Item outside();
  Item comment(std::size_t behind_open);
  Item inside();
  Item close(std::size_t begin, std::size_t end);
  Item quoted(std::size_t begin, char mark) const;
  bool is_one(std::size_t begin, std::size_t end) const;
  std::size_t name_end(std::size_t i) const;
  std::size_t number_end(std::size_t i) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t opened_ = 0;
  bool within_ = false;
};

}  // namespace muster::helm
