#include <algorithm>
#include <array>
#include <cctype>

#include "base/capped.h"
#include "base/strings.h"
#include "gang/coupling.h"
#include "input/kind.h"
#include "slurm/records.h"
#include "syntax/placeholder.h"

namespace muster::sbatch {
namespace {

constexpr std::array<std::string_view, 6> kGpuOptions{"gpus",          "gpus-per-node", "gpus-per-socket",
                                                      "gpus-per-task", "mem-per-gpu",   "cpus-per-gpu"};

/// With these not any node of the partition will do, or not the first ones.
constexpr std::array<std::string_view, 10> kChoosyOptions{"nodelist",      "exclude",    "constraint", "nodefile",
                                                          "reservation",   "contiguous", "switches",   "spread-job",
                                                          "use-min-nodes", "prefer"};

/// Words in a body that only make sense with GPUs.
constexpr std::array<std::string_view, 9> kGpuWords{"nvidia-smi",           "dcgmi",      "CUDA_VISIBLE_DEVICES",
                                                    "all_reduce_perf",      "rocm-smi",   "--nproc_per_node=gpu",
                                                    "--nproc-per-node=gpu", "NCCL_DEBUG", "--nv"};

/// What one component of a (possibly heterogeneous) job asks for.
struct Component : SbatchComponent {
  Located<std::int64_t> tasks;
  Located<std::int64_t> tasks_per_node;
  Located<std::int64_t> gpus_per_node;
  Located<std::int64_t> gpus_total;
  bool requests_gpus = false;
};

/// $NAME or ${NAME}, and nothing that a template engine would fill in.
std::string shell_variable(std::string_view text) {
  if (contains(text, "{{") || contains(text, "{%") || contains(text, "<%")) return "";
  const auto in_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
    const bool braces = at + 1 < text.size() && text[at + 1] == '{';
    const std::size_t begin = at + (braces ? 2 : 1);
    if (begin >= text.size() || !in_name(text[begin])) continue;
    std::size_t end = begin;
    while (end < text.size() && (braces ? text[end] != '}' : in_name(text[end]))) ++end;
    return std::string(text.substr(at, std::min(text.size(), end + (braces ? 1 : 0)) - at));
  }
  return "";
}

Located<std::string> text_value(const SbatchOption& option, std::string_view field) {
  if (!option.value) return set_to<std::string>("", option.where, field);
  if (is_batch_placeholder(*option.value))
    return unknown_until<std::string>("a value for `--" + option.name + "`", option.value_where, field);
  return set_to(*option.value, option.value_where, field);
}

Located<std::int64_t> number_value(const SbatchOption& option, std::string_view field) {
  const std::optional<std::int64_t> number = option.value ? parse_int(*option.value) : std::nullopt;
  if (number) return set_to(*number, option.value_where, field);
  return unknown_until<std::int64_t>("a value for `--" + option.name + "`", option.value_where, field);
}

/// 8, h100:8, gpu:8, gpu:h100:8 and lists of them.
Located<std::int64_t> gpus_value(const SbatchOption& option) {
  if (!option.value || is_batch_placeholder(*option.value)) return number_value(option, "--gpus");
  std::int64_t count = 0;
  for (const std::string_view item : split(*option.value, ',')) {
    if (option.name == "gres" && !item.starts_with("gpu") && !item.starts_with("gres/gpu")) continue;
    count = add_capped(count, parse_int(item.substr(item.rfind(':') + 1)).value_or(1));
  }
  return set_to(count, option.value_where, "--gpus");
}

/// 4, 8-64, 8-64:4, 2,4,8; a k or m behind a number multiplies it. Source: slurm.schedmd.com/sbatch.html, --nodes.
void read_nodes(const SbatchOption& option, Component& out) {
  out.min_nodes = unknown_until<std::int64_t>("a value for `--nodes`", option.value_where, "--nodes");
  out.max_nodes = out.min_nodes;
  if (!option.value) return;
  std::string_view text = *option.value;
  text = text.substr(0, text.find(':'));
  std::int64_t low = 0;
  std::int64_t high = 0;
  for (const std::string_view piece : split(text, ',')) {
    for (std::string_view number : split(piece, '-')) {
      std::int64_t scale = 1;
      if (number.ends_with('k') || number.ends_with('K')) scale = 1024;
      if (number.ends_with('m') || number.ends_with('M')) scale = 1048576;
      if (scale > 1) number.remove_suffix(1);
      const std::optional<std::int64_t> value = parse_int(number);
      if (!value) return;
      const std::int64_t nodes = multiply_capped(*value, scale);
      low = low == 0 ? nodes : std::min(low, nodes);
      high = std::max(high, nodes);
    }
  }
  out.min_nodes = set_to(low, option.value_where, "--nodes");
  out.max_nodes = set_to(high, option.value_where, "--nodes");
}

/// Without --nodes Slurm takes as few nodes as the tasks need: one, unless tasks per node say more.
void default_nodes(Component& component, Span where) {
  if (component.min_nodes.state != State::Absent) return;
  const std::int64_t tasks = component.tasks.value;
  const std::int64_t per_node = component.tasks_per_node.value;
  if (component.tasks.is_set() && tasks > 0 && per_node > 0) {
    component.min_nodes = set_to((tasks - 1) / per_node + 1, component.tasks.where, "--ntasks");
  } else if (component.tasks.state == State::Absent || (component.tasks.is_set() && tasks == 1)) {
    component.min_nodes = defaulted_to<std::int64_t>(1, where, "--nodes");
  } else {
    component.min_nodes =
        unknown_until<std::int64_t>("how many nodes `--ntasks` comes to", component.tasks.where, "--nodes");
  }
  component.max_nodes = component.min_nodes;
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
    read_body();
    read_name();
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
      if (directive.component) components_.emplace_back();
      for (const SbatchOption& option : directive.options) {
        keep_option(option);
        read_option(option);
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
    for (Component& component : components_) default_nodes(component, job_.where);
    job_.components = static_cast<std::int64_t>(components_.size());
    job_.min_nodes = components_.front().min_nodes;
    job_.max_nodes = components_.front().max_nodes;
    job_.tasks = components_.front().tasks;
    job_.parts.assign(components_.begin(), components_.end());
    if (job_.requests_gpus.state == State::Absent) job_.requests_gpus = defaulted_to(false, job_.where);
    if (job_.exclusive.state == State::Absent) job_.exclusive = defaulted_to(false, job_.where);
  }

  void keep_option(const SbatchOption& option) {
    SbatchPair pair;
    pair.name = option.name;
    pair.value = text_value(option, "option");
    pair.known = option.known;
    if (option.value) pair.variable = shell_variable(*option.value);
    pair.component = static_cast<std::int64_t>(components_.size()) - 1;
    pair.where = option.where;
    job_.options.push_back(std::move(pair));
  }

  Located<std::string> first_command() const {
    return set_to(std::string(text_of(*script_.first_command)), *script_.first_command);
  }

  void read_option(const SbatchOption& option) {
    Component& component = components_.back();
    if (option.name == "nodes") read_nodes(option, component);
    if (option.name == "nodes" && components_.size() == 1) job_.nodes_given = true;
    if (option.name == "ntasks") component.tasks = number_value(option, "--ntasks");
    if (option.name == "ntasks-per-node") component.tasks_per_node = number_value(option, "--ntasks-per-node");
    if (option.name == "partition") component.partition = text_value(option, "--partition");
    if (option.name == "partition") job_.partition = component.partition;
    component.choosy = component.choosy || std::ranges::find(kChoosyOptions, option.name) != kChoosyOptions.end();
    component.elsewhere = component.elsewhere || option.name == "clusters";
    if (option.name == "job-name") job_.name = text_value(option, "--job-name");
    const bool whole = option.name == "exclusive" && (!option.value || *option.value == "topo");
    if (whole) job_.exclusive = set_to(true, option.where, "--exclusive");
    const bool gres = option.name == "gres" || option.name == "tres-per-task";
    const bool gpu_gres =
        gres && option.value && (contains(*option.value, "gpu") || is_batch_placeholder(*option.value));
    if (std::ranges::find(kGpuOptions, option.name) != kGpuOptions.end() || gpu_gres) {
      job_.requests_gpus = set_to(true, option.where, "--gpus");
      component.requests_gpus = true;
    }
    if (option.name == "gpus-per-node") job_.gpus_per_node = text_value(option, "--gpus-per-node");
    if (option.name == "gres" && gpu_gres) job_.gres_gpus = text_value(option, "--gres");
    if (option.name == "gpus-per-node" || (option.name == "gres" && gpu_gres))
      component.gpus_per_node = gpus_value(option);
    if (option.name == "gpus") component.gpus_total = gpus_value(option);
  }

  void read_body() {
    CouplingEvidence coupling;
    for (const Span& command : script_.commands) {
      const std::string_view line = text_of(command);
      judge_command(line, command, MpiHosts::Allocation, coupling);
      const bool starts_step = find_word(line, "srun") != line.npos;
      if (starts_step && (contains(line, "--gres=gpu") || contains(line, "--gpus"))) {
        job_.requests_gpus = set_to(true, command, "srun");
      }
      for (const std::string_view word : kGpuWords) {
        if (find_word(line, word) != line.npos && !job_.uses_gpus.is_set())
          job_.uses_gpus = set_to(true, command, "command");
      }
    }
    // Most batch jobs compute on CPUs: only what tells of GPUs counts.
    if (!job_.uses_gpus.is_set()) job_.uses_gpus = defaulted_to(false, job_.where);
    gang_.tightly_coupled = coupling.verdict == CouplingEvidence::Verdict::Coupled
                                ? set_to(true, coupling.where, "command")
                                : unknown_until<bool>("whether its nodes run one collective", job_.where);
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
  }

  Role role_of(const Component& component) const {
    Role role;
    role.name = defaulted_to<std::string>("nodes", job_.where);
    role.where = job_.where;
    role.count = component.max_nodes;
    role.scheduler = defaulted_to<std::string>("slurm", job_.where);
    role.gpus_each = component.gpus_per_node;
    const bool total_known =
        component.gpus_total.known() && component.gpus_total.value > 0 && role.count.known() && role.count.value > 0;
    if (role.gpus_each.state == State::Absent && total_known) {
      role.gpus_each =
          set_to((component.gpus_total.value - 1) / role.count.value + 1, component.gpus_total.where, "--gpus");
    }
    if (role.gpus_each.state == State::Absent) {
      role.gpus_each = job_.exclusive.value || component.requests_gpus
                           ? unknown_until<std::int64_t>("the GPUs of a node", job_.where, "--gpus-per-node")
                           : defaulted_to<std::int64_t>(0, job_.where, "--gpus-per-node");
    }
    if (!role.gpus_each.known() || role.gpus_each.value > 0)
      role.accelerator = defaulted_to<std::string>("gres/gpu", job_.where);
    return role;
  }

  /// A Slurm job is granted whole: K = the least number of nodes it accepts (slurm.schedmd.com/sbatch.html, --nodes).
  void make_gang() {
    static_cast<Object&>(gang_) = job_;
    gang_.control_plane = ControlPlane::Slurm;
    gang_.guaranteed = components_.front().min_nodes;
    gang_.elastic = defaulted_to(false, job_.where);
    for (std::size_t i = 0; i < components_.size(); ++i) {
      const Component& component = components_[i];
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
  }

  const SbatchScript& script_;
  const NormaliseContext& context_;
  std::string_view text_;
  SbatchJob job_;
  Gang gang_;
  std::vector<Component> components_{1};
};

}  // namespace

/// A script whose shell is known, or whose directives stand where sbatch reads them: elsewhere `#SBATCH` may be text.
bool recognises(const Artifact& artifact) {
  return artifact.script != nullptr && !artifact.script->directives.empty() &&
         (artifact.script->shell || !artifact.script->directives.front().ignored);
}

void normalise(const Artifact& artifact, const NormaliseContext& context) { Reader(artifact, context).run(); }

}  // namespace muster::sbatch
