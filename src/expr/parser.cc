#include "expr/parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace muster {
namespace {

struct Binary {
  std::string_view mark;
  Op op;
  int level;  ///< binds tighter the higher
};
constexpr int kRelation = 1;
constexpr int kAddition = 2;
constexpr int kMultiplication = 3;
constexpr std::array kBinaries{
    Binary{"==", Op::Equal, kRelation},       Binary{"!=", Op::NotEqual, kRelation},
    Binary{"<", Op::Less, kRelation},         Binary{"<=", Op::LessEqual, kRelation},
    Binary{">", Op::Greater, kRelation},      Binary{">=", Op::GreaterEqual, kRelation},
    Binary{"in", Op::In, kRelation},          Binary{"+", Op::Add, kAddition},
    Binary{"-", Op::Subtract, kAddition},     Binary{"*", Op::Multiply, kMultiplication},
    Binary{"/", Op::Divide, kMultiplication}, Binary{"%", Op::Modulo, kMultiplication},
};

/// A call that stands for more than a call. Its first `names` arguments are names of variables.
struct Macro {
  std::string_view name;
  Op op;
  std::size_t arguments;
  std::size_t names;
};
constexpr std::array kMacros{
    Macro{"all", Op::All, 2, 1},
    Macro{"all", Op::All, 3, 2},
    Macro{"exists", Op::Exists, 2, 1},
    Macro{"exists", Op::Exists, 3, 2},
    Macro{"exists_one", Op::ExistsOne, 2, 1},
    Macro{"exists_one", Op::ExistsOne, 3, 2},
    Macro{"existsOne", Op::ExistsOne, 2, 1},
    Macro{"existsOne", Op::ExistsOne, 3, 2},
    Macro{"map", Op::MapEach, 2, 1},
    Macro{"map", Op::MapEach, 3, 1},
    Macro{"filter", Op::Filter, 2, 1},
    Macro{"transformList", Op::MapEach, 3, 2},
    Macro{"transformList", Op::MapEach, 4, 2},
    Macro{"transformMap", Op::TransformMap, 3, 2},
    Macro{"transformMap", Op::TransformMap, 4, 2},
    Macro{"transformMapEntry", Op::TransformMapEntry, 3, 2},
    Macro{"transformMapEntry", Op::TransformMapEntry, 4, 2},
    Macro{"sortBy", Op::SortBy, 2, 1},
    Macro{"optMap", Op::OptMap, 2, 1},
    Macro{"optFlatMap", Op::OptFlatMap, 2, 1},
    Macro{"or", Op::OptionalOr, 1, 0},
    Macro{"orValue", Op::OptionalOrValue, 1, 0},
};

constexpr std::array<std::string_view, 4> kKeywords{"false", "in", "null", "true"};
// Words that cannot be identifiers (CEL specification, "Syntax").
constexpr std::array<std::string_view, 17> kReserved{"as",        "break",  "const",  "continue", "else", "for",
                                                     "function",  "if",     "import", "let",      "loop", "package",
                                                     "namespace", "return", "var",    "void",     "while"};

using Index = std::uint32_t;

class Parser {
 public:
  Parser(std::string_view text, std::vector<ExprIssue>& issues) : issues_(issues) {
    ast_.text = text;
    tokens_ = tokenize(ast_.text, issues);
    ast_.nodes.reserve(tokens_.size() / 2 + 1);  // most have so many: nodes are large
  }

  std::optional<Ast> run() {
    if (!issues_.empty()) return std::nullopt;
    const Index root = expression();
    if (!failed_ && token().kind != TokenKind::End) fail("unexpected " + shown(token()));
    if (failed_) return std::nullopt;
    ast_.root = root;
    return std::move(ast_);
  }

 private:
  // --- tokens ---

  const Token& token() const { return tokens_[at_]; }
  /// The last token is the end: who fails stands on it and may be about to go on.
  void advance() { at_ = std::min(at_ + 1, tokens_.size() - 1); }
  bool is(std::string_view mark) const { return token().kind == TokenKind::Mark && token().text == mark; }
  bool is_word(std::string_view word) const { return token().kind == TokenKind::Identifier && token().text == word; }
  bool take(std::string_view mark) {
    if (!is(mark)) return false;
    advance();
    return true;
  }
  void expect(std::string_view mark) {
    if (!take(mark)) fail("expected `" + std::string(mark) + "`, got " + shown(token()));
  }
  static std::string shown(const Token& token) {
    switch (token.kind) {
      case TokenKind::End: return "the end";
      case TokenKind::String:
      case TokenKind::Bytes: return "a string";
      case TokenKind::Identifier:
      case TokenKind::Quoted:
      case TokenKind::Int:
      case TokenKind::Uint:
      case TokenKind::Double:
      case TokenKind::Mark: return "`" + token.text + "`";
    }
    return "";
  }
  void fail(std::string message) { fail_at(std::move(message), token().begin, token().end); }
  void fail_at(std::string message, Index begin, Index end) {
    if (!failed_) issues_.push_back({std::move(message), begin, std::max(begin + 1, end)});
    failed_ = true;
    at_ = tokens_.size() - 1;  // every loop ends at the end
  }

