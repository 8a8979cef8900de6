#include "slurm/epilog_slips.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 3> kByName{"pkill", "killall", "skill"};

/// The word that ends processes by their name or owner, also behind `sudo` and `timeout 10`.
const ShellWord* killer(const ShellCommand& command) {
  constexpr std::array<std::string_view, 5> kBefore{"sudo", "timeout", "nice", "env", "exec"};
  for (const ShellWord& word : command.words) {
    const std::string_view program = sbatch::program_of(word);
    if (sbatch::is_one_of(program, kByName)) return &word;
    const bool starts = sbatch::is_one_of(program, kBefore) || program.starts_with('-') ||
                        (!program.empty() && is_digit(program.front()));
    if (!starts) return nullptr;
  }
  return nullptr;
}

/// Whether a pattern, a session, a group or a parent says which of them: `pkill -u USER -f PATTERN`.
bool is_narrowed(const ShellCommand& command, const ShellWord& program) {
  constexpr std::array<std::string_view, 7> kWith{"-s", "-g", "-G", "-P", "-t", "-f", "--ns"};
  bool of_option = false;  // the word is the value of an option
  for (const ShellWord* word = &program + 1; word < command.words.data() + command.words.size(); ++word) {
    const std::string_view option =
        word->parts.empty() ? std::string_view() : std::string_view(word->parts.front().text);
    const bool plain = !word->parts.empty() && word->parts.front().kind == ShellPart::Kind::Text;
    if (plain && sbatch::is_one_of(option, kWith)) return true;
    if (plain && option.starts_with('-')) {
      of_option = option == "-u" || option == "-U" || option == "--euid" || option == "--uid" || option == "--user" ||
                  option == "--signal";
    } else if (!of_option) {
      return true;
    } else {
      of_option = false;
    }
  }
  return false;
}

/// Whether they are those of whoever ran the job. Source: slurm.schedmd.com/prolog_epilog.html, Prolog and Epilog Time.
bool is_of_user(const ShellCommand& command, const ShellWord& program) {
  constexpr std::array<std::string_view, 3> kUsers{"SLURM_JOB_USER", "SLURM_JOB_UID", "SLURM_UID"};
  const bool by_user = std::ranges::any_of(command.words, [](const ShellWord& word) {
    if (word.parts.empty() || word.parts.front().kind != ShellPart::Kind::Text) return false;
    const std::string_view option = word.parts.front().text;
    return option.starts_with("-u") || option.starts_with("-U") || option.starts_with("--euid") ||
           option.starts_with("--uid") || option.starts_with("--user");
  });
  return by_user && !is_narrowed(command, program) && std::ranges::any_of(command.words, [&](const ShellWord& word) {
           return std::ranges::any_of(word.parts, [&](const ShellPart& part) {
             return part.kind == ShellPart::Kind::Variable && sbatch::is_one_of(std::string_view(part.text), kUsers);
           });
         });
}

/// `pkill -9`, `pkill -KILL`, `killall -s SIGKILL`
bool kills(const ShellCommand& command) {
  constexpr std::array<std::string_view, 7> kHard{"-9", "-KILL", "-SIGKILL", "9", "KILL", "SIGKILL", "--signal=KILL"};
  return std::ranges::any_of(command.words,
                             [&](const ShellWord& word) { return sbatch::is_one_of(plain_text(word), kHard); });
}

/// Whether both are for one pattern, and nobody looks again between them.
bool ends_the_same(std::string_view text, const ShellCommand& first, const ShellCommand& second) {
  const auto pattern = [&](const ShellCommand& command) {
    const ShellWord& last = command.words.back();
    return text.substr(last.begin, last.end - last.begin);
  };
  const std::string_view between =
      text.substr(first.words.back().end, second.words.front().begin - first.words.back().end);
  return pattern(first) == pattern(second) && !contains(between, "pgrep") && !contains(between, "pidof");
}

/// `set -e`, `set -euo pipefail`, `set -o errexit`
bool stops_at_failures(const ShellCommand& command) {
  if (command.words.empty() || plain_text(command.words.front()) != "set") return false;
  return std::ranges::any_of(command.words, [](const ShellWord& word) {
    const std::string_view option = plain_text(word);
    return option == "errexit" || (option.starts_with('-') && !option.starts_with("--") && contains(option, "e"));
  });
}

/// Whether its status is looked at: `if pkill`, `! pkill`, `pkill ... || true`, `pkill ... && echo`.
bool is_asked(std::string_view text, const ShellCommand& command) {
  constexpr std::size_t kNear = 300;  // characters on either side
  const std::size_t begin = command.words.front().begin;
  const std::string_view before =
      text.substr(begin - std::min<std::size_t>(begin, kNear), std::min<std::size_t>(begin, kNear));
  const std::string_view same = trim(before.substr(before.rfind('\n') + 1));  // npos + 1 is 0
  const std::string_view first = same.substr(0, same.find_first_of(" \t"));
  std::string_view behind = text.substr(command.words.back().end, kNear);
  behind = behind.substr(0, behind.find('\n'));
  constexpr std::array<std::string_view, 5> kAsks{"if", "elif", "while", "until", "!"};
  return contains(behind, "||") || contains(behind, "&&") || contains(behind, "\\") || sbatch::is_one_of(first, kAsks);
}

}  // namespace

void find_epilog_slips(FileId file, std::string_view text, bool shares_nodes, std::vector<Finding>& findings) {
  if (std::ranges::none_of(kByName, [&](std::string_view name) { return contains(text, name); })) return;
  // Whoever asks Slurm, or looks for steps, knows of the other jobs.
  const bool looks = contains(text, "squeue") || contains(text, "scontrol") || contains(text, "slurmstepd") ||
                     contains(text, "sstat") || contains(text, "cgroup");
  bool stops = text.starts_with("#!") && contains(text.substr(0, text.find('\n')), "sh -e");
  bool said_user = !shares_nodes || looks;
  bool said_end = contains(text, "set +e") || contains(text, "trap ") || contains(text, "} ||");
  // Who looks for a process before ends one that is there, and after a while ends what another signal may have ended.
  const bool looks_before = contains(text, "pgrep") || contains(text, "pidof");
  const ShellCommand* asked = nullptr;  // the last that let processes end by themselves
  bool waited = false;                  // since then
  const std::vector<ShellCommand> commands = read_shell(text);
  for (const ShellCommand& command : commands) {
    stops = stops || (stops_at_failures(command) && !command.function);
    const ShellWord* program = killer(command);
    waited = waited || (!command.words.empty() && sbatch::program_of(command.words.front()) == "sleep");
    if (program == nullptr) continue;
    const Span where{file, program->begin, command.words.back().end};
    if (!said_user && is_of_user(command, *program)) {
      findings.push_back(problem("slurm-epilog-kills-other-jobs", where,
                                 "this ends all processes of the job's user on a node that jobs share"));
      said_user = true;
    }
    const bool ends = stops && !command.subshell && !command.background && !command.function;
    const bool again = waited && asked != nullptr && kills(command) && ends_the_same(text, *asked, command);
    if (!kills(command)) {
      asked = &command;
      waited = false;
    }
    if (ends && !said_end && !is_asked(text, command) && (!looks_before || again)) {
      findings.push_back(problem("slurm-script-ends-at-pkill", where,
                                 "with `set -e` the script ends here where `" +
                                     std::string(sbatch::program_of(*program)) + "` finds no process"));
      said_end = true;
    }
  }
}

}  // namespace muster
