// Any text as an expression and as a text with expressions in it, over every collection of a small model: compiling
// and evaluating ends, with a value, without a crash.

#include <cstdint>

#include "expr/expr.h"
#include "pipeline/check.h"
#include "support/seeds.h"

namespace {

muster::Workspace small_world() {
  std::map<std::string, std::string> files;
  for (const muster::test::Seed& seed : muster::test::kSeeds) {
    if (seed.name != "muster.yaml") files.emplace(seed.name, seed.text);
  }
  muster::Options options;
  options.paths = {"."};
  return std::move(*muster::read_workspace(options, muster::MemoryFileSystem(std::move(files))));
}

muster::Type object_of(const muster::ObjectType* type) { return {muster::TypeKind::Object, nullptr, nullptr, type, {}}; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  static const Workspace world = small_world();
  if (size == 0) return 0;
  const Collection& collection = collections()[data[0] % collections().size()];
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  CompileEnv env;
  env.variables = {{"x", object_of(collection.element)}, {"target", object_of(&target_type())}};
  std::vector<ExprIssue> issues;
  const std::optional<Expr> expr = Expr::compile(text, env, issues);
  const std::optional<TextTemplate> words = TextTemplate::compile(text, env, issues);
  Arena arena;
  EvalContext context;
  context.read = {&world.model, &world.targets, &arena};
  context.max_steps = 100'000;
  context.slots.resize(2);
  context.slots[1] = Value::object(&target_type(), &target_type());
  collection.each(world.model, [&](const void* object) {
    context.slots.resize(2);
    context.slots[0] = Value::object(collection.element, object);
    context.steps = 0;
    if (expr) {
      to_text(expr->eval(context));
      expr->place(context);
    }
    context.steps = 0;
    if (words) words->render(context);
    arena.reset();
  });
  return 0;
}
