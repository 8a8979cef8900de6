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
  std::ranges::fill(columns_, Column());
  lacking_.clear();
}

namespace {

template <class Visit>
void for_each(ObjectSet set, Visit visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<std::size_t>(std::countr_zero(set)));
}

}  // namespace

const Value* ObjectBlock::column(const Field* field, ObjectSet among, ReadContext context) {
  const Field* first = type_.fields.data();
  if (field == nullptr || std::less<>()(field, first) || !std::less<>()(field, first + type_.fields.size()))
    return nullptr;
  Column& column = columns_[static_cast<std::size_t>(field - first)];
  if (const ObjectSet news = among & ~column.read; news != 0) {
    context.arena = &arena_;
    if (column.values.empty()) column.values = arena_.make_array<Value>(objects_.size());
    for_each(news, [&](std::size_t i) { column.values[i] = field->read(objects_[i], context); });
    column.read |= news;
  }
  return column.values.data();
}

namespace {

bool is_list_without(const Value& value, std::string_view key) {
  if (!value.is(Kind::List)) return false;
  const ListData& list = value.as_list();
  const auto has_key = [&](const MapEntry& entry) { return !entry.key.is(Kind::String) || entry.key.as_text() == key; };
  for (std::size_t i = 0; i < list.size; ++i) {
    const Value item = list.at(list.base, i);
    if (!item.is(Kind::Map) || std::ranges::any_of(item.as_map().entries, has_key)) return false;
  }
  return true;
}

}  // namespace

ObjectSet ObjectBlock::lacking(const Field* field, std::string_view key, ObjectSet among, ReadContext context) {
  const Value* values = column(field, among, context);
  if (values == nullptr) return 0;
  auto found = std::ranges::find_if(lacking_, [&](const Lacking& one) { return one.field == field && one.key == key; });
  if (found == lacking_.end()) found = lacking_.insert(lacking_.end(), {field, key});
  for_each(among & ~found->asked,
           [&](std::size_t i) { found->lack |= ObjectSet{is_list_without(values[i], key)} << i; });
  found->asked |= among;
  return found->lack & among;
}

namespace {

/// Those for which `is` holds.
template <class Is>
ObjectSet those(ObjectSet among, Is is) {
  ObjectSet out = 0;
  for_each(among, [&](std::size_t i) { out |= ObjectSet{is(i)} << i; });
  return out;
}

bool is_bool(const Value& value, bool wanted) { return value.is(Kind::Bool) && value.as_bool() == wanted; }

/// Evaluates a condition for many objects at once: what compares fields with each other or with literals runs over
/// their columns; all else is left to the evaluator, object by object.
class Screen {
 public:
  Screen(const Ast& ast, ObjectBlock& block, EvalContext& context)
      : ast_(ast), block_(block), context_(context), evaluator_(ast, context) {}

  ObjectSet decided(std::uint32_t index, ObjectSet among, bool wanted) {
    const AstNode& node = ast_.nodes[index];
    switch (node.op) {
      case Op::Not: return decided(node.children[0], among, !wanted);
      case Op::And: return wanted ? decided_by_all(node, among, wanted) : decided_by_any(node, among, wanted);
      case Op::Or: return wanted ? decided_by_any(node, among, wanted) : decided_by_all(node, among, wanted);
      case Op::Select:
        if (const Value* values = column(index, among))
          return those(among, [=](std::size_t i) { return is_bool(values[i], wanted); });
        break;
      case Op::Has:
        if (const Value* values = column(node.children[0], among))
          return those(among, [=](std::size_t i) { return values[i].is(Kind::Absent) != wanted; });
        break;
      case Op::Equal:
      case Op::NotEqual:
      case Op::Less:
      case Op::LessEqual:
      case Op::Greater:
      case Op::GreaterEqual:
      case Op::In: return compared(node, among, wanted);
      case Op::Exists: {
        const ObjectSet none = without_items(node, among);
        const ObjectSet rest = those(among & ~none, [&](std::size_t i) { return is_bool(eval(index, i), wanted); });
        return wanted ? rest : rest | none;
      }
      case Op::Call:
        if (const Value* values = only_column(node, among)) return called(index, values, among, wanted);
        break;
      default: break;
    }
    return those(among, [&](std::size_t i) { return is_bool(eval(index, i), wanted); });
  }

 private:
  /// A column, or one value for all.
  struct Operand {
    const Value* first;
    std::size_t step;
    const Value& operator[](std::size_t i) const { return first[i * step]; }
  };

  const Value* column(std::uint32_t index, ObjectSet among) {
    const AstNode& node = ast_.nodes[index];
    if (node.op != Op::Select) return nullptr;
    const AstNode& object = ast_.nodes[node.children[0]];
    return object.op == Op::Ident && object.slot == 0 ? block_.column(node.field, among, context_.read) : nullptr;
  }

  Value eval(std::uint32_t index, std::size_t i) {
    context_.begin_evaluation();
    context_.slots[0] = block_.object(i);
    context_.in_block = i;
    return evaluator_.eval(index);
  }

