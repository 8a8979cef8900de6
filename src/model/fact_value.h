#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "model/fact.h"

namespace muster {

// What a fact of our own files says, by its type; nothing while it is not known.

inline std::optional<bool> flag_of(const Located<FactValue>& fact) {
  return fact.known() ? std::optional(std::get<bool>(fact.value)) : std::nullopt;
}

inline std::optional<std::int64_t> whole_of(const Located<FactValue>& fact) {
  return fact.known() ? std::optional(std::get<std::int64_t>(fact.value)) : std::nullopt;
}

/// A number, whole or not; nothing for what is none, too.
inline std::optional<double> number_of(const Located<FactValue>& fact) {
  if (!fact.known()) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(&fact.value)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&fact.value);
  return real != nullptr ? std::optional(*real) : std::nullopt;
}

/// Empty while it is not known.
inline std::string word_of(const Located<FactValue>& fact) {
  return fact.known() ? std::get<std::string>(fact.value) : std::string();
}

}  // namespace muster
