#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// A command of Helm as a script, a recipe or a guide writes it: `helm upgrade --install NAME CHART -f FILE`.
struct HelmCommand {
  std::string verb;                    ///< install, upgrade, template or lint
  bool installs = false;               ///< install, or upgrade --install
  bool names_repository = false;       ///< by --repo
  std::vector<std::string> values;     ///< of -f and --values, in their order
  std::vector<std::string> arguments;  ///< without options: NAME and CHART
};

/// The command that begins at `at`, where `helm` and a blank were; it ends with its line, with the last of those that
/// end in `\`, or with what separates commands. Nothing where it has no such verb.
std::optional<HelmCommand> helm_command_at(std::string_view text, std::size_t at);

}  // namespace muster
