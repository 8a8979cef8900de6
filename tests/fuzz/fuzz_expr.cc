// Any text as an expression and as a text with expressions in it, over every collection of a small model: compiling
// and evaluating ends, with a value, without a crash; asked for a block of objects it says the same as for each of
// them.

#include <cstdint>
#include <cstdlib>

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

muster::Type object_of(const muster::ObjectType* type) {
  return {muster::TypeKind::Object, nullptr, nullptr, type, {}};
}

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
  context.read = {&world.model, &world.site.targets, &arena};
  context.max_steps = 100'000;
  context.slots.resize(2);
  context.slots[1] = Value::object(&target_type(), &target_type());
  std::vector<const void*> objects;
  ObjectSet holds = 0;
  bool cheap = true;  // what runs out of steps or memory for an object may do so elsewhere in a block
  collection.each(world.model, [&](const void* object) {
    context.slots.resize(2);
    context.slots[0] = Value::object(collection.element, object);
    context.steps = 0;
    if (expr) {
      const Value value = expr->eval(context);
      cheap = cheap && context.steps < 10'000 && arena.used() < 100'000;
      to_text(value);
      if (value.is(Value::Kind::Bool) && value.as_bool() && objects.size() < ObjectBlock::kMost)
        holds |= ObjectSet{1} << objects.size();
      expr->place(context);
    }
    context.steps = 0;
    if (words) words->render(context);
    arena.reset();
    objects.push_back(object);
  });
  if (expr && !objects.empty()) {
    ObjectBlock block(*collection.element);
    block.fill(std::span(objects).first(std::min(objects.size(), ObjectBlock::kMost)));
    if (cheap && expr->decided(block, block.all(), true, context) != holds) std::abort();
  }
  return 0;
}
