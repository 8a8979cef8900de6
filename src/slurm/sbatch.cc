#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "base/capped.h"
#include "base/strings.h"
#include "gang/coupling.h"
#include "input/kind.h"
#include "input/shell_scripts.h"
#include "input/submit_lines.h"
#include "slurm/inner_status.h"
#include "slurm/judge_script.h"
#include "slurm/known_machines.h"
#include "slurm/launches.h"
#include "slurm/records.h"
#include "slurm/request.h"
#include "slurm/script_ports.h"
#include "slurm/script_slips.h"
#include "slurm/split_lists.h"
#include "syntax/placeholder.h"
#include "syntax/sbatch_options.h"
#include "syntax/sbatch_reader.h"

namespace muster::sbatch {
namespace {

constexpr std::size_t kMostConfigs = 16'000'000;  // bytes of files that one script names, as often as it does

/// Words in a body that only make sense with GPUs.
constexpr std::array<std::string_view, 11> kGpuWords{"nvidia-smi",
                                                     "dcgmi",
                                                     "CUDA_VISIBLE_DEVICES",
                                                     "all_reduce_perf",
                                                     "rocm-smi",
                                                     "--nproc_per_node=gpu",
                                                     "--nproc-per-node=gpu",
                                                     "NCCL_DEBUG",
                                                     "--nv",
                                                     "--accelerator gpu",
                                                     "--accelerator=gpu"};

/// $NAME, ${NAME} or $(command), and nothing that a template engine would fill in.
std::string shell_variable(std::string_view text) {
  if (contains(text, "{{") || contains(text, "{%") || contains(text, "<%")) return "";
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
    if (text.substr(at).starts_with("$(")) return std::string(text.substr(at, text.find(')', at) - at + 1));
    const bool braces = at + 1 < text.size() && text[at + 1] == '{';
    const std::size_t begin = at + (braces ? 2 : 1);
    if (begin >= text.size() || !in_name(text[begin])) continue;
    std::size_t end = begin;
    while (end < text.size() && (braces ? text[end] != '}' : in_name(text[end]))) ++end;
    return std::string(text.substr(at, std::min(text.size(), end + (braces ? 1 : 0)) - at));
  }
  return "";
}

/// Of the arguments of docker: a container that is left to itself and gets no devices, a web page before what the job
/// does.
bool is_service_beside(std::string_view arguments) {
  const bool detached = find_word(arguments, "-d") != arguments.npos || contains(arguments, "--detach");
  const auto names = [&](std::string_view word) { return contains_ignoring_case(arguments, word); };
  return detached && !names("gpu") && !names("nvidia") && !names("--device") && !names("/dev/");
}

class Reader {
 public:
  Reader(const Artifact& artifact, const NormaliseContext& context)
      : script_(*artifact.script), context_(context), text_(context.sources.file(artifact.file).text()) {
    job_.kind = "sbatch";
    job_.file = context.file.path;
    job_.bundle = context.file.bundle;
    job_.where = script_.directives.front().where;
  }

  void run() {
    read_options();
    job_.partition_whole_node = is_for_whole_nodes(job_, text_);
    read_body();
    for (const FileId file : called_) find_script_slips(file, context_.sources.file(file).text(), context_.findings);
    read_name();
    if (script_.shell) {
      std::vector<ShellCommand> commands = read_shell(text_);
      // What stands behind it is another program's, as in a script of Julia between `#=` and `=#`.
      const auto last = std::ranges::find_if(
          commands, [](const ShellCommand& one) { return !one.words.empty() && ends_script(one); });
      if (last != commands.end()) commands.erase(std::next(last), commands.end());
      judge_script(job_.where.file, text_, commands, job_, called_scripts(), named_configs(), context_.findings);
      find_inner_status(commands);
      ScriptPorts ports = script_ports(job_.where.file, text_, commands);
      job_.ray_port = std::move(ports.ray_head);
      job_.server_port = std::move(ports.server);
    }
    make_gang();
    job_.gang = context_.model.gangs.size();
    context_.model.gangs.push_back(std::move(gang_));
    context_.model.sbatch_jobs.push_back(std::move(job_));
  }

