#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "source/span.h"

namespace muster {

/// How muster came to a value. Defaulted: nobody wrote it, the component fills it in. Absent: nobody wrote it and
/// there is no default. Unknown: somebody decides it, but not in the input.
enum class State : unsigned char { Absent, Set, Defaulted, Unknown };

/// Where a value comes from.
struct Origin {
  Span where;              ///< where it is written; the nearest enclosing value when it is not
  State state = State::Absent;
  std::string_view field;  ///< name of the source field, such as minAvailable; static storage
  std::string needs;       ///< when Unknown: what would decide it, in the words of the reader
};

/// A value that knows its place.
template <class T>
struct Located : Origin {
  T value{};

  bool known() const { return state == State::Set || state == State::Defaulted; }
  bool is_set() const { return state == State::Set; }
  bool unknown() const { return state == State::Unknown; }
  /// The value where there is one.
  const T* get() const { return known() ? &value : nullptr; }
};

template <class T>
Located<T> set_to(T value, Span where, std::string_view field = {}) {
  Located<T> out;
  out.where = where;
  out.state = State::Set;
  out.field = field;
  out.value = std::move(value);
  return out;
}

template <class T>
Located<T> defaulted_to(T value, Span where, std::string_view field = {}) {
  Located<T> out = set_to(std::move(value), where, field);
  out.state = State::Defaulted;
  return out;
}

template <class T>
Located<T> unknown_until(std::string needs, Span where, std::string_view field = {}) {
  Located<T> out;
  out.where = where;
  out.state = State::Unknown;
  out.field = field;
  out.needs = std::move(needs);
  return out;
}

}  // namespace muster
