#include "pipeline/batch_files.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/strings.h"
#include "pipeline/array_patterns.h"
#include "pipeline/batch_places.h"
#include "pipeline/batch_programs.h"
#include "pipeline/batch_servers.h"
#include "pipeline/early_variables.h"
#include "pipeline/input_names.h"
#include "pipeline/nextflow_heads.h"
#include "pipeline/program_options.h"
#include "pipeline/reach.h"
#include "pipeline/submit_arguments.h"
#include "slurm/batch_shell.h"
#include "slurm/launches.h"
#include "slurm/number_ranges.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

using sbatch::BatchCommand;
using sbatch::ShellValue;

constexpr std::size_t kMostLine = 500;         // characters of a line that are looked at
constexpr std::size_t kMostStepPrograms = 50;  // of one script, each beside its program
constexpr std::string_view kElement = "SLURM_ARRAY_TASK_ID";

/// What runs the file that it is given.
constexpr std::array<std::string_view, 8> kRunners{"python", "python3", "torchrun", "deepspeed",
                                                   "bash",   "sh",      "Rscript",  "julia"};
constexpr std::array<std::string_view, 4> kEndings{".py", ".sh", ".R", ".jl"};
std::string_view ending_of(std::string_view name) {
  for (const std::string_view ending : kEndings) {
    if (name.size() > ending.size() && name.ends_with(ending)) return ending;
  }
  return {};
}

class BatchFiles {
 public:
  BatchFiles(const Inputs& inputs, std::vector<Finding>& findings)
      : inputs_(inputs), findings_(findings), reach_(inputs), names_(inputs) {
    for (const InputFile& file : inputs.files) {
      if (const std::string_view ending = ending_of(file.context.path); !ending.empty())
        ++programs_[{folder_of(file.context.path), ending}];
    }
  }

  /// `python train.py`, of which the input has the program: whether one process of it takes all GPUs.
  /// `i`: the file that the script is or stands in.
  void note_spreading(SbatchJob& job, std::size_t i, std::string_view script) {
    for (BatchLaunch& launch : job.script.launches) {
      if (launch.launcher != "python" || launch.where.file != job.where.file) continue;
      if (may_drive_others(script, job)) launch.by = StartedBy::Other;
      const std::string_view line =
          script.substr(launch.where.begin, script.find('\n', launch.where.begin) - launch.where.begin);
      for (const std::string_view word : split(line, ' ')) {
        if (!word.ends_with(".py")) continue;
        const std::optional<std::size_t> file = listed(i, word);
        if (!file) break;
        if (may_drive_others(text(*file), job)) launch.by = StartedBy::Other;
        const auto [known, fresh] = spreads_.try_emplace(*file);
        if (fresh) known->second = spreads_over_gpus(text(*file));
        launch.spreads = known->second;
        break;
      }
    }
  }

  /// The text of a script that the one at `i` calls; empty: the input has none.
  std::string_view called(std::size_t i, std::string_view path) const {
    const std::optional<std::size_t> file = path.starts_with('/') ? deployed(path) : listed(i, path);
    return file && *file != i ? text(*file) : std::string_view();
  }

  void look_at(const SbatchJob& job, const sbatch::BatchBody& body) {
    const auto i = static_cast<std::size_t>(job.where.file);
    if (inputs_.files[i].named) return;
    const std::string_view script = text(i);
    if (contains(script, kElement)) arrays(job, i, read_shell(script), 0, 0);
    rendezvous(job, i, body);
    if (job.script.steps.size() <= kMostStepPrograms) {
      for (const BatchStep& step : job.script.steps)
        check_step_program(job, step, script, program_of(step, i, body), findings_);
    }
    if (brings_or_leaves(body, script) || starts_elsewhere(job)) return;
    moves_ = moves_elsewhere(job, body);
    names_neighbour_.reset();
    for (const BatchCommand& command : body.commands) {
      program(i, command);
      started(i, command, body);
      if (const std::optional<std::size_t> inner = script_run(i, command)) look_into(*inner);
    }
  }

