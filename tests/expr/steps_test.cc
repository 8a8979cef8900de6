// What an evaluation may cost is counted in steps; work that is hidden in one call is charged for.
#include "expr/expr.h"
#include "facts/types.h"
#include "support/catch.h"

using namespace muster;

namespace {

struct Cost {
  std::uint64_t steps = 0;
  bool stopped = false;
};

Cost cost_of(std::string_view expression, const std::string& text, std::uint64_t max_steps = 10'000'000) {
  CompileEnv env;
  env.variables = {{"t", kStringType}};
  std::vector<ExprIssue> issues;
  const std::optional<Expr> expr = Expr::compile(expression, env, issues);
  REQUIRE(expr);
  Arena arena;
  EvalContext context;
  context.read.arena = &arena;
  context.max_steps = max_steps;
  context.slots = {Value::of(std::string_view(text))};
  const Value value = expr->eval(context);
  return {context.steps, value.is(Value::Kind::Error)};
}

}  // namespace

TEST_CASE("a pattern costs by the length of the text and of the pattern", "[expr-steps]") {
  for (const std::string expression : {"t.matches('a+b')", "t.find('a+b') == ''", "t.findAll('a+b').size() == 0"}) {
    INFO(expression);
    const std::uint64_t small = cost_of(expression, std::string(10'000, 'a')).steps;
    const std::uint64_t large = cost_of(expression, std::string(20'000, 'a')).steps;
    CHECK(small > 500);
    CHECK(large > small * 3 / 2);
    CHECK(large < small * 3);
    CHECK(cost_of(expression, "aaa").steps < 20);
  }
  const std::string text(10'000, 'a');
  CHECK(cost_of("t.matches('(a{1,30}){1,30}b')", text).steps > 20 * cost_of("t.matches('a+b')", text).steps);
  CHECK(cost_of("t.matches('(a{1,30}){1,30}b')", text, 1000).stopped);
  CHECK(cost_of("t.findAll('a').size() == 10000", text, 1000).stopped);
  CHECK_FALSE(cost_of("t.findAll('a').size() == 10000", text).stopped);
}

TEST_CASE("a function of a long text costs more than a node", "[expr-steps]") {
  const std::string text(100'000, 'a');
  CHECK(cost_of("t.contains('b')", text).steps > 1000);
  CHECK(cost_of("t.contains('b')", "a").steps < 20);
}
