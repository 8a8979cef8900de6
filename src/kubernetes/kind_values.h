#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "gang/scheduler.h"
#include "kubernetes/kind_file.h"

namespace muster {

/// Reads the fields of an object and evaluates what a kind's file makes of them. Values keep their places: the fields
/// an expression uses say where its result stands.
class KindValues {
 public:
  /// Of the variables, in the order in which they were declared.
  using Slots = std::vector<Value>;

  /// `setting` is what only an operator's setting decides. What is written nowhere is taken to `stand_at` a place.
  KindValues(std::vector<Finding>& findings, std::string setting) : findings_(findings), setting_(std::move(setting)) {
    eval_.read.arena = &arena_;
    ints_by_name_.reserve(16);
  }
  void stand_at(Span where) { where_ = where; }

  /// A field and whether it is written. `metadata` has the labels and annotations.
  void add_field(const KindField& field, const Node& from, const Node& metadata, Slots& slots);
  void add_text(std::string_view text, Slots& slots);
  void add_index(std::size_t index, Slots& slots) { slots.push_back(Value::of(static_cast<std::int64_t>(index))); }
  /// Alone, without whether it is written.
  void add_total(Located<std::int64_t> total, Slots& slots);
  /// What another object is called, and whether it is there.
  void add_reference(Located<std::string> name, bool found, Slots& slots);

  Value eval(const Expr& expr, const Slots& slots);
  bool holds(const std::optional<Expr>& expr, const Slots& slots);

  template <class T>
  Located<T> located(const Expr& expr, const Slots& slots) {
    const Value value = eval(expr, slots);
    Located<T> out;
    static_cast<Origin&>(out) = origin_of(expr, slots);
    if (value.is(kKindOf<T>)) {
      take(value, out.value);
      return out;
    }
    return unknown_until<T>(needs_of(value), out.where, out.field);
  }

  /// The first choice that applies; absent where none does.
  template <class T>
  Located<T> choose(const KindChoices& choices, const Slots& slots) {
    for (const KindChoice& choice : choices) {
      if (choice.when) {
        const Value applies = eval(*choice.when, slots);
        if (applies.is(Value::Kind::Unknown))
          return unknown_until<T>(needs_of(applies), origin_of(*choice.when, slots).where);
        if (!applies.is(Value::Kind::Bool) || !applies.as_bool()) continue;
      }
      if (!choice.unknown.empty()) {
        // What only a setting decides carries the setting's own name: link() looks for that.
        const std::string& needs = choice.unknown == "setting" && !setting_.empty() ? setting_ : choice.unknown;
        return unknown_until<T>(needs, choice.when ? origin_of(*choice.when, slots).where : where_);
      }
      if (!choice.bare.empty() && slots[choice.is->ast().nodes[choice.is->ast().root].slot].is(Value::Kind::Absent))
        continue;
      return located<T>(*choice.is, slots);
    }
    return {};
  }

 private:
  template <class T>
  static constexpr Value::Kind kKindOf = std::is_same_v<T, std::int64_t> ? Value::Kind::Int
                                         : std::is_same_v<T, bool>       ? Value::Kind::Bool
                                                                         : Value::Kind::String;

  static void take(const Value& value, std::int64_t& out) { out = value.as_int(); }
  static void take(const Value& value, std::string& out) { out = value.as_text(); }
  static void take(const Value& value, bool& out) { out = value.as_bool(); }
  static std::string needs_of(const Value& value);

  template <class T>
  const Located<T>& keep(Located<T> value) {
    return *arena_.own(std::move(value));
  }
  template <class T>
  void add_value(const Located<T>& read, bool written, Slots& slots);
  void add_int(const KindField& field, Located<std::int64_t> read, Slots& slots);
  void add_word(const KindField& field, Located<std::string> read, Slots& slots);
  void add_bool(const KindField& field, const Node& node, Slots& slots);
  Origin origin_of(const Expr& expr, const Slots& slots) const;

  std::vector<Finding>& findings_;
  std::string setting_;
  Span where_;
  Arena arena_;  ///< also of what was read
  EvalContext eval_;
  std::vector<std::pair<std::string_view, const Located<std::int64_t>*>> ints_by_name_;  ///< the last one counts
};

}  // namespace muster
