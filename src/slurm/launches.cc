#include "slurm/launches.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/strings.h"
#include "gang/mpi_options.h"
#include "slurm/lost_status.h"
#include "slurm/own_path.h"
#include "slurm/request.h"
#include "slurm/srun_options.h"

namespace muster::sbatch {
namespace {

/// Commands whose words are nothing that is started.
constexpr std::array<std::string_view, 28> kNoStarters{
    "echo",  "printf", "logger", "cat",    "grep",   "which", "type",    "command", "pip",  "pip3",
    "conda", "mamba",  "module", "ml",     "export", "local", "declare", "for",     "case", "set",
    "cd",    "mkdir",  "ls",     "source", ".",      "alias", "test",    "["};

/// Those that put ranks into the slots of the allocation. horovodrun has hosts of its own, jsrun sets of resources.
constexpr std::array<std::string_view, 5> kSlotStarters{"mpirun", "mpiexec", "orterun", "prterun", "mpiexec.hydra"};

class Launches {
 public:
  Launches(FileId file, std::string_view text, const SbatchJob& job, const CalledScripts& called,
           const NamedConfigs& configs)
      : file_(file),
        configs_(configs),
        job_(job),
        part_(job.parts.front()),
        numbers_(slurm_numbers(job)),
        body_(walk_batch_script(file, text, numbers_, called)),
        text_(text),
        overcommits_(contains(text, "--overcommit")),
        oversubscribes_(contains_ignoring_case(text, "oversubscribe")),
        gives_cpus_(contains(text, "SRUN_CPUS_PER_TASK")),
        gives_memory_(contains(text, "MEM_PER_")),
        // The module of LRZ sets SLURM_EXPORT_ENV. Source: doku.lrz.de, Slurm job scripts.
        gives_exports_(contains(text, "_EXPORT_ENV") || contains(text, "slurm_setup")) {
    for (const ScriptSetting& set : body_.settings) {
      if (set.name == "SLURM_CPU_BIND" && !set.branch && equals_ignoring_case(set.value.text, "none"))
        unbound_from_ = std::min(unbound_from_, set.where.begin);
    }
  }

  BatchScript run() {
    out_.complete = body_.complete;
    for (std::size_t i = 0; i < body_.commands.size(); ++i) read_command(i);
    read_settings();
    read_reads();
    find_own_misspelt(body_, text_, out_);
    read_surroundings(file_, body_, text_, out_);
    out_.own_path = own_path(body_, text_);
    out_.status_lost = lost_status(file_, text_, body_, runs());
    for (BatchStep& step : out_.steps) step.alone = out_.steps.size() == 1;
    bool found = false;
    const bool asks_task = std::ranges::any_of(body_.reads, [](const ScriptRead& read) {
      return read.name == "SLURM_LOCALID" || read.name == "SLURM_PROCID";
    });
    const bool fenced = gives_tasks_gpus();
    for (BatchLaunch& launch : out_.launches) {
      launch.alone = out_.launches.size() == 1;
      launch.chosen_task = asks_task && launch.branch;
      launch.per_gpu = launch.per_gpu && !fenced && !launch.devices_chosen;
      if (launch.launcher != "python") keep(out_.launchers, launch.launcher);
      launch.first = !found && !launch.branch && !only_looks(launch);
      found = found || launch.first;
    }
    return std::move(out_);
  }

 private:
  /// `python -c "import torch"` looks whether something is there; one that goes round and round is what the job is for.
  bool only_looks(const BatchLaunch& launch) const {
    const Span& where = launch.where;
    if (launch.launcher != "python" || where.file != file_ || where.begin > where.end || where.end > text_.size())
      return false;
    const std::string_view line = text_.substr(where.begin, where.end - where.begin);
    return contains(line, " -c ") && !(contains(line, "\n") && contains(line, "while True:"));
  }

  bool has_one_of(std::initializer_list<std::string_view> signs) const {
    return std::ranges::any_of(signs, [&](std::string_view sign) { return contains(text_, sign); });
  }

