#include "slurm/counted_failures.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"

namespace muster::sbatch {
namespace {

/// FAILED, fail_count, n_failures; not FAILED_LIST.
bool counts_failures(std::string_view name) {
  constexpr std::array<std::string_view, 8> kNames{"fail",   "failed",     "failures",     "fails",
                                                   "errors", "fail_count", "failed_count", "n_failed"};
  return is_one_of(to_lower(name), kNames);
}

/// FAILED of `FAILED=$((FAILED + 1))`; empty: nothing is counted.
std::string_view counted_by(const ShellCommand& command) {
  const ShellWord& first = command.words.front();
  const std::string_view name = assigned_name(first);
  const bool sum = first.parts.size() == 2 && first.parts[1].kind == ShellPart::Kind::Arithmetic &&
                   contains(first.parts[1].text, "+") && contains(first.parts[1].text, name);
  return sum && command.words.size() == 1 && counts_failures(name) ? name : std::string_view();
}

/// The last command that is no message.
bool is_message(const ShellCommand& command) {
  constexpr std::array<std::string_view, 5> kSays{"echo", "printf", "date", "log", "true"};
  return !command.words.empty() && is_one_of(plain_text(command.words.front()), kSays);
}

}  // namespace

void find_counted_failures(FileId file, std::string_view text, std::span<const ShellCommand> commands,
                           std::vector<Finding>& findings) {
  if (!contains_ignoring_case(text, "fail") && !contains_ignoring_case(text, "errors")) return;
  if (commands.empty() || !is_message(commands.back())) return;
  const ShellWord* counted = nullptr;
  for (const ShellCommand& command : commands) {
    if (command.words.empty()) continue;
    if (counted == nullptr && !command.function && !counted_by(command).empty()) counted = &command.words.front();
    const std::string_view program = plain_text(command.words.front());
    // It may end with the number.
    if (counted != nullptr && (program == "exit" || program == "false" || program == "trap" || program == "return"))
      return;
  }
  if (counted == nullptr || contains(text, "trap ")) return;
  const std::string name(assigned_name(*counted));
  findings.push_back(
      problem("sbatch-failures-only-counted", {file, counted->begin, counted->end},
              "what fails is counted in `" + name + "`, and the script ends with 0 however many there are"));
}

}  // namespace muster::sbatch