 private:
  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }

  /// `srun python -u train.py`: the first file behind what runs it.
  void program(std::size_t i, const BatchCommand& command) {
    if (command.via == sbatch::Via::Other || command.function || command.here_document) return;
    for (std::size_t at = 0; at + 1 < command.words.size(); ++at) {
      const std::string_view runner = sbatch::program_name(command.words[at].text);
      const bool runs = runner == "uv" && command.words[at + 1].text == "run";
      if (!runs && !sbatch::is_one_of(runner, kRunners)) continue;
      for (std::size_t next = at + 1; next < command.words.size(); ++next) {
        const ShellValue& word = command.words[next];
        if (word.text == "-c" || word.text == "-m" || word.text == "-") return;
        if (ending_of(word.text).empty() || word.text.starts_with('-')) continue;
        options(i, command, next);
        return named(i, word);
      }
      return;
    }
  }

  /// What the program that is the word `at` is given, where the input has it.
  void options(std::size_t i, const BatchCommand& command, std::size_t at) {
    const std::string& path = command.words[at].text;
    const bool one = names_.called(last_part(path)).size() == 1;  // wherever the script has gone
    const std::optional<std::size_t> file = path.ends_with(".py") && (one || !moves_) ? listed(i, path) : std::nullopt;
    if (!file) return;
    const auto [known, fresh] = options_.try_emplace(*file);
    if (fresh) known->second = program_options(text(*file));
    if (known->second.known) check_program_options(static_cast<FileId>(i), command, at, known->second, findings_);
  }

  /// `./start.sh` is there or not, whatever else is called so: looked for from the script's folder up. The script is
  /// submitted from its own folder where that has another program of it.
  void started(std::size_t i, const BatchCommand& command, const sbatch::BatchBody& body) {
    if (moves_ || command.via == sbatch::Via::Other || command.function || command.here_document ||
        command.words.empty())
      return;
    const ShellValue& word = command.words[0];
    if (!word.text.starts_with("./") || ending_of(word.text).empty() || !is_relative(word)) return;
    const std::string path = word.text.substr(2);
    const std::string_view name = last_part(path);
    const std::string own(folder_of(inputs_.files[i].context.path));
    if (stands_for_another(name) || names_.is_aside(name) || stands_above(own, path)) return;
    if (!said_.insert(path + "\n" + std::to_string(i)).second) return;
    if (!names_neighbour_) names_neighbour_ = names_neighbour(i, body);
    if (!*names_neighbour_ || !reach_.holds(inputs_.files[i].context.path) || !reach_.holds(below(own, path)) ||
        is_spoken_of(name))
      return;
    findings_.push_back(
        problem("sbatch-program-missing", sbatch::span_in(static_cast<FileId>(i), word, 0, word.at.size()),
                "`" + word.text + "` is run here, and is neither in the folder of the script nor in one above it"));
  }

  /// Whether the script names another program that stands beside it.
  bool names_neighbour(std::size_t i, const sbatch::BatchBody& body) const {
    const std::string_view script = inputs_.files[i].context.path;
    return std::ranges::any_of(body.commands, [&](const BatchCommand& command) {
      return std::ranges::any_of(command.words, [&](const ShellValue& word) {
        return !ending_of(word.text).empty() && is_relative(word) && is_file(folder_of(script), word.text) &&
               last_part(word.text) != last_part(script);
      });
    });
  }

  static std::string below(std::string_view folder, std::string_view path) {
    return (folder.empty() ? "" : std::string(folder) + "/") + std::string(path);
  }
  bool is_file(std::string_view folder, std::string_view path) const {
    if (path.starts_with("./")) path.remove_prefix(2);
    return names_.at(below(folder, path)).has_value();
  }
  bool stands_above(std::string_view folder, std::string_view path) const {
    for (; !is_file(folder, path); folder = folder_of(folder)) {
      if (folder.empty()) return false;
    }
    return true;
  }

  /// The file of the input that `srun bash inner.sh` or `./inner.sh` runs.
  std::optional<std::size_t> script_run(std::size_t i, const BatchCommand& command) const {
    if (command.via == sbatch::Via::Other || command.function || command.here_document) return std::nullopt;
    for (std::size_t at = 0; at < command.words.size(); ++at) {
      const ShellValue& word = command.words[at];
      if (!word.text.ends_with(".sh") || !is_relative(word)) continue;
      const std::string_view before = at == 0 ? "" : sbatch::program_name(command.words[at - 1].text);
      const bool runs = before == "bash" || before == "sh" || (word.text.starts_with("./") && at == 0);
      return runs && !runs_elsewhere(command, at) ? listed(i, word.text) : std::nullopt;
    }
    return std::nullopt;
  }

  /// The programs of a script that a job calls, once for all jobs.
  void look_into(std::size_t i) {
    const std::string_view script = text(i);
    if (inputs_.files[i].named || contains(script, "#SBATCH") || !looked_into_.insert(i).second) return;
    const sbatch::BatchBody body = sbatch::walk_batch_script(static_cast<FileId>(i), script, {});
    if (!body.complete || brings_or_leaves(body, script)) return;
    const bool outer = std::exchange(moves_, true);
    for (const BatchCommand& command : body.commands) program(i, command);
    moves_ = outer;
  }

  static bool is_relative(const ShellValue& word) {
    return word.known() && !word.text.starts_with('/') && !word.at.empty() &&
           word.text.find_first_of("~$*{}[]?\"'\\=<> ,:") == word.text.npos;
  }

  void named(std::size_t i, const ShellValue& word) {
    if (!is_relative(word)) return;
    const std::string path = word.text.starts_with("./") ? word.text.substr(2) : word.text;
    const std::string_view name = last_part(path);
    if (stands_for_another(name) || !said_.insert(path + "\n" + std::to_string(i)).second) return;
    if (path.starts_with("..")) return above(i, word);
    if (names_.is_aside(name)) return;
    if (!names_.called(name).empty()) return moved(i, word, path);
    if (!has_neighbours(i, path) || is_spoken_of(name)) return;
    findings_.push_back(problem("sbatch-program-missing",
                                sbatch::span_in(static_cast<FileId>(i), word, 0, word.at.size()),
                                "`" + word.text + "` is run here, and no file of the input is called so"));
  }

  /// `scripts/train_gpt.py`, which stands in `scripts/legacy` now: the one file of the name is below the folder that is
  /// named, and other programs of its kind are in that.
  void moved(std::size_t i, const ShellValue& word, std::string_view path) {
    const std::vector<std::size_t>& known = names_.called(last_part(path));
    const std::string_view folder = folder_of(path);
    if (moves_ || folder.empty() || known.size() != 1 || is_made_path(path)) return;
    const std::string& there = inputs_.files[known.front()].context.path;
    std::optional<std::string> base;
    for (std::string_view above = folder_of(inputs_.files[i].context.path);; above = folder_of(above)) {
      if (is_file(above, path)) return;
      const std::string named = below(above, folder);
      if (there.starts_with(named + "/") && programs_.contains({named, ending_of(path)})) base = named;
      if (above.empty()) break;
    }
    constexpr std::array<std::string_view, 5> kVerbs{"cp ", "mv ", "ln ", "rsync ", "COPY "};
    const auto brings = [&](std::size_t, std::string_view line) {
      return std::ranges::any_of(kVerbs, [&](std::string_view verb) { return contains(line, verb); });
    };
    if (!base || is_made_path(std::string_view(there).substr(base->size())) ||
        !reach_.holds(inputs_.files[i].context.path) || names_.is_said_in_line(last_part(path), brings))
      return;
    findings_.push_back(problem("sbatch-program-missing",
                                sbatch::span_in(static_cast<FileId>(i), word, 0, word.at.size()),
                                "`" + word.text + "` is run here, and the input has `" + there + "`"));
  }

  /// `../measure/run_all.py`: no folder of the input has it, so it is the same wherever the job is submitted from.
  /// Other programs stand where this one would, or a folder beside that one has one of its name.
  void above(std::size_t i, const ShellValue& word) {
    std::string_view tail = word.text;
    std::string_view folder = folder_of(inputs_.files[i].context.path);
    for (; tail.starts_with("../"); tail.remove_prefix(3)) {
      if (folder.empty()) return;
      folder = folder_of(folder);
    }
    if (moves_ || contains(tail, "..") || contains(tail, "./") || is_made_path(tail)) return;
    const std::string there = below(folder, tail);
    const std::string_view name = last_part(tail);
    const auto found = programs_.find({folder_of(there), ending_of(name)});
    bool is_near = found != programs_.end();
    for (const std::size_t other : names_.called(name)) {
      const std::string& path = inputs_.files[other].context.path;
      if (path == tail || path.ends_with("/" + std::string(tail))) return;
      is_near = is_near || (contains(tail, "/") && folder_of(folder_of(path)) == folder_of(folder_of(there)));
    }
    if (!is_near || !reach_.holds(inputs_.files[i].context.path) || !reach_.holds(there) || names_.is_aside(name) ||
        is_spoken_of(tail))
      return;
    findings_.push_back(
        problem("sbatch-program-missing", sbatch::span_in(static_cast<FileId>(i), word, 0, word.at.size()),
                "`" + word.text + "` is run here, and no folder of the input has `" + std::string(tail) + "`"));
  }

  /// Whether other programs of the kind stand where this one would, beside the script or from the top of the input on:
  /// else the programs of the repository are not in it.
  bool has_neighbours(std::size_t i, std::string_view path) const {
    const std::string_view own = inputs_.files[i].context.path;
    const std::string beside = below(folder_of(own), path);
    if (!reach_.holds(own) || !reach_.holds(beside)) return false;
    const std::string_view ending = ending_of(path);
    const auto found = programs_.find({folder_of(beside), ending});
    const bool is_one = ending == ending_of(own) && folder_of(own) == folder_of(beside);
    return found != programs_.end() && found->second > (is_one ? 1 : 0);
  }

  /// Whether a line names it that does not run it: somebody may write it.
  bool is_spoken_of(std::string_view name) {
    return names_.is_said(name, [&](std::size_t i, std::string_view all, std::size_t at) {
      const std::string_view near = all.substr(at - std::min(at, kMostLine), std::min(at, kMostLine));
      std::size_t line = near.rfind('\n') + 1;  // npos + 1 is 0
      while (line > 1 && near[line - 2] == '\\') line = near.rfind('\n', line - 2) + 1;
      const std::string_view before = near.substr(line);
      const bool sets = before.ends_with('=') || before.ends_with("=\"") || before.ends_with("='");
      if (trim(before).ends_with('>')) return true;
      const bool runs = before.ends_with("./") || contains(before, "uv run ") ||
                        std::ranges::any_of(kRunners, [&](std::string_view run) { return contains(before, run); });
      const bool beside = is_file(folder_of(inputs_.files[i].context.path), name);  // it has its own
      const bool remark = before.starts_with('#') && !ending_of(inputs_.files[i].context.path).empty();
      const bool changes = before.ends_with(" a/");  // a patch: it was there once
      return !sets && !runs && !remark && !changes && !beside;
    });
  }

  /// Whether a program of PyTorch's asks its environment where to meet, and neither it nor the script fills that in.
  static bool meets_by_environment(std::string_view program) {
    constexpr std::array<std::string_view, 9> kOwnWays{"MASTER_ADDR", "SLURM_",   "init_method", "store=", "mpi4py",
                                                       "idr_torch",   "submitit", "lightning",   "rank="};
    return contains(program, "init_process_group(") &&
           std::ranges::none_of(kOwnWays, [&](std::string_view way) { return contains(program, way); });
  }

  /// The text of the program of Python's that a step starts; empty: the input does not have it.
  std::string_view program_of(const BatchStep& step, std::size_t i, const sbatch::BatchBody& body) const {
    if (!sbatch::program_name(step.program).starts_with("python")) return {};
    const auto command = std::ranges::find_if(body.commands, [&](const BatchCommand& one) {
      return one.where.begin <= step.where.begin && step.where.begin < one.where.end && one.words.size() > 1;
    });
    if (command == body.commands.end()) return {};
    for (const ShellValue& word : command->words) {
      if (!word.text.ends_with(".py")) continue;
      const std::optional<std::size_t> file = listed(i, word.text);
      return file ? text(*file) : std::string_view{};
    }
    return command->here_document ? here_document_at(text(i), step.where.begin) : std::string_view{};
  }

  /// `srun python train.py`, in several tasks: srun sets none of the variables of `env://`.
  void rendezvous(const SbatchJob& job, std::size_t i, const sbatch::BatchBody& body) {
    const std::string_view script = text(i);
    if (contains(script, "MASTER_ADDR") || !job.script.launchers.empty() || job.script.runs_scripts) return;
    for (const BatchStep& step : job.script.steps) {
      const bool several = (step.tasks_each_node.known() && step.tasks_each_node.value > 1) ||
                           (step.all_nodes.known() && step.all_nodes.value > 1);
      if (!several || !meets_by_environment(program_of(step, i, body))) continue;
      findings_.push_back(problem("sbatch-rendezvous-not-given", step.where,
                                  "the tasks of this step meet by `env://`, and nothing sets MASTER_ADDR"));
      return;
    }
  }

  /// `$(sed -n "${SLURM_ARRAY_TASK_ID}p" list.txt)`: what stands within `$( )`, too. `shift`: where it stands.
  void arrays(const SbatchJob& job, std::size_t i, const std::vector<ShellCommand>& commands, std::uint32_t shift,
              int depth) {
    for (const ShellCommand& command : commands) {
      for (const ShellWord& word : command.words) {
        for (const ShellPart& part : word.parts) {
          if (part.kind == ShellPart::Kind::Command && depth < 3 && contains(part.text, kElement))
            arrays(job, i, read_shell(part.text), shift == 0 ? word.begin : shift, depth + 1);
        }
      }
      if (command.words.size() > 2 && plain_text(command.words[0]) == "sed" && takes_own_line(command))
        list(job, i, plain_text(command.words.back()), shift == 0 ? command.words[0].begin : shift);
    }
  }

  static bool takes_own_line(const ShellCommand& command) {
    return std::ranges::any_of(command.words, [](const ShellWord& word) {
      std::string text;  // with the variable as a blank
      for (const ShellPart& part : word.parts) {
        const bool own = part.kind == ShellPart::Kind::Variable && part.text == kElement && part.rest.empty();
        if (!own && part.kind != ShellPart::Kind::Text) return false;
        text += own ? " " : part.text;
      }
      return text == " p" || text == " q;d";
    });
  }

  void list(const SbatchJob& job, std::size_t i, std::string_view path, std::uint32_t at) {
    const std::optional<std::size_t> file = listed(i, path);
    const SbatchPair* array = nullptr;
    for (const SbatchPair& option : job.options) {
      if (option.name == "array") array = &option;
    }
    const bool given = std::ranges::any_of(job.given, [](const SbatchPair& option) { return option.name == "array"; });
    if (!file || array == nullptr || !array->value.known() || given) return;
    const std::string_view spec = std::string_view(array->value.value).substr(0, array->value.value.find('%'));
    if (spec.empty() || spec.find_first_not_of("0123456789-") != spec.npos) return;
    const NumberRanges ranges = number_ranges(spec);
    if (ranges.size() != 1 || ranges[0].first > 1 || !said_.insert("\n" + std::to_string(i)).second) return;
    const std::int64_t last = ranges[0].second;
    std::string_view lines = text(*file);
    while (!lines.empty() && (lines.back() == '\n' || lines.back() == ' ' || lines.back() == '\r'))
      lines.remove_suffix(1);
    for (const std::string_view line : split(lines, '\n')) {
      if (trim(line).empty()) return;  // blocks: the array may be that of one of them
    }
    const auto count = static_cast<std::int64_t>(std::ranges::count(lines, '\n')) + (lines.empty() ? 0 : 1);
    if (ranges[0].first == 1 && last == count) return;
    std::string message = "`" + std::string(path) + "` has " + std::to_string(count) + " lines, and the tasks of `" +
                          std::string(last_part(inputs_.files[i].context.path)) + "` are " + std::string(spec);
    const Span where = array->where.file == job.where.file ? array->where : Span{job.where.file, at, at + 3};
    findings_.push_back(problem("sbatch-array-beside-list", where, std::move(message)));
  }

  /// The one file of the input with the name and the folder of `/home/lab/repo/scripts/serve.sh`.
  std::optional<std::size_t> deployed(std::string_view path) const {
    constexpr std::array<std::string_view, 5> kAnywhere{"scripts", "bin", "src", "slurm", "jobs"};
    const std::vector<std::size_t>& named = names_.called(last_part(path));
    if (named.size() != 1 || path.starts_with("/opt/") || path.starts_with("/usr/")) return std::nullopt;
    const std::string_view own = folder_of(inputs_.files[named.front()].context.path);
    const std::string_view folder = last_part(own);
    if (folder.empty() || folder != last_part(folder_of(path))) return std::nullopt;
    // Such a folder is in many places: the one above it has to be the same, too.
    const std::string_view above = last_part(folder_of(own));
    const bool is_same =
        !sbatch::is_one_of(folder, kAnywhere) || (!above.empty() && above == last_part(folder_of(folder_of(path))));
    return is_same ? std::optional(named.front()) : std::nullopt;
  }

  /// The file of the input that a relative path leads to from the script's folder or one above it; nothing when it
  /// leads to several.
  std::optional<std::size_t> listed(std::size_t i, std::string_view path) const {
    if (path.starts_with("./")) path.remove_prefix(2);
    if (path.empty() || path.starts_with('/') || path.starts_with("..")) return std::nullopt;
    std::optional<std::size_t> out;
    for (std::string_view folder = folder_of(inputs_.files[i].context.path);; folder = folder_of(folder)) {
      if (const std::optional<std::size_t> found = names_.at(below(folder, path))) {
        if (out) return std::nullopt;
        out = found;
      }
      if (folder.empty()) break;
    }
    return out && *out != i ? out : std::nullopt;
  }

  const Inputs& inputs_;
  std::vector<Finding>& findings_;
  Reach reach_;
  InputNames names_;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> programs_;  ///< how many, by folder and ending
  std::map<std::size_t, bool> spreads_;                                            ///< by program
  std::map<std::size_t, ProgramOptions> options_;                                  ///< likewise
  std::set<std::string> said_;
  std::set<std::size_t> looked_into_;    ///< scripts that jobs call
  bool moves_ = false;                   ///< the script that is looked at
  std::optional<bool> names_neighbour_;  ///< likewise, once it is asked
};

