#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "expr/ast.h"
#include "expr/lexer.h"

namespace muster {

/// Bounds that keep any text from costing more than it is worth.
inline constexpr std::size_t kMaxExprSize = 65536;
inline constexpr int kMaxExprDepth = 250;
inline constexpr std::size_t kMaxExprNodes = 20000;

/// Parses the CEL grammar with macros; names and types are not looked at. Nothing on an error, with the issue filled.
std::optional<Ast> parse_expr(std::string_view text, std::vector<ExprIssue>& issues);

}  // namespace muster