  /// An absent field stays absent: that stops what compares it or computes with it, as its error would.
  Operand operand(std::uint32_t index, ObjectSet among) {
    const AstNode& node = ast_.nodes[index];
    if (node.op == Op::Literal) return {&node.literal, 0};
    if (const Value* values = column(index, among)) return {values, 1};
    const std::span<Value> values = context_.read.arena->make_array<Value>(ObjectBlock::kMost);
    if (node.op >= Op::Add && node.op <= Op::Modulo) {
      const Operand a = operand(node.children[0], among);
      const Operand b = operand(node.children[1], among);
      for_each(among, [&](std::size_t i) {
        values[i] = a[i].stops() || b[i].stops() ? Value::absent() : evaluator_.apply(node, a[i], b[i]);
      });
    } else {
      for_each(among, [&](std::size_t i) { values[i] = eval(index, i); });
    }
    return {values.data(), 1};
  }

  /// The one column that a function is given beside literals; nullptr: something else.
  const Value* only_column(const AstNode& node, ObjectSet among) {
    const auto varies = [&](std::uint32_t child) { return ast_.nodes[child].op != Op::Literal; };
    const auto first = std::ranges::find_if(node.children, varies);
    if (first == node.children.end() || std::any_of(first + 1, node.children.end(), varies)) return nullptr;
    return column(*first, among);
  }

  /// Those for which an Exists holds of no item, because each lacks a key for which the condition asks `has`.
  ObjectSet without_items(const AstNode& node, ObjectSet among) {
    const AstNode& list = ast_.nodes[node.children[0]];
    if (!node.second.empty() || column(node.children[0], among) == nullptr) return 0;
    ObjectSet out = 0;
    const auto look_at = [&](const AstNode& asked) {
      if (asked.op != Op::Has) return;
      const AstNode& field = ast_.nodes[asked.children[0]];
      const AstNode& item = ast_.nodes[field.children[0]];
      if (field.op == Op::Select && item.op == Op::Ident && item.slot == node.slot)
        out |= block_.lacking(list.field, field.name, among & ~out, context_.read);
    };
    const AstNode& condition = ast_.nodes[node.children[1]];
    if (condition.op != Op::And) look_at(condition);
    for (const std::uint32_t child : condition.children) {
      if (condition.op == Op::And) look_at(ast_.nodes[child]);
    }
    return out;
  }

  /// Of a text the answer is that of the object before it where that has the same: an image, a kind.
  ObjectSet called(std::uint32_t index, const Value* values, ObjectSet among, bool wanted) {
    const Value* last = nullptr;
    bool answer = false;
    return those(among, [&](std::size_t i) {
      const bool text = values[i].is(Kind::String);
      if (last == nullptr || !text || values[i].as_text() != last->as_text()) {
        answer = is_bool(eval(index, i), wanted);
        last = text ? &values[i] : nullptr;
      }
      return answer;
    });
  }

  ObjectSet compared(const AstNode& node, ObjectSet among, bool wanted) {
    const Operand a = operand(node.children[0], among);
    const Operand b = operand(node.children[1], among);
    const bool equal = node.op == Op::Equal;
    const bool alike = equal || node.op == Op::NotEqual;
    return those(among, [&](std::size_t i) {
      if (alike && a[i].is(Kind::String) && b[i].is(Kind::String))  // most of all that is compared
        return (a[i].as_text() == b[i].as_text()) == (equal == wanted);
      return !a[i].stops() && !b[i].stops() && is_bool(evaluator_.apply(node, a[i], b[i]), wanted);
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

std::size_t size_of(const Ast& ast, std::uint32_t index) {
  std::size_t out = 1;
  for (const std::uint32_t child : ast.nodes[index].children) out += size_of(ast, child);
  return out;
}

std::size_t nodes_by_object(const Ast& ast, std::uint32_t index) {
  const AstNode& node = ast.nodes[index];
  if (node.op == Op::Literal) return 0;
  if (node.op == Op::Has) return nodes_by_object(ast, node.children[0]);
  if (node.op == Op::Select) {
    const AstNode& object = ast.nodes[node.children[0]];
    if (object.op == Op::Ident && object.slot == 0) return 0;
  }
  const bool by_column =
      node.op >= Op::Not && node.op <= Op::Modulo && node.op != Op::Negate && node.op != Op::Conditional;
  if (!by_column) return size_of(ast, index);
  std::size_t out = 0;
  for (const std::uint32_t child : node.children) out += nodes_by_object(ast, child);
  return out;
}

}  // namespace

std::size_t Expr::nodes_by_object() const { return muster::nodes_by_object(*ast_, ast_->root); }

ObjectSet Expr::decided(ObjectBlock& block, ObjectSet among, bool wanted, EvalContext& context) const {
  if (context.slots.size() < ast_->slots) context.slots.resize(ast_->slots);
  context.block = &block;
  const ObjectSet out = Screen(*ast_, block, context).decided(ast_->root, among, wanted);
  context.block = nullptr;
  return out;
}

}  // namespace muster
