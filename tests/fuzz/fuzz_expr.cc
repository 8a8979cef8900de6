// Any text as expressions and as texts with expressions in them, over the collection that the first line names,
// `x in gangs`: compiling and evaluating ends, with a value, without a crash; asked for a block of objects it says the
// same as for each of them.
// Reads: src/expr/*
// Pick: tests/expr/*_test.cc \{R"\((.*?)\)"
// Pick: tests/expr/*_test.cc \{"(.*?)",
// Pick: rules/*/*.yaml ^for: (\w+ in \w+).*?^when:\n((?:  - [^\n]*\n)+)
// Pick: rules/*/*.yaml ^for: (\w+ in \w+).*?^message: "?([^\n]*?)"?$
#include "base/strings.h"
#include "expr/expr.h"
#include "fuzz/fuzz.h"
#include "support/seeds.h"

namespace {

using namespace muster;

fuzz::ReadFiles small_world() {
  std::map<std::string, std::string> files;
  for (const test::Seed& seed : test::kSeeds) {
    if (seed.name != "muster.yaml") files.emplace(seed.name, seed.text);
  }
  return fuzz::ReadFiles(std::move(files));
}

Type object_of(const ObjectType* type) { return {TypeKind::Object, nullptr, nullptr, type, {}}; }

void evaluate(std::string_view text, const CompileEnv& env, const Collection& collection, const Model& model) {
  static const Targets targets;
  std::vector<ExprIssue> issues;
  const std::optional<Expr> expr = Expr::compile(text, env, issues);
  const std::optional<TextTemplate> words = TextTemplate::compile(text, env, issues);
  for (const ExprIssue& issue : issues)
    fuzz::expect(issue.begin < issue.end && issue.end <= text.size() + 1, "an issue outside its text and its end");
  Arena arena;
  EvalContext context;
  context.read = {&model, &targets, &arena};
  context.max_steps = 100'000;
  std::vector<const void*> objects;
  ObjectSet holds = 0;
  bool cheap = true;  // what runs out of steps or memory for an object may do so elsewhere in a block
  collection.each(model, [&](const void* object) {
    context.slots = {Value::object(collection.element, object), Value::object(&target_type(), &target_type())};
    context.steps = 0;
    if (expr) {
      const Value value = expr->eval(context);
      cheap = cheap && context.steps < 10'000 && arena.used() < 100'000;
      to_text(value);
      to_literal(value);
      if (value.is(Value::Kind::Bool) && value.as_bool() && objects.size() < ObjectBlock::kMost)
        holds |= ObjectSet{1} << objects.size();
      expr->place(context);
      expr->reads(context);
      expr->assumptions(context);
    }
    context.steps = 0;
    if (words) words->render(context);
    arena.reset();
    objects.push_back(object);
  });
  if (!expr || objects.empty()) return;
  ObjectBlock block(*collection.element);
  block.fill(std::span(objects).first(std::min(objects.size(), ObjectBlock::kMost)));
  fuzz::expect(!cheap || expr->decided(block, block.all(), true, context) == holds, "a block says something else");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::ReadFiles world = small_world();
  const std::string text = fuzz::text_of(data, size);
  std::string_view rest = text;
  const std::string_view first = rest.substr(0, rest.find('\n'));
  const std::size_t in = first.find(" in ");
  const Collection* named = in == first.npos ? nullptr : find_collection(first.substr(in + 4));
  if (named != nullptr) rest.remove_prefix(std::min(rest.size(), first.size() + 1));
  const Collection& collection = named == nullptr ? *find_collection("gangs") : *named;
  CompileEnv env;
  env.variables = {{named == nullptr ? "x" : std::string(first.substr(0, in)), object_of(collection.element)},
                   {"target", object_of(&target_type())}};
  evaluate(rest, env, collection, world.model);
  if (named == nullptr) env.gradual = true;
  const std::string bare = replace_all(std::string(rest), "\\\"", "\"");  // as YAML says it
  for (std::string_view line : split(bare, '\n')) {
    line = trim(line);
    if (line.starts_with("- ")) line.remove_prefix(2);
    if (line.size() > 1 && line.starts_with('"') && line.ends_with('"')) line = line.substr(1, line.size() - 2);
    if (line != rest || env.gradual) evaluate(line, env, collection, world.model);
  }
  return 0;
}
