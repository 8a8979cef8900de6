#include "syntax/shell_options.h"

#include <algorithm>
#include <string_view>

namespace muster {

std::optional<bool> errexit_set_by(const ShellCommand& command) {
  if (command.words.empty() || plain_text(command.words.front()) != "set") return std::nullopt;
  std::optional<bool> out;
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const std::string_view option = plain_text(command.words[i]);
    const bool on = option.starts_with('-');
    if (option == "--") break;
    if (option.size() < 2 || option.starts_with("--") || (!on && !option.starts_with('+'))) continue;
    if (option.find('e') != option.npos) out = on;
    // `-o errexit`, also at the end of several: `-uo errexit`.
    if (option.ends_with('o') && i + 1 < command.words.size() && plain_text(command.words[i + 1]) == "errexit")
      out = on;
  }
  return out;
}

const ShellCommand* errexit_in(std::span<const ShellCommand> commands) {
  const auto sets = [](const ShellCommand& command) {
    return !command.branch && !command.function && !command.subshell && errexit_set_by(command) == true;
  };
  const auto found = std::ranges::find_if(commands, sets);
  return found == commands.end() ? nullptr : &*found;
}

}  // namespace muster
