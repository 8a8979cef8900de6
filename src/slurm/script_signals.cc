#include "slurm/script_signals.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "slurm/script_judge.h"

namespace muster::sbatch {
namespace {

/// `USR1` of SIGUSR1, usr1 and 10; empty for signals that Slurm sends at the end of a job by itself, and for others.
std::string_view user_signal(std::string_view written) {
  std::string name = to_lower(written);
  if (name.starts_with("sig")) name = name.substr(3);
  if (name == "usr1" || name == "10") return "USR1";
  if (name == "usr2" || name == "12") return "USR2";
  return {};
}

/// `SIG@SECONDS` of --signal, and who gets it.
struct AskedSignal {
  std::string_view name;
  bool to_shell = false;
};

AskedSignal read_signal(std::string_view value) {
  AskedSignal out;
  if (const std::size_t colon = value.find(':'); colon != value.npos) {
    out.to_shell = value.substr(0, colon).find_first_of("Bb") != value.npos;
    value.remove_prefix(colon + 1);
  }
  out.name = user_signal(value.substr(0, value.find('@')));
  return out;
}

class SignalSlips : public ScriptJudge {
 public:
  using ScriptJudge::ScriptJudge;

  void run() {
    const SbatchPair* option = option_in_force(job_, "signal");
    if (option == nullptr || !option->value.known() || job_.components != 1 || !job_.script.complete) return;
    const AskedSignal asked = read_signal(option->value.value);
    if (asked.name.empty()) return;
    const ShellCommand* trap = trap_for(asked.name);
    if (asked.to_shell) {
      if (trap != nullptr) behind(*trap, asked.name);
    } else if (trap != nullptr) {
      past_shell(*trap, asked.name);
    } else {
      to_no_step(*option, asked.name);
    }
  }

 private:
  /// The first of the batch shell that does something; nullptr: none, or it is lifted again somewhere.
  const ShellCommand* trap_for(std::string_view signal) const {
    const ShellCommand* found = nullptr;
    for (const ShellCommand& command : commands_) {
      if (command.words.size() < 3 || plain_text(command.words[0]) != "trap" || command.here_document) continue;
      const bool meant = std::any_of(command.words.begin() + 2, command.words.end(),
                                     [&](const ShellWord& word) { return user_signal(plain_text(word)) == signal; });
      if (!meant) continue;
      const std::string_view handler = plain_text(command.words[1]);
      const bool none = handler == "-" || (handler.empty() && written_parts(command.words[1]).empty());
      if (none || command.subshell || command.function) return nullptr;
      if (found == nullptr) found = &command;
    }
    return found;
  }

  /// Somebody else may send it: scancel --batch, a shell that watches the time.
  bool sent_otherwise() const {
    constexpr std::array<std::string_view, 3> kSenders{"scancel", "kill -", "timeout "};
    return std::ranges::any_of(commands_, [&](const ShellCommand& command) {
      if (command.words.empty() || plain_text(command.words[0]) == "trap" || command.function) return false;
      const std::string_view source = source_of(command);
      return std::ranges::any_of(kSenders, [&](std::string_view one) { return contains(source, one); });
    });
  }

  void past_shell(const ShellCommand& trap, std::string_view signal) {
    if (sent_otherwise()) return;
    report("sbatch-signal-past-shell", {file_, trap.words.front().begin, trap.words.back().end},
           "Slurm sends " + std::string(signal) + " to the steps of `" + job_.name.value +
               "`, and not to the shell that has this trap");
  }

