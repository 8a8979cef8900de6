#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/expr.h"
#include "expr/functions.h"

namespace muster {

/// Finds the type of every node and what names stand for. Included by the files that implement it alone.
class Checker {
 public:
  Checker(Ast& ast, const CompileEnv& env, std::vector<ExprIssue>& issues);

  void run();

  std::set<std::string> present_when_true;
  std::set<std::string> targets;
  std::set<std::string> params;

 private:
  const Type* keep(Type type) { return &ast_.types.emplace_back(type); }
  /// An error whatever the mode.
  const Type* fail(const AstNode& node, std::string message);
  /// An error that a gradual check leaves to the evaluation of the operator itself.
  const Type* mismatch(const AstNode& node, std::string message);
  /// An error that a gradual check turns into one of evaluation.
  const Type* unresolved(AstNode& node, std::string message);
  const Type* check(std::uint32_t index);
  const Type* infer(std::uint32_t index);
  void want(std::uint32_t child, const Type& wanted);

  // Names, fields and items: checker.cc.
  const Type* identifier(AstNode& node);
  const Type* select(AstNode& node);
  const Type* optional_select(AstNode& node);
  const Type* has(AstNode& node);
  const Type* subscript(AstNode& node);
  const Type* optional_subscript(AstNode& node);
  const Type* param(AstNode& node);
  bool is_params(std::uint32_t child) const;
  const Field* find_field(AstNode& node, const Type& object);
  /// A dotted name that is a variable or a type as a whole: x.y, google.protobuf.Timestamp.
  const Type* dotted(AstNode& node);
  const Type* variable(AstNode& node, std::string_view name, bool rooted);
  const Type* become_type(AstNode& node, std::string_view name);
  std::optional<std::string> path_of(const AstNode& node) const;
  bool is_rooted(const AstNode& node) const;
  void collect_present(std::uint32_t index, bool truth, std::set<std::string>& out) const;
  void check_word(const AstNode& node, const Type& type);

  // Operators and literals: check_operators.cc.
  const Type* negate(AstNode& node);
  const Type* logical(AstNode& node);
  const Type* conditional(AstNode& node);
  const Type* equality(AstNode& node);
  const Type* order(AstNode& node);
  const Type* in(AstNode& node);
  const Type* arithmetic(AstNode& node);
  const Type* time_arithmetic(Op op, TypeKind left, TypeKind right) const;
  const Type* common(const Type* a, const Type* b);
  const Type* list(AstNode& node);
  void fold(AstNode& node);
  const Type* map(AstNode& node);

  // Calls and macros: check_calls.cc.
  const Type* call(AstNode& node);
  const Type* result_of(const Overload& overload, const std::vector<const Type*>& types);
  const Type* literal_argument(AstNode& node);
  const Type* pattern(AstNode& node, const Type* result);
  const Type* macro(AstNode& node);
  const Type* body_of(const AstNode& node, const Type* range, const Type* item);
  const Type* bind(AstNode& node);
  const Type* optional_map(AstNode& node);
  const Type* optional_or(AstNode& node);
  /// Variables of macros live in slots behind those of the environment.
  void push(std::string name, const Type& type);

  Ast& ast_;
  const CompileEnv& env_;
  std::vector<ExprIssue>& issues_;
  std::vector<Variable> variables_;
  std::set<std::string> present_;
  bool dotted_variables_ = false;
  bool asking_ = false;
};

// Shared by the files of the checker.
inline bool is_numeric(const Type& type) {
  return type.kind == TypeKind::Int || type.kind == TypeKind::Uint || type.kind == TypeKind::Double ||
         type.kind == TypeKind::Dyn;
}
const Type* type_of_literal(const AstNode& node);

}  // namespace muster
