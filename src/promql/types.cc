#include "promql/types.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/strings.h"
#include "promql/functions.h"

namespace muster::promql {
namespace {

bool is_comparison(std::string_view word) {
  constexpr std::array<std::string_view, 6> kComparisons{"==", "!=", "<=", "<", ">=", ">"};
  return std::ranges::find(kComparisons, word) != kComparisons.end();
}

bool is_of_sets(std::string_view word) { return word == "and" || word == "or" || word == "unless"; }

std::string name_of(Type type) {
  switch (type) {
    case Type::Scalar: return "a number";
    case Type::Vector: return "samples of one moment";
    case Type::Range: return "a range of samples, `x[5m]`";
    case Type::Text: return "a text";
  }
  return {};
}

Type type_of(char letter) {
  return letter == 's' ? Type::Scalar : letter == 'r' ? Type::Range : letter == 't' ? Type::Text : Type::Vector;
}

/// Goes through the nodes, parts before what they are parts of.
class Types {
 public:
  explicit Types(Query& query) : query_(query) {}

  void run() {
    for (std::size_t i = 0; i < query_.nodes.size() && !query_.refusal; ++i) judge(query_.nodes[i]);
    if (query_.refusal) query_.root.reset();
  }

 private:
  const Node& part(const Node& node, std::size_t i) const { return query_.nodes[node.parts[i]]; }

  void refuse(const Node& node, std::string what) {
    if (!query_.refusal) query_.refusal = Refusal{node.begin, node.end, std::move(what)};
  }

  void judge(Node& node) {
    switch (node.kind) {
      case Node::Kind::Number: node.type = Type::Scalar; break;
      case Node::Kind::Text: node.type = Type::Text; break;
      case Node::Kind::Selector: node.type = Type::Vector; break;
      case Node::Kind::Range:
        node.type = Type::Range;
        if (part(node, 0).type != Type::Vector)
          refuse(node, "a range goes behind samples of one moment, and this is " + name_of(part(node, 0).type));
        break;
      case Node::Kind::Call: judge_call(node); break;
      case Node::Kind::Aggregate: judge_aggregate(node); break;
      case Node::Kind::Binary: judge_binary(node); break;
      case Node::Kind::Unary:
        node.type = part(node, 0).type;
        if (node.type == Type::Range || node.type == Type::Text)
          refuse(node, "a sign stands before " + name_of(node.type));
        break;
      case Node::Kind::Brackets: node.type = part(node, 0).type; break;
    }
  }

  void want(const Node& by, std::size_t i, Type type) {
    const Node& given = part(by, i);
    if (given.type != type)
      refuse(given, in_ticks(by.word) + " takes " + name_of(type) + ", and this is " + name_of(given.type));
  }

  void judge_call(Node& node) {
    const Function& function = *find_function(node.word);
    node.type = function.gives;
    const std::size_t stated = function.takes.size();
    const std::size_t least = function.variadic == 0 ? stated : stated - 1;
    const std::size_t most = least + static_cast<std::size_t>(std::max(function.variadic, 0));
    const std::size_t count = node.parts.size();
    if (count < least || (function.variadic >= 0 && count > most))
      return refuse_count(node, count < least ? least : most,
                          function.variadic == 0 ? ""
                          : count < least        ? "at least "
                                                 : "at most ");
    for (std::size_t i = 0; i < count; ++i) want(node, i, type_of(function.takes[std::min(i, stated - 1)]));
  }

  void judge_aggregate(Node& node) {
    node.type = Type::Vector;
    const std::string word = to_lower(node.word);
    const std::size_t wanted = arguments_of_aggregation(word).value_or(1);
    if (node.parts.size() != wanted) return refuse_count(node, wanted, "");
    want(node, wanted - 1, Type::Vector);
    if (wanted == 2) want(node, 0, word == "count_values" ? Type::Text : Type::Scalar);
  }

  void refuse_count(const Node& node, std::size_t wanted, std::string_view before) {
    refuse(node, in_ticks(node.word) + " takes " + std::string(before) + count_of(wanted, "argument") + ", and has " +
                     std::to_string(node.parts.size()));
  }

  void judge_binary(Node& node) {
    for (std::size_t i = 0; i < 2; ++i) {
      const Type type = part(node, i).type;
      if (type == Type::Range || type == Type::Text)
        refuse(part(node, i),
               in_ticks(node.word) + " takes numbers and samples of one moment, and this is " + name_of(type));
    }
    const bool left = part(node, 0).type == Type::Scalar;
    const bool right = part(node, 1).type == Type::Scalar;
    node.type = left && right ? Type::Scalar : Type::Vector;
    if (node.asks_bool && !is_comparison(node.word)) refuse(node, "`bool` goes with comparisons alone");
    if (left && right && is_comparison(node.word) && !node.asks_bool)
      refuse(node, "two numbers are compared without `bool`");
    if (is_of_sets(node.word) && (left || right)) refuse(node, in_ticks(node.word) + " takes no number");
    if (is_of_sets(node.word) && node.matching.grouped)
      refuse(node, in_ticks(node.word) + " takes no group_left or group_right");
    if ((left || right) && !node.matching.labels.empty()) refuse(node, "labels are matched with a number");
    for (const std::string_view label : node.matching.taken) {
      if (node.matching.on && std::ranges::find(node.matching.labels, label) != node.matching.labels.end())
        refuse(node, "label " + in_ticks(label) + " stands in `on` and in `group_left` or `group_right`");
    }
  }

  Query& query_;
};

}  // namespace

void check_types(Query& query) { Types(query).run(); }

}  // namespace muster::promql
