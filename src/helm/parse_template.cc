#include "helm/parse_template.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/strings.h"
#include "helm/functions.h"
#include "helm/lexer.h"
#include "helm/literals.h"

namespace muster::helm {
namespace {

constexpr std::size_t kLongest = std::size_t{4} << 20;  // templates of charts have some KiB
constexpr std::size_t kMost = 500;                      // variables, and structures within each other

/// A control structure that waits for its `end`.
struct Block {
  std::string_view word;
  Item at;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), lexer_(text) { variables_.emplace_back("$"); }

  ParsedTemplate run() {
    ParsedTemplate out;
    parts(out.tree.body);
    out.tree.named = std::move(named_);
    out.trouble = std::move(trouble_);
    out.too_large = too_large_;
    if (too_large_) out.trouble.reset();
    return out;
  }

 private:
  /// What ended a list of parts.
  enum class Ended { Text, End, Else };

  std::string word(const Item& item) const { return std::string(text_.substr(item.begin, item.end - item.begin)); }

  bool fail(const Item& item, std::string why, bool function = false) {
    if (!trouble_) trouble_ = TemplateTrouble{item.begin, std::max(item.end, item.begin + 1), std::move(why), function};
    return false;
  }
  bool over() const { return trouble_.has_value() || too_large_; }

  void advance() {
    now_ = lexer_.next();
    if (now_.token == Token::Close) trims_ = now_.end - now_.begin == 4;
  }
  void skip_space() {
    while (now_.token == Token::Space) advance();
  }
  bool is_word(std::string_view what) const {
    return now_.token == Token::Word && text_.substr(now_.begin, now_.end - now_.begin) == what;
  }

  Ended parts(std::vector<Part>& out) {
    for (;;) {
      const Item item = lexer_.next();
      if (open_.size() > kMost || variables_.size() > kMost) too_large_ = true;
      if (item.token == Token::End && !over() && !open_.empty())
        fail(open_.back().at, "`" + std::string(open_.back().word) + "` has no `end`");
      if (item.token == Token::End || over()) return Ended::Text;
      if (item.token == Token::Unclosed) fail(item, "an action or comment is not closed");
      if (item.token == Token::Text) add_text(item, out);
      if (item.token == Token::Comment) {
        const std::string_view text = text_.substr(item.begin, item.end - item.begin);
        if (text.starts_with("{{-")) trim_right(out);
        trims_ = text.ends_with("-}}");
      }
      if (item.token != Token::Open) continue;
      if (item.end - item.begin == 4) trim_right(out);
      const Ended ended = action(item, out);
      if (ended != Ended::Text) return ended;
    }
  }

  void add_text(const Item& item, std::vector<Part>& out) {
    std::size_t begin = item.begin;
    while (trims_ && begin < item.end && is_white(text_[begin])) ++begin;
    trims_ = false;
    if (begin == item.end) return;
    Part& part = out.emplace_back();
    part.begin = begin;
    part.end = item.end;
    last_text_ = item.end;
  }

  /// A marker takes the blanks of the text that stands directly before it.
  void trim_right(std::vector<Part>& out) {
    if (out.empty() || out.back().kind != Part::Kind::Text || out.back().end != last_text_) return;
    Part& part = out.back();
    while (part.end > part.begin && is_white(text_[part.end - 1])) --part.end;
    if (part.begin == part.end) out.pop_back();
  }

  /// What stands between {{ and }}.
  Ended action(const Item& open, std::vector<Part>& out) {
    last_text_ = text_.npos;
    advance();
    skip_space();
    const Item at{Token::Word, open.begin, now_.end};
    const std::string first = now_.token == Token::Word ? word(now_) : std::string();
    if (first == "end") {
      if (open_.empty()) return fail(at, "`end` closes nothing"), Ended::Text;
      advance();
      closed("end");
      return Ended::End;
    }
    if (first == "else") return otherwise(at);
    Part part;
    part.kind = Part::Kind::Value;
    part.begin = open.begin;
    if (first == "if" || first == "with" || first == "range") {
      control(at, first, part);
    } else if (first == "define" || first == "block") {
      if (!named(at, first, part)) return Ended::Text;
    } else if (first == "template") {
      part.kind = Part::Kind::Template;
      advance();
      if (!name(part.name)) return Ended::Text;
      if (now_.token != Token::Close) whole_pipeline(part.pipeline);
    } else if (first == "break" || first == "continue") {
      part.kind = first == "break" ? Part::Kind::Break : Part::Kind::Continue;
      const bool loop = std::ranges::any_of(open_, [](const Block& one) { return one.word == "range"; });
      if (!loop) return fail(at, "`" + first + "` stands outside of `range`"), Ended::Text;
      advance();
      closed(first);
    } else {
      whole_pipeline(part.pipeline);
    }
    if (part.end == 0) part.end = now_.end;
    out.push_back(std::move(part));
    return Ended::Text;
  }

