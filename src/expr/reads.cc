#include <algorithm>

#include "expr/evaluator.h"

namespace muster {

std::vector<std::pair<std::string, std::string>> Expr::reads(EvalContext& context) const {
  if (context.slots.size() < ast_->slots) context.slots.resize(ast_->slots);
  std::vector<std::pair<std::string, std::string>> out;
  const auto is_path = [&](const AstNode& node) {
    const AstNode* at = &node;
    while (at->op == Op::Select && at->children.size() == 1) at = &ast_->nodes[at->children[0]];
    return at->op == Op::Ident && node.op == Op::Select;
  };
  std::vector<std::uint32_t> open{ast_->root};
  while (!open.empty()) {
    const AstNode& node = ast_->nodes[open.back()];
    const std::uint32_t index = open.back();
    open.pop_back();
    const bool macro = node.op == Op::All || node.op == Op::Exists || node.op == Op::ExistsOne || node.op == Op::MapEach || node.op == Op::Filter;
    if (is_path(node)) {
      const Value value = Evaluator(*ast_, context).eval_field(index);
      const std::string text(ast_->text.substr(node.begin, node.end - node.begin));
      const bool known = std::ranges::find(out, text, &std::pair<std::string, std::string>::first) != out.end();
      if (!known && !value.is(Value::Kind::Error)) out.emplace_back(text, value.is(Value::Kind::Absent) ? "(absent)" : to_text(value));
      continue;
    }
    for (std::size_t i = node.children.size(); i-- > 0;) {
      if (!macro || i == 0) open.push_back(node.children[i]);  // of a macro only its range
    }
  }
  return out;
}

}  // namespace muster
