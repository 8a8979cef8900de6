#include "syntax/shell_options.h"

#include <algorithm>
#include <vector>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::string_view kErrexit = "errexit";
constexpr std::size_t kMostOptions = 200;  // bytes behind `set`

}  // namespace

std::optional<bool> option_set_in(std::span<const std::string_view> words, char letter, std::string_view name) {
  if (words.empty() || words.front() != "set") return std::nullopt;
  std::optional<bool> out;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view option = words[i];
    const bool on = option.starts_with('-');
    if (option == "--") break;
    if (option.size() < 2 || option.starts_with("--") || (!on && !option.starts_with('+'))) continue;
    if (option.find(letter) != option.npos) out = on;
    // `-o errexit`, also at the end of several: `-uo errexit`.
    if (option.ends_with('o') && i + 1 < words.size() && words[i + 1] == name) out = on;
  }
  return out;
}

std::optional<bool> option_set_by(const ShellCommand& command, char letter, std::string_view name) {
  if (command.words.empty() || plain_text(command.words.front()) != "set") return std::nullopt;
  std::vector<std::string_view> words;
  for (const ShellWord& word : command.words) words.push_back(plain_text(word));
  return option_set_in(words, letter, name);
}

std::optional<bool> errexit_set_by(const ShellCommand& command) { return option_set_by(command, 'e', kErrexit); }

const ShellCommand* errexit_in(std::span<const ShellCommand> commands) {
  const auto sets = [](const ShellCommand& command) {
    return !command.branch && !command.function && !command.subshell && errexit_set_by(command) == true;
  };
  const auto found = std::ranges::find_if(commands, sets);
  return found == commands.end() ? nullptr : &*found;
}

bool errexit_taken_back(std::string_view text, std::span<const ShellCommand> commands) {
  constexpr std::string_view kSet = "set +";
  for (std::size_t at = text.find(kSet); at != text.npos; at = text.find(kSet, at + kSet.size())) {
    // Another `set` ends it as well, so that what is looked at again stays short.
    const std::string_view near = text.substr(at, std::min(text.find(kSet, at + 1) - at, kMostOptions));
    const std::string_view rest = near.substr(0, near.find_first_of("\r\n;&|\"'`)#"));
    if (option_set_in(split_blanks(rest), 'e', kErrexit) == false) return true;
  }
  return std::ranges::any_of(commands, [](const ShellCommand& one) { return errexit_set_by(one) == false; });
}

}  // namespace muster