  void closed(const std::string& after) {
    skip_space();
    if (now_.token == Token::Close) return;
    fail(now_, now_.token == Token::Unclosed ? "an action or text is not closed"
                                             : "`" + word(now_) + "` stands behind `" + after + "`");
  }

  /// `if`, `with` and `range` up to their `end`.
  void control(const Item& at, const std::string& first, Part& part) {
    part.kind = first == "if" ? Part::Kind::If : first == "with" ? Part::Kind::With : Part::Kind::Range;
    const std::size_t variables = variables_.size();
    open_.push_back({keyword(first), at});
    condition(at, first, part);
    if (!over()) body(part);
    if (over()) return;
    variables_.resize(variables);
    open_.pop_back();
  }

  void condition(const Item& at, const std::string& first, Part& part) {
    advance();
    skip_space();
    if (now_.token == Token::Close) return void(fail(at, "`" + first + "` has no condition"));
    pipeline(first == "range", part.pipeline);
    if (!trouble_) closed(first);
    part.end = now_.end;
  }

  /// Behind the condition: `else if` is an if within the else; the one `end` closes both.
  void body(Part& part) {
    const std::size_t variables = variables_.size();
    Ended ended = parts(part.body);
    if (ended != Ended::Else) return;
    variables_.resize(variables);
    if (now_.token == Token::Close) {
      ended = parts(part.otherwise);
      if (ended == Ended::Else && !over()) fail(else_, "`else` stands behind `else`");
      return;
    }
    const std::string first = word(now_);
    Part inner;
    inner.kind = first == "if" ? Part::Kind::If : Part::Kind::With;
    inner.begin = else_.begin;
    if (++depth_ > kMost) too_large_ = true;
    condition(else_, first, inner);
    if (!over()) body(inner);
    --depth_;
    part.otherwise.push_back(std::move(inner));
  }

  static std::string_view keyword(std::string_view text) {
    for (const std::string_view one : {"if", "with", "range", "define", "block"}) {
      if (one == text) return one;
    }
    return "if";
  }

  /// False where nothing stands in its place: `define`, or a mistake. A `block` is a definition that is used at once.
  bool named(const Item& at, const std::string& first, Part& part) {
    if (first == "define" && !open_.empty())
      return fail(at, "`define` stands within `" + std::string(open_.back().word) + "`");
    const std::size_t variables = variables_.size();
    const std::size_t scope = scope_;
    open_.push_back({keyword(first), at});
    advance();
    if (!name(part.name)) return false;
    if (first == "block") {
      if (now_.token == Token::Close) return fail(at, "`block` has no value");
      whole_pipeline(part.pipeline);
    } else {
      closed(first);
    }
    part.kind = Part::Kind::Template;
    part.end = now_.end;
    scope_ = variables_.size();  // a template of its own
    variables_.emplace_back("$");
    std::vector<Part> parts_of_it;
    if (!over()) parts(parts_of_it);
    if (over()) return false;
    const bool empty = std::ranges::all_of(parts_of_it, [&](const Part& one) {
      return one.kind == Part::Kind::Text && trim(text_.substr(one.begin, one.end - one.begin)).empty();
    });
    // Go keeps the one that is not empty.
    if (!empty || !named_.contains(part.name)) named_[part.name] = std::move(parts_of_it);
    variables_.resize(variables);
    scope_ = scope;
    open_.pop_back();
    return first == "block";
  }

  bool name(std::string& out) {
    skip_space();
    if (now_.token != Token::String) return fail(now_, "the name of a template is no text in quotes");
    out = unquoted(word(now_));
    advance();
    skip_space();
    return true;
  }

  Ended otherwise(const Item& at) {
    const bool takes =
        !open_.empty() && (open_.back().word == "if" || open_.back().word == "with" || open_.back().word == "range");
    if (!takes) return fail(at, "`else` belongs to nothing"), Ended::Text;
    else_ = at;
    advance();
    skip_space();
    if (now_.token != Token::Close && !is_word("if") && !is_word("with"))
      return fail(now_, "`" + word(now_) + "` stands behind `else`"), Ended::Text;
    return Ended::Else;
  }

  void whole_pipeline(Pipeline& out) {
    pipeline(false, out);
    if (!trouble_) closed("a value");
  }

