#include "expr/screen.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <random>

#include "expr/expr.h"
#include "support/catch.h"

using namespace muster;

namespace {

/// A field may be any of a few values, unknown or absent.
struct Thing {
  Value flag;
  Value count;
  Value most;
  Value word;
  Value items;
};

template <Value Thing::*member>
Value read_member(const void* object, const ReadContext&) {
  return static_cast<const Thing*>(object)->*member;
}

constexpr std::array kThingFields{
    Field{"count", kIntType, Presence::Optional, "", read_member<&Thing::count>},
    Field{"flag", kBoolType, Presence::Always, "", read_member<&Thing::flag>},
    Field{"items", kDynType, Presence::Always, "", read_member<&Thing::items>},
    Field{"most", kIntType, Presence::Always, "", read_member<&Thing::most>},
    Field{"word", kStringType, Presence::Always, "", read_member<&Thing::word>},
};
const ObjectType kThingType{"thing", "", kThingFields, nullptr, nullptr};

struct OpenBindings {
  OpenBindings() {
    const Value open = Value::unknown(&need);
    for (const Value& flag : {Value::of(true), Value::of(false), open}) {
      for (const Value& count : {Value::of(std::int64_t{1}), Value::of(std::int64_t{2}), open, Value::absent()}) {
        for (const Value& most : {Value::of(std::int64_t{1}), Value::of(std::int64_t{2}), open}) {
          for (const Value& word : {Value::of(std::string_view("a")), Value::of(std::string_view("b")), open})
            things.push_back({flag, count, most, word, any_items(open)});
        }
      }
    }
    for (const Thing& thing : things) objects.push_back(&thing);
    env.variables = {{"x", Type{TypeKind::Object, nullptr, nullptr, &kThingType, {}}}};
    env.gradual = true;  // absent fields are read without asking first, and that is an error
    context.read.arena = &arena;
  }
  OpenBindings(const OpenBindings&) = delete;
  OpenBindings& operator=(const OpenBindings&) = delete;

  /// By evaluating the condition for one object after the other.
  ObjectSet one_by_one(const Expr& expr, std::span<const void* const> block, ObjectSet among, bool wanted) {
    ObjectSet out = 0;
    for (std::size_t i = 0; i < block.size(); ++i) {
      context.slots.assign(1, Value::object(&kThingType, block[i]));
      context.steps = 0;
      const Value value = expr.eval(context);
      if ((among >> i & 1) != 0 && value.is(Value::Kind::Bool) && value.as_bool() == wanted) out |= ObjectSet{1} << i;
    }
    return out;
  }

  /// Lists of maps, of a text and a map, of nothing; a map, a text, what is unknown: one after the other.
  Value any_items(const Value& open) {
    const auto map = [&](std::string_view key, const Value& value) {
      const std::span<MapEntry> entries = kept.make_array<MapEntry>(1);
      entries[0] = {Value::of(key), value};
      return Value::of(static_cast<const MapData*>(kept.make(MapData{entries})));
    };
    const auto list = [&](std::initializer_list<Value> values) {
      const std::span<Value> items = kept.make_array<Value>(values.size());
      std::ranges::copy(values, items.begin());
      const auto at = [](const void* base, std::size_t i) { return static_cast<const Value*>(base)[i]; };
      return Value::of(static_cast<const ListData*>(kept.make(ListData{values.size(), items.data(), at})));
    };
    const Value one = Value::of(std::int64_t{1});
    switch (things.size() % 8) {
      case 0: return list({map("a", one), map("b", one)});
      case 1: return list({map("b", open)});
      case 2: return list({map("c", one), map("d", one)});
      case 3: return list({Value::of(std::string_view("a")), map("a", one)});
      case 4: return list({});
      case 5: return map("a", map("a", one));
      case 6: return list({open, map("c", one)});
      default: return open;
    }
  }

