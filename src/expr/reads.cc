#include <algorithm>

#include "expr/evaluator.h"

namespace muster {
namespace {

bool is_path(const Ast& ast, const AstNode& node) {
  const AstNode* at = &node;
  while (at->op == Op::Select && at->children.size() == 1) at = &ast.nodes[at->children[0]];
  return at->op == Op::Ident && node.op == Op::Select;
}

/// Calls `visit` with each path of fields that the expression reads below a node, its text and its value.
template <class Visit>
void each_read(const Ast& ast, std::uint32_t index, EvalContext& context, const Visit& visit) {
  const AstNode& node = ast.nodes[index];
  if (is_path(ast, node)) {
    const std::string_view text = ast.text;
    return visit(text.substr(node.begin, node.end - node.begin), Evaluator(ast, context).eval_field(index));
  }
  // What a macro names has its values while that runs alone.
  const bool macro = (node.op >= Op::All && node.op <= Op::Bind) || node.op == Op::OptMap || node.op == Op::OptFlatMap;
  const std::size_t all = node.op == Op::Block ? node.children.size() - 1 : node.children.size();
  const std::size_t count = macro ? 1 : all;
  for (std::size_t i = 0; i < count; ++i) each_read(ast, node.children[i], context, visit);
}

template <class Visit>
void each_read(const Ast& ast, EvalContext& context, const Visit& visit) {
  if (context.slots.size() < ast.slots) context.slots.resize(ast.slots);
  each_read(ast, ast.root, context, visit);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> Expr::reads(EvalContext& context) const {
  std::vector<std::pair<std::string, std::string>> out;
  each_read(*ast_, context, [&](std::string_view text, const Value& value) {
    const bool known = std::ranges::find(out, text, &std::pair<std::string, std::string>::first) != out.end();
    if (!known && !value.is(Value::Kind::Error))
      out.emplace_back(text, value.is(Value::Kind::Absent) ? "(absent)" : to_text(value));
  });
  return out;
}

std::set<std::string> Expr::assumptions(EvalContext& context) const {
  std::set<std::string> out;
  each_read(*ast_, context, [&](std::string_view, const Value& value) {
    if (value.origin() != nullptr && value.origin()->state == State::Assumed) out.emplace(value.origin()->needs());
  });
  return out;
}

}  // namespace muster
