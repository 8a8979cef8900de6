#include "helm/template_syntax.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "helm/functions.h"

namespace muster {
namespace {

constexpr std::size_t kLongest = std::size_t{1} << 20;  // templates of charts have some KiB
constexpr std::size_t kMost = 500;                      // variables, and structures within each other

enum class Token {
  Text,
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

struct Item {
  Token token = Token::End;
  std::size_t begin = 0;
  std::size_t end = 0;
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_name(char c) { return is_letter(c) || is_digit(c); }

/// One token after the other; outside of actions a text is one token.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Item next() {
    const Item item = within_ ? inside() : outside();
    at_ = item.end;
    return item;
  }

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  Item outside() {
    const std::size_t open = text_.find("{{", at_);
    if (open != at_) return {at_ == text_.size() ? Token::End : Token::Text, at_, std::min(open, text_.size())};
    std::size_t end = at_ + 2;
    if (at(end) == '-' && is_white(at(end + 1))) end += 2;
    if (text_.substr(end).starts_with("/*")) {
      const std::size_t close = text_.find("*/", end);
      if (close == text_.npos) return {Token::Unclosed, at_, std::min(at_ + 2, text_.size())};
      std::size_t behind = close + 2;
      if (is_white(at(behind)) && at(behind + 1) == '-') behind += 2;
      if (!text_.substr(behind).starts_with("}}")) return {Token::Unclosed, at_, behind};
      return {Token::Text, at_, behind + 2};
    }
    within_ = true;
    opened_ = at_;
    return {Token::Open, at_, end};
  }

