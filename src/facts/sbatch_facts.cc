// What batch scripts ask for.
#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "base/strings.h"
#include "facts/batch_facts.h"
#include "facts/read.h"
#include "facts/types.h"

namespace muster {
namespace {

/// Options of the first component by long name; of a repeated one the last counts.
Value sbatch_options(const void* object, const ReadContext& context) {
  const auto& job = *static_cast<const SbatchJob*>(object);
  std::map<std::string_view, const SbatchPair*> last;
  for (const SbatchPair& pair : job.options) {
    if (pair.component == 0 && pair.rest.empty()) last[pair.name] = &pair;
  }
  for (const SbatchPair& pair : job.given) last[pair.name] = &pair;
  const std::span<MapEntry> entries = context.arena->make_array<MapEntry>(last.size());
  std::size_t i = 0;
  for (const auto& [name, pair] : last) entries[i++] = {Value::of(name), to_value(pair->value, context)};
  return Value::of(context.arena->make(MapData{entries}));
}

Value has_given(const void* object, const ReadContext&) {
  return Value::of(!static_cast<const SbatchJob*>(object)->given.empty());
}

Value meant_option(const void* object, const ReadContext&) {
  return Value::of(static_cast<const SbatchPair*>(object)->meant);
}

/// Scripts that have the very same option, a few at most.
Value scripts_alike(const void* object, const ReadContext& context) {
  constexpr std::int64_t kMost = 3;
  constexpr std::size_t kMostJobs = 500;  // it is asked of each option
  const auto& pair = *static_cast<const SbatchPair*>(object);
  std::int64_t alike = 0;
  constexpr std::size_t kMostOptions = 100;
  const std::span jobs(context.model->sbatch_jobs);
  for (const SbatchJob& job : jobs.first(std::min(jobs.size(), kMostJobs))) {
    const std::span options(job.options);
    alike += std::ranges::any_of(options.first(std::min(options.size(), kMostOptions)), [&](const SbatchPair& other) {
      return other.name == pair.name && other.value.value == pair.value.value;
    });
    if (alike == kMost) break;
  }
  return Value::of(std::max<std::int64_t>(alike, 1));
}

constexpr std::array kSbatchPairFields{
    Field{"alike", kIntType, kAlways, "scripts that have it with this value, itself among them; 3: or more",
          scripts_alike},
    Field{"begins_with_sign", kBoolType, kAlways, "its value begins with `=`, whatever else is to be filled in",
          read<SbatchPair, &SbatchPair::begins_with_sign>},
    Field{"component", kIntType, kAlways, "which component of a heterogeneous job, from 0",
          read<SbatchPair, &SbatchPair::component>},
    Field{"known", kBoolType, kAlways, "sbatch knows the option", read<SbatchPair, &SbatchPair::known>},
    Field{"meant", kStringType, kAlways, "the option that a name which sbatch does not know is a slip of; empty: none",
          meant_option},
    Field{"name", kStringType, kAlways, "the long name without dashes; as written when sbatch does not know it",
          read<SbatchPair, &SbatchPair::name>},
    Field{"of_spank", kBoolType, kAlways, "a SPANK plugin of a plugstack.conf adds it; unknown where it may", of_spank},
    Field{"open_quote", kStringType, kAlways, "the quote that the line leaves open",
          read<SbatchPair, &SbatchPair::open_quote>},
    Field{"rest", kStringType, kAlways, "text of the line that is neither an option nor a value",
          read<SbatchPair, &SbatchPair::rest>},
    Field{"value", kStringType, kAlways, "its value; empty when it has none", read<SbatchPair, &SbatchPair::value>},
    Field{"variable", kStringType, kAlways, "the shell's variable in its value, as written; sbatch does not expand it",
          read<SbatchPair, &SbatchPair::variable>},
    Field{"without_value", kBoolType, kAlways, "it takes a value and has none, or an empty one that sbatch refuses",
          read<SbatchPair, &SbatchPair::without_value>},
};
Value job_site(const void* object, const ReadContext& context) {
  const auto& job = *static_cast<const SbatchJob*>(object);
  return job.site ? Value::object(&kSlurmSiteType, &context.model->slurm_sites[*job.site]) : Value::absent();
}
Value job_partition(const void* object, const ReadContext& context) {
  const auto& job = *static_cast<const SbatchJob*>(object);
  if (!job.site || !job.partition_index) return Value::absent();
  return Value::object(&kSlurmPartitionType, &context.model->slurm_sites[*job.site].partitions[*job.partition_index]);
}
template <auto member>
Value overfull(const void* object, const ReadContext& context) {
  const auto& job = *static_cast<const SbatchJob*>(object);
  return job.overfull ? to_value((*job.overfull).*member, context) : Value::absent();
}
template <auto member>
Value overfull_or_none(const void* object, const ReadContext& context) {
  static const Overfull none;
  const auto& job = *static_cast<const SbatchJob*>(object);
  return to_value((job.overfull ? *job.overfull : none).*member, context);
}
template <auto member>
Value starvation(const void* object, const ReadContext& context) {
  return to_value(static_cast<const SbatchJob*>(object)->starvation.*member, context);
}

/// Also where only the run knows what a step asks for.
Value do_steps_ask_gpus(const void* object, const ReadContext&) {
  const auto& steps = static_cast<const SbatchJob*>(object)->script.steps;
  return Value::of(std::ranges::any_of(steps, [](const BatchStep& step) {
    return step.asks_gpus.unknown() || (step.asks_gpus.known() && step.asks_gpus.value);
  }));
}

/// Some step takes fewer nodes than the job has.
Value has_smaller_steps(const void* object, const ReadContext& context) {
  const auto& job = *static_cast<const SbatchJob*>(object);
  for (const BatchStep& step : job.script.steps) {
    if (step.nodes.state != State::Absent && !(step.nodes.known() && step.nodes.value >= job.min_nodes.value))
      return Value::of(true);
    if (step.nodes.state == State::Absent && step.all_nodes.unknown() && job.nodes_given) return Value::of(true);
  }
  return as_far_as_read(false, job, context);
}
Value output_folder_made(const void* object, const ReadContext& context) {
  const auto& job = *static_cast<const SbatchJob*>(object);
  return job.output_folder_made ? Value::of(true) : as_far_as_read(false, job, context);
}
Value spelt_gpus(const void* object, const ReadContext&) {
  return Value::of(static_cast<const SbatchJob*>(object)->parts.front().asks_gpus);
}
/// Of the first component.
template <auto member>
Value asked(const void* object, const ReadContext& context) {
  return to_value(static_cast<const SbatchJob*>(object)->parts.front().*member, context);
}
template <auto member>
Value of_script(const void* object, const ReadContext& context) {
  return to_value(static_cast<const SbatchJob*>(object)->script.*member, context);
}
template <auto member>
Value of_whole_script(const void* object, const ReadContext& context) {
  const auto& job = *static_cast<const SbatchJob*>(object);
  return as_far_as_read(job.script.*member, job, context);
}
Value has_trap(const void* object, const ReadContext& context) {
  const auto& job = *static_cast<const SbatchJob*>(object);
  return job.script.traps ? Value::of(true) : as_far_as_read(false, job, context);
}

Value starts_programs(const void* object, const ReadContext& context) {
  const auto& job = *static_cast<const SbatchJob*>(object);
  const bool one = std::ranges::any_of(
      job.script.launches, [&](const BatchLaunch& launch) { return launch.where.begin > job.uses_gpus.where.begin; });
  return one ? Value::of(true) : as_far_as_read(false, job, context);
}

/// Commands that end at once and use no GPU, and what stands around them.
Value only_looks(const void* object, const ReadContext& context) {
  constexpr std::array<std::string_view, 33> kLooks{
      ":",          "[",      "awk",  "bash",     "cat", "cd",    "date",   "dd",    "echo",    "env",    "export",
      "free",       "grep",   "head", "hostname", "ls",  "lscpu", "md5sum", "mkdir", "ml",      "module", "nvcc",
      "nvidia-smi", "printf", "pwd",  "rocm-smi", "set", "sh",    "sleep",  "srun",  "timeout", "true",   "whoami"};
  const auto& job = *static_cast<const SbatchJob*>(object);
  const BatchScript& script = job.script;
  const auto looks = [&](std::string_view program) { return std::ranges::find(kLooks, program) != kLooks.end(); };
  const bool only = !script.programs.empty() && !script.runs_unread && script.launches.empty() &&
                    script.mpi_runs.empty() && std::ranges::all_of(script.programs, looks) &&
                    std::ranges::all_of(script.steps, [&](const BatchStep& step) { return looks(step.program); });
  return only ? as_far_as_read(true, job, context) : Value::of(false);
}

Value runs_scripts(const void* object, const ReadContext& context) {
  const auto& job = *static_cast<const SbatchJob*>(object);
  return job.script.runs_scripts ? Value::of(true) : as_far_as_read(false, job, context);
}

Value launch_processes(const void* object, const ReadContext&) {
  std::int64_t most = 1;
  for (const BatchLaunch& launch : static_cast<const SbatchJob*>(object)->script.launches) {
    if (launch.processes.known()) most = std::max(most, launch.processes.value);
  }
  return Value::of(most);
}

/// No node of the input's sites has more GPUs than the job asks of one.
Value takes_all_gpus(const void* object, const ReadContext& context) {
  const auto& job = *static_cast<const SbatchJob*>(object);
  const Located<std::int64_t>& asked = job.parts.front().gpus_each;
  bool any = false;
  for (const SlurmSite& site : context.model->slurm_sites) {
    if (site.bundle != job.bundle) continue;
    for (const SlurmNodes& nodes : site.nodes) {
      any = any || nodes.gpus_each > 0;
      if (asked.known() && nodes.gpus_each > asked.value) return Value::of(false);
    }
    if (!site.gpus_filled.is_set()) continue;
    const std::string& gres = site.gpus_filled.value;
    const std::optional<std::int64_t> filled = parse_int(gres.substr(gres.rfind(':') + 1));
    if (!filled || !asked.known() || *filled > asked.value) return Value::of(false);
    any = true;
  }
  return Value::of(any && asked.known());
}

constexpr std::size_t kMostRecords = 1000;  // of NodeName that are held against each job

/// Every node of the input's sites that has GPUs has at least twice as many as the job asks of one.
Value takes_few_gpus(const void* object, const ReadContext& context) {
  const auto& job = *static_cast<const SbatchJob*>(object);
  const Located<std::int64_t>& asked = job.parts.front().gpus_each;
  bool any = false;
  for (const SlurmSite& site : context.model->slurm_sites) {
    if (site.bundle != job.bundle) continue;
    if (!site.complete || site.fragment || site.gpus_filled.is_set() || !asked.known()) return Value::of(false);
    if (site.nodes.size() > kMostRecords) return Value::of(false);
    for (const SlurmNodes& nodes : site.nodes) {
      if (nodes.gpus_each == 0) continue;
      if (nodes.gpus_each / 2 < asked.value) return Value::of(false);
      any = true;
    }
  }
  return Value::of(any);
}

/// Whether the job's bundle has sites, and the test holds for each.
bool holds_at_its_sites(const SbatchJob& job, const ReadContext& context, bool (*holds)(const SlurmSite&)) {
  bool any = false;
  for (const SlurmSite& site : context.model->slurm_sites) {
    if (site.bundle != job.bundle) continue;
    if (!holds(site)) return false;
    any = true;
  }
  return any;
}

/// All of it was read, and no node has a GPU.
bool lacks_gpus(const SlurmSite& site) {
  return !site.has_gpus && !site.is_template && !site.fragment && site.complete && site.node_total > 0;
}

Value sites_lack_gpus(const void* object, const ReadContext& context) {
  return Value::of(holds_at_its_sites(*static_cast<const SbatchJob*>(object), context, lacks_gpus));
}

/// Whether no site of the input gives steps their memory without counting it.
Value memory_counts(const void* object, const ReadContext& context) {
  const auto& job = *static_cast<const SbatchJob*>(object);
  return Value::of(std::ranges::all_of(context.model->slurm_sites, [&](const SlurmSite& site) {
    return site.bundle != job.bundle || site.counts_memory().value_or(false);
  }));
}

/// What a job without --mem gets where memory is counted and no key gives a default: all of it, on each node.
/// Source: slurm.schedmd.com/slurm.conf.html#OPT_DefMemPerNode (0, unlimited, as shipped).
bool gives_all_memory(const SlurmSite& site) {
  const auto is_default = [](const SlurmSetting& setting) { return setting.lower_key.starts_with("defmemper"); };
  const auto has_default = [&](const auto& settings) { return std::ranges::any_of(settings, is_default); };
  return site.counts_memory().value_or(false) && !has_default(site.settings) &&
         std::ranges::none_of(site.partitions,
                              [&](const SlurmPartition& partition) { return has_default(partition.settings); });
}

Value takes_all_memory(const void* object, const ReadContext& context) {
  const auto& job = *static_cast<const SbatchJob*>(object);
  const auto is_memory = [](const SbatchPair& pair) {
    return pair.name == "mem" || pair.name == "mem-per-cpu" || pair.name == "mem-per-gpu";
  };
  const bool asks = std::ranges::any_of(job.options, is_memory) || std::ranges::any_of(job.given, is_memory);
  return Value::of(!asks && holds_at_its_sites(job, context, gives_all_memory));
}

/// Eight GPUs are all of a node, as a rule: DGX and HGX of NVIDIA, and the instances with them.
constexpr std::int64_t kGpusOfWholeNode = 8;

/// Nothing that the job asks for, and nothing that its sites say, makes its nodes its own.
Value may_share_nodes(const void* object, const ReadContext& context) {
  const auto& job = *static_cast<const SbatchJob*>(object);
  const bool exclusive = job.exclusive.is_set() && job.exclusive.value;
  const bool all_memory = std::ranges::any_of(
      job.options, [](const SbatchPair& pair) { return pair.name == "mem" && pair.value.value == "0"; });
  const SbatchComponent& part = job.parts.front();
  const Located<std::int64_t>& gpus = part.gpus_each;
  const bool own = job.components != 1 || !part.asks_gpus || exclusive || job.partition_whole_node || all_memory ||
                   (gpus.known() && gpus.value >= kGpusOfWholeNode) || takes_all_gpus(object, context).as_bool() ||
                   takes_all_memory(object, context).as_bool();
  if (own) return Value::of(false);
  return gpus.unknown() ? to_value(gpus, context) : Value::of(true);
}

constexpr std::array kSbatchFields{
    Field{"asks_gpus", kBoolType, kAlways, "its directives ask for GPUs, in whatever spelling", spelt_gpus},
    Field{"components", kIntType, kAlways, "components of a heterogeneous job; 1 for others",
          read<SbatchJob, &SbatchJob::components>},
    Field{"cpus_each", kIntType, kAlways, "CPUs it asks of each node", asked<&SbatchComponent::cpus_each>},
    Field{"exclusive", kBoolType, kAlways, "--exclusive: whole nodes", read<SbatchJob, &SbatchJob::exclusive>},
    Field{"fixed_port", kBoolType, kAlways, "its body sets MASTER_PORT to a number",
          of_script<&BatchScript::fixed_port>},
    Field{"given_more", kBoolType, kAlways, "command lines of the input give sbatch further options for it", has_given},
    Field{"gpus_each", kIntType, kAlways, "GPUs it asks of each node; 0: none", asked<&SbatchComponent::gpus_each>},
    Field{"gpus_per_node", kStringType, kOptional, "--gpus-per-node", read<SbatchJob, &SbatchJob::gpus_per_node>},
    Field{"gres_gpus", kStringType, kOptional, "--gres with GPUs in it", read<SbatchJob, &SbatchJob::gres_gpus>},
    Field{"has_smaller_steps", kBoolType, kAlways, "some step takes fewer nodes than the job has", has_smaller_steps},
    Field{"launch_processes", kIntType, kAlways,
          "most processes that a launcher of its body starts on a node; 1 where none says", launch_processes},
    Field{"launchers", kStringListType, kAlways,
          "what starts the processes of trainings in it: torchrun ..., each once",
          of_whole_script<&BatchScript::launchers>},
    Field{"makes", kStringListType, kAlways, "folders that its body makes", of_whole_script<&BatchScript::makes>},
    Field{"max_nodes", kIntType, kAlways, "most nodes it takes", read<SbatchJob, &SbatchJob::max_nodes>},
    Field{"may_share_nodes", kBoolType, kAlways,
          "it asks for some GPUs of its nodes, and nothing makes those its own: other jobs may run beside it",
          may_share_nodes},
    Field{"memory_counts", kBoolType, kAlways,
          "no site of the input has nodes whose memory jobs and steps take without its being counted", memory_counts},
    Field{"min_nodes", kIntType, kAlways, "fewest nodes it takes", read<SbatchJob, &SbatchJob::min_nodes>},
    Field{"name", kStringType, kAlways, "--job-name, else the file's name", read<SbatchJob, &Object::name>},
    Field{"nodes_asked", kIntType, kAlways, "fewest nodes of --nodes, before sbatch lowers them to the number of tasks",
          asked<&SbatchComponent::nodes_asked>},
    Field{"nodes_given", kBoolType, kAlways, "--nodes is written; else the nodes follow from the tasks",
          read<SbatchJob, &SbatchJob::nodes_given>},
    Field{"only_looks", kBoolType, kAlways,
          "its body does nothing but show the node or say something: hostname, nvidia-smi", only_looks},
    Field{"options", kSettingsMap, kAlways, "its options by long name, without dashes", sbatch_options},
    Field{"output_folder", kStringType, kOptional, "the folder of --output or --error, relative and without patterns",
          read<SbatchJob, &SbatchJob::output_folder>},
    Field{"output_folder_here", kBoolType, kAlways, "the input has files in a folder of that name",
          read<SbatchJob, &SbatchJob::output_folder_here>},
    Field{"output_folder_made", kBoolType, kAlways, "its body makes that folder", output_folder_made},
    Field{"output_folder_others", kBoolType, kAlways, "other files of the input may make that folder",
          read<SbatchJob, &SbatchJob::output_folder_others>},
    Field{"overfull_components", kIntType, kAlways,
          "components that need more different nodes than their partitions have",
          overfull_or_none<&Overfull::components>},
    Field{"overfull_has", kIntType, kAlways, "nodes those partitions have together", overfull_or_none<&Overfull::has>},
    Field{"overfull_needs", kIntType, kOptional, "nodes those components need together", overfull<&Overfull::needs>},
    Field{"overfull_partitions", kStringType, kAlways, "those partitions", overfull_or_none<&Overfull::partitions>},
    Field{"own_path", kStringType, kOptional, "where its body asks for the folder of its own file",
          of_script<&BatchScript::own_path>},
    Field{"partition", kStringType, kOptional, "--partition", read<SbatchJob, &SbatchJob::partition>},
    Field{"partition_whole_node", kBoolType, kAlways, "its partition gives whole nodes",
          read<SbatchJob, &SbatchJob::partition_whole_node>},
    Field{"programs", kStringListType, kAlways, "commands of its body, each once",
          of_whole_script<&BatchScript::programs>},
    Field{"ranks_of_tasks", kBoolType, kAlways,
          "its body makes a rank of each task: RANK is SLURM_PROCID, and WORLD_SIZE SLURM_NTASKS",
          of_script<&BatchScript::ranks_of_tasks>},
    Field{"ray_folder", kStringType, kOptional, "--temp-dir or RAY_TMPDIR of the head of Ray that it starts",
          of_script<&BatchScript::ray_folder>},
    Field{"ray_folder_bytes", kIntType, kAlways, "how long that is at least",
          of_script<&BatchScript::ray_folder_bytes>},
    Field{"ray_port", kIntType, kOptional,
          "port of the head of a Ray cluster that its body starts, the default included",
          read<SbatchJob, &SbatchJob::ray_port>},
    Field{"ray_start", kStringType, kOptional,
          "how the shell of its body, on the first node, calls `ray start`: --head or --address",
          of_script<&BatchScript::ray_start>},
    Field{"requests_gpus", kBoolType, kAlways, "some option asks for GPUs", read<SbatchJob, &SbatchJob::requests_gpus>},
    Field{"runs_docker", kBoolType, kAlways,
          "its body starts containers with docker, not only detached ones without devices",
          read<SbatchJob, &SbatchJob::runs_docker>},
    Field{"runs_scripts", kBoolType, kAlways, "its body runs other shell scripts", runs_scripts},
    Field{"server_port", kIntType, kOptional, "port of a model server that its body starts, the default included",
          read<SbatchJob, &SbatchJob::server_port>},
    Field{"shows_gpus", kBoolType, kAlways, "its body runs nvidia-smi or rocm-smi",
          read<SbatchJob, &SbatchJob::shows_gpus>},
    Field{"sites_lack_gpus", kBoolType, kAlways, "the input's sites of Slurm, all read whole, have no node with GPUs",
          sites_lack_gpus},
    Field{"slurm_partition", kPartitionObject, kOptional, "the partition it goes to, where the input has it",
          job_partition},
    Field{"slurm_site", kSiteObject, kOptional, "the site it runs on, where the input has one", job_site},
    Field{"starters", kStringListType, kAlways, "what its body starts other machines with: srun, mpirun, ssh ...",
          of_whole_script<&BatchScript::starters>},
    Field{"starts_programs", kBoolType, kAlways,
          "its body starts a program of Python's behind the first word that tells of GPUs", starts_programs},
    Field{"starved", kStringType, kOptional,
          "partition of a component that the ones before it leave too few nodes, also on an idle cluster",
          read<SbatchJob, &SbatchJob::starved>},
    Field{"starved_left", kIntType, kAlways, "nodes that are left to it", starvation<&Starvation::left>},
    Field{"starved_needs", kIntType, kAlways, "nodes that it needs", starvation<&Starvation::needs>},
    Field{"starved_order", kStringType, kAlways,
          "partitions in an order in which all components start; empty: none was found",
          starvation<&Starvation::order>},
    Field{"status_lost", kStringType, kOptional,
          "its last command is a message or tee, and nothing ends it where another failed: that program",
          of_script<&BatchScript::status_lost>},
    Field{"steps_ask_gpus", kBoolType, kAlways, "some step of its body asks for GPUs of its own", do_steps_ask_gpus},
    Field{"takes_all_gpus", kBoolType, kAlways, "no node of the input's sites has more GPUs than it asks of one",
          takes_all_gpus},
    Field{"takes_all_memory", kBoolType, kAlways,
          "it asks for no memory, and the input's sites then give all of a node's: no default is set",
          takes_all_memory},
    Field{"takes_few_gpus", kBoolType, kAlways,
          "each node with GPUs of the input's sites has at least twice as many as it asks of one", takes_few_gpus},
    Field{"tasks", kIntType, kOptional, "--ntasks", read<SbatchJob, &SbatchJob::tasks>},
    Field{"tasks_each", kIntType, kAlways, "tasks on each node", asked<&SbatchComponent::tasks_each>},
    Field{"traps", kBoolType, kAlways, "its body has a trap", has_trap},
    Field{"uses_gpus", kBoolType, kAlways, "its body or partition tells that it computes on GPUs",
          read<SbatchJob, &SbatchJob::uses_gpus>},
};
constexpr std::array kDirectiveFields{
    Field{"first_command", kStringType, kAlways, "the command that ended the reading",
          read<IgnoredDirective, &IgnoredDirective::first_command>},
    Field{"text", kStringType, kAlways, "the line", read<IgnoredDirective, &IgnoredDirective::text>},
};

SharedText sbatch_id(const void* object, const ReadContext&) { return static_cast<const SbatchJob*>(object)->id; }
SharedText option_id(const void* object, const ReadContext&) { return static_cast<const SbatchPair*>(object)->job; }
SharedText directive_id(const void* object, const ReadContext&) {
  return static_cast<const IgnoredDirective*>(object)->job;
}

}  // namespace

const ObjectType kSbatchJobType{"sbatch_job", "what a batch script asks for", kSbatchFields, where_of<SbatchJob>,
                                sbatch_id};
const ObjectType kSbatchPairType{"sbatch_option", "an option of a batch script", kSbatchPairFields,
                                 where_of<SbatchPair>, option_id};
const ObjectType kIgnoredDirectiveType{"ignored_directive", "an #SBATCH line that sbatch never reads", kDirectiveFields,
                                       where_of<IgnoredDirective>, directive_id};

}  // namespace muster