 private:
  std::string_view text_of(const Span& where) const { return text_.substr(where.begin, where.end - where.begin); }

  void read_options() {
    for (const SbatchDirective& directive : script_.directives) {
      if (directive.ignored) {
        job_.ignored_directives.push_back(
            {std::string(text_of(directive.where)), directive.where, first_command(), ""});
        continue;
      }
      if (directive.component) begin_component();
      for (const SbatchOption& option : directive.options) {
        keep_option(option);
        read_option(option);
        if (stays_for_later_components(option.name)) staying_.push_back(&option);
      }
      if (!directive.rest.empty() || directive.open_quote != 0) {
        SbatchPair rest;
        rest.rest = directive.open_quote == 0 ? directive.rest : "";
        if (directive.open_quote != 0) rest.open_quote = directive.open_quote;
        rest.where = directive.where;
        rest.value = set_to<std::string>("", directive.where);
        job_.options.push_back(std::move(rest));
      }
    }
    take_given_options();
    for (SbatchComponent& component : components_) finish_request(component, job_.where);
    job_.components = static_cast<std::int64_t>(components_.size());
    job_.min_nodes = components_.front().min_nodes;
    job_.max_nodes = components_.front().max_nodes;
    job_.tasks = components_.front().tasks;
    job_.nodes_given = components_.front().nodes_given;
    job_.parts = components_;
    if (job_.requests_gpus.state == State::Absent)
      job_.requests_gpus = job_.given_open ? unknown_until<bool>("how sbatch is called", job_.where, "--gpus")
                                           : defaulted_to(false, job_.where);
    if (job_.exclusive.state == State::Absent) job_.exclusive = defaulted_to(false, job_.where);
  }

  void begin_component() {
    components_.emplace_back();
    for (const SbatchOption* option : staying_) read_request(*option, components_.back());
  }

  /// What a command line of sbatch gives counts instead of the directive, and nobody looks at it closer. What is only
  /// told to people counts where no directive has it.
  void take_given_options() {
    if (context_.submits == nullptr || components_.size() != 1) return;
    const SubmitLines::Options given = context_.submits->options_of(job_.file, text_);
    job_.given_open = given.open;
    std::set<std::string> names = given.firm;
    names.erase("job-name");  // for people alone
    for (const std::string& name : given.told) {
      if (std::ranges::find(job_.options, name, &SbatchPair::name) == job_.options.end()) names.insert(name);
    }
    for (const std::string& name : names) {
      const SbatchOption option{name, "$" + name, job_.where, job_.where, true};
      SbatchPair pair;
      pair.name = name;
      pair.value = text_value(option, "option");
      pair.where = job_.where;
      job_.given.push_back(std::move(pair));
      read_option(option);
      if (name == "exclusive") job_.exclusive = unknown_until<bool>("how sbatch is called", job_.where, "--exclusive");
    }
  }

  void keep_option(const SbatchOption& option) {
    SbatchPair pair;
    pair.name = option.name;
    pair.value = text_value(option, "option");
    pair.known = option.known;
    const SbatchOptionName* own = option.known ? find_sbatch_option(option.name) : nullptr;
    pair.without_value = own != nullptr && own->arg == SbatchArg::Required &&
                         (!option.value || (option.value->empty() && refuses_empty_value(option.name)));
    if (!option.known) pair.meant = misspelt_sbatch_option(option.name).value_or(std::string_view());
    if (option.value) pair.variable = shell_variable(*option.value);
    pair.begins_with_sign = option.value && option.value->starts_with('=');
    pair.component = static_cast<std::int64_t>(components_.size()) - 1;
    pair.where = option.where;
    job_.options.push_back(std::move(pair));
  }

  Located<std::string> first_command() const {
    return set_to(std::string(text_of(*script_.first_command)), *script_.first_command);
  }

