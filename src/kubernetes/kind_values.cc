#include "kubernetes/kind_values.h"

#include <algorithm>

#include "base/strings.h"
#include "kubernetes/any_value.h"
#include "syntax/read_value.h"

namespace muster {
namespace {

Value as_value(const Located<std::int64_t>& read) { return Value::of(read.value); }
Value as_value(const Located<std::string>& read) { return Value::of(std::string_view(read.value)); }
Value as_value(const Located<bool>& read) { return Value::of(read.value); }

}  // namespace

// --- fields ---

template <class T>
void KindValues::add_value(const Located<T>& read, bool written, Slots& slots) {
  Value value = Value::absent();
  if (read.unknown()) value = Value::unknown(arena_.make(UnknownNeed{read.needs(), nullptr}));
  if (read.known()) value = as_value(read);
  slots.push_back(value.with_origin(&read));
  slots.push_back(Value::of(written).with_origin(&read));
}

void KindValues::add_field(const KindField& field, const Node& from, const Node& metadata, Slots& slots) {
  const Node node = field.from == KindField::From::Object
                        ? at_path(from, field.path)
                        : metadata[field.from == KindField::From::Label ? "labels" : "annotations"][field.path.front()];
  const bool strict = field.from == KindField::From::Object && field.type == KindField::Type::Int;
  switch (field.type) {
    case KindField::Type::Int:
    case KindField::Type::Count:
      return add_int(field,
                     read_int(node, FieldName(field.shown), findings_, strict ? IntStyle::Strict : IntStyle::QuotesToo),
                     slots);
    case KindField::Type::Text: return add_word(field, read_text(node, FieldName(field.shown), findings_), slots);
    case KindField::Type::Bool: return add_bool(field, node, slots);
    case KindField::Type::Any: break;
  }
  const bool written = node.exists() && !node.is_null();
  const Located<bool>& read = keep(written ? set_to(true, node.key_where(), FieldName(field.shown)) : Located<bool>{});
  slots.push_back((written ? any_value(node, eval_) : Value::null()).with_origin(&read));
  slots.push_back(Value::of(written).with_origin(&read));
}

void KindValues::add_int(const KindField& field, Located<std::int64_t> read, Slots& slots) {
  read.field = FieldName(field.shown);
  const bool written = read.state != State::Absent;
  if (!written && field.fallback) {
    if (const std::optional<std::int64_t> number = parse_int(*field.fallback)) {
      read = defaulted_to(*number, read.where, read.field);
    } else if (const auto other = std::find_if(ints_by_name_.rbegin(), ints_by_name_.rend(),
                                               [&](const auto& one) { return one.first == *field.fallback; });
               other != ints_by_name_.rend()) {
      read = *other->second;
    }
  }
  const Located<std::int64_t>& kept = keep(std::move(read));
  ints_by_name_.emplace_back(field.name, &kept);
  add_value(kept, written, slots);
}

void KindValues::add_word(const KindField& field, Located<std::string> read, Slots& slots) {
  const bool written = read.state != State::Absent;
  if (!written && field.fallback) read = defaulted_to(*field.fallback, read.where, FieldName(field.shown));
  read.field = FieldName(field.shown);
  add_value(keep(std::move(read)), written, slots);
}

void KindValues::add_bool(const KindField& field, const Node& node, Slots& slots) {
  const bool written = node.exists() && !node.is_null();
  Located<bool> read;
  if (written) {
    read = set_to(is_true(node), node.where(), FieldName(field.shown));
  } else if (field.fallback) {
    read = defaulted_to(*field.fallback == "true", node.where(), FieldName(field.shown));
  }
  add_value(keep(std::move(read)), written, slots);
}

void KindValues::add_text(std::string_view text, Slots& slots) { slots.push_back(Value::of(arena_.copy(text))); }

void KindValues::add_total(Located<std::int64_t> total, Slots& slots) {
  add_value(keep(std::move(total)), true, slots);
  slots.pop_back();
}

void KindValues::add_reference(Located<std::string> name, bool found, Slots& slots) {
  add_value(keep(std::move(name)), found, slots);
}

// --- expressions ---

Value KindValues::eval(const Expr& expr, const Slots& slots) {
  eval_.slots = slots;
  eval_.begin_evaluation();
  return expr.eval(eval_);
}

bool KindValues::holds(const std::optional<Expr>& expr, const Slots& slots) {
  if (!expr) return false;
  const Value value = eval(*expr, slots);
  return value.is(Value::Kind::Bool) && value.as_bool();
}

/// Where the fields that an expression uses are written: the first that is set, else the first. `math` of math.least
/// is no field: it has no type.
Origin KindValues::origin_of(const Expr& expr, const Slots& slots) const {
  const Origin* best = nullptr;
  std::uint32_t begin = 0;  // of the best one in the text; the nodes stand in another order
  for (const AstNode& node : expr.ast().nodes) {
    if (node.op != Op::Ident || node.type == nullptr || node.slot >= slots.size()) continue;
    const Origin* origin = slots[node.slot].origin();
    if (origin == nullptr) continue;
    const bool set = origin->state == State::Set;
    const bool best_set = best != nullptr && best->state == State::Set;
    if (best != nullptr && (set != best_set ? best_set : node.begin >= begin)) continue;
    best = origin;
    begin = node.begin;
  }
  Origin out;
  if (best != nullptr) out = *best;
  if (best == nullptr || !out.where.placed()) out.where = where_;
  if (out.state != State::Set) out.state = State::Defaulted;
  out.set_needs({});
  return out;
}

std::string KindValues::needs_of(const Value& value) {
  return value.is(Value::Kind::Unknown) && value.needs() != nullptr ? std::string(value.needs()->needs)
                                                                    : "a value that can be computed with";
}

}  // namespace muster