  /// --tres-bind has been there since 23.11, and --gpu-bind is its older word (the manual of sbatch).
  bool binds_gpus() const { return has_one_of({"gpu-bind", "GPU_BIND", "tres-bind", "TRES_BIND"}); }

  /// Whether a task may see fewer GPUs than the job has on its node.
  bool gives_tasks_gpus() const {
    return binds_gpus() || has_one_of({"gpus-per-task", "GPUS_PER_TASK", "tres-per-task"}) ||
           std::ranges::any_of(body_.settings,
                               [](const ScriptSetting& set) { return contains(set.name, "VISIBLE_DEVICES"); });
  }

  /// What the script is for: its steps and launches.
  std::vector<ScriptRun> runs() const {
    std::vector<ScriptRun> out;
    const auto add = [&](const auto& list) {
      for (const auto& one : list) out.push_back({one.where, one.branch, one.background});
    };
    add(out_.steps);
    add(out_.launches);
    for (const BatchMpiRun& one : out_.mpi_runs) out.push_back({one.where, one.branch, false});
    return out;
  }

  void keep(std::vector<std::string>& list, std::string_view word) {
    if (word.empty() || std::ranges::find(list, word) != list.end()) return;
    if (list.size() < kMostWords) {
      list.emplace_back(word);
    } else {
      out_.complete = false;
    }
  }

  /// `$LAUNCHER train.py`: who sets it may well mean srun. `$PYTHON` is an interpreter.
  static bool may_start_others(std::string_view mark) {
    return !mark.empty() && !mark.starts_with('$') && !contains(to_lower(mark), "py");
  }

  void read_command(std::size_t index) {
    const BatchCommand& command = body_.commands[index];
    if (command.words.empty()) return;
    const std::string_view name = program_name(command.words.front().text);
    if (command.words.front().known()) keep(out_.programs, name);
    out_.runs_unread = out_.runs_unread || !command.words.front().known();
    for (const ShellValue& word : command.words) {
      if (!word.text.ends_with(".sh") && !word.text.ends_with(".bash")) continue;
      out_.runs_scripts = true;
      out_.runs_unread = out_.runs_unread || !body_.walked.contains(word.text);
    }
    if (name == "trap") out_.traps = true;
    if (name == "mkdir") {
      for (std::size_t i = 1; i < command.words.size(); ++i) keep(out_.makes, below_submit_folder(command.words[i]));
    }
    if (is_one_of(name, kNoStarters)) return;
    if (name == "ray") read_ray(command);
    StartedBy by = body_.self_starting ? StartedBy::Other : command.via;
    if (const std::string mark = command.words.front().mark(); may_start_others(mark)) {
      keep(out_.starters, "$" + mark);
      by = StartedBy::Other;
    }
    // A program that is told what starts its ranks: smartsim.run_command="srun".
    for (const ShellValue& word : command.words) {
      for (const std::string_view one : {"srun", "mpirun", "mpiexec"}) {
        const std::string told = "=" + std::string(one);
        if (word.text.ends_with(told) || word.text.ends_with(told + "\"")) keep(out_.starters, one);
      }
    }
    std::size_t step = command.step;
    for (std::size_t at = 0; at < command.words.size(); ++at) {
      const std::string_view word = program_name(command.words[at].text);
      if (word == "srun") {
        keep(out_.starters, word);
        at = read_step(command, at, index) - 1;
        if (by == StartedBy::Shell) by = StartedBy::Srun;
        step = index;
        continue;
      }
      if (const std::optional<Via> via = starter(word)) {
        keep(out_.starters, word);
        if (by == StartedBy::Shell && is_one_of(word, kSlotStarters)) read_mpi(command, at);
        by = *via == Via::Mpi && by != StartedBy::Other ? StartedBy::Mpi : StartedBy::Other;
        continue;
      }
      if (word == "-c" || word.ends_with(".sh")) return;
      BatchLaunch launch;
      if (!read_launcher(file_, command.words, at, numbers_, configs_, launch)) continue;
      launch.by = by;
      keep_launch(std::move(launch), command, step);
      return;
    }
  }

