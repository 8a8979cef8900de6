#include <algorithm>

#include "expr/evaluator.h"

namespace muster {
namespace {

/// Calls `visit` with each path of fields that the expression reads, its text and its value.
template <class Visit>
void each_read(const Ast& ast, EvalContext& context, Visit visit) {
  if (context.slots.size() < ast.slots) context.slots.resize(ast.slots);
  const auto is_path = [&](const AstNode& node) {
    const AstNode* at = &node;
    while (at->op == Op::Select && at->children.size() == 1) at = &ast.nodes[at->children[0]];
    return at->op == Op::Ident && node.op == Op::Select;
  };
  std::vector<std::uint32_t> open{ast.root};
  while (!open.empty()) {
    const AstNode& node = ast.nodes[open.back()];
    const std::uint32_t index = open.back();
    open.pop_back();
    const bool macro = node.op == Op::All || node.op == Op::Exists || node.op == Op::ExistsOne ||
                       node.op == Op::MapEach || node.op == Op::Filter;
    if (is_path(node)) {
      visit(ast.text.substr(node.begin, node.end - node.begin), Evaluator(ast, context).eval_field(index));
      continue;
    }
    for (std::size_t i = node.children.size(); i-- > 0;) {
      if (!macro || i == 0) open.push_back(node.children[i]);  // of a macro only its range
    }
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> Expr::reads(EvalContext& context) const {
  std::vector<std::pair<std::string, std::string>> out;
  each_read(*ast_, context, [&](const std::string& text, const Value& value) {
    const bool known = std::ranges::find(out, text, &std::pair<std::string, std::string>::first) != out.end();
    if (!known && !value.is(Value::Kind::Error))
      out.emplace_back(text, value.is(Value::Kind::Absent) ? "(absent)" : to_text(value));
  });
  return out;
}

std::set<std::string> Expr::assumptions(EvalContext& context) const {
  std::set<std::string> out;
  each_read(*ast_, context, [&](const std::string&, const Value& value) {
    if (value.origin() != nullptr && value.origin()->state == State::Assumed) out.insert(value.origin()->needs);
  });
  return out;
}

}  // namespace muster
