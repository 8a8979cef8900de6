#include "expr/screen.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "expr/evaluator.h"

namespace muster {

using Kind = Value::Kind;

void ObjectBlock::fill(std::span<const void* const> objects) {
  objects_ = objects;
  arena_.reset();
  std::ranges::fill(columns_, std::span<Value>());
}

const Value* ObjectBlock::column(const Field* field, ReadContext context) {
  const Field* first = type_.fields.data();
  if (field == nullptr || std::less<>()(field, first) || !std::less<>()(field, first + type_.fields.size())) return nullptr;
  std::span<Value>& values = columns_[static_cast<std::size_t>(field - first)];
  if (values.empty()) {
    context.arena = &arena_;
    values = arena_.make_array<Value>(objects_.size());
    for (std::size_t i = 0; i < objects_.size(); ++i) values[i] = field->read(objects_[i], context);
  }
  return values.data();
}

namespace {

/// Calls `is` for each object of the set; those for which it is true.
template <class Is>
ObjectSet those(ObjectSet among, Is is) {
  ObjectSet out = 0;
  for (ObjectSet left = among; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    if (is(static_cast<std::size_t>(i))) out |= ObjectSet{1} << i;
  }
  return out;
}

bool is_bool(const Value& value, bool wanted) { return value.is(Kind::Bool) && value.as_bool() == wanted; }

/// Evaluates a condition for many objects at once: what compares fields with each other or with literals runs over their
/// columns; all else is left to the evaluator, object by object.
class Screen {
 public:
  Screen(const Ast& ast, ObjectBlock& block, EvalContext& context) : ast_(ast), block_(block), context_(context), evaluator_(ast, context) {}

  ObjectSet decided(std::uint32_t index, ObjectSet among, bool wanted) {
    const AstNode& node = ast_.nodes[index];
    switch (node.op) {
      case Op::Not: return decided(node.children[0], among, !wanted);
      case Op::And: return wanted ? decided_by_all(node, among, wanted) : decided_by_any(node, among, wanted);
      case Op::Or: return wanted ? decided_by_any(node, among, wanted) : decided_by_all(node, among, wanted);
      case Op::Select:
        if (const Value* values = column(index)) return those(among, [=](std::size_t i) { return is_bool(values[i], wanted); });
        break;
      case Op::Has:
        if (const Value* values = column(node.children[0])) return those(among, [=](std::size_t i) { return values[i].is(Kind::Absent) != wanted; });
        break;
      case Op::Equal:
      case Op::NotEqual:
      case Op::Less:
      case Op::LessEqual:
      case Op::Greater:
      case Op::GreaterEqual:
      case Op::In: {
        const Operand a = operand(node.children[0]);
        const Operand b = operand(node.children[1]);
        if (a.first != nullptr && b.first != nullptr) return compared(node, a, b, among, wanted);
        break;
      }
      default: break;
    }
    return those(among, [&](std::size_t i) {
      context_.steps = 0;
      context_.slots[0] = block_.object(i);
      return is_bool(evaluator_.eval(index), wanted);
    });
  }

 private:
  /// A column, or one value for all.
  struct Operand {
    const Value* first;
    std::size_t step;
    const Value& operator[](std::size_t i) const { return first[i * step]; }
  };

  const Value* column(std::uint32_t index) {
    const AstNode& node = ast_.nodes[index];
    if (node.op != Op::Select) return nullptr;
    const AstNode& object = ast_.nodes[node.children[0]];
    return object.op == Op::Ident && object.slot == 0 ? block_.column(node.field, context_.read) : nullptr;
  }

  Operand operand(std::uint32_t index) {
    const AstNode& node = ast_.nodes[index];
    return node.op == Op::Literal ? Operand{&node.literal, 0} : Operand{column(index), 1};
  }

  ObjectSet compared(const AstNode& node, Operand a, Operand b, ObjectSet among, bool wanted) {
    return those(among, [&](std::size_t i) {
      if (a[i].stops() || b[i].stops()) return false;
      return is_bool(evaluator_.apply(node, a[i], b[i]), wanted);
    });
  }

  ObjectSet decided_by_any(const AstNode& node, ObjectSet among, bool wanted) {
    ObjectSet out = 0;
    for (const std::uint32_t child : node.children) out |= decided(child, among & ~out, wanted);
    return out;
  }

  ObjectSet decided_by_all(const AstNode& node, ObjectSet among, bool wanted) {
    for (const std::uint32_t child : node.children) among = decided(child, among, wanted);
    return among;
  }

  const Ast& ast_;
  ObjectBlock& block_;
  EvalContext& context_;
  Evaluator evaluator_;
};

}  // namespace

ObjectSet Expr::decided(ObjectBlock& block, ObjectSet among, bool wanted, EvalContext& context) const {
  if (context.slots.size() < ast_->slots) context.slots.resize(ast_->slots);
  return Screen(*ast_, block, context).decided(ast_->root, among, wanted);
}

}  // namespace muster
