#include "expr/slow_evaluator.h"

namespace muster::test {
namespace {

template <std::size_t count>
Tree literal_of(const std::pair<const char*, Outcome> (&known)[count], std::uint64_t at) {
  Tree tree;
  tree.text = known[at % count].first;
  tree.literal = known[at % count].second;
  return tree;
}

Tree name_of(const std::string& name) {
  Tree tree;
  tree.act = Act::Name;
  tree.word = tree.text = name;
  return tree;
}

const char* known_name(Sort sort, bool open) {
  switch (sort) {
    case Sort::Bool: return open ? "open_bool" : "known_bool";
    case Sort::Int: return open ? "open_int" : "known_int";
    case Sort::Uint: return open ? "open_uint" : "known_uint";
    case Sort::Double: return open ? "open_double" : "known_double";
    case Sort::String: return open ? "open_string" : "known_string";
    case Sort::IntList: return open ? "open_ints" : "known_ints";
  }
  return "";
}

const std::pair<const char*, Outcome> kBools[] = {{"true", true}, {"false", false}};
const std::pair<const char*, Outcome> kInts[] = {{"0", std::int64_t{0}},
                                                 {"1", std::int64_t{1}},
                                                 {"2", std::int64_t{2}},
                                                 {"-1", std::int64_t{-1}},
                                                 {"7", std::int64_t{7}},
                                                 {"9223372036854775807", std::int64_t{INT64_MAX}},
                                                 {"-9223372036854775808", std::int64_t{INT64_MIN}}};
const std::pair<const char*, Outcome> kUints[] = {{"0u", std::uint64_t{0}},
                                                  {"1u", std::uint64_t{1}},
                                                  {"3u", std::uint64_t{3}},
                                                  {"18446744073709551615u", std::uint64_t{UINT64_MAX}}};
const std::pair<const char*, Outcome> kDoubles[] = {
    {"0.0", 0.0}, {"1.0", 1.0}, {"2.5", 2.5}, {"-1.5", -1.5}, {"1e300", 1e300}};
const std::pair<const char*, Outcome> kStrings[] = {{"''", std::string()},
                                                    {"'a'", std::string("a")},
                                                    {"'ab'", std::string("ab")},
                                                    {"'1'", std::string("1")},
                                                    {"'-2'", std::string("-2")}};
const std::pair<const char*, Outcome> kLists[] = {{"[]", Ints{}}, {"[1]", Ints{1}}, {"[0, 2, 2]", Ints{0, 2, 2}}};

}  // namespace

Tree Grower::leaf(Sort sort) {
  const std::uint64_t dice = pick(10);
  if (dice == 0) return name_of(known_name(sort, true));
  if (dice == 1) return name_of(known_name(sort, false));
  if (sort == Sort::Int && dice < 6 && !ints_in_scope_.empty())
    return name_of(ints_in_scope_[pick(ints_in_scope_.size())]);
  const std::uint64_t at = pick(100);
  switch (sort) {
    case Sort::Bool: return literal_of(kBools, at);
    case Sort::Int: return literal_of(kInts, at);
    case Sort::Uint: return literal_of(kUints, at);
    case Sort::Double: return literal_of(kDoubles, at);
    case Sort::String: return literal_of(kStrings, at);
    case Sort::IntList: return literal_of(kLists, at);
  }
  return {};
}

Tree Grower::call(Act act, const std::string& word, std::vector<Tree> parts, const std::string& text) {
  Tree tree;
  tree.act = act;
  tree.word = word;
  tree.parts = std::move(parts);
  tree.text = text;
  return tree;
}

Tree Grower::binary(const std::string& op, Tree left, Tree right) {
  const std::string text = "(" + left.text + " " + op + " " + right.text + ")";
  return call(Act::Binary, op, {std::move(left), std::move(right)}, text);
}

Tree Grower::choose(Sort sort, int depth) {
  Tree condition = grow(Sort::Bool, depth);
  Tree yes = grow(sort, depth);
  Tree no = grow(sort, depth);
  const std::string text = "(" + condition.text + " ? " + yes.text + " : " + no.text + ")";
  return call(Act::Choose, "", {std::move(condition), std::move(yes), std::move(no)}, text);
}

Tree Grower::bind(Sort sort, int depth) {
  const std::string name = "b" + std::to_string(names_++);
  Tree value = grow(Sort::Int, depth);
  ints_in_scope_.push_back(name);
  Tree body = grow(sort, depth);
  ints_in_scope_.pop_back();
  const std::string text = "cel.bind(" + name + ", " + value.text + ", " + body.text + ")";
  return call(Act::Bind, name, {std::move(value), std::move(body)}, text);
}

Tree Grower::macro(Act act, const std::string& name, int depth) {
  const std::string variable = "x" + std::to_string(names_++);
  Tree range = grow(Sort::IntList, depth);
  ints_in_scope_.push_back(variable);
  Tree body = grow(act == Act::Map ? Sort::Int : Sort::Bool, depth);
  ints_in_scope_.pop_back();
  const std::string text = range.text + "." + name + "(" + variable + ", " + body.text + ")";
  return call(act, variable, {std::move(range), std::move(body)}, text);
}

Tree Grower::grow_bool(int depth) {
  constexpr const char* kRelations[] = {"==", "!=", "<", "<=", ">", ">="};
  constexpr Sort kNumbers[] = {Sort::Int, Sort::Uint, Sort::Double};
  switch (pick(9)) {
    case 0: {
      Tree operand = grow(Sort::Bool, depth);
      const std::string text = "!(" + operand.text + ")";
      return call(Act::Not, "", {std::move(operand)}, text);
    }
    case 1:
    case 2: {
      const bool all = pick(2) == 0;
      std::vector<Tree> parts;
      std::string text;
      for (std::uint64_t i = 0; i < 2 + pick(2); ++i) {
        parts.push_back(grow(Sort::Bool, depth));
        text += (text.empty() ? "(" : all ? " && " : " || ") + parts.back().text;
      }
      return call(all ? Act::And : Act::Or, "", std::move(parts), text + ")");
    }
    case 3: return binary(kRelations[pick(6)], grow(kNumbers[pick(3)], depth), grow(kNumbers[pick(3)], depth));
    case 4: return binary(kRelations[pick(6)], grow(Sort::String, depth), grow(Sort::String, depth));
    case 5: return binary(pick(2) == 0 ? "==" : "!=", grow(Sort::IntList, depth), grow(Sort::IntList, depth));
    case 6: return binary("in", grow(kNumbers[pick(3)], depth), grow(Sort::IntList, depth));
    case 7: {
      Tree text = grow(Sort::String, depth);
      Tree part = grow(Sort::String, depth);
      const std::string written = text.text + ".contains(" + part.text + ")";
      return call(Act::Contains, "", {std::move(text), std::move(part)}, written);
    }
    default: break;
  }
  if (pick(5) == 0) {
    Tree value = grow(Sort::Int, depth);
    const std::string text = "has({'a': " + value.text + "}." + (pick(2) == 0 ? "a" : "b") + ")";
    return call(Act::HasField, std::string(1, text[text.size() - 2]), {std::move(value)}, text);
  }
  const std::uint64_t which = pick(3);
  return which == 0   ? macro(Act::All, "all", depth)
         : which == 1 ? macro(Act::Exists, "exists", depth)
                      : macro(Act::ExistsOne, "exists_one", depth);
}

Tree Grower::grow_int(int depth) {
  constexpr const char* kOperators[] = {"+", "-", "*", "/", "%"};
  constexpr Sort kConvertible[] = {Sort::Int, Sort::Uint, Sort::Double, Sort::String};
  switch (pick(8)) {
    case 0: {
      Tree operand = grow(Sort::Int, depth);
      const std::string text = "-(" + operand.text + ")";
      return call(Act::Negate, "", {std::move(operand)}, text);
    }
    case 1: {
      Tree list = grow(Sort::IntList, depth);
      Tree index = grow(Sort::Int, depth);
      const std::string text = list.text + "[" + index.text + "]";
      return call(Act::Item, "", {std::move(list), std::move(index)}, text);
    }
    case 2: {
      Tree list = grow(Sort::IntList, depth);
      Tree index = grow(Sort::Int, depth);
      Tree other = grow(Sort::Int, depth);
      const std::string text = list.text + "[?" + index.text + "].orValue(" + other.text + ")";
      return call(Act::OptionalItem, "", {std::move(list), std::move(index), std::move(other)}, text);
    }
    case 3: {
      Tree operand = grow(pick(2) == 0 ? Sort::IntList : Sort::String, depth);
      const std::string text = "size(" + operand.text + ")";
      return call(Act::Size, "", {std::move(operand)}, text);
    }
    case 4: {
      Tree operand = grow(kConvertible[pick(4)], depth);
      const std::string text = "int(" + operand.text + ")";
      return call(Act::Convert, "int", {std::move(operand)}, text);
    }
    case 5: {
      Tree value = grow(Sort::Int, depth);
      const std::string text = "{'a': " + value.text + "}." + (pick(4) == 0 ? "b" : "a");
      return call(Act::MapField, std::string(1, text.back()), {std::move(value)}, text);
    }
    default: return binary(kOperators[pick(5)], grow(Sort::Int, depth), grow(Sort::Int, depth));
  }
}

Tree Grower::grow_ints(int depth) {
  switch (pick(4)) {
    case 0: return macro(Act::Map, "map", depth);
    case 1: return macro(Act::Filter, "filter", depth);
    case 2: return binary("+", grow(Sort::IntList, depth), grow(Sort::IntList, depth));
    default: break;
  }
  std::vector<Tree> parts;
  std::string text = "[";
  for (std::uint64_t i = 0; i < pick(4); ++i) {
    parts.push_back(grow(Sort::Int, depth));
    text += (i > 0 ? ", " : "") + parts.back().text;
  }
  return call(Act::MakeList, "", std::move(parts), text + "]");
}

Tree Grower::grow(Sort sort, int depth) {
  constexpr const char* kOperators[] = {"+", "-", "*", "/"};
  if (depth <= 0 || pick(6) == 0) return leaf(sort);
  const int below = depth - 1;
  const std::uint64_t dice = pick(14);
  if (dice == 0) return choose(sort, below);
  if (dice == 1) return bind(sort, below);
  if (sort == Sort::Bool) return grow_bool(below);
  if (sort == Sort::Int) return grow_int(below);
  if (sort == Sort::IntList) return grow_ints(below);
  if (dice < 5) {
    const std::string target = sort == Sort::Uint ? "uint" : sort == Sort::Double ? "double" : "string";
    Tree operand = grow(sort == Sort::String && pick(3) == 0 ? Sort::Bool : Sort::Int, below);
    const std::string text = target + "(" + operand.text + ")";
    return call(Act::Convert, target, {std::move(operand)}, text);
  }
  return binary(sort == Sort::String ? "+" : kOperators[pick(4)], grow(sort, below), grow(sort, below));
}

}  // namespace muster::test