bool starts_python(const SbatchJob& job) {
  return std::ranges::any_of(job.script.launches, [](const auto& launch) { return launch.launcher == "python"; });
}

}  // namespace

void find_batch_files(const Inputs& inputs, Model& model, std::vector<Finding>& findings) {
  find_early_variables(inputs, findings);
  find_array_patterns(inputs, model, findings);
  find_short_heads(inputs, model, findings);
  find_missing_arguments(inputs, findings);
  std::map<FileId, std::size_t> jobs;
  for (const SbatchJob& job : model.sbatch_jobs) ++jobs[job.where.file];
  std::optional<BatchFiles> files;
  for (SbatchJob& job : model.sbatch_jobs) {
    const FileId file = job.where.file;
    if (static_cast<std::size_t>(file) >= inputs.files.size()) continue;
    const std::string_view text = inputs.sources.file(file).text();
    if (starts_python(job)) {
      if (!files) files.emplace(inputs, findings);
      files->note_spreading(job, static_cast<std::size_t>(file), text);
    }
    // Of several scripts within one file nobody knows whose a command is.
    if (jobs[file] != 1 || !text.starts_with("#!")) continue;
    const sbatch::BatchBody body = sbatch::walk_batch_script(file, text, sbatch::slurm_numbers(job));
    if (!body.complete) continue;
    if (!files) files.emplace(inputs, findings);
    files->look_at(job, body);
    if (check_batch_servers(job, body, text, findings) || !job.script.runs_scripts) continue;
    bool serves = false;
    const sbatch::BatchBody whole =
        sbatch::walk_batch_script(file, text, sbatch::slurm_numbers(job), [&](std::string_view path) {
          const std::string_view script = files->called(static_cast<std::size_t>(file), path);
          serves = serves || contains(script, "vllm") || contains(script, "sglang");
          return script;
        });
    if (serves && whole.complete) check_called_servers(job, whole, findings);
  }
}

void note_spreading(const Inputs& inputs, std::span<const QuotedScript> quoted) {
  std::vector<Finding> none;
  std::optional<BatchFiles> files;
  for (const QuotedScript& script : quoted) {
    for (SbatchJob& job : script.model->sbatch_jobs) {
      if (!starts_python(job)) continue;
      if (!files) files.emplace(inputs, none);
      files->note_spreading(job, script.within, script.text);
    }
  }
}

}  // namespace muster
