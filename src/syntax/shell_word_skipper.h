#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace muster {

/// Goes past the words of a shell script, with what is quoted and filled in within them. What stands in `$( )` is the
/// business of who derives from it.
class ShellWordSkipper {
 public:
  explicit ShellWordSkipper(std::string_view text) : text_(text) {}

 protected:
  /// A quote that the text ends within; the place is that of the first that looks wrong.
  struct OddQuote {
    char quote = 0;
    std::uint32_t begin = 0;
  };

  ~ShellWordSkipper() = default;
  /// Past the `)` of what `$(` or `<(` began.
  virtual void substitution() = 0;
  /// Past a line end, and the here-documents behind it.
  virtual void line_end() = 0;

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool starts(std::string_view what) const { return at_ < text_.size() && text_.substr(at_).starts_with(what); }
  bool over() const { return stopped_ || odd_ || at_ >= text_.size(); }
  void give_up() { stopped_ = true; }
  static bool is_gap(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  static bool ends_plain_word(char c) {
    return is_gap(c) || std::string_view("\n;&|()<>").find(c) != std::string_view::npos;
  }

  void skip_gaps();
  void skip_comment();
  void skip_lines();
  /// Past `(...)`, `((...))`.
  void skip_parens();
  /// `test`: within `[[ ]]`, where an expression of `=~` has parentheses.
  void word(bool test = false);
  /// Past the `]]` of a test.
  void double_brackets();

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<OddQuote> odd_;
  bool stopped_ = false;  ///< nothing is to be said of what follows

 private:
  std::size_t continuation() const;
  void unclosed(char quote, std::size_t begin);
  void note_odd(std::size_t begin);
  void single_quote(bool escapes);
  void double_quote();
  bool expansion();
  void braces();
  void items();

  std::optional<std::size_t> odd_quote_;
  int braces_ = 0;       ///< of `${`, one within the other
  int items_ = 0;        ///< of `a=(`, likewise
  bool quoted_ = false;  ///< within `"`
};

}  // namespace muster
