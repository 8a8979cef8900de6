#include "slurm/inner_status.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "syntax/script_text.h"

namespace muster::sbatch {
namespace {

/// It runs once, and the script has its status.
bool decides_status(const ShellCommand& command) {
  return !command.branch && !command.loop && !command.function && !command.background && !command.here_document &&
         !command.words.empty();
}

bool mounts_at(std::string_view word, std::string_view folder) {
  const std::string target = ":" + std::string(folder);
  const std::size_t at = word.find(target);
  if (at == word.npos) return false;
  const std::string_view behind = word.substr(at + target.size());
  return behind.empty() || behind.front() == ':' || behind.front() == '"' || behind.front() == '\'';
}

}  // namespace

std::string script_at_end(std::string_view text, std::span<const ShellCommand> commands) {
  constexpr std::array<std::string_view, 3> kRunning{"srun", "bash", "sh"};
  if (commands.empty() || !decides_status(commands.back()) || commands.back().subshell) return {};
  const std::vector<ShellWord>& words = commands.back().words;
  for (const ShellWord& word : words) {
    const std::string_view path = plain_text(word);
    if (!path.ends_with(".sh")) continue;
    if (&word != &words.front() && !is_one_of(program_of(words.front()), kRunning)) return {};
    if (!path.starts_with('/')) return std::string(path);
    const bool mounted = std::ranges::any_of(words, [&](const ShellWord& other) {
      return mounts_at(text.substr(other.begin, other.end - other.begin), folder_of(path));
    });
    return mounted ? std::string(program_name(path)) : std::string();
  }
  return {};
}

Located<std::string> status_lost_in_pipe(FileId file, std::string_view text) {
  constexpr std::array<std::string_view, 4> kShowing{"echo", "printf", "date", "cat"};
  if (!contains(text, "tee") || find_in_script(text, "pipefail") != text.npos ||
      contains(text, "PIPESTATUS")) return {};
  const std::vector<ShellCommand> commands = read_shell(text);
  if (commands.size() < 2) return {};
  const ShellCommand& last = commands.back();
  const ShellCommand& before = commands[commands.size() - 2];
  if (!decides_status(last) || !decides_status(before) || !last.subshell || program_of(last.words.front()) != "tee" ||
      is_one_of(program_of(before.words.front()), kShowing))
    return {};
  const std::string_view between =
      text.substr(before.words.back().end, last.words.front().begin - before.words.back().end);
  if (between.find('|') == between.npos || contains(between, ";") || contains(between, ")")) return {};
  return set_to(std::string("tee"), {file, last.words.front().begin, last.words.back().end}, "status_lost");
}

}  // namespace muster::sbatch
