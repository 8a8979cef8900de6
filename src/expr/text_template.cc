#include "expr/expr.h"

namespace muster {
namespace {

/// The `}` that closes an expression which begins at `from`, braces and strings within it skipped.
std::size_t closing_brace(std::string_view text, std::size_t from) {
  int depth = 0;
  for (std::size_t at = from; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = text.find(c, at + 1);
      if (at == text.npos) return text.npos;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && depth-- == 0) {
      return at;
    }
  }
  return text.npos;
}

}  // namespace

std::optional<TextTemplate> TextTemplate::compile(std::string_view text, const CompileEnv& env,
                                                  std::vector<ExprIssue>& issues) {
  TextTemplate out;
  out.text_ = text;
  std::string literal;
  const std::size_t issues_before = issues.size();
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '$' || at + 1 == text.size() || (text[at + 1] != '{' && text[at + 1] != '$')) {
      literal += text[at];
      continue;
    }
    if (text[++at] == '$') {
      literal += '$';
      continue;
    }
    const std::size_t end = closing_brace(text, at + 1);
    if (end == text.npos) {
      issues.push_back(
          {"`${` is not closed", static_cast<std::uint32_t>(at - 1), static_cast<std::uint32_t>(text.size())});
      return std::nullopt;
    }
    std::vector<ExprIssue> own;
    std::optional<Expr> expr = Expr::compile(text.substr(at + 1, end - at - 1), env, own);
    for (ExprIssue& issue : own) {
      issue.begin += static_cast<std::uint32_t>(at + 1);
      issue.end += static_cast<std::uint32_t>(at + 1);
      issues.push_back(std::move(issue));
    }
    if (expr) {
      out.params_.insert(expr->params().begin(), expr->params().end());
      out.pieces_.push_back({std::move(literal), std::move(expr)});
    }
    literal.clear();
    at = end;
  }
  out.pieces_.push_back({std::move(literal), std::nullopt});
  return issues.size() == issues_before ? std::optional(std::move(out)) : std::nullopt;
}

std::string TextTemplate::render(EvalContext& context) const {
  constexpr std::size_t kUsualValues = 64;  // bytes of what the expressions put in
  std::string out;
  out.reserve(text_.size() + kUsualValues);
  for (const Piece& piece : pieces_) {
    out += piece.literal;
    if (!piece.expr) continue;
    const Value value = piece.expr->eval(context);
    out += value.kind() == Value::Kind::Quantity ? value.as_quantity().readable() : to_text(value);
  }
  return out;
}

}  // namespace muster
