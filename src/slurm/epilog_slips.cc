#include "slurm/epilog_slips.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "syntax/shell_options.h"

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

/// Whether it is an option that picks some of the processes, `-P1`, `--parent`. killall has other letters than pkill.
bool picks_some(std::string_view program, std::string_view option) {
  constexpr std::array<std::string_view, 15> kLong{"--cgroup", "--context", "--env",     "--full",    "--group",
                                                   "--newest", "--ns",      "--older",   "--oldest",  "--parent",
                                                   "--pgroup", "--pidfile", "--process", "--session", "--terminal"};
  constexpr std::array<std::string_view, 4> kSignals{"-PIPE", "-POLL", "-PROF", "-PWR"};
  if (option.starts_with("--"))
    return std::ranges::any_of(kLong, [&](std::string_view one) { return option.starts_with(one); });
  const std::string_view letters = program == "killall" ? "gnoyZ" : program == "skill" ? "cpt" : "fFgGnoOPrst";
  return option.size() > 1 && contains(letters, option.substr(1, 1)) && !sbatch::is_one_of(option, kSignals);
}

/// Whether the next word is the value of an option that picks none of them.
bool takes_value(std::string_view program, std::string_view option) {
  constexpr std::array<std::string_view, 6> kWith{"-u", "-U", "--euid", "--uid", "--user", "--signal"};
  return sbatch::is_one_of(option, kWith) || (program == "killall" && option == "-s");
}

std::string_view option_of(const ShellWord& word) {
  const bool text = !word.parts.empty() && word.parts.front().kind == ShellPart::Kind::Text;
  return text && word.parts.front().text.starts_with('-') ? std::string_view(word.parts.front().text)
                                                          : std::string_view();
}

/// Whether a pattern, a session, a group or a parent says which of them: `pkill -u USER -f PATTERN`.
bool is_narrowed(const ShellCommand& command, const ShellWord& program) {
  const std::string_view name = sbatch::program_of(program);
  for (const ShellWord* word = &program + 1; word < command.words.data() + command.words.size(); ++word) {
    const std::string_view option = option_of(*word);
    if (option.empty() || picks_some(name, option)) return true;
    if (word->parts.size() == 1 && takes_value(name, option)) ++word;
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

/// `KILL` of `pkill -SIGKILL`, `9` of `killall -s 9`; empty: the usual one.
std::string_view signal_of(const ShellCommand& command, const ShellWord& program) {
  constexpr std::string_view kLong = "--signal=";
  std::string_view out;
  for (const ShellWord* word = &program + 1; word < command.words.data() + command.words.size(); ++word) {
    const std::string_view option = plain_text(*word);
    const bool last = word + 1 == command.words.data() + command.words.size();
    const bool named = option == "--signal" || (option == "-s" && sbatch::program_of(program) == "killall");
    const std::string_view letters = option.starts_with('-') ? option.substr(1) : std::string_view();
    const bool short_one =
        !letters.empty() && std::ranges::all_of(letters, [](char c) { return is_digit(c) || (c >= 'A' && c <= 'Z'); });
    if (named && !last) out = plain_text(word[1]);
    if (option.starts_with(kLong)) out = option.substr(kLong.size());
    if (short_one && (is_digit(letters.front()) || letters.size() > 2)) out = letters;
  }
  return out.starts_with("SIG") ? out.substr(3) : out;
}

bool is_kill(std::string_view signal) { return signal == "9" || signal == "KILL"; }

/// `pkill -0 worker`
bool only_looks(const ShellCommand& command) {
  const ShellWord* program = killer(command);
  return program != nullptr && signal_of(command, *program) == "0";
}

/// Signals that end nothing; 0 only looks whether somebody is there.
bool spares(std::string_view signal) {
  constexpr std::array<std::string_view, 11> kSpare{"0",  "17",   "18",   "19",   "20",  "23",
                                                    "28", "CHLD", "CONT", "STOP", "TSTP"};
  return sbatch::is_one_of(signal, kSpare);
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

/// `#!/bin/bash -e`
bool begins_strict(std::string_view text) {
  if (!text.starts_with("#!")) return false;
  return std::ranges::any_of(split_blanks(text.substr(0, text.find('\n'))), [](std::string_view word) {
    return word.starts_with('-') && !word.starts_with("--") && contains(word, "e");
  });
}

/// Whether its status is looked at: `if pkill`, `! pkill`, `pkill ... || true`.
bool is_asked(std::string_view text, const ShellCommand& command) {
  constexpr std::size_t kNear = 300;  // characters on either side
  const std::size_t begin = command.words.front().begin;
  const std::string_view before =
      text.substr(begin - std::min<std::size_t>(begin, kNear), std::min<std::size_t>(begin, kNear));
  const std::string_view line = trim(before.substr(before.rfind('\n') + 1));  // npos + 1 is 0
  const std::string_view same = line.substr(line.find_last_of(";&|(") + 1);
  std::string_view behind = text.substr(command.words.back().end, kNear);
  behind = behind.substr(0, behind.find('\n'));
  constexpr std::array<std::string_view, 5> kAsks{"if", "elif", "while", "until", "!"};
  const auto asks = [&](std::string_view word) { return sbatch::is_one_of(word, kAsks); };
  return contains(behind, "||") || contains(behind, "&&") || contains(behind, "\\") ||
         asks(line.substr(0, line.find_first_of(" \t"))) || std::ranges::any_of(split_blanks(same), asks);
}

/// Whether somebody asks for the jobs of a user, and not for the one that ends: `squeue -u USER`, `sacct`.
bool asks_for_jobs(std::string_view text) {
  return std::ranges::any_of(split(text, '\n'), [](std::string_view line) {
    const bool asks = contains(line, "squeue") || contains(line, "sacct");
    return asks && !contains(line, " -j") && !contains(line, "--job");
  });
}

/// Whether failures may end nothing somewhere in it.
bool goes_on_somewhere(std::string_view text, const std::vector<ShellCommand>& commands) {
  constexpr std::array<std::string_view, 5> kSigns{"trap ", "} ||", "fi ||", "done ||", "esac ||"};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) { return contains(text, sign); }) ||
         errexit_taken_back(text, commands);
}

}  // namespace

