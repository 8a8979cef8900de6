#include "slurm/step_waits.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "base/strings.h"
#include "slurm/batch_shell.h"
#include "slurm/script_judge.h"

namespace muster::sbatch {
namespace {

/// Steps in the background that may still run, and have all of a resource of their nodes.
struct Holders {
  const BatchStep* on_some = nullptr;  ///< the first one
  const BatchStep* on_all = nullptr;   ///< the first on every node of the job
  const BatchStep* on_node = nullptr;  ///< the last that names its one node by a variable
  std::string_view node;               ///< that variable
};

std::string_view variable_of(const ShellPart& part) {
  return part.kind == ShellPart::Kind::Variable && part.rest.empty() ? std::string_view(part.text) : std::string_view();
}

/// The variable of the one node that a step names: HEAD of `srun -w "$HEAD" ...`; empty: none, or it is no variable.
std::string_view node_of(const ShellCommand& step) {
  constexpr std::string_view kLong = "--nodelist=";
  for (std::size_t i = 1; i < step.words.size(); ++i) {
    const ShellWord& word = step.words[i];
    const std::vector<const ShellPart*> parts = written_parts(word);
    const std::string_view option = plain_text(word);
    if (parts.size() == 2 && parts[0]->text == kLong) return variable_of(*parts[1]);
    if (option == "-w" || option == "--nodelist") {
      const std::vector<const ShellPart*> next =
          i + 1 < step.words.size() ? written_parts(step.words[i + 1]) : std::vector<const ShellPart*>();
      return next.size() == 1 ? variable_of(*next[0]) : std::string_view();
    }
    if (!option.starts_with('-') && !parse_int(option)) return {};  // its program, or a value that may be anything
  }
  return {};
}

/// What may end a step that was begun.
bool ends_steps(const ShellCommand& command) {
  constexpr std::array<std::string_view, 6> kStepEnders{"wait", "kill", "pkill", "killall", "scancel", "exit"};
  return !command.words.empty() && is_one_of(program_of(command.words.front()), kStepEnders);
}

/// What may make another node of a name.
bool renames(const ShellCommand& command, std::string_view node) {
  return std::ranges::any_of(
      command.words, [&](const ShellWord& word) { return assigned_name(word) == node || plain_text(word) == node; });
}

class StepWaits : public ScriptJudge {
 public:
  StepWaits(FileId file, std::string_view text, std::span<const ShellCommand> commands, SbatchJob& job,
            std::vector<Finding>& findings)
      : ScriptJudge(file, text, commands, job, findings), steps_(job.script.steps) {}

  void run() {
    if (job_.components != 1 || says("_OVERLAP")) return;
    shares_by_variable_ = says("_EXACT") || says("_EXCLUSIVE");
    gather_loops();
    auto command = commands_.begin();
    for (BatchStep& step : steps_) {
      if (step.where.file != file_ || step.where.end > text_.size()) return;  // nobody knows what ends before it
      for (; command != commands_.end(); ++command) {
        if (command->words.empty()) continue;
        if (command->words.front().begin >= step.where.begin) break;
        pass(*command);
      }
      const bool found = command != commands_.end() && command->words.front().begin == step.where.begin;
      if (!step.other_job && (found || !step.branch) && judge(step, found ? &*command : nullptr)) return;
    }
  }

 private:
  void pass(const ShellCommand& command) {
    for (Holders* one : {&cpus_, &memory_}) {
      if (ends_steps(command)) *one = {};
      if (one->on_node != nullptr && renames(command, one->node)) one->on_node = nullptr;
    }
  }

  bool has_any(const BatchStep& step, const auto& words) const {
    const std::string_view options = source_of(step.where);
    return std::ranges::any_of(words, [&](std::string_view word) { return contains(options, word); });
  }

  /// What ends steps within loops, and where loops end.
  void gather_loops() {
    for (const ShellCommand& one : commands_) {
      if (one.loop && ends_steps(one)) enders_.push_back(one.words.front().begin);
    }
    constexpr std::string_view kLoopEnd = "done";
    for (std::size_t at = text_.find(kLoopEnd); at != text_.npos; at = text_.find(kLoopEnd, at + 1)) {
      const std::size_t line = text_.find_last_not_of(" \t", at == 0 ? 0 : at - 1);
      if (at == 0 || line == text_.npos || text_[line] == '\n' || text_[line] == ';')
        ends_.push_back(static_cast<std::uint32_t>(at));
    }
  }

  /// Whether some loop ends between the two.
  bool ends_between(std::uint32_t one, std::uint32_t other) const {
    const auto end = std::ranges::upper_bound(ends_, std::min(one, other));
    return end != ends_.end() && *end < std::max(one, other);
  }

  /// Whether what ends steps stands in the same loop, before or behind.
  bool ended_in_loop(std::uint32_t at) const {
    const auto next = std::ranges::lower_bound(enders_, at);
    const bool behind = next != enders_.end() && !ends_between(at, *next);
    return behind || (next != enders_.begin() && !ends_between(*std::prev(next), at));
  }

  /// It runs on every node of the job.
  bool on_all_nodes(const BatchStep& step) const {
    const SbatchComponent& part = job_.parts.front();
    if (!part.min_nodes.known() || !part.max_nodes.known() || part.min_nodes.value != part.max_nodes.value)
      return false;
    if (part.min_nodes.value == 1) return true;
    return step.tasks.state == State::Absent && step.all_nodes.known() && step.all_nodes.value == part.min_nodes.value;
  }