  void read_option(const SbatchOption& option) {
    SbatchComponent& component = components_.back();
    read_request(option, component);
    if (option.name == "partition") job_.partition = component.partition;
    if (option.name == "job-name") job_.name = text_value(option, "--job-name");
    if (option.name == "exclusive" && component.takes_whole_nodes())
      job_.exclusive = set_to(true, option.where, "--exclusive");
    const bool by_gpu = option.name == "mem-per-gpu" || option.name == "cpus-per-gpu";
    if (component.asks_gpus || by_gpu) {
      if (job_.requests_gpus.state == State::Absent) job_.requests_gpus = set_to(true, option.where, "--gpus");
    }
    if (option.name == "gpus-per-node") job_.gpus_per_node = text_value(option, "--gpus-per-node");
    const bool gpu_gres = option.name == "gres" && option.value &&
                          (contains(*option.value, "gpu") || is_batch_placeholder(*option.value));
    if (gpu_gres) job_.gres_gpus = text_value(option, "--gres");
  }

  void read_body() {
    CouplingEvidence coupling;
    for (const Span& command : script_.commands) {
      const std::string_view line = text_of(command);
      judge_command(line, command, MpiHosts::Allocation, coupling);
      const std::size_t docker = line.find("docker run ");
      job_.runs_docker = job_.runs_docker || (docker != line.npos && !line.starts_with("echo ") &&
                                              !is_service_beside(sbatch_arguments_at(text_, command.begin + docker)));
      for (const std::string_view word : kGpuWords) {
        if (find_word(line, word) != line.npos && !job_.uses_gpus.is_set())
          job_.uses_gpus = set_to(true, command, "command");
        job_.shows_gpus = job_.shows_gpus || (word.ends_with("-smi") && find_word(line, word) != line.npos);
      }
    }
    if (script_.shell) job_.script = read_launches(job_.where.file, text_, job_, called_scripts(), named_configs());
    for (const BatchStep& step : job_.script.steps) {
      if (step.asks_gpus.is_set() && step.asks_gpus.value) job_.requests_gpus = set_to(true, step.where, "srun");
    }
    find_output_folder();
    // Most batch jobs compute on CPUs: only what tells of GPUs counts.
    if (!job_.uses_gpus.is_set()) job_.uses_gpus = defaulted_to(false, job_.where);
    gang_.tightly_coupled = coupling.verdict == CouplingEvidence::Verdict::Coupled
                                ? set_to(true, coupling.where, "command")
                                : unknown_until<bool>("whether its nodes run one collective", job_.where);
  }

  /// Slurm opens the files of --output and --error before the script runs, and makes no folders.
  void find_output_folder() {
    for (const SbatchPair& pair : job_.options) {
      if ((pair.name != "output" && pair.name != "error") || !pair.value.is_set() || pair.component != 0) continue;
      std::string_view path = pair.value.value;
      while (path.starts_with("./")) path.remove_prefix(2);
      const std::size_t slash = path.rfind('/');
      if (slash == path.npos || slash == 0) continue;
      const std::string_view folder = path.substr(0, slash);
      if (folder.find_first_of("%$~{<") != folder.npos) continue;
      const bool made = std::ranges::any_of(job_.script.makes, [&](const std::string& one) {
        // Who makes a folder in one of the system's has that one already.
        return one == folder || (!folder.starts_with('/') && one.starts_with(std::string(folder) + "/"));
      });
      if (job_.output_folder.is_set() && !made) continue;
      job_.output_folder = set_to(std::string(folder), pair.value.where, "--output");
      job_.output_folder_made = made;
      job_.output_folder_here = context_.scripts != nullptr && context_.scripts->has_folder(folder);
      if (context_.submits != nullptr) job_.output_folder_others = context_.submits->makes(folder, text_);
      if (made) return;
    }
  }

