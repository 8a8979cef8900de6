#pragma once

#include <string>
#include <vector>

namespace muster {

/// An option as --help shows it.
struct OptionUsage {
  std::vector<std::string> names;  ///< as they are written: -j, --fail-on
  std::string value;               ///< what stands behind it, such as FILE; empty: a flag
  std::string what;
  std::vector<std::string> choices;  ///< the words it takes; empty: any
};

/// What a command takes without an option before it.
struct OperandUsage {
  std::string name;  ///< PATH
  std::string what;
  std::vector<std::string> choices;
  bool required = false;
  bool many = false;
};

/// Whether files and folders are named there.
bool takes_files(const OperandUsage& operand);

struct CommandUsage {
  std::string name;
  std::string what;
  std::string footer;  ///< exit codes and formats, as they stand under --help
  std::vector<OperandUsage> operands;
  std::vector<OptionUsage> options;
};

/// Of every command in the order of --help, from what parses them.
std::vector<CommandUsage> usage_of_commands();

/// The words that a text of --help allows: those of `error, warning, info or never; ...` and of `of x: text or json`.
/// None where it is a text like any other.
std::vector<std::string> choices_in(const std::string& what);

/// One empty line where there are several, and none at the end.
std::string without_empty_lines(std::string text);
/// What other programs call `--help` and `--version`: `help`, `help check`, `version`, `-V`.
std::vector<std::string> as_options(std::vector<std::string> words);
/// What `muster schema` prints.
std::vector<std::string> names_of_schemas();

}  // namespace muster