  Item inside() {
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
      return is_letter(at(begin + 1)) ? Item{Token::Field, begin, name_end(begin + 1)}
                                      : Item{Token::Dot, begin, begin + 1};
    if (is_digit(c) || ((c == '+' || c == '-' || c == '.') && (is_digit(at(begin + 1)) || at(begin + 1) == '.')))
      return {Token::Number, begin, number_end(begin + 1)};
    if (is_letter(c)) return {Token::Word, begin, name_end(begin)};
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

  Item close(std::size_t begin, std::size_t end) {
    within_ = false;
    return {Token::Close, begin, end};
  }

  Item quoted(std::size_t begin, char mark) {
    for (std::size_t i = begin + 1; i < text_.size(); ++i) {
      if (text_[i] == mark) return {mark == '\'' && !is_one(begin + 1, i) ? Token::Odd : Token::String, begin, i + 1};
      if (mark == '`') continue;
      if (text_[i] == '\n') break;
      if (text_[i] == '\\') ++i;
    }
    return {Token::Unclosed, begin, begin + 1};
  }

  /// One character, of several bytes or written with a backslash.
  bool is_one(std::size_t begin, std::size_t end) const {
    const std::string_view text = text_.substr(begin, end - begin);
    const auto more = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    return text.starts_with('\\') || std::ranges::count_if(text, [&](char c) { return !more(c); }) == 1;
  }

  std::size_t name_end(std::size_t i) const {
    while (is_name(at(i))) ++i;
    return i;
  }
  std::size_t number_end(std::size_t i) const {
    while (is_name(at(i)) || at(i) == '.' || ((at(i) == '+' || at(i) == '-') && (at(i - 1) | 0x20) == 'e')) ++i;
    return i;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t opened_ = 0;
  bool within_ = false;
};

/// A control structure that waits for its `end`.
struct Block {
  std::string_view word;
  Item at;
  std::size_t variables = 0;  ///< that there were before it
  std::size_t scope = 0;      ///< where those began that it saw
  bool has_else = false;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), lexer_(text) { variables_.emplace_back("$"); }

  std::optional<TemplateTrouble> run() {
    for (Item item = lexer_.next(); item.token != Token::End && !trouble_; item = lexer_.next()) {
      if (open_.size() > kMost || variables_.size() > kMost) return std::nullopt;
      if (item.token == Token::Unclosed) fail(item, "an action or comment is not closed");
      if (item.token == Token::Open) action(item);
    }
    if (!trouble_ && !open_.empty()) fail(open_.back().at, "`" + std::string(open_.back().word) + "` has no `end`");
    return std::move(trouble_);
  }

 private:
  std::string word(const Item& item) const { return std::string(text_.substr(item.begin, item.end - item.begin)); }

  bool fail(const Item& item, std::string why, bool function = false) {
    if (!trouble_) trouble_ = TemplateTrouble{item.begin, std::max(item.end, item.begin + 1), std::move(why), function};
    return false;
  }

  void advance() { now_ = lexer_.next(); }
  void skip_space() {
    while (now_.token == Token::Space) advance();
  }
  bool is_word(std::string_view what) const {
    return now_.token == Token::Word && text_.substr(now_.begin, now_.end - now_.begin) == what;
  }

  /// What stands between {{ and }}.
  void action(const Item& open) {
    advance();
    skip_space();
    if (now_.token != Token::Word) return whole_pipeline();
    const Item at{Token::Word, open.begin, now_.end};
    const std::string first = word(now_);
    if (first == "if" || first == "with" || first == "range") return control(at, first, true);
    if (first == "define" || first == "block") return named(at, first);
    if (first == "template") {
      advance();
      if (!name()) return;
      if (now_.token != Token::Close) whole_pipeline();
      return;
    }
    if (first == "else") return otherwise(at);
    if (first == "end") {
      if (open_.empty()) return void(fail(at, "`end` closes nothing"));
      variables_.resize(open_.back().variables);
      scope_ = open_.back().scope;
      open_.pop_back();
      advance();
      return closed("end");
    }
    if (first == "break" || first == "continue") {
      const bool loop = std::ranges::any_of(open_, [](const Block& one) { return one.word == "range"; });
      if (!loop) return void(fail(at, "`" + first + "` stands outside of `range`"));
      advance();
      return closed(first);
    }
    whole_pipeline();
  }

  void closed(const std::string& after) {
    skip_space();
    if (now_.token == Token::Close) return;
    fail(now_, now_.token == Token::Unclosed ? "an action or text is not closed"
                                             : "`" + word(now_) + "` stands behind `" + after + "`");
  }

  void control(const Item& at, const std::string& first, bool opens) {
    if (opens) open_.push_back({keyword(first), at, variables_.size(), scope_, false});
    advance();
    skip_space();
    if (now_.token == Token::Close) return void(fail(at, "`" + first + "` has no condition"));
    pipeline(first == "range");
    if (!trouble_) closed(first);
  }

  static std::string_view keyword(std::string_view text) {
    for (const std::string_view one : {"if", "with", "range", "define", "block"}) {
      if (one == text) return one;
    }
    return "if";
  }

  void named(const Item& at, const std::string& first) {
    if (first == "define" && !open_.empty())
      return void(fail(at, "`define` stands within `" + std::string(open_.back().word) + "`"));
    open_.push_back({keyword(first), at, variables_.size(), scope_, false});
    advance();
    if (!name()) return;
    if (first == "block") {
      if (now_.token == Token::Close) return void(fail(at, "`block` has no value"));
      whole_pipeline();
    } else {
      closed(first);
    }
    scope_ = variables_.size();  // a template of its own
    variables_.emplace_back("$");
  }

  bool name() {
    skip_space();
    if (now_.token != Token::String) return fail(now_, "the name of a template is no text in quotes");
    advance();
    skip_space();
    return true;
  }

  void otherwise(const Item& at) {
    const bool takes =
        !open_.empty() && (open_.back().word == "if" || open_.back().word == "with" || open_.back().word == "range");
    if (!takes) return void(fail(at, "`else` belongs to nothing"));
    Block& block = open_.back();
    if (block.has_else) return void(fail(at, "`else` stands behind `else`"));
    advance();
    skip_space();
    if (now_.token == Token::Close) {
      block.has_else = true;
      return;
    }
    // `else if` is an if within the else; the one `end` closes both, so that it is taken for the same structure.
    if (is_word("if") || is_word("with")) {
      const std::string first = word(now_);
      return control(at, first, false);
    }
    fail(now_, "`" + word(now_) + "` stands behind `else`");
  }

  void whole_pipeline() {
    pipeline(false);
    if (!trouble_) closed("a value");
  }

  /// Declarations, and commands with bars between them.
  void pipeline(bool of_range) {
    declare(of_range);
    bool first = true;
    for (bool more = !trouble_; more && !trouble_; first = false) {
      skip_space();
      // Go takes a bar with nothing behind it.
      if (!first && (now_.token == Token::Close || now_.token == Token::RightParen)) return;
      command();
      more = !trouble_ && now_.token == Token::Pipe;
      if (more) advance();
    }
  }

  /// `$x := `, `$x = `, `$i, $x := `. Declared is a variable for what follows its pipeline; before it that does no
  /// harm.
  void declare(bool of_range) {
    skip_space();
    if (now_.token != Token::Variable) return;
    const Lexer before = lexer_;
    const Item first = now_;
    std::vector<std::string> names{word(now_)};
    advance();
    skip_space();
    if (of_range && now_.token == Token::Comma) {
      advance();
      skip_space();
      if (now_.token != Token::Variable) return void(fail(now_, "`range` takes variables here"));
      names.push_back(word(now_));
      advance();
      skip_space();
    }
    if (now_.token == Token::Declare || now_.token == Token::Assign) {  // Go holds neither against what was declared
      variables_.insert(variables_.end(), names.begin(), names.end());
      return advance();
    }
    if (names.size() > 1) return void(fail(now_, "`range` declares with `:=`"));
    lexer_ = before;
    now_ = first;
  }

  void known(const Item& at, const std::string& name) {
    const auto first = variables_.begin() + static_cast<std::ptrdiff_t>(scope_);
    if (std::find(first, variables_.end(), name) == variables_.end())
      fail(at, "nothing declares the variable `" + name + "`");
  }

  void command() {
    bool any = false;
    for (;;) {
      skip_space();
      switch (now_.token) {
        case Token::Close:
        case Token::Pipe:
        case Token::RightParen:
          if (!any) fail(now_, "a value is missing before `" + word(now_) + "`");
          return;
        case Token::Unclosed: return void(fail(now_, "an action or text is not closed"));
        case Token::Odd:
        case Token::Declare:
        case Token::Assign:
        case Token::Comma: return void(fail(now_, "`" + word(now_) + "` has no place in an action" + hint()));
        default: break;
      }
      operand();
      if (trouble_) return;
      any = true;
    }
  }

  std::string hint() const {
    const char c = text_[now_.begin];
    if (c == '\'') return ": texts stand in double quotes";
    return c == '<' || c == '>' || c == '!' || c == '=' ? ": `eq`, `ne`, `gt` and `lt` compare" : "";
  }

  void operand() {
    const Item at = now_;
    switch (now_.token) {
      case Token::Word: {
        const std::string name = word(now_);
        const bool constant = name == "true" || name == "false" || name == "nil";
        if (is_template_keyword(name)) return void(fail(at, "`" + name + "` stands within an action"));
        if (!constant && !is_helm_function(name)) return void(fail(at, "Helm has no function `" + name + "`", true));
        break;
      }
      case Token::Variable: known(at, word(now_)); break;
      case Token::LeftParen:
        if (++depth_ > 200) return void(fail(at, "parentheses are nested too deeply"));
        advance();
        pipeline(false);
        --depth_;
        if (trouble_) return;
        if (now_.token != Token::RightParen) return void(fail(at, "a parenthesis is not closed"));
        break;
      default: break;
    }
    advance();
    while (now_.token == Token::Field) advance();
  }

  static bool is_template_keyword(std::string_view name) {
    constexpr std::string_view kWords[] = {"block", "break", "continue", "define",   "else",
                                           "end",   "if",    "range",    "template", "with"};
    return std::ranges::find(kWords, name) != std::end(kWords);
  }

  std::string_view text_;
  Lexer lexer_;
  Item now_;
  std::vector<Block> open_;
  std::vector<std::string> variables_;
  std::size_t scope_ = 0;  ///< the first of them that is seen
  std::size_t depth_ = 0;
  std::optional<TemplateTrouble> trouble_;
};

}  // namespace

std::optional<TemplateTrouble> template_trouble(std::string_view text) {
  return text.size() > kLongest ? std::nullopt : Parser(text).run();
}

}  // namespace muster