  /// Whether it stands in a loop alone, in which nothing ends it before it is begun again.
  bool begun_again(const BatchStep& step, const ShellCommand* command) const {
    return command != nullptr && step.background && command->loop && !command->branch && !command->function &&
           !command->subshell && !ended_in_loop(step.where.begin);
  }

  /// By the --cpus-per-task of the job, which srun takes over but in 22.05 to 23.02, and which means --exact. Source:
  /// SchedMD/slurm:src/srun/opt.c, env_vars, and src/common/slurm_opt.c, arg_set_cpus_per_task (24.11).
  bool fits_beside(const BatchStep& holder, const BatchStep& step) const {
    const SbatchComponent& part = job_.parts.front();
    const bool one_node = part.max_nodes.known() && part.max_nodes.value == 1;
    const Located<std::int64_t>& places = part.tasks_per_node.is_set() || !one_node ? part.tasks_per_node : part.tasks;
    if (!part.cpus_per_task.is_set() || !places.is_set() || !holder.tasks.is_set() || !step.tasks.is_set())
      return false;
    constexpr std::array<std::string_view, 4> kNoGpus{"--gpus=0", "--gpus-per-node=0", "--gres=none", "--gres=gpu:0"};
    const bool gpus_free = part.devices.empty() || has_any(step, kNoGpus) || has_any(holder, kNoGpus);
    return gpus_free && holder.tasks.value + step.tasks.value <= places.value;
  }

  const BatchStep* holder_of(const Holders& holders, const BatchStep& step, std::string_view node, bool apart) const {
    if (!node.empty() && holders.on_node != nullptr && holders.node == node) return holders.on_node;
    if (apart) return nullptr;
    return on_all_nodes(step) ? holders.on_some : holders.on_all;
  }

  void hold(Holders& holders, const BatchStep& step, std::string_view node, bool apart) const {
    if (!node.empty()) {
      holders.on_node = &step;
      holders.node = node;
    }
    if (apart) return;
    if (holders.on_some == nullptr) holders.on_some = &step;
    if (holders.on_all == nullptr && on_all_nodes(step)) holders.on_all = &step;
  }

  /// Whether all is said that there is to say of the script.
  bool judge(BatchStep& step, const ShellCommand* command) {
    constexpr std::array<std::string_view, 2> kShares{"--overlap", "--het-"};
    constexpr std::array<std::string_view, 4> kNodes{"--nodelist", "--relative", "--exclude", " -w"};
    constexpr std::array<std::string_view, 4> kLess{"--exact", "--exclusive", "--cpus-per-", " -c"};
    if (has_any(step, kShares)) return false;
    const bool apart = has_any(step, kNodes);
    const std::string_view node = command == nullptr ? std::string_view() : node_of(*command);
    const bool takes_part = shares_by_variable_ || step.cpus_given || has_any(step, kLess);
    if (step.branch) {
      if (!begun_again(step, command) || apart || !on_all_nodes(step)) return false;
      if (!takes_part) return said(step, &step, " in the round before ends, which has all CPUs of its nodes");
      if (!step.memory_given) step.holds_memory_of = step.program;
      return false;
    }
    if (!shares_by_variable_) {
      const BatchStep* holder = holder_of(cpus_, step, node, apart);
      const bool by_node = holder != nullptr && holder == cpus_.on_node && !node.empty();
      if (holder != nullptr && !fits_beside(*holder, step))
        return said(
            step, holder,
            by_node ? " ends, which has all CPUs of $" + std::string(node) : " ends, which has all CPUs of its nodes");
    }
    // With --mem=0 a step takes of the job's memory what it finds, and none of it counts as its own.
    constexpr std::array<std::string_view, 2> kUncounted{"--mem=0", "--mem 0"};
    const BatchStep* holder = has_any(step, kUncounted) ? nullptr : holder_of(memory_, step, node, apart);
    if (holder != nullptr) {
      BatchStep& first = steps_[static_cast<std::size_t>(holder - steps_.data())];
      if (first.holds_memory_of.empty()) first.holds_memory_of = step.program;
    }
    // What makes a daemon of itself ends at once.
    const std::string_view line = text_.substr(step.where.begin, 300);
    if (!step.background || contains(line.substr(0, line.find('\n')), "nvidia-cuda-mps-control -d")) return false;
    if (!takes_part) hold(cpus_, step, node, apart);
    if (takes_part && !step.memory_given) hold(memory_, step, node, apart);
    return false;
  }

  bool said(const BatchStep& step, const BatchStep* holder, const std::string& which) {
    report("sbatch-step-waits-for-step", step.where, "this step waits until `" + holder->program + "`" + which);
    return true;
  }

  std::vector<BatchStep>& steps_;
  Holders cpus_;
  Holders memory_;
  bool shares_by_variable_ = false;    ///< SLURM_EXACT and its like say it for all steps
  std::vector<std::uint32_t> enders_;  ///< places of `wait` and its like in loops
  std::vector<std::uint32_t> ends_;    ///< places of `done`
};

}  // namespace

void find_step_waits(FileId file, std::string_view text, std::span<const ShellCommand> commands, SbatchJob& job,
                     std::vector<Finding>& findings) {
  if (!job.script.steps.empty() && !job.parts.empty()) StepWaits(file, text, commands, job, findings).run();
}

}  // namespace muster::sbatch
