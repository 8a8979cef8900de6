#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <variant>
#include <vector>

// A second implementation of a part of the language, written for the tests from the specification: trees that carry
// their own text and a plain walk over them. It shares nothing with src/expr.

namespace muster::test {

struct Failed {
  bool operator==(const Failed&) const { return true; }
};
struct Open {
  std::set<std::string> needs;
  bool operator==(const Open& other) const { return needs == other.needs; }
};
using Ints = std::vector<std::int64_t>;
using Outcome = std::variant<Failed, Open, bool, std::int64_t, std::uint64_t, double, std::string, Ints>;

enum class Sort { Bool, Int, Uint, Double, String, IntList };

/// What a node does. Operators are named by their text.
enum class Act {
  Literal,
  Name,
  Binary,
  Not,
  Negate,
  And,
  Or,
  Choose,
  Item,
  OptionalItem,
  Size,
  Convert,
  Contains,
  All,
  Exists,
  ExistsOne,
  Map,
  Filter,
  MakeList,
  Bind,
  MapField,
  HasField
};

struct Tree {
  Act act = Act::Literal;
  std::string word;  ///< operator, name, target of a conversion or field
  Outcome literal;
  std::vector<Tree> parts;
  std::string text;
};

/// Grows random well-typed expressions; the same seed grows the same ones.
class Grower {
 public:
  explicit Grower(std::uint64_t seed) : random_(seed) {}
  Tree grow(Sort sort, int depth);

 private:
  std::uint64_t pick(std::uint64_t count) { return random_() % count; }
  Tree leaf(Sort sort);
  Tree grow_bool(int depth);
  Tree grow_int(int depth);
  Tree grow_ints(int depth);
  Tree choose(Sort sort, int depth);
  Tree bind(Sort sort, int depth);
  Tree binary(const std::string& op, Tree left, Tree right);
  Tree macro(Act act, const std::string& name, int depth);
  Tree call(Act act, const std::string& word, std::vector<Tree> parts, const std::string& text);

  std::mt19937_64 random_;
  std::vector<std::string> ints_in_scope_;
  int names_ = 0;
};

using Names = std::map<std::string, Outcome>;

/// Walks the tree. Names are in `names`, those of macros included while their bodies run.
Outcome walk(const Tree& tree, Names& names);

std::string show(const Outcome& outcome);

}  // namespace muster::test