  /// Whether something may make steps: srun, mpirun, another script, what a variable names.
  bool may_start_steps() const {
    constexpr std::array<std::string_view, 9> kStart{"srun",      "mpirun",   "mpiexec", "ibrun",   "aprun",
                                                     "snakemake", "nextflow", "orterun", "submitit"};
    constexpr std::array<std::string_view, 8> kRun{"source", ".", "eval", "exec", "bash", "sh", "parallel", "ssh"};
    if (job_.script.runs_scripts || !job_.script.steps.empty() || !job_.script.mpi_runs.empty()) return true;
    return std::ranges::any_of(commands_, [&](const ShellCommand& command) {
      if (command.words.empty()) return false;
      const std::string_view source = source_of(command);
      if (std::ranges::any_of(kStart, [&](std::string_view one) { return contains(source, one); })) return true;
      const std::string_view name = program_of(command.words.front());
      const bool environment = (name == "source" || name == ".") && command.words.size() > 1 && [&] {
        const std::string_view path = source_of(command.words[1]);
        constexpr std::array<std::string_view, 4> kHarmless{"activate", "bashrc", "profile", "conda.sh"};
        return std::ranges::any_of(kHarmless, [&](std::string_view one) { return contains(path, one); });
      }();
      if (environment) return false;
      const bool computed = name.empty() && assigned_name(command.words.front()).empty();
      return computed || name.ends_with(".sh") || is_one_of(name, kRun);
    });
  }

  /// Programs of the batch shell are no step: nobody gets the signal.
  void to_no_step(const SbatchPair& option, std::string_view signal) {
    const bool starts = !job_.script.launches.empty() || std::ranges::any_of(commands_, [](const auto& command) {
      return !command.words.empty() && program_of(command.words.front()).starts_with("python");
    });
    if (!starts || may_start_steps()) return;
    report("sbatch-signal-to-no-step", option.where,
           "Slurm sends " + std::string(signal) + " to steps, and `" + job_.name.value +
               "` starts none: its programs run in the batch shell");
  }

  /// `python`, `srun`: what takes long. The last of the script that is no condition and in no loop.
  const ShellCommand* last_program() const {
    constexpr std::array<std::string_view, 6> kStart{"srun",     "mpirun",     "mpiexec",
                                                     "torchrun", "accelerate", "deepspeed"};
    const ShellCommand* found = nullptr;
    for (const ShellCommand& command : commands_) {
      if (command.words.empty() || command.here_document) continue;
      const std::string_view name = program_of(command.words.front());
      const bool container = (name == "singularity" || name == "apptainer") && command.words.size() > 2;
      if (!is_one_of(name, kStart) && !name.starts_with("python") && !container) continue;
      if (command.branch || command.loop || command.function || command.subshell) return nullptr;
      found = &command;
    }
    return found;
  }

  /// Some command runs in the background, or the shell waits.
  bool waits_apart() const {
    constexpr std::array<std::string_view, 3> kWaits{"wait", "exec", "coproc"};
    for (const ShellCommand& command : commands_) {
      if (command.background) return true;
      if (!command.words.empty() && is_one_of(program_of(command.words.front()), kWaits)) return true;
    }
    for (const std::string_view line : split(text_, '\n')) {
      const std::string_view code = trim(line.substr(0, line.find(" #")));
      if (code.ends_with('&') && !code.ends_with("&&") && !code.starts_with('#')) return true;
    }
    return false;
  }

  void behind(const ShellCommand& trap, std::string_view signal) {
    const ShellCommand* program = last_program();
    if (program == nullptr || program->words.front().begin < trap.words.front().begin || waits_apart()) return;
    // What srun starts, or the program itself.
    std::string name(program_of(program->words.front()));
    for (const BatchStep& step : job_.script.steps) {
      if (step.where.begin == program->words.front().begin && !step.program.empty()) name = step.program;
    }
    report("sbatch-trap-behind-step", {file_, program->words.front().begin, program->words.front().end},
           "the shell waits here for `" + name + "`: its trap for " + std::string(signal) +
               " runs only once that has ended");
    findings_.back().related.push_back({{file_, trap.words.front().begin, trap.words.back().end}, "the trap"});
  }
};

}  // namespace

void find_signal_slips(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
                       std::vector<Finding>& findings) {
  if (contains(text, "signal")) SignalSlips(file, text, commands, job, findings).run();
}

}  // namespace muster::sbatch