  /// `ray start` of the batch shell, which runs on the first node.
  void read_ray(const BatchCommand& command) {
    if (command.words.size() < 2 || command.words[1].text != "start" || command.via != StartedBy::Shell ||
        command.branch || command.loop || command.function || body_.self_starting || out_.ray_start.is_set())
      return;
    const bool head = std::ranges::any_of(command.words, [](const ShellValue& word) { return word.text == "--head"; });
    out_.ray_start = set_to(std::string(head ? "--head" : "--address"), command.where, "ray_start");
  }

  void keep_launch(BatchLaunch launch, const BatchCommand& command, std::size_t step) {
    launch.branch = command.branch || command.function;
    launch.loop = command.loop;
    launch.background = command.background;
    for (const auto& [name, value] : command.sets) {
      launch.devices_chosen = launch.devices_chosen || name == "CUDA_VISIBLE_DEVICES";
    }
    if (launch.by == StartedBy::Srun) {
      const auto found = steps_.find(step);
      if (found != steps_.end()) {
        BatchStep& own = out_.steps[found->second];
        if (launch.same_rank) own.same_rank = {};  // which is said of the launcher
        launch.tasks_each_node = own.tasks_each_node;
        launch.step_nodes = own.all_nodes;
        launch.branch = launch.branch || own.branch;
        launch.background = launch.background || own.background;
      }
    }
    out_.launches.push_back(std::move(launch));
  }

  /// Ranks of mpirun at `words[at]`. An option that is not known may have a value: nothing behind it is read.
  void read_mpi(const BatchCommand& command, std::size_t at) {
    BatchMpiRun run;
    run.where = span_in(file_, command.words[at], 0, command.words[at].text.size());
    run.branch = command.branch || command.loop || command.function;
    // mpirun of Slurm's own allocation counts its tasks; hosts of the script's own have slots of their own.
    run.places_itself = oversubscribes_;
    const auto& words = command.words;
    // That of an image knows nothing of the allocation where it was built without Slurm.
    constexpr std::array<std::string_view, 5> kImages{"singularity", "apptainer", "docker", "podman", "udocker"};
    for (std::size_t i = 0; i < at; ++i) run.places_itself |= is_one_of(words[i].text, kImages);
    for (std::size_t i = at + 1; i < words.size() && words[i].text.starts_with('-'); ++i) {
      const std::string_view word = words[i].text;
      if (word.find("host") != word.npos || word == "-H" || word == "-f" || word == "-machinefile" ||
          word == "--machinefile")
        run.places_itself = true;
      if (says_ranks(word) && i + 1 < words.size()) {
        const ShellValue& value = words[++i];
        const Span where = span_in(file_, value, 0, value.text.size());
        const std::optional<std::int64_t> known = number_of(value, numbers_);
        run.ranks = known ? set_to(*known, where, "-np") : unknown_until<std::int64_t>("how many ranks", where, "-np");
      } else {
        i += values_of_mpi_option(word);
      }
    }
    out_.mpi_runs.push_back(std::move(run));
  }

  Located<std::int64_t> fixed_nodes() const {
    if (part_.min_nodes.known() && part_.max_nodes.known() && part_.min_nodes.value == part_.max_nodes.value &&
        job_.components == 1)
      return part_.min_nodes;
    return unknown_until<std::int64_t>("how many nodes the job gets", part_.min_nodes.where, "--nodes");
  }

  /// Whether the CPUs of each task are listed.
  static bool binds_by_list(const StepOptions& options) {
    const auto bind = options.values.find("cpu-bind");
    return bind != options.values.end() &&
           (contains(bind->second.text, "map_cpu") || contains(bind->second.text, "mask_cpu"));
  }

  /// SLURM_CPU_BIND=none, in letters of any case (SchedMD/slurm:src/common/slurm_opt.c, 24.11).
  bool binds_nothing(std::uint32_t before) const { return unbound_from_ < before; }

