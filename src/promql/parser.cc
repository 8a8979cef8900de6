#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"
#include "promql/functions.h"
#include "promql/lexer.h"
#include "promql/query.h"
#include "promql/types.h"

namespace muster::promql {
namespace {

constexpr int kDeepest = 60;
constexpr int kMostPatterns = 100;  // regular expressions of one expression
constexpr std::size_t kLongest = 1 << 16;

struct Operator {
  std::string_view word;
  int binds;  ///< the more, the closer
};
constexpr std::array<Operator, 17> kOperators{{{"or", 1},
                                               {"and", 2},
                                               {"unless", 2},
                                               {"==", 3},
                                               {"!=", 3},
                                               {"<=", 3},
                                               {"<", 3},
                                               {">=", 3},
                                               {">", 3},
                                               {"</", 3},
                                               {">/", 3},
                                               {"+", 4},
                                               {"-", 4},
                                               {"*", 5},
                                               {"/", 5},
                                               {"%", 5},
                                               {"atan2", 5}}};
constexpr int kPower = 6;

/// Words that no metric is called in an expression.
bool is_reserved(std::string_view word) {
  constexpr std::array<std::string_view, 6> kReserved{"atan2", "bool", "group_left", "group_right", "ignoring", "on"};
  return std::ranges::find(kReserved, word) != kReserved.end();
}

/// Words that make durations out of others, in some releases.
bool is_of_durations(std::string_view word) {
  return word == "step" || word == "range" || word == "min_of" || word == "max_of";
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), lexer_(text) {}

  Query run() {
    if (text_.size() > kLongest) return {};
    step();
    if (is_end()) refuse(token_, "there is no expression");
    const std::size_t root = expression(0);
    if (!is_end()) unexpected();
    if (!stopped_) out_.root = root;
    if (open_) out_.refusal.reset();
    return std::move(out_);
  }

 private:
  // --- tokens
  void step() {
    if (!stopped_) token_ = lexer_.next();
  }
  bool is_end() const { return token_.kind == Token::Kind::End; }
  bool is_sign(std::string_view sign) const { return token_.kind == Token::Kind::Sign && token_.text == sign; }
  bool is_word(std::string_view word) const {
    return token_.kind == Token::Kind::Word && equals_ignoring_case(token_.text, word);
  }
  bool take(std::string_view sign) {
    if (!is_sign(sign)) return false;
    step();
    return true;
  }
  void want(std::string_view sign) {
    if (take(sign)) return;
    if (is_end()) return refuse(token_, "a `" + std::string(sign) + "` is missing at the end");
    refuse(token_, in_ticks(shown()) + " stands where `" + std::string(sign) + "` is wanted");
  }
  /// The comma before the next of a list, which ends with `closing`.
  void want_next(std::string_view closing) { want(is_end() ? closing : ","); }
  std::string_view shown() const { return token_.text.substr(0, 40); }

  // --- ends: from the first on there are no more tokens, and what is said later is not heard
  void refuse(std::size_t begin, std::size_t end, std::string what) {
    if (!stopped_) out_.refusal = Refusal{begin, end, std::move(what)};
    stop();
  }
  void refuse(const Token& at, std::string what) { refuse(at.begin, at.begin + at.text.size(), std::move(what)); }
  void refuse(const Node& at, std::string what) { refuse(at.begin, at.end, std::move(what)); }
  void leave_open() {
    open_ = open_ || !stopped_;
    stop();
  }
  void stop() {
    stopped_ = true;
    token_ = {Token::Kind::End, text_.size(), {}};
  }
  void unexpected() {
    if (is_end()) return refuse(token_, "it ends where something is still wanted");
    if (token_.kind == Token::Kind::Bad && (token_.text == "\"" || token_.text == "'" || token_.text == "`"))
      return refuse(token_, "the text in quotes has no end");
    if (is_sign("=")) return refuse(token_, "`=` compares nothing outside of braces: `==`");
    refuse(token_, in_ticks(shown()) + " is unexpected here");
  }

  std::size_t add(Node node) {
    out_.nodes.push_back(std::move(node));
    return out_.nodes.size() - 1;
  }
  Node& at(std::size_t node) { return out_.nodes[node]; }

  // --- expressions
  static int binds(const Token& token) {
    if (token.kind == Token::Kind::Sign && token.text == "^") return kPower;
    if (token.kind != Token::Kind::Sign && token.kind != Token::Kind::Word) return 0;
    for (const Operator& one : kOperators) {
      if (equals_ignoring_case(one.word, token.text)) return one.binds;
    }
    return 0;
  }

