#include "support/expr.h"

#include <set>

#include "expr/expr.h"
#include "expr/functions.h"
#include "support/catch.h"

namespace muster::test {
namespace {

std::string needs_of(const Value& value) {
  std::set<std::string> needs;
  for (const UnknownNeed* need = value.needs(); need != nullptr; need = need->next) needs.emplace(need->needs);
  std::string out;
  for (const std::string& need : needs) out += (out.empty() ? "" : ", ") + need;
  return out;
}

}  // namespace

std::string evaluated(std::string_view text) {
  CompileEnv env;
  env.gradual = true;
  env.variables = {{"u", kDynType}, {"v", kDynType}, {"m", kDynType}, {"l", kDynType}, {"x.y", kDynType}};
  std::vector<ExprIssue> issues;
  const std::optional<Expr> expr = Expr::compile(text, env, issues);
  if (!expr) return "syntax: " + issues.front().message;
  Arena arena;
  EvalContext context;
  context.read.arena = &arena;
  const auto open = [&](std::string_view needs) { return Value::unknown(arena.make(UnknownNeed{needs, nullptr})); };
  const MapEntry entries[] = {{Value::of(std::string_view("known")), Value::of(std::int64_t{1})},
                              {Value::of(std::string_view("open")), open("m.open")}};
  const Value items[] = {Value::of(std::int64_t{1}), open("l[1]")};
  context.slots = {open("u"), open("v"), make_map(entries, context), make_list(items, context),
                   Value::of(std::int64_t{5})};
  const Value value = expr->eval(context);
  if (value.is(Value::Kind::Unknown)) return "unknown: " + needs_of(value);
  if (value.is(Value::Kind::Error)) return "error: " + std::string(value.as_error().message);
  const std::string type(value.is(Value::Kind::Null) ? "null" : name_of(value.kind()));
  return to_literal(value) + " : " + type;
}

void check_cases(const std::vector<ExprCase>& cases) {
  for (const ExprCase& each : cases) {
    INFO(each.text);
    CHECK(evaluated(each.text) == each.expected);
  }
}

}  // namespace muster::test