void find_epilog_slips(FileId file, std::string_view text, bool shares_nodes, std::vector<Finding>& findings) {
  if (std::ranges::none_of(kByName, [&](std::string_view name) { return contains(text, name); })) return;
  // Whoever asks Slurm, or looks for steps, knows of the other jobs.
  const bool looks = asks_for_jobs(text) || contains(text, "scontrol") || contains(text, "slurmstepd") ||
                     contains(text, "sstat") || contains(text, "cgroup");
  const std::vector<ShellCommand> commands = read_shell(text);
  bool stops = begins_strict(text);
  bool said_user = !shares_nodes || looks;
  bool said_end = goes_on_somewhere(text, commands);
  // Who looks for a process before ends one that is there, and after a while ends what another signal may have ended.
  const bool looks_before =
      contains(text, "pgrep") || contains(text, "pidof") || std::ranges::any_of(commands, only_looks);
  const ShellCommand* asked = nullptr;  // the last that let processes end by themselves
  bool waited = false;                  // since then
  for (const ShellCommand& command : commands) {
    stops = stops || (errexit_set_by(command) == true && !command.function && !command.subshell);
    const ShellWord* program = killer(command);
    waited = waited || (!command.words.empty() && sbatch::program_of(command.words.front()) == "sleep");
    if (program == nullptr) continue;
    const Span where{file, program->begin, command.words.back().end};
    const std::string_view signal = signal_of(command, *program);
    if (!said_user && !spares(signal) && is_of_user(command, *program)) {
      findings.push_back(problem("slurm-epilog-kills-other-jobs", where,
                                 "this ends all processes of the job's user on a node that jobs share"));
      said_user = true;
    }
    const bool ends = stops && !command.subshell && !command.background && !command.function;
    const bool again = waited && asked != nullptr && is_kill(signal) && ends_the_same(text, *asked, command);
    if (!is_kill(signal)) {
      asked = spares(signal) ? nullptr : &command;  // who looks in between ends one that is there
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