  /// Declarations, and commands with bars between them.
  void pipeline(bool of_range, Pipeline& out) {
    declare(of_range, out);
    bool first = true;
    for (bool more = !trouble_; more && !trouble_; first = false) {
      skip_space();
      // Go takes a bar with nothing behind it.
      if (!first && (now_.token == Token::Close || now_.token == Token::RightParen)) return;
      command(out.commands.emplace_back());
      more = !trouble_ && now_.token == Token::Pipe;
      if (more) advance();
    }
  }

  /// `$x := `, `$x = `, `$i, $x := `. Declared is a variable for what follows its pipeline; before it that does no
  /// harm.
  void declare(bool of_range, Pipeline& out) {
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
      out.declares = now_.token == Token::Declare;
      out.names = std::move(names);
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

  void command(Command& out) {
    for (;;) {
      skip_space();
      switch (now_.token) {
        case Token::Close:
        case Token::Pipe:
        case Token::RightParen:
          if (out.operands.empty()) fail(now_, "a value is missing before `" + word(now_) + "`");
          return;
        case Token::Unclosed: return void(fail(now_, "an action or text is not closed"));
        case Token::Odd:
        case Token::Declare:
        case Token::Assign:
        case Token::Comma: return void(fail(now_, "`" + word(now_) + "` has no place in an action" + hint()));
        default: break;
      }
      operand(out.operands.emplace_back());
      if (trouble_) return;
    }
  }

  std::string hint() const {
    const char c = text_[now_.begin];
    if (c == '\'') return ": texts stand in double quotes";
    return c == '<' || c == '>' || c == '!' || c == '=' ? ": `eq`, `ne`, `gt` and `lt` compare" : "";
  }

  void operand(Operand& out) {
    const Item at = now_;
    switch (now_.token) {
      case Token::Word: word_operand(at, out); break;
      case Token::Variable:
        out.kind = Operand::Kind::Variable;
        out.text = word(now_);
        known(at, out.text);
        break;
      case Token::LeftParen:
        if (++depth_ > 200) return void(fail(at, "parentheses are nested too deeply"));
        advance();
        out.kind = Operand::Kind::Within;
        pipeline(false, out.within.emplace_back());
        --depth_;
        if (trouble_) return;
        if (now_.token != Token::RightParen) return void(fail(at, "a parenthesis is not closed"));
        break;
      case Token::Field: out.fields.push_back(word(now_).substr(1)); break;
      case Token::String:
        out.kind = Operand::Kind::Text;
        out.text = unquoted(word(now_));
        if (text_[at.begin] == '\'') {
          out.kind = Operand::Kind::Integer;
          out.integer = first_character(out.text);
        }
        break;
      case Token::Number: read_number(word(now_), out); break;
      default: break;
    }
    if (trouble_) return;
    advance();
    for (; now_.token == Token::Field; advance()) out.fields.push_back(word(now_).substr(1));
  }

  void word_operand(const Item& at, Operand& out) {
    out.text = word(now_);
    if (out.text == "true") return void(out.kind = Operand::Kind::True);
    if (out.text == "false") return void(out.kind = Operand::Kind::False);
    if (out.text == "nil") return void(out.kind = Operand::Kind::Nil);
    out.kind = Operand::Kind::Function;
    if (is_template_keyword(out.text)) return void(fail(at, "`" + out.text + "` stands within an action"));
    if (!is_helm_function(out.text)) fail(at, "Helm has no function `" + out.text + "`", true);
  }

  static bool is_template_keyword(std::string_view name) {
    constexpr std::string_view kWords[] = {"block", "break", "continue", "define",   "else",
                                           "end",   "if",    "range",    "template", "with"};
    return std::ranges::find(kWords, name) != std::end(kWords);
  }

  std::string_view text_;
  Lexer lexer_;
  Item now_;
  Item else_;                                  ///< the last `else`
  bool trims_ = false;                         ///< the action before took the blanks behind it
  std::size_t last_text_ = std::string::npos;  ///< where the text ends that stands right before what comes
  std::vector<Block> open_;
  std::vector<std::string> variables_;
  std::size_t scope_ = 0;  ///< the first of them that is seen
  std::size_t depth_ = 0;
  bool too_large_ = false;
  std::map<std::string, std::vector<Part>, std::less<>> named_;
  std::optional<TemplateTrouble> trouble_;
};

}  // namespace

ParsedTemplate parse_template(std::string_view text) {
  if (text.size() <= kLongest) return Parser(text).run();
  ParsedTemplate out;
  out.too_large = true;
  return out;
}

}  // namespace muster::helm
