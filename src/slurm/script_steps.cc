#include "slurm/script_steps.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "base/strings.h"
#include "gang/coupling.h"
#include "slurm/batch_shell.h"
#include "slurm/script_judge.h"

namespace muster::sbatch {
namespace {

class StepSlips : public ScriptJudge {
 public:
  using ScriptJudge::ScriptJudge;

  void run() {
    for (const BatchStep& step : job_.script.steps) {
      if (step.where.file == file_) steps_.try_emplace(step.where.begin, &step);
    }
    exports();
    components();
    open_mpi();
    behind_step();
  }

 private:
  /// The text behind `--NAME=` or `--NAME` of a command of srun, as written, and its word; nullptr: it has none.
  const ShellWord* option(const ShellCommand& command, std::string_view name, std::string_view& value) const {
    if (command.words.empty() || program_of(command.words.front()) != "srun") return nullptr;
    for (std::size_t i = 1; i < command.words.size(); ++i) {
      const ShellWord& word = command.words[i];
      const std::string_view source = source_of(word);
      if (source == name && i + 1 < command.words.size()) {
        value = source_of(command.words[i + 1]);
        return &command.words[i + 1];
      }
      if (source.starts_with(name) && source.substr(name.size()).starts_with('=')) {
        value = source.substr(name.size() + 1);
        return &word;
      }
      if (!source.starts_with('-') && !plain_text(command.words[i - 1]).starts_with('-')) return nullptr;
    }
    return nullptr;
  }

  /// The step that a command starts; nullptr: none that is known.
  const BatchStep* step_of(const ShellCommand& command) const {
    const auto found = steps_.find(command.words.front().begin);
    return found == steps_.end() ? nullptr : found->second;
  }

  /// What a command puts into the environment of the script: `PATH` of a module or of an environment of Python, else a
  /// variable that programs read; empty: neither.
  std::string_view made_by(const ShellCommand& command) const {
    constexpr std::array<std::string_view, 4> kLoad{"load", "add", "activate", "use"};
    constexpr std::array<std::string_view, 4> kRead{"PYTHONPATH", "LD_LIBRARY_PATH", "MASTER_ADDR", "MASTER_PORT"};
    if (command.words.size() < 2 || command.function) return {};
    const std::string_view name = program_of(command.words[0]);
    const std::string_view verb = plain_text(command.words[1]);
    const bool sources = (name == "source" || name == ".") && contains(source_of(command.words[1]), "/activate");
    const bool loads = (name == "module" || name == "conda" || name == "mamba") && is_one_of(verb, kLoad);
    if (sources || loads || (name == "ml" && verb != "purge")) return "PATH";
    if (name != "export") return {};
    const std::string_view variable = assigned_name(command.words[1]);
    return variable == "PATH" || is_one_of(variable, kRead) ? variable : std::string_view();
  }

  /// `srun --export=OMP_NUM_THREADS=8 python train.py`: PATH and the rest stay behind.
  void exports() {
    if (says("SLURM_EXPORT_ENV")) return;
    std::string_view made;  // before the command; PATH counts most
    for (const ShellCommand& command : commands_) {
      if (loses(command, made)) return;
      const std::string_view by = made_by(command);
      if (!by.empty() && made != "PATH") made = by;
    }
  }

  /// Whether that is said of a step, which gets nothing of what was made before it.
  bool loses(const ShellCommand& command, std::string_view made) {
    std::string_view list;
    const ShellWord* word = made.empty() ? nullptr : option(command, "--export", list);
    if (word == nullptr || !names_variables(list)) return false;
    const BatchStep* step = step_of(command);
    if (step == nullptr || step->other_job || step->program.empty()) return false;
    // In the folders that every PATH has, and images bring a PATH of their own.
    constexpr std::array<std::string_view, 10> kAnywhere{"bash",        "sh",        "env",     "hostname", "printenv",
                                                         "singularity", "apptainer", "shifter", "enroot",   "podman"};
    std::string_view image;
    const bool found_anyway = contains(step->program, "/") || is_one_of(step->program, kAnywhere) ||
                              option(command, "--container-image", image) != nullptr ||
                              std::ranges::any_of(command.words, [](const ShellWord& one) {
                                return plain_text(one).starts_with("--bcast");  // srun looks for it itself
                              });
    if ((made == "PATH" && found_anyway) || find_word(list, made) != list.npos) return false;
    report("sbatch-step-export-without-all", span_of(*word),
           "`" + step->program + "` gets the variables of this list and those of Slurm, and no " + std::string(made) +
               " of the script");
    return true;
  }

  /// Names, with or without values, and no ALL, NONE, NIL, nor a variable that may be one of these.
  static bool names_variables(std::string_view list) {
    while (!list.empty() && (list.front() == '"' || list.front() == '\'')) list.remove_prefix(1);
    while (!list.empty() && (list.back() == '"' || list.back() == '\'')) list.remove_suffix(1);
    for (const std::string_view one : split(list, ',')) {
      const std::string_view name = one.substr(0, one.find('='));
      if (name.starts_with('$') || contains(name, "{") || equals_ignoring_case(name, "ALL") ||
          equals_ignoring_case(name, "NONE") || equals_ignoring_case(name, "NIL"))
        return false;
    }
    return is_shell_name(list.substr(0, list.find_first_of("=,\"'")));
  }