  std::size_t expression(int least) {
    if (++deep_ > kDeepest) leave_open();
    std::size_t left = operand();
    while (true) {
      const int strength = binds(token_);
      if (strength == 0 || strength < least) break;
      const Token sign = token_;
      step();
      Node node;
      node.kind = Node::Kind::Binary;
      node.word = operator_word(sign.text);
      node.asks_bool = is_word("bool");
      if (node.asks_bool) step();
      node.matching = matching();
      // `^` takes from the right.
      const std::size_t right = expression(strength == kPower ? strength : strength + 1);
      node.begin = at(left).begin;
      node.end = at(right).end;
      node.parts = {left, right};
      left = add(std::move(node));
    }
    --deep_;
    return left;
  }

  static std::string_view operator_word(std::string_view written) {
    if (written == "^") return "^";
    const auto found =
        std::ranges::find_if(kOperators, [&](const Operator& one) { return equals_ignoring_case(one.word, written); });
    return found->word;
  }

  Matching matching() {
    Matching out;
    if (is_word("on") || is_word("ignoring")) {
      out.on = is_word("on");
      step();
      out.labels = labels();
      if (is_word("group_left") || is_word("group_right")) {
        out.grouped = true;
        out.left_is_many = is_word("group_left");
        step();
        if (is_sign("(")) out.taken = labels();
      }
    } else if (is_word("group_left") || is_word("group_right")) {
      refuse(token_, in_ticks(shown()) + " goes behind `on (...)` or `ignoring (...)`");
    }
    // Of 3.9; a metric may be called so.
    if (token_.kind == Token::Kind::Word && starts_with_ignoring_case(token_.text, "fill")) leave_open();
    return out;
  }

  std::vector<std::string_view> labels() {
    std::vector<std::string_view> out;
    want("(");
    while (!stopped_ && !is_sign(")")) {
      if (token_.kind == Token::Kind::Text) {
        out.push_back(token_.text.substr(1, token_.text.size() - 2));
      } else if (token_.kind == Token::Kind::Word && !contains(token_.text, ":")) {
        out.push_back(token_.text);
      } else if (is_end()) {
        want(")");
      } else {
        refuse(token_, in_ticks(shown()) + " is no label");
      }
      step();
      if (!is_sign(")")) want_next(")");
    }
    step();
    return out;
  }

  std::size_t operand() {
    if (is_sign("+") || is_sign("-")) {
      Node node;
      node.kind = Node::Kind::Unary;
      node.begin = token_.begin;
      node.word = token_.text;
      step();
      const std::size_t part = expression(kPower);  // `-x^2` is -(x^2)
      node.end = at(part).end;
      node.parts = {part};
      return add(std::move(node));
    }
    std::size_t out = primary();
    while (true) {
      if (is_sign("[")) {
        out = range(out);
      } else if (is_word("offset")) {
        step();
        move(out, "offset");
        offset();
      } else if (is_sign("@")) {
        step();
        move(out, "@");
        moment();
      } else if (is_word("anchored") || is_word("smoothed")) {
        step();
      } else {
        return out;
      }
    }
  }

  void move(std::size_t node, std::string_view by) {
    Node& one = at(node);
    if (one.kind != Node::Kind::Selector && one.kind != Node::Kind::Range)
      refuse(one, in_ticks(by) + " goes behind a metric, its labels or its range, and this is none of them");
    one.moved = true;
  }

  void offset() {
    if (!take("-")) take("+");
    if (is_sign("(") || (token_.kind == Token::Kind::Word && is_of_durations(to_lower(token_.text))))
      return leave_open();
    if (token_.kind != Token::Kind::Number) return unexpected();
    check_duration(token_.text, token_.begin);
    step();
  }

  void moment() {
    if (is_word("start") || is_word("end")) {
      step();
      want("(");
      return want(")");
    }
    if (!take("-")) take("+");
    if (token_.kind != Token::Kind::Number && !is_word("inf") && !is_word("nan")) unexpected();
    step();
  }

  void check_duration(std::string_view written, std::size_t begin) {
    if (is_duration(written) || is_number(written)) return;
    refuse(begin, begin + written.size(),
           in_ticks(written.substr(0, 40)) + " is no duration: whole numbers with y, w, d, h, m, s or ms");
  }

