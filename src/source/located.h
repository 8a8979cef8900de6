#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "source/field_name.h"
#include "source/origin_field.h"
#include "source/span.h"

namespace muster {

/// How muster came to a value. Defaulted: nobody wrote it, the component fills it in. Absent: nobody wrote it and
/// there is no default. Assumed: no file says, but the software as shipped decides it so; a judgement that rests on it
/// says so and is no error. Unknown: somebody decides it, but not in the input, and nothing is usual.
enum class State : unsigned char { Absent, Set, Defaulted, Assumed, Unknown };

/// Where a value comes from.
struct Origin {
  Origin() = default;
  Origin(const Origin&) = default;
  Origin(Origin&&) = default;
  ~Origin() = default;
  Origin& operator=(const Origin& other) {
    where = other.where;
    state = other.state;
    field.take(other.field);
    return *this;
  }
  Origin& operator=(Origin&& other) noexcept {
    where = other.where;
    state = other.state;
    field.take(std::move(other.field));
    return *this;
  }

  Span where;  ///< where it is written; the nearest enclosing value when it is not
  State state = State::Absent;
  OriginField field;  ///< name of the source field, such as minAvailable

  /// When Unknown: what would decide it; when Assumed: what is taken for granted and where to say otherwise.
  std::string_view needs() const { return field.needs(); }
  void set_needs(std::string needs) { field.set_needs(std::move(needs)); }
};

/// A value that knows its place.
template <class T>
struct Located : Origin {
  T value{};

  bool known() const { return state == State::Set || state == State::Defaulted || state == State::Assumed; }
  bool is_set() const { return state == State::Set; }
  bool assumed() const { return state == State::Assumed; }
  bool unknown() const { return state == State::Unknown; }
  /// The value where there is one.
  const T* get() const { return known() ? &value : nullptr; }
};

template <class T>
Located<T> set_to(T value, Span where, FieldName field = {}) {
  Located<T> out;
  out.where = where;
  out.state = State::Set;
  out.field = field;
  out.value = std::move(value);
  return out;
}

inline Located<std::string> set_to(std::string_view value, Span where, FieldName field = {}) {
  return set_to(std::string(value), where, field);
}

template <class T>
Located<T> defaulted_to(T value, Span where, FieldName field = {}) {
  Located<T> out = set_to(std::move(value), where, field);
  out.state = State::Defaulted;
  return out;
}

/// `what` says what is taken for granted and where to say otherwise.
template <class T>
Located<T> assumed_to(T value, std::string what, Span where, FieldName field = {}) {
  Located<T> out = set_to(std::move(value), where, field);
  out.state = State::Assumed;
  out.set_needs(std::move(what));
  return out;
}

template <class T>
Located<T> unknown_until(std::string_view needs, Span where, FieldName field = {}) {
  Located<T> out;
  out.where = where;
  out.state = State::Unknown;
  out.field = field;
  out.set_needs(std::string(needs));
  return out;
}

}  // namespace muster