  /// Reads srun at `words[at]`; where its program begins.
  std::size_t read_step(const BatchCommand& command, std::size_t at, std::size_t index) {
    const StepOptions options = read_step_options(command.words, at + 1);
    BatchStep step;
    step.where = span_in(file_, command.words[at], 0, 4);
    // Words out of a variable stand where it was set.
    for (std::size_t i = at + 1; i < std::min(options.program, command.words.size()); ++i)
      step.where.end = std::max(step.where.end, span_in(file_, command.words[i], 0, command.words[i].text.size()).end);
    const auto number = [&](const std::string& name) {
      const auto found = options.values.find(name);
      if (found == options.values.end())
        return options.complete ? Located<std::int64_t>{}
                                : unknown_until<std::int64_t>("the options of this srun", step.where,
                                                              FieldName(name_of_field(name)));
      const Span where = span_in(file_, found->second, 0, found->second.text.size());
      const std::optional<std::int64_t> known = number_of(found->second, numbers_);
      return known
                 ? set_to(*known, where, FieldName(name_of_field(name)))
                 : unknown_until<std::int64_t>("what `--" + name + "` comes to", where, FieldName(name_of_field(name)));
    };
    step.nodes = number("nodes");
    step.tasks = number("ntasks");
    step.tasks_per_node = number("ntasks-per-node");
    step.cpus_per_task = number("cpus-per-task");
    step.cpus_given = step.cpus_per_task.state != State::Absent || options.values.contains("cpus-per-gpu") ||
                      gives_cpus_ || binds_by_list(options);
    step.memory_given = !options.complete || gives_memory_ || options.values.contains("mem") ||
                        options.values.contains("mem-per-cpu") || options.values.contains("mem-per-gpu");
    const auto bind = options.values.find("cpu-bind");
    step.unbound = bind != options.values.end() ? equals_ignoring_case(bind->second.text, "none")
                                                : binds_nothing(command.where.begin);
    step.other_job = options.values.contains("jobid") && !own_job(options.values.at("jobid"));
    for (const char* het : {"het-group", "pack-group"}) step.other_job |= options.values.contains(het);
    step.overcommit = options.values.contains("overcommit") || overcommits_;
    step.exports = options.values.contains("export") || !options.complete || gives_exports_;
    read_gpus(options, step);
    step.tasks_each_node = tasks_each(options, step);
    step.all_nodes = step.nodes.state == State::Absent ? fixed_nodes() : step.nodes;
    for (const char* some : {"nodelist", "relative", "exclude", "nodefile"}) {
      if (options.values.contains(some) && step.nodes.state == State::Absent)
        step.all_nodes = unknown_until<std::int64_t>("the nodes of this srun", step.where, "--nodes");
    }
    const auto odd = [&](const std::optional<OddOption>& one) {
      if (!one) return Located<std::string>{};
      const ShellValue& word = command.words[one->word];
      return set_to(one->text, span_in(file_, word, 0, word.text.size()), "");
    };
    step.unknown_option = odd(options.unknown);
    step.odd_number = odd(options.odd_number);
    step.branch = command.branch || command.loop || command.function;
    step.background = command.background;
    // `srun mpirun --version` starts nothing.
    const std::size_t behind = options.program + 1;
    const std::string asked = behind < command.words.size() ? command.words[behind].shown() : std::string();
    if (options.program < command.words.size() && asked != "--version" && asked != "--help")
      step.program = command.words[options.program].shown();
    step.same_rank = rank_of_batch_shell(file_, command.words, options.program);
    steps_[index] = out_.steps.size();
    out_.steps.push_back(std::move(step));
    return options.program;
  }

  static bool own_job(const ShellValue& value) {
    const std::string mark = value.mark();
    return mark == "SLURM_JOB_ID" || mark == "SLURM_JOBID";
  }

  static std::string_view name_of_field(std::string_view name) {
    constexpr std::array<std::string_view, 4> kNames{"nodes", "ntasks", "ntasks-per-node", "cpus-per-task"};
    const auto found = std::ranges::find(kNames, name);
    return found == kNames.end() ? std::string_view{} : *found;
  }

