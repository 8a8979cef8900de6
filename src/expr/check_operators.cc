#include <algorithm>
#include <array>

#include "expr/checker.h"

namespace muster {
namespace {

bool is_ordered(TypeKind kind) {
  constexpr std::array kOrdered{TypeKind::Dyn,       TypeKind::Bool,     TypeKind::Int,     TypeKind::Uint,
                                TypeKind::Double,    TypeKind::String,   TypeKind::Bytes,   TypeKind::Duration,
                                TypeKind::Timestamp, TypeKind::Quantity, TypeKind::Version, TypeKind::Semver};
  return std::ranges::find(kOrdered, kind) != kOrdered.end();
}

bool quantity_and_int(const Type& a, const Type& b) {
  return (a.kind == TypeKind::Quantity && b.kind == TypeKind::Int) ||
         (a.kind == TypeKind::Int && b.kind == TypeKind::Quantity);
}

}  // namespace

const Type* type_of_literal(const AstNode& node) {
  switch (node.literal.kind()) {
    case Value::Kind::Null: return &kNullType;
    case Value::Kind::Bool: return &kBoolType;
    case Value::Kind::Int: return &kIntType;
    case Value::Kind::Uint: return &kUintType;
    case Value::Kind::Double: return &kDoubleType;
    case Value::Kind::String: return &kStringType;
    case Value::Kind::Bytes: return &kBytesType;
    case Value::Kind::Version: return &kVersionType;
    case Value::Kind::Hostlist: return &kHostlistType;
    default: return &kDynType;
  }
}

const Type* Checker::negate(AstNode& node) {
  const Type* type = check(node.children[0]);
  const bool good = type->kind == TypeKind::Int || type->kind == TypeKind::Double || type->kind == TypeKind::Dyn;
  return good ? type : mismatch(node, "`-` wants a number, got " + name_of(*type));
}

const Type* Checker::logical(AstNode& node) {
  const std::set<std::string> before = present_;
  for (const std::uint32_t child : std::vector<std::uint32_t>(node.children)) {
    want(child, kBoolType);
    collect_present(child, node.op == Op::And, present_);
  }
  present_ = before;
  return &kBoolType;
}

const Type* Checker::conditional(AstNode& node) {
  want(node.children[0], kBoolType);
  const std::set<std::string> before = present_;
  collect_present(node.children[0], true, present_);
  const Type* yes = check(node.children[1]);
  present_ = before;
  collect_present(node.children[0], false, present_);
  const Type* no = check(node.children[2]);
  present_ = before;
  return common(yes, no);
}

const Type* Checker::equality(AstNode& node) {
  const Type* left = check(node.children[0]);
  const Type* right = check(node.children[1]);
  check_word(ast_.nodes[node.children[0]], *right);
  check_word(ast_.nodes[node.children[1]], *left);
  const bool comparable = fits(*left, *right) || (is_numeric(*left) && is_numeric(*right)) ||
                          left->kind == TypeKind::Null || right->kind == TypeKind::Null ||
                          quantity_and_int(*left, *right);
  return comparable ? &kBoolType : mismatch(node, "a " + name_of(*left) + " never equals a " + name_of(*right));
}

const Type* Checker::order(AstNode& node) {
  const Type* left = check(node.children[0]);
  const Type* right = check(node.children[1]);
  const bool same =
      is_ordered(left->kind) && is_ordered(right->kind) &&
      (fits(*left, *right) || (is_numeric(*left) && is_numeric(*right)) || quantity_and_int(*left, *right));
  return same ? &kBoolType : mismatch(node, "a " + name_of(*left) + " and a " + name_of(*right) + " have no order");
}

const Type* Checker::in(AstNode& node) {
  const Type* item = check(node.children[0]);
  const Type* container = check(node.children[1]);
  const AstNode& list = ast_.nodes[node.children[1]];
  if (is_list(list)) {
    for (const std::uint32_t word : list.children) check_word(ast_.nodes[word], *item);
  }
  if (container->kind == TypeKind::Dyn) return &kBoolType;
  if (container->kind != TypeKind::List && container->kind != TypeKind::Map)
    return mismatch(node, "`in` wants a list or a map, got " + name_of(*container));
  const Type& element = container->kind == TypeKind::List ? *container->element : *container->key;
  const bool good = fits(*item, element) || (is_numeric(*item) && is_numeric(element));
  return good ? &kBoolType : mismatch(node, "a " + name_of(*item) + " is never in a " + name_of(*container));
}

const Type* Checker::time_arithmetic(Op op, TypeKind left, TypeKind right) const {
  const bool left_point = left == TypeKind::Timestamp;
  const bool right_point = right == TypeKind::Timestamp;
  if ((!left_point && left != TypeKind::Duration) || (!right_point && right != TypeKind::Duration)) return nullptr;
  if (op == Op::Add)
    return left_point && right_point ? nullptr : left_point || right_point ? &kTimestampType : &kDurationType;
  if (op != Op::Subtract || (right_point && !left_point)) return nullptr;
  return left_point && !right_point ? &kTimestampType : &kDurationType;
}

const Type* Checker::arithmetic(AstNode& node) {
  const Type* left = check(node.children[0]);
  const Type* right = check(node.children[1]);
  if (left->kind == TypeKind::Dyn || right->kind == TypeKind::Dyn) return &kDynType;
  if (const Type* time = time_arithmetic(node.op, left->kind, right->kind)) return time;
  const TypeKind kind = left->kind;
  bool good = kind == right->kind && (kind == TypeKind::Int || kind == TypeKind::Uint || kind == TypeKind::Double);
  if (node.op == Op::Modulo && kind == TypeKind::Double) good = false;
  const bool adds =
      kind == TypeKind::String || kind == TypeKind::Bytes || kind == TypeKind::List || kind == TypeKind::Quantity;
  if (node.op == Op::Add && adds) good = kind == right->kind;
  if (!good) return mismatch(node, "these cannot be combined: " + name_of(*left) + " and " + name_of(*right));
  if (kind == TypeKind::String) return &kStringType;  // a sum of words is no word
  return kind == TypeKind::List && !fits(*right, *left) ? keep({TypeKind::List, &kDynType}) : left;
}

const Type* Checker::common(const Type* a, const Type* b) {
  if (a == nullptr) return b;
  return fits(*a, *b) && a->kind != TypeKind::Dyn && b->kind != TypeKind::Dyn ? a : &kDynType;
}

const Type* Checker::list(AstNode& node) {
  const Type* element = nullptr;
  for (const std::uint32_t child : std::vector<std::uint32_t>(node.children)) {
    const Type* type = check(child);
    element = common(element, type->kind == TypeKind::String ? &kStringType : type);
  }
  const bool optional = std::ranges::find(node.optional, true) != node.optional.end();
  if (!optional) fold(node);
  return keep({TypeKind::List, element == nullptr || optional ? &kDynType : element});
}

/// A list of literals is made once. Its children stay for who looks at single words.
void Checker::fold(AstNode& node) {
  const bool literals =
      std::ranges::all_of(node.children, [&](std::uint32_t child) { return ast_.nodes[child].op == Op::Literal; });
  if (!literals) return;
  std::vector<Value>& items = ast_.items.emplace_back();
  std::size_t depth = 0;
  for (const std::uint32_t child : node.children) {
    items.push_back(ast_.nodes[child].literal);
    depth = std::max(depth, nesting(items.back()));
  }
  if (depth >= kMaxNesting) return;
  const auto at = [](const void* base, std::size_t i) { return static_cast<const Value*>(base)[i]; };
  node.literal = Value::of(
      &ast_.lists.emplace_back(ListData{items.size(), items.data(), at, static_cast<std::uint16_t>(depth + 1)}));
  node.op = Op::Literal;
}

const Type* Checker::map(AstNode& node) {
  const Type* key = nullptr;
  const Type* value = nullptr;
  for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
    key = common(key, check(node.children[i]));
    value = common(value, check(node.children[i + 1]));
  }
  const bool optional = std::ranges::find(node.optional, true) != node.optional.end();
  return keep({TypeKind::Map, value == nullptr || optional ? &kDynType : value, key == nullptr ? &kDynType : key});
}

}  // namespace muster
