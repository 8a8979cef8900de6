#include "rulebook/contradiction.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace muster {
namespace {

/// What conditions leave of one path.
struct Left {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;
  std::optional<std::set<std::string>> words;  ///< of texts and bools: those still allowed
  std::set<std::string> excluded;

  bool nothing() const {
    if (low > high || (low == high && (low_open || high_open))) return true;
    return words && std::ranges::all_of(*words, [&](const std::string& word) { return excluded.contains(word); });
  }
};

class Contradictions {
 public:
  std::optional<std::string> add(const Ast& ast, std::uint32_t index) {
    const AstNode& node = ast.nodes[index];
    if (node.op == Op::And) {
      for (const std::uint32_t child : node.children) {
        if (std::optional<std::string> path = add(ast, child)) return path;
      }
      return std::nullopt;
    }
    const std::optional<std::string> path = note(ast, node);
    return path && left_[*path].nothing() ? path : std::nullopt;
  }

 private:
  static std::optional<std::string> path_of(const Ast& ast, std::uint32_t index) {
    const AstNode& node = ast.nodes[index];
    if (node.op == Op::Ident) return node.name;
    if (node.op != Op::Select) return std::nullopt;
    const std::optional<std::string> base = path_of(ast, node.children[0]);
    // Parameters are constants that may be anything.
    return base && *base != "params" ? std::optional(*base + "." + node.name) : std::nullopt;
  }

  static std::optional<double> number(const Value& value) {
    constexpr std::int64_t kExact = std::int64_t{1} << 53;
    if (value.is(Value::Kind::Double)) return value.as_double();
    if (value.is(Value::Kind::Int) && value.as_int() < kExact && value.as_int() > -kExact)
      return static_cast<double>(value.as_int());
    return std::nullopt;
  }

  static std::optional<std::string> word(const Value& value) {
    if (value.is(Value::Kind::String)) return "\"" + std::string(value.as_text());
    if (value.is(Value::Kind::Bool)) return value.as_bool() ? "true" : "false";
    return std::nullopt;
  }

  /// The path that a condition narrows.
  std::optional<std::string> note(const Ast& ast, const AstNode& node) {
    if (node.op == Op::Select)
      return allow(path_of(ast, static_cast<std::uint32_t>(&node - ast.nodes.data())), {"true"});
    if (node.op == Op::Not) return allow(path_of(ast, node.children[0]), {"false"});
    if (node.op == Op::In && is_list(ast.nodes[node.children[1]])) return note_in(ast, node);
    if (node.children.size() != 2) return std::nullopt;
    const AstNode& left = ast.nodes[node.children[0]];
    const AstNode& right = ast.nodes[node.children[1]];
    if (right.op == Op::Literal) return compare(path_of(ast, node.children[0]), node.op, right.literal);
    if (left.op != Op::Literal) return std::nullopt;
    const Op flipped = node.op == Op::Less           ? Op::Greater
                       : node.op == Op::LessEqual    ? Op::GreaterEqual
                       : node.op == Op::Greater      ? Op::Less
                       : node.op == Op::GreaterEqual ? Op::LessEqual
                                                     : node.op;
    return compare(path_of(ast, node.children[1]), flipped, left.literal);
  }

  std::optional<std::string> note_in(const Ast& ast, const AstNode& node) {
    std::set<std::string> words;
    for (const std::uint32_t item : ast.nodes[node.children[1]].children) {
      const std::optional<std::string> text =
          ast.nodes[item].op == Op::Literal ? word(ast.nodes[item].literal) : std::nullopt;
      if (!text) return std::nullopt;
      words.insert(*text);
    }
    return allow(path_of(ast, node.children[0]), words);
  }

  std::optional<std::string> allow(const std::optional<std::string>& path, const std::set<std::string>& words) {
    if (!path) return std::nullopt;
    std::optional<std::set<std::string>>& left = left_[*path].words;
    if (!left) left = words;
    std::erase_if(*left, [&](const std::string& word) { return !words.contains(word); });
    return path;
  }

  std::optional<std::string> compare(const std::optional<std::string>& path, Op op, const Value& value) {
    if (!path) return std::nullopt;
    Left& left = left_[*path];
    if (const std::optional<std::string> text = word(value)) {
      if (op == Op::Equal) return allow(path, {*text});
      if (op == Op::NotEqual) left.excluded.insert(*text);
      return op == Op::NotEqual ? path : std::nullopt;
    }
    const std::optional<double> bound = number(value);
    const bool orders =
        op == Op::Equal || op == Op::Less || op == Op::LessEqual || op == Op::Greater || op == Op::GreaterEqual;
    if (!bound || !orders) return std::nullopt;
    if (op != Op::Less && op != Op::LessEqual && (*bound > left.low || (*bound == left.low && op == Op::Greater))) {
      left.low = *bound;
      left.low_open = op == Op::Greater;
    }
    if (op != Op::Greater && op != Op::GreaterEqual &&
        (*bound < left.high || (*bound == left.high && op == Op::Less))) {
      left.high = *bound;
      left.high_open = op == Op::Less;
    }
    return path;
  }

  std::map<std::string, Left> left_;
};

/// False even while every field is unknown.
bool is_false(const Expr& condition) {
  Arena arena;
  EvalContext context;
  context.read.arena = &arena;
  context.slots.assign(16, Value::unknown(nullptr));
  const Value value = condition.eval(context);
  return value.is(Value::Kind::Bool) && !value.as_bool();
}

}  // namespace

std::optional<std::string> find_contradiction(const std::vector<Expr>& conditions) {
  Contradictions contradictions;
  for (const Expr& condition : conditions) {
    if (is_false(condition)) return "`" + std::string(condition.text()) + "` is false whatever the fields say";
    if (const std::optional<std::string> path = contradictions.add(condition.ast(), condition.ast().root))
      return "with `" + std::string(condition.text()) + "` nothing is left that `" + *path + "` could be";
  }
  return std::nullopt;
}

}  // namespace muster