  // --- nodes ---

  Index add(Op op, Index begin, std::vector<Index> children, std::string name = "") {
    if (ast_.nodes.size() >= kMaxExprNodes) fail("the expression is too large");
    AstNode node;
    node.op = op;
    node.begin = begin;
    node.end = at_ > 0 ? tokens_[at_ - 1].end : begin;
    node.children = std::move(children);
    node.name = std::move(name);
    ast_.nodes.push_back(std::move(node));
    return static_cast<Index>(ast_.nodes.size() - 1);
  }
  Index literal(Value value, Index begin) {
    const Index index = add(Op::Literal, begin, {});
    ast_.nodes[index].literal = value;
    return index;
  }
  std::string_view keep(std::string text) { return ast_.strings.emplace_back(std::move(text)); }
  Index begin_of(Index node) const { return ast_.nodes[node].begin; }

  class Deeper {
   public:
    explicit Deeper(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxExprDepth) parser_.fail("the expression is nested too deeply");
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    Parser& parser_;
  };

  // --- grammar, loosest binding first ---

  Index expression() {
    const Deeper deeper(*this);
    const Index condition = logical(Op::Or, "||");
    if (!take("?")) return condition;
    const Index yes = logical(Op::Or, "||");
    expect(":");
    const Index no = failed_ ? condition : expression();
    return add(Op::Conditional, begin_of(condition), {condition, yes, no});
  }

  /// `a || b || c` is one node of three, so that long chains stay flat.
  Index logical(Op op, std::string_view mark) {
    std::vector<Index> parts{op == Op::Or ? logical(Op::And, "&&") : binary(kRelation)};
    while (take(mark)) parts.push_back(op == Op::Or ? logical(Op::And, "&&") : binary(kRelation));
    if (parts.size() == 1) return parts.front();
    const Index begin = begin_of(parts.front());
    return add(op, begin, std::move(parts));
  }

  Index binary(int level) {
    const int depth = depth_;
    Index left = level == kMultiplication ? unary() : binary(level + 1);
    for (;;) {
      const Binary* const found = operator_here();
      if (found == nullptr || found->level != level) break;
      if (++depth_ > kMaxExprDepth) fail("the expression is nested too deeply");  // left-deep trees are walked, too
      advance();
      const Index right = level == kMultiplication ? unary() : binary(level + 1);
      left = add(found->op, begin_of(left), {left, right});
    }
    depth_ = depth;
    return left;
  }

  const Binary* operator_here() const {
    const Token& here = token();
    if (here.kind != TokenKind::Mark && !is_word("in")) return nullptr;
    const auto found = std::ranges::find_if(
        kBinaries, [&](const Binary& one) { return one.mark.front() == here.text.front() && one.mark == here.text; });
    return found == kBinaries.end() ? nullptr : &*found;
  }

  Index unary() {
    const Index begin = token().begin;
    if (negative_number()) {
      advance();
      return member(number(true, begin));
    }
    if (!is("!") && !is("-")) return member(primary());
    return repeated(token().text, is("!") ? Op::Not : Op::Negate);
  }

  /// A minus right before a number belongs to it, so that the least int can be written.
  bool negative_number() const {
    const bool minus = is("-") && at_ + 1 < tokens_.size();
    return minus && (tokens_[at_ + 1].kind == TokenKind::Int || tokens_[at_ + 1].kind == TokenKind::Double);
  }

  /// `!!a` and `--a`; the grammar mixes them in parentheses only.
  Index repeated(const std::string& mark, Op op) {
    const Deeper deeper(*this);
    const Index begin = token().begin;
    advance();
    Index operand = 0;
    if (is(mark) && !negative_number()) {
      operand = repeated(mark, op);
    } else {
      const bool negative = negative_number();
      const Index number_begin = token().begin;
      if (negative) advance();
      operand = member(negative ? number(true, number_begin) : primary());
    }
    return add(op, begin, {operand});
  }

