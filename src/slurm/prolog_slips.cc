#include "slurm/prolog_slips.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"

namespace muster {
namespace {

// Variables of jobs and their steps that are none of those that slurmd gives to Prolog and Epilog.
// Source: SchedMD/slurm:src/plugins/prep/script/prep_script_slurmd.c, _build_env (22.05.8, 24.11.5, 26.05.3).
constexpr std::array<std::string_view, 21> kOfJobs{
    "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID",   "SLURM_CPUS_ON_NODE", "SLURM_CPUS_PER_TASK",
    "SLURM_GPUS_ON_NODE", "SLURM_JOB_NAME",        "SLURM_LOCALID",      "SLURM_MEM_PER_CPU",
    "SLURM_MEM_PER_NODE", "SLURM_NNODES",          "SLURM_NODEID",       "SLURM_NPROCS",
    "SLURM_NTASKS",       "SLURM_NTASKS_PER_NODE", "SLURM_PROCID",       "SLURM_STEP_ID",
    "SLURM_SUBMIT_DIR",   "SLURM_JOB_SUBMIT_TIME", "SLURM_SUBMIT_HOST",  "SLURM_TASKS_PER_NODE",
    "SLURM_TASK_PID"};

/// Whether the script brings the variables itself, or runs elsewhere, too.
bool brings_variables(std::string_view text) {
  constexpr std::array<std::string_view, 5> kSigns{"SLURM_SCRIPT_CONTEXT", "eval ", "source ", "\n. ", "--export"};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) { return contains(text, sign); });
}

/// The variable of a part that has no value here, and for which nothing of the job stands in.
bool is_never_given(const ShellPart& part) {
  return part.kind == ShellPart::Kind::Variable && sbatch::is_one_of(std::string_view(part.text), kOfJobs) &&
         !contains(part.rest, "$") && !part.rest.starts_with('+') && !part.rest.starts_with(":+");
}

/// Those of the names that the script asks for or sets otherwise than by `NAME=`: `[[ -n $NAME ]]`, `case $NAME in`,
/// `for NAME in`, `read NAME`.
std::set<std::string_view> names_asked_for(std::string_view text, const std::vector<ShellCommand>& commands) {
  constexpr std::array<std::string_view, 6> kAsks{"[ ", "[[ ", "test ", "case ", "((", "for "};
  std::set<std::string_view> out;
  for (const std::string_view line : split(text, '\n')) {
    if (!contains(line, "SLURM_")) continue;
    if (std::ranges::none_of(kAsks, [&](std::string_view one) { return contains(line, one); })) continue;
    for (const std::string_view name : kOfJobs) {
      if (contains(line, name)) out.insert(name);
    }
  }
  for (const ShellCommand& command : commands) {
    for (const ShellWord& word : command.words) {
      const auto own = std::ranges::find(kOfJobs, plain_text(word));
      if (own != kOfJobs.end()) out.insert(*own);
    }
  }
  return out;
}

/// `log "..."`, where the script has `log() { logger ...; }`.
bool prints_by_itself(std::string_view text, std::string_view name) {
  constexpr std::array<std::string_view, 8> kWords{"debug", "err", "info", "log", "msg", "notice", "say", "warn"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return contains_ignoring_case(name, word); }) &&
         contains(text, std::string(name) + "()");
}

void find_missing_variable(FileId file, std::string_view text, const std::vector<ShellCommand>& commands,
                           std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 3> kPrint{"echo", "printf", "logger"};
  std::set<std::string_view> set = names_asked_for(text, commands);
  for (const ShellCommand& command : commands) {
    if (!command.words.empty() && plain_text(command.words.front()) == ".") return;  // what it reads may set all
    for (const ShellWord& word : command.words) {
      if (!assigned_name(word).empty()) set.insert(assigned_name(word));
    }
  }
  for (const ShellCommand& command : commands) {
    if (command.words.empty() || sbatch::is_one_of(sbatch::program_of(command.words.front()), kPrint)) continue;
    if (prints_by_itself(text, plain_text(command.words.front()))) continue;
    for (const ShellWord& word : command.words) {
      for (const ShellPart& part : word.parts) {
        if (!is_never_given(part) || set.contains(part.text)) continue;
        findings.push_back(problem("slurm-prolog-variable-missing", {file, word.begin, word.end},
                                   "slurmd gives no `" + part.text + "` to a Prolog or Epilog"));
        return;
      }
    }
  }
}

/// `nohup PROGRAM ... &`; not where the program leaves the process group itself.
bool is_left_behind(const ShellCommand& command) {
  constexpr std::array<std::string_view, 5> kLeave{"nvidia-persistenced", "nv-hostengine", "screen", "sudo", "tmux"};
  const std::vector<ShellWord>& words = command.words;
  if (!command.background || words.size() < 2 || sbatch::program_of(words[0]) != "nohup") return false;
  return !sbatch::is_one_of(sbatch::program_of(words[1]), kLeave) &&
         std::ranges::none_of(words, [](const ShellWord& word) { return contains(plain_text(word), "daemon"); });
}

}  // namespace

void find_prolog_slips(FileId file, std::string_view text, std::vector<Finding>& findings) {
  if (!text.starts_with("#!") || !contains(text.substr(0, text.find('\n')), "sh")) return;
  const bool leaves = contains(text, "nohup ") && !contains(text, "setsid") && !contains(text, "wait") &&
                      !contains(text, "set -m") && !contains(text, "-o monitor");  // a process group for each
  const bool reads = !brings_variables(text) &&
                     std::ranges::any_of(kOfJobs, [&](std::string_view name) { return contains(text, name); });
  if (!leaves && !reads) return;
  const std::vector<ShellCommand> commands = read_shell(text);
  if (reads) find_missing_variable(file, text, commands, findings);
  if (!leaves) return;
  const auto left = std::ranges::find_if(commands, is_left_behind);
  if (left == commands.end()) return;
  findings.push_back(problem("slurm-prolog-process-ended", {file, left->words.front().begin, left->words.back().end},
                             "slurmd ends this process as soon as the script is over"));
}

}  // namespace muster