  /// `x[5m]`, `sum(x)[1h:1m]`.
  std::size_t range(std::size_t of) {
    const std::size_t begin = token_.begin;
    const std::optional<std::string_view> within = lexer_.rest_of_brackets();
    if (!within) {
      refuse(begin, begin + 1, "the bracket is not closed");
      return of;
    }
    const std::vector<std::string_view> parts = split(*within, ':');
    if (parts.size() > 2) refuse(begin, begin + within->size() + 2, "a range has one `:` at most");
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string_view part = trim(parts[i]);
      const auto place = static_cast<std::size_t>(part.data() - text_.data());
      if (part.empty() && i == 0) refuse(begin, begin + within->size() + 2, "the range has no duration");
      if (!part.empty() && part.find_first_of("123456789xX") == part.npos && part.find('0') != part.npos)
        refuse(place, place + part.size(), "a range of 0");
      // Sums and functions of durations are of some releases.
      if (part.find_first_of("+-*/%^()# \n\t") != part.npos || is_of_durations(to_lower(part))) leave_open();
      if (!part.empty()) check_duration(part, place);
    }
    Node node;
    node.kind = Node::Kind::Range;
    node.begin = at(of).begin;
    node.end = lexer_.at();
    node.parts = {of};
    if (parts.size() == 1 && at(of).kind != Node::Kind::Selector)
      refuse(node, "a range goes behind a metric or its labels; of what is worked out write `[5m:]`");
    if (parts.size() == 1 && at(of).moved) refuse(node, "`offset` and `@` go behind the range: `x[5m] offset 1h`");
    step();
    return add(std::move(node));
  }

  std::size_t primary() {
    Node node;
    node.begin = token_.begin;
    node.word = token_.text;
    if (token_.kind == Token::Kind::Number) {
      if (!is_number(token_.text) && !is_duration(token_.text))
        refuse(token_, in_ticks(shown()) + " is no number and no duration");
      return literal(std::move(node), Node::Kind::Number);
    }
    if (token_.kind == Token::Kind::Text) {
      if (!unquoted(token_.text)) bad_escape();
      return literal(std::move(node), Node::Kind::Text);
    }
    if (is_sign("(")) return in_brackets(std::move(node));
    if (is_sign("{")) return selector(std::move(node), {});
    if (token_.kind != Token::Kind::Word) unexpected();
    if (stopped_) return add(std::move(node));
    const std::string lower = to_lower(token_.text);
    if (lower == "inf" || lower == "nan") return literal(std::move(node), Node::Kind::Number);
    if (is_reserved(lower)) unexpected();
    const Token name = token_;
    step();
    if (arguments_of_aggregation(lower) && (is_sign("(") || is_word("by") || is_word("without")))
      return aggregate(std::move(node));
    if (is_sign("(")) return call(std::move(node), name);
    return selector(std::move(node), name.text);
  }

  std::size_t literal(Node node, Node::Kind kind) {
    node.kind = kind;
    node.end = token_.begin + token_.text.size();
    step();
    return add(std::move(node));
  }

  std::size_t in_brackets(Node node) {
    step();
    const std::size_t within = expression(0);
    node.end = token_.begin + 1;
    want(")");
    node.kind = Node::Kind::Brackets;
    node.parts = {within};
    return add(std::move(node));
  }

  void bad_escape() {
    refuse(token_,
           "a `\\` in quotes stands before a sign that it does nothing with: `\\\\` is one that a regular expression "
           "gets");
  }

  std::size_t selector(Node node, std::string_view name) {
    node.kind = Node::Kind::Selector;
    node.word = name;
    node.end = node.begin + name.size();
    bool named = !name.empty();
    if (is_sign("{")) {
      step();
      while (!stopped_ && !is_sign("}")) {
        named = matcher(node) || named;
        if (is_word("or")) leave_open();  // of VictoriaMetrics
        if (!is_sign("}")) want_next("}");
      }
      node.end = token_.begin + 1;
      step();
    }
    const auto is_name = [](const Matcher& one) { return one.label == "__name__"; };
    if (!name.empty() && std::ranges::any_of(node.matchers, is_name)) refuse(node, "the metric is named twice");
    const bool some = named || of_info_ || stopped_ ||
                      std::ranges::any_of(node.matchers, [](const Matcher& one) { return asks_for_some(one); });
    if (!some) refuse(node, "without a name a metric needs a label with a value: these take every series");
    return add(std::move(node));
  }

