#include "expr/expr.h"
#include "expr/slow_evaluator.h"
#include "support/catch.h"

using namespace muster;
using namespace muster::test;

namespace {

Outcome outcome_of(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::Unknown: {
      Open open;
      for (const UnknownNeed* need = value.needs(); need != nullptr; need = need->next) open.needs.emplace(need->needs);
      return open;
    }
    case Value::Kind::Bool: return value.as_bool();
    case Value::Kind::Int: return value.as_int();
    case Value::Kind::Uint: return value.as_uint();
    case Value::Kind::Double: return value.as_double();
    case Value::Kind::String: return std::string(value.as_text());
    case Value::Kind::List: {
      Ints out;
      for (std::size_t i = 0; i < value.as_list().size; ++i)
        out.push_back(value.as_list().at(value.as_list().base, i).as_int());
      return out;
    }
    default: return Failed{};
  }
}

constexpr Type kIntListType{TypeKind::List, &kIntType};

/// The variables of both implementations.
struct Bindings {
  Bindings() {
    add("known_bool", kBoolType, true, Value::of(true));
    add("known_int", kIntType, std::int64_t{2}, Value::of(std::int64_t{2}));
    add("known_uint", kUintType, std::uint64_t{2}, Value::of(std::uint64_t{2}));
    add("known_double", kDoubleType, 2.0, Value::of(2.0));
    add("known_string", kStringType, std::string("ab"), Value::of(std::string_view("ab")));
    list.size = items.size();
    list.base = items.data();
    list.at = [](const void* base, std::size_t i) { return Value::of(static_cast<const std::int64_t*>(base)[i]); };
    add("known_ints", kIntListType, Ints(items), Value::of(&list));
    const char* open[] = {"open_bool", "open_int", "open_uint", "open_double", "open_string", "open_ints"};
    const Type types[] = {kBoolType, kIntType, kUintType, kDoubleType, kStringType, kIntListType};
    for (std::size_t i = 0; i < 6; ++i) {
      needs[i] = {open[i], nullptr};
      add(open[i], types[i], Open{{open[i]}}, Value::unknown(&needs[i]));
    }
    context.read.arena = &arena;
  }
  Bindings(const Bindings&) = delete;
  Bindings& operator=(const Bindings&) = delete;

  void add(const char* name, const Type& type, Outcome outcome, const Value& value) {
    env.variables.push_back({name, type});
    names[name] = std::move(outcome);
    context.slots.push_back(value);
  }

  Ints items{3, 0, -1};
  ListData list;
  UnknownNeed needs[6];
  CompileEnv env;
  Names names;
  Arena arena;
  EvalContext context;
};

}  // namespace

TEST_CASE("a second evaluator agrees on ten thousand random expressions", "[expr]") {
  Bindings world;
  Grower grower(20270131);
  constexpr Sort kSorts[] = {Sort::Bool, Sort::Int, Sort::Uint, Sort::Double, Sort::String, Sort::IntList};
  std::size_t failed = 0;
  std::size_t open = 0;
  for (int i = 0; i < 10'000; ++i) {
    const Tree tree = grower.grow(kSorts[i % 6], 1 + i % 4);
    std::vector<ExprIssue> issues;
    const std::optional<Expr> expr = Expr::compile(tree.text, world.env, issues);
    if (!expr) FAIL(tree.text << ": " << issues.front().message);
    world.arena.reset();
    world.context.steps = 0;
    const Outcome actual = outcome_of(expr->eval(world.context));
    const Outcome expected = walk(tree, world.names);
    if (show(actual) != show(expected)) FAIL(tree.text << " is " << show(actual) << ", not " << show(expected));
    failed += std::holds_alternative<Failed>(expected) ? 1 : 0;
    open += std::holds_alternative<Open>(expected) ? 1 : 0;
  }
  // All three kinds of outcome are met often enough to mean something.
  CHECK(failed > 500);
  CHECK(open > 500);
  CHECK(failed + open < 9'000);
}