  /// Everything that binds to what stands before it: .field, .?field, .call(), [index], [?index].
  Index member(Index operand) {
    const int depth = depth_;
    while (!failed_) {
      if (++depth_ > kMaxExprDepth) fail("the expression is nested too deeply");
      const Index begin = begin_of(operand);
      if (is(".") || is(".?")) {
        const bool optional = is(".?");
        advance();
        const Token name = token();
        const bool keyword =
            name.kind == TokenKind::Identifier && std::ranges::find(kKeywords, name.text) != kKeywords.end();
        if (keyword || (name.kind != TokenKind::Identifier && name.kind != TokenKind::Quoted)) {
          fail("expected a field name, got " + shown(name));
          break;
        }
        advance();
        operand = !optional && is("(") ? method(operand, name)
                                       : add(optional ? Op::OptionalSelect : Op::Select, begin, {operand}, name.text);
      } else if (is("[") || is("[?")) {
        const bool joined = is("[?");
        advance();
        const bool optional = joined || take("?");
        const Index index = expression();
        expect("]");
        operand = add(optional ? Op::OptionalIndex : Op::Index, begin, {operand, index});
      } else {
        break;
      }
    }
    depth_ = depth;
    return operand;
  }

  Index method(Index operand, const Token& name) {
    std::vector<Index> given = arguments();
    if (failed_) return operand;
    const AstNode& receiver = ast_.nodes[operand];
    if (name.kind == TokenKind::Identifier && receiver.op == Op::Ident && receiver.name == "cel") {
      if (std::optional<Index> made = cel_macro(operand, name, given)) return *made;
    }
    const auto macro = std::ranges::find_if(kMacros, [&](const Macro& known) {
      return name.kind == TokenKind::Identifier && known.name == name.text && known.arguments == given.size();
    });
    if (macro != kMacros.end()) return expand(*macro, operand, given);
    given.insert(given.begin(), operand);
    const Index call = add(Op::Call, begin_of(operand), std::move(given), name.text);
    ast_.nodes[call].receiver = true;
    return call;
  }

  /// The name of a macro's variable; fails when it is none.
  std::string variable_name(std::string_view macro, Index node) {
    const AstNode& variable = ast_.nodes[node];
    if (variable.op == Op::Ident && !variable.rooted) return variable.name;
    fail_at("a variable of `" + std::string(macro) + "` must be a name", variable.begin, variable.end);
    return "";
  }

  Index expand(const Macro& macro, Index operand, const std::vector<Index>& given) {
    std::string first = macro.names > 0 ? variable_name(macro.name, given[0]) : std::string(macro.name);
    std::string second = macro.names > 1 ? variable_name(macro.name, given[1]) : "";
    if (macro.names > 1 && first == second && !failed_)
      fail_at("two variables of one macro need two names", begin_of(given[1]), ast_.nodes[given[1]].end);
    std::vector<Index> children{operand};
    children.insert(children.end(), given.begin() + static_cast<std::ptrdiff_t>(macro.names), given.end());
    const Index node = add(macro.op, begin_of(operand), std::move(children), std::move(first));
    ast_.nodes[node].second = std::move(second);
    return node;
  }

  /// cel.bind(name, value, body), and cel.block with cel.index and cel.iterVar, which only programs write.
  std::optional<Index> cel_macro(Index operand, const Token& name, const std::vector<Index>& given) {
    const Index begin = begin_of(operand);
    if (name.text == "bind" && given.size() == 3) {
      std::string variable = variable_name("cel.bind", given[0]);
      return add(Op::Bind, begin, {given[1], given[2]}, std::move(variable));
    }
    if (name.text == "block" && given.size() == 2 && ast_.nodes[given[0]].op == Op::List) {
      std::vector<Index> children = ast_.nodes[given[0]].children;
      children.push_back(given[1]);
      return add(Op::Block, begin, std::move(children));
    }
    const bool numbers = std::ranges::all_of(given, [&](Index node) {
      return ast_.nodes[node].op == Op::Literal && ast_.nodes[node].literal.is(Value::Kind::Int);
    });
    if (!numbers) return std::nullopt;
    const auto number_at = [&](std::size_t i) { return std::to_string(ast_.nodes[given[i]].literal.as_int()); };
    if (name.text == "index" && given.size() == 1) return add(Op::Ident, begin, {}, "@index" + number_at(0));
    if (name.text == "iterVar" && given.size() == 2)
      return add(Op::Ident, begin, {}, "@it:" + number_at(0) + ":" + number_at(1));
    return std::nullopt;
  }

  std::vector<Index> arguments() {
    std::vector<Index> out;
    expect("(");
    if (take(")")) return out;
    do {
      out.push_back(expression());
    } while (!failed_ && take(","));
    expect(")");
    return out;
  }