  UnknownNeed need{"it", nullptr};
  Arena kept;  ///< what the things point at
  std::vector<Thing> things;
  std::vector<const void*> objects;
  CompileEnv env;
  Arena arena;
  EvalContext context;
};

using Random = std::mt19937_64;

std::string any_condition(Random& random, int depth) {
  constexpr const char* kAtoms[] = {"x.flag",
                                    "has(x.count)",
                                    "x.count == 1",
                                    "x.count != x.most",
                                    "x.most < 2",
                                    "2 <= x.count",
                                    "x.count > x.most",
                                    "x.most >= 2",
                                    "x.word == 'a'",
                                    "x.word != 'b'",
                                    "x.word in ['a', 'c']",
                                    "x.count in [2, 3]",
                                    "x.count - x.most > 0",
                                    "x.most + x.count * 2 == 4",
                                    "x.most / (x.count - 1) == 1",
                                    "x.word.startsWith('a')",
                                    "x.?count.orValue(7) > 1",
                                    "[1, 2].exists(i, i == x.count)",
                                    "[x.count, x.most].all(i, i < 2)",
                                    "true",
                                    "1 == 2",
                                    "x.word + 'b' == 'ab'",
                                    "x.word < 'b'",
                                    "x == x",
                                    "1 / (x.most - 1) == 1",
                                    "x.word > 1",
                                    "cel.bind(y, x, y.flag)",
                                    "x.items.exists(i, has(i.a))",
                                    "x.items.exists(i, has(i.a) && i.a == 1)",
                                    "x.items.exists(i, i.b == 1 && has(i.b) && x.flag)",
                                    "x.items.exists(i, has(i.c) || has(i.a))",
                                    "x.items.exists(i, x.items.exists(k, has(i.a) && has(k.b)))",
                                    "x.items.exists(i, n, has(n.a))",
                                    "x.items.all(i, has(i.a) && i.a == 1)"};
  if (depth == 0) return kAtoms[random() % std::size(kAtoms)];
  const std::string a = any_condition(random, depth - 1);
  const std::string b = any_condition(random, depth - 1);
  switch (random() % 5) {
    case 0: return "!(" + a + ")";
    case 1: return "(" + a + " && " + b + ")";
    case 2: return "(" + a + " || " + b + ")";
    case 3: return "(" + a + " ? " + b + " : " + any_condition(random, depth - 1) + ")";
    default: return "((" + a + ") == (" + b + "))";
  }
}

}  // namespace

TEST_CASE("a condition asked for a block of objects gives what it gives for each of them", "[expr]") {
  OpenBindings world;
  Random random(20270131);
  ObjectBlock block(kThingType);
  std::size_t decided = 0;
  std::size_t left_open = 0;
  for (int round = 0; round < 600; ++round) {
    const std::string text = any_condition(random, round % 4);
    std::vector<ExprIssue> issues;
    const std::optional<Expr> expr = Expr::compile(text, world.env, issues);
    if (!expr) FAIL(text << ": " << issues.front().message);
    for (std::size_t begin = 0; begin < world.objects.size(); begin += ObjectBlock::kMost) {
      const auto some =
          std::span(world.objects).subspan(begin, std::min(ObjectBlock::kMost, world.objects.size() - begin));
      block.fill(some);
      const ObjectSet among = round % 3 == 0 ? block.all() : block.all() & random();
      for (const bool wanted : {true, false}) {
        world.arena.reset();
        const ObjectSet expected = world.one_by_one(*expr, some, among, wanted);
        world.arena.reset();
        if (expr->decided(block, among, wanted, world.context) != expected)
          FAIL(text << " is " << (wanted ? "true" : "false") << " for others");
        (expected == 0 ? left_open : decided) += 1;
      }
    }
  }
  CHECK(decided > 500);
  CHECK(left_open > 300);
}

TEST_CASE("a field is read once for a block, however many conditions ask for it", "[expr]") {
  static int reads = 0;
  static constexpr std::array kFields{
      Field{"n", kIntType, Presence::Always, "", [](const void* object, const ReadContext&) {
              ++reads;
              return Value::of(*static_cast<const std::int64_t*>(object));
            }}};
  static const ObjectType kType{"number", "", kFields, nullptr, nullptr};
  const std::int64_t numbers[] = {1, 2, 3};
  const void* const objects[] = {&numbers[0], &numbers[1], &numbers[2]};
  OpenBindings world;
  world.env.variables = {{"x", Type{TypeKind::Object, nullptr, nullptr, &kType, {}}}};
  ObjectBlock block(kType);
  block.fill(objects);
  const auto holding = [&](std::string_view text) {
    std::vector<ExprIssue> issues;
    return Expr::compile(text, world.env, issues)->decided(block, block.all(), true, world.context);
  };
  CHECK(holding("x.n > 1") == 0b110);
  CHECK(holding("x.n - 1 < x.n && !(x.n in [2, 7])") == 0b101);
  CHECK(reads == 3);
  block.fill(std::span(objects).subspan(1));
  CHECK(holding("x.n == 3") == 0b10);
  CHECK(reads == 5);
}
