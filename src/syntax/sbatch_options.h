#pragma once

#include <optional>
#include <string_view>

namespace muster {

enum class SbatchArg { None, Required, Optional };

/// An option that sbatch has.
struct SbatchOptionName {
  std::string_view name;
  char letter;  ///< 0: none
  SbatchArg arg;
  std::string_view means;  ///< the option it is another name of; empty: itself

  std::string_view meant() const { return means.empty() ? name : means; }
};

/// The option of that name or of an unambiguous beginning of it, as getopt_long takes it; nullptr: there is none.
const SbatchOptionName* find_sbatch_option(std::string_view name);
const SbatchOptionName* find_sbatch_letter(char letter);
/// Whether sbatch reads a number, a time or one of some words there: an empty value is an error.
bool refuses_empty_value(std::string_view name);
/// The option that a name is a slip of; nothing where that is not the only one.
std::optional<std::string_view> misspelt_sbatch_option(std::string_view name);

}  // namespace muster