  /// Whether a series without the label is left out.
  static bool asks_for_some(const Matcher& one) {
    if (one.sign == "=") return !one.value.empty();
    if (one.sign == "!=") return one.value.empty();
    const bool takes_nothing = RE2::FullMatch("", RE2("(?s:" + one.value + ")", small_and_quiet()));
    return one.sign == "=~" ? !takes_nothing : takes_nothing;
  }

  /// Whether it is the name of the metric, in quotes.
  bool matcher(Node& node) {
    const Token label = token_;
    if (label.kind != Token::Kind::Word && label.kind != Token::Kind::Text) {
      if (is_end()) want("}");
      refuse(token_, in_ticks(shown()) + " is no label");
    }
    step();
    if (label.kind == Token::Kind::Text && (is_sign(",") || is_sign("}"))) return true;
    const bool known = is_sign("=") || is_sign("!=") || is_sign("=~") || is_sign("!~");
    if (!known && is_end()) want("}");
    if (!known)
      refuse(token_, in_ticks(shown()) + " stands behind label " + in_ticks(label.text) + ": =, !=, =~ or !~");
    const std::string_view sign = token_.text;
    step();
    if (token_.kind != Token::Kind::Text) {
      if (token_.kind == Token::Kind::Bad || is_end()) unexpected();
      refuse(token_, "the value of label " + in_ticks(label.text) + " stands in no quotes");
      return false;
    }
    const std::optional<std::string> value = unquoted(token_.text);
    if (!value) {
      bad_escape();
      return false;
    }
    if (sign.ends_with('~')) check_regex(*value);
    const std::string_view name =
        label.kind == Token::Kind::Text ? label.text.substr(1, label.text.size() - 2) : label.text;
    node.matchers.push_back({name, sign, *value});
    step();
    return false;
  }

  static RE2::Options small_and_quiet() {
    RE2::Options out(RE2::Quiet);
    out.set_max_mem(1 << 20);  // bytes; what needs more is not said to be wrong
    return out;
  }

  void check_regex(const std::string& value) {
    if (++patterns_ > kMostPatterns) return leave_open();
    const RE2 expression("(?s:" + value + ")", small_and_quiet());
    if (!expression.ok() && expression.error_code() != RE2::ErrorPatternTooLarge)
      refuse(token_, "this is no regular expression: " + expression.error());
  }

  std::vector<std::size_t> arguments() {
    std::vector<std::size_t> out;
    want("(");
    while (!stopped_ && !is_sign(")")) {
      if (!out.empty()) {
        want_next(")");
        if (is_sign(")")) refuse(token_, "no argument stands behind the last comma");
      }
      out.push_back(expression(0));
    }
    return out;
  }

  void grouping(Node& node) {
    node.grouped = true;
    node.without = is_word("without");
    step();
    node.grouping = labels();
  }

  std::size_t aggregate(Node node) {
    node.kind = Node::Kind::Aggregate;
    if (is_word("by") || is_word("without")) grouping(node);
    node.parts = arguments();
    node.end = token_.begin + 1;
    step();
    if (!node.grouped && (is_word("by") || is_word("without"))) {
      grouping(node);
      node.end = token_.begin;
    }
    return add(std::move(node));
  }

  std::size_t call(Node node, const Token& name) {
    if (name.text == "xdelta" || name.text == "xincrease" || name.text == "xrate") leave_open();  // of Thanos
    if (find_function(name.text) == nullptr)
      refuse(name, "there is no function " + in_ticks(name.text.substr(0, 60)) + did_you_mean_function(name.text));
    node.kind = Node::Kind::Call;
    const bool within = std::exchange(of_info_, name.text == "info");  // whose second argument may be of any labels
    node.parts = arguments();
    of_info_ = within;
    node.end = token_.begin + 1;
    step();
    return add(std::move(node));
  }

  std::string_view text_;
  Lexer lexer_;
  Token token_;
  Query out_;
  bool stopped_ = false;
  bool open_ = false;
  bool of_info_ = false;
  int patterns_ = 0;  ///< regular expressions so far
  int deep_ = 0;
};

}  // namespace

const Node& Query::inner(std::size_t node) const {
  while (nodes[node].kind == Node::Kind::Brackets) node = nodes[node].parts[0];
  return nodes[node];
}

Query read_query(std::string_view text) {
  Query out = Parser(text).run();
  if (out.root) check_types(out);
  return out;
}

}  // namespace muster::promql
