// Lists, maps and optionals made while evaluating, and what unknowns within them mean.
#include <algorithm>
#include <string>

#include "expr/functions.h"

namespace muster {
namespace {

using Kind = Value::Kind;

/// One unknown value with the needs of both; no need twice.
Value merge_unknown(const Value& a, const Value& b, EvalContext& context) {
  const UnknownNeed* needs = a.needs();
  for (const UnknownNeed* need = b.needs(); need != nullptr; need = need->next) {
    bool there = false;
    for (const UnknownNeed* other = a.needs(); other != nullptr; other = other->next)
      there = there || other->needs == need->needs;
    if (!there) needs = context.read.arena->make(UnknownNeed{need->needs, needs});
  }
  return Value::unknown(needs);
}

bool is_open(const Value& value) { return value.is(Kind::Unknown) || is_partial(value); }

}  // namespace

Value make_error(EvalContext& context, std::string_view message) {
  return Value::error(context.read.arena->make(ErrorData{context.read.arena->copy(message), 0, 0}));
}

Value no_overload(EvalContext& context, std::string_view function, std::span<const Value> arguments) {
  std::string kinds;
  for (const Value& argument : arguments) {
    kinds += (kinds.empty() ? "" : ", ") + std::string(name_of(argument.kind()));
    if (kinds.size() > 200) break;
  }
  return make_error(context, "no such overload: " + std::string(function) + "(" + kinds + ")");
}

Value merge(const Value& a, const Value& b, EvalContext& context) {
  if (!a.is(Kind::Unknown)) return b.is(Kind::Unknown) ? b : a.stops() ? a : b;
  return b.is(Kind::Unknown) ? merge_unknown(a, b, context) : a;
}

std::size_t nesting(const Value& value) {
  std::size_t depth = 0;
  const Value* at = &value;
  for (; at->is(Kind::Optional) && at->as_optional() != nullptr; at = at->as_optional()) ++depth;
  if (at->is(Kind::List)) depth += at->as_list().depth;
  if (at->is(Kind::Map)) depth += at->as_map().depth;
  return depth;
}

Value make_list(std::span<const Value> values, EvalContext& context) {
  if (values.size() > kMaxListItems) return make_error(context, "the list is too long");
  std::size_t depth = 0;
  bool partial = false;
  for (const Value& value : values) {
    depth = std::max(depth, nesting(value));
    partial = partial || is_open(value);
  }
  if (depth >= kMaxNesting) return make_error(context, "the value is nested too deeply");
  return Value::of(context.read.arena->make(ListData{
      values.size(), values.data(), [](const void* base, std::size_t i) { return static_cast<const Value*>(base)[i]; },
      static_cast<std::uint16_t>(depth + 1), partial}));
}

Value make_map(std::span<const MapEntry> entries, EvalContext& context) {
  std::size_t depth = 0;
  bool partial = false;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Value& key = entries[i].key;
    const bool good = key.is(Kind::Int) || key.is(Kind::Uint) || key.is(Kind::Bool) || key.is(Kind::String);
    if (!good) return make_error(context, "unsupported key type: " + std::string(name_of(key.kind())));
    if (!charge(context, i / 16)) return make_error(context, "the evaluation takes too long or too much memory");
    for (std::size_t j = 0; j < i; ++j) {
      if (equal(entries[j].key, key)) return make_error(context, "repeated key: " + to_literal(key));
    }
    depth = std::max(depth, nesting(entries[i].value));
    partial = partial || is_open(entries[i].value);
  }
  if (depth >= kMaxNesting) return make_error(context, "the value is nested too deeply");
  return Value::of(context.read.arena->make(MapData{entries, static_cast<std::uint16_t>(depth + 1), partial}));
}

Value make_optional(const Value& value, EvalContext& context) {
  if (nesting(value) >= kMaxNesting) return make_error(context, "the value is nested too deeply");
  return Value::optional(context.read.arena->make(Value(value)));
}

std::span<char> make_text(std::size_t size, EvalContext& context) { return context.read.arena->make_array<char>(size); }

Value unknown_within(const Value& value, EvalContext& context) {
  if (value.is(Kind::Unknown)) return value;
  if (!is_partial(value)) return Value::null();
  if (value.is(Kind::Optional)) return unknown_within(*value.as_optional(), context);
  Value out = Value::null();
  const auto add = [&](const Value& part) {
    const Value open = unknown_within(part, context);
    if (open.stops()) out = out.stops() ? merge(out, open, context) : open;
  };
  if (value.is(Kind::List)) {
    for (std::size_t i = 0; i < value.as_list().size; ++i) add(item(value, i));
  } else {
    for (const MapEntry& entry : value.as_map().entries) add(entry.value);
  }
  return out;
}

const Value* find_entry(const MapData& map, const Value& key, EvalContext& context) {
  charge(context, map.entries.size() / 16);
  if (key.is(Value::Kind::String)) {  // nearly always: nothing else equals one
    for (const MapEntry& entry : map.entries) {
      if (entry.key.is(Value::Kind::String) && entry.key.as_text() == key.as_text()) return &entry.value;
    }
    return nullptr;
  }
  for (const MapEntry& entry : map.entries) {
    if (equal(entry.key, key)) return &entry.value;
  }
  return nullptr;
}

}  // namespace muster
