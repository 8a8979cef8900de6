#include "pipeline/piped_variables.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/shell_texts.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

constexpr std::size_t kMostPiped = 10;  // of one file
constexpr std::string_view kCurl = "curl ";

/// What curl and its libraries read themselves.
bool is_of_curl(std::string_view name) {
  constexpr std::array<std::string_view, 8> kWords{"proxy", "curl", "ssl", "lang", "lc_", "home", "path", "ca_"};
  const std::string lower = to_lower(name);
  return std::ranges::any_of(kWords, [&](std::string_view word) { return contains(lower, word); });
}

bool is_shell(const ShellCommand& command) {
  std::size_t first = 0;
  while (first < command.words.size() &&
         (plain_text(command.words[first]) == "sudo" || plain_text(command.words[first]).starts_with('-')))
    ++first;
  return first < command.words.size() &&
         (plain_text(command.words[first]) == "sh" || plain_text(command.words[first]) == "bash");
}

/// The first variable that is set for curl alone, in a line that hands a script to a shell; nullptr: there is none.
const ShellWord* lost_variable(const std::vector<ShellCommand>& commands, std::string_view line) {
  for (std::size_t i = 0; i + 1 < commands.size(); ++i) {
    const std::vector<ShellWord>& words = commands[i].words;
    const auto program = std::ranges::find_if(words, [](const ShellWord& word) { return assigned_name(word).empty(); });
    if (program == words.begin() || program == words.end() || plain_text(*program) != "curl") continue;
    const ShellCommand& next = commands[i + 1];
    if (next.words.empty() || !is_shell(next)) continue;
    const std::uint32_t end = words.back().end;
    if (end > next.words.front().begin || trim(line.substr(end, next.words.front().begin - end)) != "|") continue;
    if (!is_of_curl(assigned_name(words.front()))) return &words.front();
  }
  return nullptr;
}

}  // namespace

void find_piped_variables(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!contains(text, kCurl) || !contains(text, "|")) continue;
    std::size_t said = 0;
    std::size_t behind = 0;  // each command once
    for (std::size_t at = text.find(kCurl); at != text.npos && said < kMostPiped; at = text.find(kCurl, behind)) {
      std::string_view line = command_around(text, at);
      behind = static_cast<std::size_t>(line.data() - text.data()) + line.size();
      if (!contains(line, "|") || !contains(line.substr(0, line.find(kCurl)), "=")) continue;
      // A prompt, an item of a list, an instruction.
      for (const std::string_view before : {"$ ", "# ", "- ", "RUN ", "> "}) {
        const std::string_view words = trim(line);
        if (words.starts_with(before) && before != "# ")
          line = words.substr(before.size());
        else if (words.starts_with(before))
          line = {};
      }
      const std::vector<ShellCommand> commands = read_shell(line);
      const ShellWord* variable = lost_variable(commands, line);
      if (variable == nullptr) continue;
      ++said;
      const auto begin = static_cast<std::uint32_t>(line.data() - text.data());
      findings.push_back(problem("script-variable-of-curl",
                                 {static_cast<FileId>(i), begin + variable->begin, begin + variable->end},
                                 "`" + std::string(assigned_name(*variable)) +
                                     "` is set for curl, and the shell behind the pipe does not have it"));
    }
  }
}

}  // namespace muster