  void read_gpus(const StepOptions& options, BatchStep& step) const {
    SbatchComponent own;
    for (const auto& [name, value] : options.values) {
      const bool gpus =
          name == "gres" || name == "gpus" || name.starts_with("gpus-per-") || name.starts_with("tres-per-");
      if (!gpus) continue;
      SbatchOption option{name, value.text, span_in(file_, value, 0, value.text.size()), {}, true};
      option.value_where = option.where;
      if (value.known()) {
        read_request(option, own);
      } else if (name != "gres" || contains(value.text, "gpu")) {
        own.asks_gpus = true;
        own.devices_known = false;
      }
      if (own.asks_gpus) step.asks_gpus = set_to(true, option.where, "--gpus");
    }
    if (!own.asks_gpus) {
      step.asks_gpus = options.complete ? defaulted_to(false, step.where)
                                        : unknown_until<bool>("the options of this srun", step.where);
      return;
    }
    if (!own.devices_known) return;
    std::int64_t each = 0;
    std::int64_t all = 0;
    for (const DeviceAsk& ask : own.devices) {
      if (ask.name == "gpu" && ask.per == DevicesPer::Node) each += ask.count;
      if (ask.name == "gpu" && ask.per == DevicesPer::Job) all += ask.count;
    }
    if (each > 0) step.gpus_per_node = set_to(each, step.asks_gpus.where, "--gpus-per-node");
    if (all > 0) step.gpus = set_to(all, step.asks_gpus.where, "--gpus");
  }

  /// Tasks on a node. Without own options srun takes those of the job, which sbatch hands on in the environment.
  /// Source: slurm.schedmd.com/srun.html, INPUT ENVIRONMENT VARIABLES.
  Located<std::int64_t> tasks_each(const StepOptions& options, const BatchStep& step) const {
    const auto open = [&](std::string_view what) {
      return unknown_until<std::int64_t>("how many tasks " + std::string(what) + " comes to", step.where, "--ntasks");
    };
    if (!options.complete) return open("this srun");
    const Located<std::int64_t> nodes = step.nodes.state == State::Absent ? fixed_nodes() : step.nodes;
    const auto spread = [&](const Located<std::int64_t>& tasks) {
      if (!tasks.known() || !nodes.known() || nodes.value < 1 || tasks.value < 1) return open("`--ntasks`");
      return set_to((tasks.value - 1) / nodes.value + 1, tasks.where, "--ntasks");
    };
    for (const char* name : {"ntasks-per-gpu", "ntasks-per-core", "ntasks-per-socket", "multi-prog", "nodelist",
                             "relative", "ntasks-per-tres"}) {
      if (options.values.contains(name)) return open("this srun");
    }
    if (step.tasks.state != State::Absent) return spread(step.tasks);
    if (step.tasks_per_node.state != State::Absent) return step.tasks_per_node;
    for (const SbatchPair& pair : job_.options) {
      if (pair.name == "ntasks-per-gpu" || pair.name == "ntasks-per-core" || pair.name == "ntasks-per-socket")
        return open("the job");
    }
    if (job_.components > 1) return open("the component");
    if (part_.tasks.state != State::Absent) return spread(part_.tasks);
    if (part_.tasks_per_node.state != State::Absent) return part_.tasks_per_node;
    return defaulted_to<std::int64_t>(1, step.where, "--ntasks");
  }

  void read_settings() {
    std::map<std::string, std::int64_t> times;
    for (const ScriptSetting& set : body_.settings) ++times[set.name];
    std::set<std::string_view> read;
    for (const ScriptRead& one : body_.reads) {
      if (!one.printed) read.insert(one.name);
    }
    const bool shared = !binds_gpus() && std::ranges::all_of(out_.steps, [](const BatchStep& step) {
      return step.tasks_each_node.known() && step.tasks_each_node.value > 1;
    });
    for (const ScriptSetting& set : body_.settings) {
      BatchVariable out;
      out.name = set.name;
      out.by = body_.self_starting ? StartedBy::Other : set.via;
      out.branch = set.branch;
      out.prefix = set.prefix;
      out.times = times[set.name];
      out.used = set.prefix || body_.exports_all || body_.exported.contains(set.name) || read.contains(set.name);
      out.where = set.where;
      const std::string mark = set.value.mark();
      out.batch_rank = out.by == StartedBy::Shell && set.value.of_batch_shell() &&
                       (mark == "SLURM_PROCID" || mark == "SLURM_NODEID" || mark == "SLURM_LOCALID");
      out.task_number = out.by == StartedBy::Srun && set.value.of_task() && mark == "SLURM_LOCALID" && shared;
      out.node_numbers = mark == "SLURM_JOB_GPUS" || mark == "SLURM_STEP_GPUS";
      out.own_host = set.value.of_task() && is_own_host(set.value.mark());
      const std::optional<std::int64_t> number = number_of(set.value, numbers_);  // also of $SLURM_CPUS_PER_TASK
      if (set.value.known() || number)
        out.value = set_to(set.value.known() ? set.value.text : std::to_string(*number), set.where, "value");
      else
        out.value = unknown_until<std::string>("what `" + set.name + "` is in the run", set.where, "value");
      if (out.name == "MASTER_PORT" && parse_int(out.value.value)) out_.fixed_port = true;
      if (out.value.value.size() > 200) out.value.value.resize(200);
      out_.variables.push_back(std::move(out));
    }
  }