  /// srun of a heterogeneous job without --het-group: the first component alone.
  void components() {
    constexpr std::array<std::string_view, 6> kOtherwise{"het-group", "pack-group", "HET_GROUP",
                                                         "HET_SIZE",  "ssh ",       "HET_JOB"};
    const BatchScript& script = job_.script;
    if (job_.components < 2 || script.steps.empty() || !script.mpi_runs.empty() || script.runs_scripts ||
        !script.complete)
      return;
    for (const ShellCommand& command : commands_) {
      if (command.words.empty()) continue;
      const auto parts = std::ranges::find(command.words, ":", [](const ShellWord& word) { return plain_text(word); });
      if (parts != command.words.end() && parts != command.words.begin()) return;  // `srun a : b`
      const std::string_view source = source_of(command);
      if (std::ranges::any_of(kOtherwise, [&](std::string_view one) { return contains(source, one); })) return;
    }
    if (std::ranges::any_of(script.steps, &BatchStep::other_job)) return;
    constexpr std::array<std::string_view, 5> kLooks{"hostname", "nvidia-smi", "echo", "date", "env"};
    const BatchStep& first = script.steps.front();
    if (is_one_of(first.program, kLooks)) return;
    report("sbatch-het-group-missing", first.where,
           "srun starts `" + first.program + "` on the first component, and no step of `" + job_.name.value +
               "` names one of the other " + std::to_string(job_.components - 1));
  }

  /// `module load OpenMPI/5.0.3`: where its number stands.
  static bool loads_open_mpi_5(const ShellCommand& command) {
    if (command.words.size() < 2) return false;
    const std::string_view name = program_of(command.words[0]);
    if (name != "module" && name != "ml") return false;
    constexpr std::array<std::string_view, 6> kAway{"unload", "rm", "del", "swap", "switch", "purge"};
    if (is_one_of(plain_text(command.words[1]), kAway)) return false;
    return std::ranges::any_of(command.words, [](const ShellWord& word) {
      const std::string module = to_lower(plain_text(word));
      return module.starts_with("openmpi/5.");
    });
  }

  void open_mpi() {
    const auto load = std::ranges::find_if(commands_, loads_open_mpi_5);
    if (load == commands_.end() || load->branch || load->function || contains(text_, "module purge")) return;
    for (const ShellCommand& command : commands_) {
      std::string_view kind;
      const ShellWord* word = option(command, "--mpi", kind);
      if (word == nullptr || kind != "pmi2" || command.words.front().begin < load->words.front().begin) continue;
      const BatchStep* step = step_of(command);
      const bool several = step != nullptr && step->tasks_each_node.known() && step->all_nodes.known() &&
                           step->tasks_each_node.value * step->all_nodes.value > 1;
      if (!several) continue;
      report("sbatch-open-mpi-without-pmix", span_of(*word),
             "Open MPI 5 speaks PMIx alone, and this step offers " + std::string(kind));
      findings_.back().related.push_back(
          {{file_, load->words.front().begin, load->words.back().end}, "the module of Open MPI"});
      return;
    }
  }

  /// `srun -w $node ray stop && ray start --address ...`: the shell takes the list apart, and srun gets its first part.
  void behind_step() {
    for (std::size_t i = 0; i + 1 < commands_.size(); ++i) {
      const ShellCommand& step = commands_[i];
      const ShellCommand& next = commands_[i + 1];
      if (step.words.empty() || !joins_ray(next) || next.function) continue;
      std::string_view nodes;
      const ShellWord* chosen = option(step, "-w", nodes);
      if (chosen == nullptr) chosen = option(step, "--nodelist", nodes);
      if (chosen == nullptr) continue;
      const std::uint32_t end = step.words.back().end;
      const std::string_view sign = operator_of(text_.substr(end, next.words.front().begin - end));
      if (sign.empty()) continue;
      report("sbatch-list-behind-step", span_of(next),
             "`ray start` behind `" + std::string(sign) +
                 "` is a command of the batch shell, on the first node, and not of this srun");
      findings_.back().related.push_back({span_of(*chosen), "the node it was meant for"});
      return;
    }
  }

  /// `&&` of what stands between two commands of one list, behind redirections; empty: they are lists of their own.
  static std::string_view operator_of(std::string_view between) {
    constexpr std::array<std::string_view, 3> kOperators{"&&", "||", ";"};
    const std::size_t last = between.find_last_not_of(" \t\r\n\\");
    between = between.substr(0, last == between.npos ? 0 : last + 1);
    for (const std::string_view one : kOperators) {
      if (between.ends_with(one) && between.find_first_of("\n#") == between.npos) return one;
    }
    return {};
  }

  /// A part of a Ray cluster other than its head, which is on the first node anyway.
  static bool joins_ray(const ShellCommand& command) {
    return command.words.size() > 2 && program_of(command.words[0]) == "ray" &&
           plain_text(command.words[1]) == "start" &&
           std::ranges::none_of(command.words, [](const ShellWord& word) { return plain_text(word) == "--head"; });
  }

  std::unordered_map<std::uint32_t, const BatchStep*> steps_;  ///< of this file, by where they begin
};

}  // namespace

void find_step_slips(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
                     std::vector<Finding>& findings) {
  if (!job.script.steps.empty()) StepSlips(file, text, commands, job, findings).run();
}

}  // namespace muster::sbatch