  Index primary() {
    const Token first = token();
    switch (first.kind) {
      case TokenKind::Int:
      case TokenKind::Uint:
      case TokenKind::Double: return number(false, first.begin);
      case TokenKind::String: advance(); return literal(Value::of(keep(first.text)), first.begin);
      case TokenKind::Bytes: advance(); return literal(Value::bytes(keep(first.text)), first.begin);
      case TokenKind::Identifier: return identifier();
      case TokenKind::Quoted:
      case TokenKind::End: break;
      case TokenKind::Mark:
        if (take("(")) {
          const Index inner = expression();
          expect(")");
          return inner;
        }
        if (take(".")) {  // a name from the root namespace
          const Index name = identifier();
          ast_.nodes[name].rooted = ast_.nodes[name].op == Op::Ident;
          return name;
        }
        if (is("[") || is("[?")) return list();
        if (is("{") || is("{?")) return map();
        break;
    }
    fail("expected a value, got " + shown(first));
    return literal(Value::null(), first.begin);
  }

  Index identifier() {
    const Token name = token();
    if (name.kind != TokenKind::Identifier) {
      fail("expected a name, got " + shown(name));
      return literal(Value::null(), name.begin);
    }
    advance();
    if (name.text == "true" || name.text == "false") return literal(Value::of(name.text == "true"), name.begin);
    if (name.text == "null") return literal(Value::null(), name.begin);
    if (name.text == "in" || std::ranges::find(kReserved, name.text) != kReserved.end()) {
      fail_at("`" + name.text + "` is a reserved word", name.begin, name.end);
      return literal(Value::null(), name.begin);
    }
    if (!is("(")) return add(Op::Ident, name.begin, {}, name.text);
    std::vector<Index> children = arguments();
    if (name.text == "has") return has(name, children);
    return add(Op::Call, name.begin, std::move(children), name.text);
  }

  Index has(const Token& name, const std::vector<Index>& children) {
    const bool select = children.size() == 1 && ast_.nodes[children[0]].op == Op::Select;
    if (!select) {
      fail_at("has() takes one field, as in has(a.b)", name.begin, name.end);
      return literal(Value::null(), name.begin);
    }
    return add(Op::Has, name.begin, {children[0]});
  }

  Index list() {
    const Index begin = token().begin;
    std::vector<Index> items;
    std::vector<bool> optional;
    bool first_optional = is("[?");
    advance();
    if (!first_optional && is(",") && at_ + 1 < tokens_.size() && tokens_[at_ + 1].text == "]")
      advance();  // the grammar has `[,]`
    while (!failed_ && !is("]")) {
      optional.push_back(first_optional || take("?"));
      first_optional = false;
      items.push_back(expression());
      if (!take(",")) break;
    }
    expect("]");
    const Index index = add(Op::List, begin, std::move(items));
    ast_.nodes[index].optional = std::move(optional);
    return index;
  }

  Index map() {
    const Index begin = token().begin;
    std::vector<Index> entries;
    std::vector<bool> optional;
    bool first_optional = is("{?");
    advance();
    if (!first_optional && is(",") && at_ + 1 < tokens_.size() && tokens_[at_ + 1].text == "}") advance();
    while (!failed_ && !is("}")) {
      optional.push_back(first_optional || take("?"));
      first_optional = false;
      entries.push_back(expression());
      expect(":");
      entries.push_back(failed_ ? entries.back() : expression());
      if (!take(",")) break;
    }
    expect("}");
    const Index index = add(Op::Map, begin, std::move(entries));
    ast_.nodes[index].optional = std::move(optional);
    return index;
  }

  Index number(bool negative, Index begin) {
    const Token first = token();
    advance();
    if (first.kind == TokenKind::Double) {
      const double value = std::strtod(first.text.c_str(), nullptr);
      if (std::isinf(value)) fail_at("the number `" + first.text + "` is too large", first.begin, first.end);
      return literal(Value::of(negative ? -value : value), begin);
    }
    const bool hex = first.text.starts_with("0x") || first.text.starts_with("0X");
    const std::string_view digits = std::string_view(first.text).substr(hex ? 2 : 0);
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, hex ? 16 : 10);
    const std::uint64_t largest =
        first.kind == TokenKind::Uint
            ? std::numeric_limits<std::uint64_t>::max()
            : static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + (negative ? 1 : 0);
    if (error != std::errc{} || value > largest) {
      fail_at("the number `" + first.text + "` is too large", first.begin, first.end);
      return literal(Value::null(), begin);
    }
    if (first.kind == TokenKind::Uint) return literal(Value::of(value), begin);
    return literal(Value::of(static_cast<std::int64_t>(negative ? ~value + 1 : value)), begin);
  }

  std::vector<ExprIssue>& issues_;
  Ast ast_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<Ast> parse_expr(std::string_view text, std::vector<ExprIssue>& issues) {
  if (text.size() > kMaxExprSize) {
    issues.push_back({"the expression is longer than 65,536 bytes", 0, 1});
    return std::nullopt;
  }
  return Parser(text, issues).run();
}

}  // namespace muster