  void read_reads() {
    std::map<std::string, bool> guarded;
    std::map<std::string, bool> assigned;
    for (const ScriptRead& read : body_.reads) guarded[read.name] = guarded[read.name] || read.guarded;
    for (const ScriptSetting& set : body_.settings) assigned[set.name] = true;
    constexpr int kMostCompared = 1000;  // names no person wrote so many of
    int compared = 0;
    std::map<std::string, bool> seen;
    for (const ScriptRead& read : body_.reads) {
      // SBATCH_... is read by sbatch; of those it sets two families.
      const bool input = read.name.starts_with("SBATCH_") && !read.name.starts_with("SBATCH_CPU_BIND") &&
                         !read.name.starts_with("SBATCH_MEM_BIND");
      const std::string_view in_job = job_variable_for(read.name);
      if ((!read.name.starts_with("SLURM") && !input) || seen[read.name]) continue;
      if (read.printed && !body_.strict && in_job.empty()) continue;
      seen[read.name] = true;
      BatchRead out;
      out.name = read.name;
      out.guarded = guarded[read.name];
      out.assigned = assigned[read.name];
      out.printed = read.printed;
      out.strict = body_.strict;
      out.by = body_.self_starting ? StartedBy::Other : read.via;
      out.where = read.where;
      out.known = is_slurm_variable(read.name);
      out.set_by = option_behind(read.name);
      if (!out.set_by.empty() && (job_.given_open || is_left_to_caller(text_, out.set_by))) out.guarded = true;
      if (input && !out.guarded && is_slurm_variable("SLURM_" + read.name.substr(7)))
        out.meant = "SLURM_" + read.name.substr(7);
      if (!in_job.empty()) out.meant = in_job;
      if (!input && !out.known && ++compared <= kMostCompared) out.meant = near_slurm_variable(read.name);
      out_.reads.push_back(std::move(out));
    }
  }

  static constexpr std::size_t kMostWords = 200;  // of a list
  FileId file_;
  const NamedConfigs& configs_;
  const SbatchJob& job_;
  const SbatchComponent& part_;
  std::map<std::string, std::int64_t> numbers_;
  BatchBody body_;
  std::string_view text_;
  bool overcommits_;  // these are said somewhere in the script
  bool oversubscribes_;
  bool gives_cpus_;
  bool gives_memory_;
  bool gives_exports_;
  std::uint32_t unbound_from_ = UINT32_MAX;   ///< where SLURM_CPU_BIND=none stands first
  std::map<std::size_t, std::size_t> steps_;  ///< by the command, in BatchScript::steps
  BatchScript out_;
};

}  // namespace

BatchScript read_launches(FileId file, std::string_view text, const SbatchJob& job, const CalledScripts& called,
                          const NamedConfigs& configs) {
  return Launches(file, text, job, called, configs).run();
}

void name_owner(BatchScript& script, const std::string& job, std::size_t of) {
  const auto name = [&](auto& items) {
    for (auto& item : items) {
      item.job = job;
      item.of = of;
    }
  };
  name(script.steps);
  name(script.launches);
  name(script.mpi_runs);
  name(script.variables);
  name(script.reads);
}

}  // namespace muster::sbatch