  /// `# muster: workload NAME` ties the script to a workload.
  void read_name() {
    constexpr std::string_view kMark = "# muster: workload ";
    if (const std::size_t at = text_.find(kMark); at != text_.npos) {
      const std::size_t begin = at + kMark.size();
      const std::size_t end = std::min(text_.find_first_of(" \t\r\n", begin), text_.size());
      gang_.workload =
          set_to(std::string(text_.substr(begin, end - begin)),
                 Span{job_.where.file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    }
    const std::string base = job_.file.substr(job_.file.rfind('/') + 1);
    if (!job_.name.is_set()) job_.name = defaulted_to(base, job_.where, "--job-name");
    job_.id = "sbatch/" + job_.name.value;
    for (IgnoredDirective& directive : job_.ignored_directives) directive.job = job_.id;
    for (SbatchPair& option : job_.options) option.job = job_.id;
    const std::size_t of = context_.model.sbatch_jobs.size();
    name_owner(job_.script, job_.id, of);
    for (std::size_t i = 0; i < job_.parts.size(); ++i) {
      job_.parts[i].component = static_cast<std::int64_t>(i);
      job_.parts[i].job = job_.id;
      job_.parts[i].of = of;
    }
  }

  Role role_of(const SbatchComponent& component) const {
    Role role;
    role.name = defaulted_to<std::string>("nodes", job_.where);
    role.where = job_.where;
    role.count = component.max_nodes;
    role.scheduler = defaulted_to<std::string>("slurm", job_.where);
    role.gpus_each = component.gpus_each;
    if (job_.exclusive.value && !component.asks_gpus)
      role.gpus_each = unknown_until<std::int64_t>("the GPUs of a node", job_.where, "--gpus-per-node");
    if (!role.gpus_each.known() || role.gpus_each.value > 0)
      role.accelerator = defaulted_to<std::string>("gres/gpu", job_.where);
    return role;
  }

  /// That of a script which the job ends with, where its own shell keeps it.
  void find_inner_status(std::span<const ShellCommand> commands) {
    if (job_.script.status_lost.is_set() || context_.scripts == nullptr) return;
    const std::string path = script_at_end(text_, commands);
    const std::optional<FileId> found = path.empty() ? std::nullopt : context_.scripts->find(path, context_.file.path);
    if (found && *found != job_.where.file)
      job_.script.status_lost = status_lost_in_pipe(*found, context_.sources.file(*found).text());
  }

  NamedConfigs named_configs() const {
    if (context_.scripts == nullptr) return {};
    return [this, left = kMostConfigs](std::string_view path) mutable {
      const std::optional<FileId> found = context_.scripts->find_config(path, context_.file.path);
      const std::string_view text = found ? context_.sources.file(*found).text() : std::string_view();
      if (text.size() > left) return NamedConfig{};
      left -= text.size();
      return found ? NamedConfig{*found, text} : NamedConfig{};
    };
  }

  CalledScripts called_scripts() const {
    if (context_.scripts == nullptr) return {};
    return [this](std::string_view path) {
      const std::optional<FileId> found = context_.scripts->find(path, context_.file.path);
      if (!found || *found == job_.where.file) return std::string_view();
      called_.insert(*found);
      return context_.sources.file(*found).text();
    };
  }

  /// A Slurm job is granted whole: K = the least number of nodes it accepts (slurm.schedmd.com/sbatch.html, --nodes).
  void make_gang() {
    static_cast<Object&>(gang_) = job_;
    gang_.control_plane = ControlPlane::Slurm;
    gang_.guaranteed = components_.front().min_nodes;
    gang_.elastic = defaulted_to(false, job_.where);
    for (std::size_t i = 0; i < components_.size(); ++i) {
      const SbatchComponent& component = components_[i];
      gang_.roles.push_back(role_of(component));
      if (i > 0 && gang_.guaranteed.known()) {
        const std::int64_t before = gang_.guaranteed.value;
        gang_.guaranteed = component.min_nodes;
        gang_.guaranteed.value = add_capped(gang_.guaranteed.value, before);
      }
      const bool range = component.min_nodes.known() && component.max_nodes.known() &&
                         component.min_nodes.value < component.max_nodes.value;
      if (range) gang_.elastic = set_to(true, component.max_nodes.where, "--nodes");
    }
    gang_.scheduler = defaulted_to<std::string>("slurm", job_.where);
    gang_.path = defaulted_to(Path::In, job_.where);
    gang_.mechanism = defaulted_to(components_.size() > 1 ? Mechanism::OrderedAtomic : Mechanism::Atomic, job_.where);
    gang_.evidence = {"--nodes", "--gpus-per-node"};
    fill_sums(gang_);
    // Whatever it starts on its one node, no other is waited for.
    if (gang_.size.is_set() && gang_.size.value == 1) gang_.tightly_coupled = defaulted_to(false, gang_.size.where);
  }

  const SbatchScript& script_;
  const NormaliseContext& context_;
  std::string_view text_;
  SbatchJob job_;
  Gang gang_;
  std::vector<SbatchComponent> components_{1};
  mutable std::set<FileId> called_;           ///< scripts that its body calls
  std::vector<const SbatchOption*> staying_;  ///< for the components that follow
};

/// Options that are written twice with different values: sbatch takes the later one, without a word.
void report_repeated(const SbatchScript& script, const NormaliseContext& context) {
  std::map<std::string_view, const SbatchOption*> seen;
  for (const SbatchDirective& directive : script.directives) {
    if (directive.component) seen.clear();
    for (const SbatchOption& option : directive.options) {
      // Up to 24.11 each --mail-type adds to those before. Source: SchedMD/slurm:src/common/slurm_opt.c (24.11, 25.05).
      if (!option.known || !option.value || option.name == "mail-type") continue;
      const auto [first, fresh] = seen.try_emplace(option.name, &option);
      if (!fresh && *first->second->value != *option.value && !directive.ignored) {
        context.findings.push_back(problem("sbatch-option-twice", option.where,
                                           "--" + option.name + " is given twice: `" + *option.value +
                                               "` takes the place of `" + *first->second->value + "`"));
        context.findings.back().related.push_back({first->second->where, "the first of them"});
      }
      first->second = &option;
    }
  }
}

/// `--container-image=registry#image`: what stands behind the sign is a comment. Behind a number one is meant.
void report_cut(const SbatchScript& script, const NormaliseContext& context) {
  constexpr std::array<std::string_view, 6> kFree{"comment", "error", "export", "job-name", "output", "chdir"};
  const std::string_view text = context.sources.file(script.first_line.file).text();
  for (const SbatchDirective& directive : script.directives) {
    for (const SbatchOption& option : directive.options) {
      const bool free = is_one_of(option.name, kFree) || option.name.starts_with("container-");
      if (directive.ignored || !option.cut.placed() || !free || !option.value) continue;
      context.findings.push_back(
          problem("sbatch-comment-within-value", {option.where.file, option.where.begin, option.cut.end},
                  "`#` begins a comment here: --" + option.name + " is `" + *option.value + "`, without `" +
                      std::string(text.substr(option.cut.begin, option.cut.end - option.cut.begin)) + "`"));
    }
  }
}

/// As dos2unix does.
std::string without_carriage_returns(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') out += text[i];
  }
  return out;
}

/// What sbatch refuses about the script as a whole, and lines that were to be directives.
void report_form(const SbatchScript& script, const NormaliseContext& context) {
  if (script.late_shebang.placed())
    context.findings.push_back(problem("sbatch-shebang-not-first", script.late_shebang,
                                       "`#!` is not the first line of the script: sbatch refuses it"));
  const std::string_view text = context.sources.file(script.first_line.file).text();
  if (script.dos_lines) {
    context.findings.push_back(problem("sbatch-dos-line-breaks", script.first_line,
                                       "the lines end as on DOS, with CR and LF: sbatch refuses the script"));
    const Span whole{script.first_line.file, 0, static_cast<std::uint32_t>(text.size())};
    context.findings.back().fix = spell(whole, without_carriage_returns(text));
  }
  const std::string_view shebang = text.substr(0, script.first_line.end);
  const bool strange = std::ranges::any_of(shebang, [](char c) { return static_cast<unsigned char>(c) > 127; });
  const std::string_view path = context.sources.file(script.first_line.file).path();
  constexpr std::array<std::string_view, 7> kScripts{".sh", ".sl", ".slurm", ".sbatch", ".job", ".submit", ".sbat"};
  if (script.lacks_shebang &&
      std::ranges::any_of(kScripts, [&](std::string_view ending) { return path.ends_with(ending); }))
    context.findings.push_back(problem("sbatch-shebang-missing", script.first_line,
                                       "the script begins with a directive and not with `#!`: sbatch refuses it"));
  if (script.broken_shebang)
    context.findings.push_back(problem("sbatch-shebang-broken", script.first_line,
                                       "the first line does not begin with `#!`: sbatch refuses the script"));
  const std::size_t blank = shebang.find(' ');
  const std::string_view word = blank == shebang.npos ? shebang : trim(shebang.substr(blank));
  const bool of_shell = shebang.substr(0, blank).ends_with("/bash") || shebang.substr(0, blank).ends_with("/sh");
  if (blank != shebang.npos && of_shell && !strange && !word.empty() && word.front() != '-' && word.front() != '+')
    context.findings.push_back(
        problem("sbatch-shebang-argument", script.first_line,
                "`" + std::string(word) + "` behind the shell is the name of a script for it, and no comment"));
  if (shebang.starts_with("#!") && strange)
    context.findings.push_back(problem("sbatch-shebang-sign", script.first_line,
                                       "the first line has a sign that is no plain `-`, blank or letter"));
  if (!script.directives.empty()) {
    for (const Span& where : script.misspelt) {
      const std::string_view line = text.substr(where.begin, where.end - where.begin);
      context.findings.push_back(problem("sbatch-mark-misspelt", where,
                                         "`" + std::string(line.substr(0, line.find_first_of(" \t"))) +
                                             "` is a comment: sbatch reads `#SBATCH` alone"));
      context.findings.back().fix =
          Fix{.where = where, .from = std::string(line.substr(0, line.find_first_of(" \t"))), .to = "#SBATCH"};
    }
  }
  if (script.amiss.empty()) return;
  const auto is_command = [&](const Span& where) { return text[where.begin] == 'S'; };
  const auto command = std::ranges::find_if(script.amiss, is_command);
  if (command != script.amiss.end()) {
    context.findings.push_back(problem("sbatch-mark-missing", *command,
                                       "`SBATCH` without `#` before it is a command, and none of its options counts"));
  } else if (script.directives.empty()) {
    context.findings.push_back(problem("sbatch-mark-with-blank", script.amiss.front(),
                                       "`# SBATCH` is a comment: " + count_of(script.amiss.size(), "line") +
                                           " of options, and sbatch reads none of them"));
  }
}

}  // namespace

/// A script whose shell is known, or whose directives stand where sbatch reads them: elsewhere `#SBATCH` may be text.
bool recognises(const Artifact& artifact) {
  if (artifact.script == nullptr) return false;
  const SbatchScript& script = *artifact.script;
  if (script.directives.empty()) return script.shell && !script.amiss.empty();
  return script.shell || !script.directives.front().ignored;
}

void normalise(const Artifact& artifact, const NormaliseContext& context) {
  report_form(*artifact.script, context);
  const FileId file = artifact.script->first_line.file;
  const std::string_view text = context.sources.file(file).text();
  if (artifact.script->shell) find_script_slips(file, text, context.findings);
  if (artifact.script->shell) find_split_lists(file, text, context.findings);
  if (artifact.script->directives.empty()) return;
  report_repeated(*artifact.script, context);
  report_cut(*artifact.script, context);
  Reader(artifact, context).run();
}

}  // namespace muster::sbatch
