#include "slurm/script_steps.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"
#include "gang/coupling.h"
#include "slurm/batch_shell.h"

namespace muster::sbatch {
namespace {

class StepSlips {
 public:
  StepSlips(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
            std::vector<Finding>& findings)
      : file_(file), text_(text), commands_(commands), job_(job), findings_(findings) {}

  void run() {
    exports();
    components();
    open_mpi();
  }

 private:
  void report(std::string_view rule, const Span& where, std::string message) {
    findings_.push_back(problem(rule, where, std::move(message)));
  }
  Span span_of(const ShellWord& word) const { return {file_, word.begin, word.end}; }
  std::string_view source_of(const ShellWord& word) const { return text_.substr(word.begin, word.end - word.begin); }

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
    const auto found = std::ranges::find_if(job_.script.steps, [&](const BatchStep& step) {
      return step.where.file == file_ && step.where.begin == command.words.front().begin;
    });
    return found == job_.script.steps.end() ? nullptr : &*found;
  }

  /// What the script put into its environment before that place: `PATH` of a module or of an environment of Python,
  /// else a variable that programs read; empty: neither.
  std::string_view made_before(const ShellCommand& step) const {
    constexpr std::array<std::string_view, 4> kLoad{"load", "add", "activate", "use"};
    constexpr std::array<std::string_view, 4> kRead{"PYTHONPATH", "LD_LIBRARY_PATH", "MASTER_ADDR", "MASTER_PORT"};
    std::string_view found;
    for (const ShellCommand& command : commands_) {
      if (command.words.size() < 2 || command.function) continue;
      if (command.words.front().begin >= step.words.front().begin) break;
      const std::string_view name = program_of(command.words[0]);
      const std::string_view verb = plain_text(command.words[1]);
      const bool sources = (name == "source" || name == ".") && contains(source_of(command.words[1]), "/activate");
      const bool loads = (name == "module" || name == "conda" || name == "mamba") && is_one_of(verb, kLoad);
      if (sources || loads || (name == "ml" && verb != "purge")) return "PATH";
      if (name != "export") continue;
      if (assigned_name(command.words[1]) == "PATH") return "PATH";
      if (is_one_of(assigned_name(command.words[1]), kRead)) found = assigned_name(command.words[1]);
    }
    return found;
  }

  /// `srun --export=OMP_NUM_THREADS=8 python train.py`: PATH and the rest stay behind.
  void exports() {
    if (contains(text_, "SLURM_EXPORT_ENV")) return;
    for (const ShellCommand& command : commands_) {
      std::string_view list;
      const ShellWord* word = option(command, "--export", list);
      if (word == nullptr || !names_variables(list)) continue;
      const BatchStep* step = step_of(command);
      if (step == nullptr || step->other_job || step->program.empty()) continue;
      const std::string_view made = made_before(command);
      // In the folders that every PATH has, and images bring a PATH of their own.
      constexpr std::array<std::string_view, 10> kAnywhere{
          "bash", "sh", "env", "hostname", "printenv", "singularity", "apptainer", "shifter", "enroot", "podman"};
      std::string_view image;
      const bool found_anyway = contains(step->program, "/") || is_one_of(step->program, kAnywhere) ||
                                option(command, "--container-image", image) != nullptr ||
                                std::ranges::any_of(command.words, [](const ShellWord& one) {
                                  return plain_text(one).starts_with("--bcast");  // srun looks for it itself
                                });
      const std::string_view lost = made == "PATH" && found_anyway ? std::string_view() : made;
      if (lost.empty() || find_word(list, lost) != list.npos) continue;
      return report("sbatch-step-export-without-all", span_of(*word),
                    "`" + step->program + "` gets the variables of this list and those of Slurm, and no " +
                        std::string(lost) + " of the script");
    }
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
      const std::size_t begin = command.words.front().begin;
      const std::string_view source = text_.substr(begin, command.words.back().end - begin);
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

  FileId file_;
  std::string_view text_;
  std::span<const ShellCommand> commands_;
  const SbatchJob& job_;
  std::vector<Finding>& findings_;
};

}  // namespace

void find_step_slips(FileId file, std::string_view text, std::span<const ShellCommand> commands, const SbatchJob& job,
                     std::vector<Finding>& findings) {
  if (!job.script.steps.empty()) StepSlips(file, text, commands, job, findings).run();
}

}  // namespace muster::sbatch
