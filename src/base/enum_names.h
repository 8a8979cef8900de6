#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace muster {

/// Specialise `names` with the words of an enum in the order of its enumerators; they are what users read and write.
template <class Enum>
struct EnumNames;

/// The word of an enumerator.
template <class Enum>
requires std::is_enum_v<Enum>
constexpr std::string_view name_of(Enum value) { return EnumNames<Enum>::names[static_cast<std::size_t>(value)]; }

/// The enumerator of a word, if it is one.
template <class Enum>
std::optional<Enum> enum_of(std::string_view word) {
  const auto& names = EnumNames<Enum>::names;
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (names[i] == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

/// All words of an enum, in order.
template <class Enum>
constexpr std::span<const std::string_view> names_of() {
  return EnumNames<Enum>::names;
}

}  // namespace muster
