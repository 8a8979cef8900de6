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
/// The option that a name is a slip of; nothing where that is not the only one.
std::optional<std::string_view> misspelt_sbatch_option(std::string_view name);

}  // namespace muster
