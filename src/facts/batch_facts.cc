// What the bodies of batch scripts start, set and read, and what their components ask for.
#include <array>

#include "facts/batch_facts.h"
#include "facts/read.h"
#include "facts/types.h"
#include "model/device_variables.h"

namespace muster {
namespace {

constexpr Type kJobObject = object_of(kSbatchJobType);
constexpr Type kStartedBy = enum_type<StartedBy>();

template <class T>
Value job_of(const void* object, const ReadContext& context) {
  return Value::object(&kSbatchJobType, &context.model->sbatch_jobs[static_cast<const T*>(object)->of]);
}
/// A flag that the rest of the script may turn round from `holds`.
template <class T, auto member, bool holds>
Value of_whole(const void* object, const ReadContext& context) {
  const auto& item = *static_cast<const T*>(object);
  if (item.*member != holds) return Value::of(!holds);
  return as_far_as_read(holds, context.model->sbatch_jobs[item.of], context);
}
/// What only the run decides is not there: rules say nothing about it, and ask nobody.
template <class T, auto member>
Value read_known(const void* object, const ReadContext& context) {
  const auto& value = static_cast<const T*>(object)->*member;
  return value.unknown() ? Value::absent() : to_value(value, context);
}
/// Of launches: how many nodes they are told of is written, but only the run tells.
Value nodes_open(const void* object, const ReadContext&) {
  return Value::of(static_cast<const BatchLaunch*>(object)->nodes.unknown());
}

Value gpus_each_node(const void* object, const ReadContext& context) {
  const SbatchJob& job = context.model->sbatch_jobs[static_cast<const BatchLaunch*>(object)->of];
  const SbatchComponent& part = job.parts.front();
  if (part.asks_gpus) return to_value(part.gpus_each, context);
  const bool asks = job.requests_gpus.unknown() || (job.requests_gpus.is_set() && job.requests_gpus.value);
  return asks || job.script.gpus_named == 0 ? Value::absent() : Value::of(job.script.gpus_named);
}

Value processes_open(const void* object, const ReadContext&) {
  return Value::of(static_cast<const BatchLaunch*>(object)->processes.unknown());
}

Value times(const void* object, const ReadContext& context) {
  const auto& variable = *static_cast<const BatchVariable*>(object);
  return as_far_as_read(variable.times, context.model->sbatch_jobs[variable.of], context);
}

template <class T>
SharedText job_id(const void* object, const ReadContext&) {
  return static_cast<const T*>(object)->job;
}

Value port_given(const void* object, const ReadContext&) {
  return Value::of(static_cast<const BatchLaunch*>(object)->port.state != State::Absent);
}

constexpr std::array kLaunchFields{
    Field{"alone", kBoolType, kAlways, "the script has no other", of_whole<BatchLaunch, &BatchLaunch::alone, true>},
    Field{"backend", kStringType, kAlways, "--rdzv_backend; empty when it is not written",
          read<BatchLaunch, &BatchLaunch::backend>},
    Field{"background", kBoolType, kAlways, "it ends with &", read<BatchLaunch, &BatchLaunch::background>},
    Field{"branch", kBoolType, kAlways, "it may not run: within a condition or a function",
          read<BatchLaunch, &BatchLaunch::branch>},
    Field{"by", kStartedBy, kAlways, "who starts it", read<BatchLaunch, &BatchLaunch::by>},
    Field{"chosen_task", kBoolType, kAlways, "in a condition of a script that asks which task it is",
          read<BatchLaunch, &BatchLaunch::chosen_task>},
    Field{"config_read", kBoolType, kAlways, "accelerate's --config_file is a file of the input",
          read<BatchLaunch, &BatchLaunch::config_read>},
    Field{"devices_chosen", kBoolType, kAlways, "CUDA_VISIBLE_DEVICES stands in front of it",
          read<BatchLaunch, &BatchLaunch::devices_chosen>},
    Field{"first", kBoolType, kAlways, "the first of its script outside of conditions",
          read<BatchLaunch, &BatchLaunch::first>},
    Field{"gpus_each_node", kIntType, kOptional,
          "GPUs that the job asks for on a node; of one that asks for none what its script calls GPUS_PER_NODE",
          gpus_each_node},
    Field{"host", kStringType, kOptional, "where its processes meet", read_known<BatchLaunch, &BatchLaunch::host>},
    Field{"host_given", kBoolType, kAlways, "it is told where its processes meet, be it a name that only the run knows",
          read<BatchLaunch, &BatchLaunch::host_given>},
    Field{"host_is_local", kBoolType, kAlways, "they meet at localhost",
          read<BatchLaunch, &BatchLaunch::host_is_local>},
    Field{"host_is_own", kBoolType, kAlways, "each task names its own node as the place to meet",
          read<BatchLaunch, &BatchLaunch::host_is_own>},
    Field{"host_list", kBoolType, kAlways, "it is given other hosts, or a launcher for them",
          read<BatchLaunch, &BatchLaunch::host_list>},
    Field{"job", kJobObject, kAlways, "the job", job_of<BatchLaunch>},
    Field{"launcher", kStringType, kAlways,
          "torchrun, torch.distributed.launch, accelerate, deepspeed; python for a plain program",
          read<BatchLaunch, &BatchLaunch::launcher>},
    Field{"left_behind", kStringType, kAlways,
          "variables of the script that its processes do not get, as it starts them by ssh; empty: none",
          read<BatchLaunch, &BatchLaunch::left_behind>},
    Field{"loaders", kIntType, kOptional, "--num_workers and its like of its program: processes that load data",
          read_known<BatchLaunch, &BatchLaunch::loaders>},
    Field{"loop", kBoolType, kAlways, "it stands in a loop", read<BatchLaunch, &BatchLaunch::loop>},
    Field{"node_rank", kStringType, kOptional, "--node_rank, --machine_rank",
          read_known<BatchLaunch, &BatchLaunch::node_rank>},
    Field{"nodes", kIntType, kOptional, "--nnodes, --num_machines, --num_nodes",
          read_known<BatchLaunch, &BatchLaunch::nodes>},
    Field{"nodes_open", kBoolType, kAlways, "it may be told of more nodes: only the run tells", nodes_open},
    Field{"options_known", kBoolType, kAlways, "nothing of its options comes from somewhere else",
          read<BatchLaunch, &BatchLaunch::options_known>},
    Field{"per_gpu", kBoolType, kAlways,
          "as many processes as the task sees GPUs, a number that only the run knows: `gpu`, $NUM_GPUS",
          read<BatchLaunch, &BatchLaunch::per_gpu>},
    Field{"port", kIntType, kOptional, "the fixed port where they meet", read_known<BatchLaunch, &BatchLaunch::port>},
    Field{"port_given", kBoolType, kAlways, "it is told a port, be it one that only the run knows", port_given},
    Field{"processes", kIntType, kOptional, "processes on each node: --nproc_per_node, --num_gpus",
          read_known<BatchLaunch, &BatchLaunch::processes>},
    Field{"processes_open", kBoolType, kAlways, "it is told of a number of processes that only the run knows",
          processes_open},
    Field{"processes_total", kIntType, kOptional, "processes of all nodes: --num_processes",
          read_known<BatchLaunch, &BatchLaunch::processes_total>},
    Field{"rank_given", kBoolType, kAlways, "it is told its node rank", read<BatchLaunch, &BatchLaunch::rank_given>},
    Field{"same_rank", kBoolType, kAlways, "every node gets the same node rank",
          read<BatchLaunch, &BatchLaunch::same_rank>},
    Field{"spreads", kBoolType, kAlways,
          "its program, which the input has, works on all GPUs that it sees in one process",
          read<BatchLaunch, &BatchLaunch::spreads>},
    Field{"standalone", kBoolType, kAlways, "--standalone", read<BatchLaunch, &BatchLaunch::standalone>},
    Field{"step_nodes", kIntType, kOptional, "nodes of the step that starts it",
          read_known<BatchLaunch, &BatchLaunch::step_nodes>},
    Field{"tasks_each_node", kIntType, kOptional, "how many of it the step starts on a node",
          read_known<BatchLaunch, &BatchLaunch::tasks_each_node>},
};

constexpr std::array kMpiRunFields{
    Field{"branch", kBoolType, kAlways, "it stands in a condition, a loop or a function",
          read<BatchMpiRun, &BatchMpiRun::branch>},
    Field{"job", kJobObject, kAlways, "the job", job_of<BatchMpiRun>},
    Field{"places_itself", kBoolType, kAlways,
          "it names its hosts, or the script says that more ranks than slots are meant",
          read<BatchMpiRun, &BatchMpiRun::places_itself>},
    Field{"ranks", kIntType, kOptional, "-np, -n", read_known<BatchMpiRun, &BatchMpiRun::ranks>},
};

Value what_of_problem(const void* object, const ReadContext& context) {
  const auto& problem = *static_cast<const RequestProblem*>(object);
  if (problem.what == Shortage::LeftOut)
    return Value::unknown(context.arena->make(UnknownNeed{
        "a run with fewer jobs: this one, and all after it, were not held against so many nodes", nullptr}));
  return to_value(problem.what, context);
}

constexpr std::array kProblemFields{
    Field{"among", kStringType, kAlways, "of which nodes, in words", read<RequestProblem, &RequestProblem::among>},
    Field{"asked", kStringType, kAlways, "what is asked for, in words", read<RequestProblem, &RequestProblem::asked>},
    Field{"job", kJobObject, kAlways, "the job", job_of<RequestProblem>},
    Field{"there", kStringType, kAlways, "what there is, in words", read<RequestProblem, &RequestProblem::there>},
    Field{"what", enum_type<Shortage>(), kAlways, "what is short", what_of_problem},
};

constexpr std::array kReadFields{
    Field{"assigned", kBoolType, kAlways, "the script sets it itself",
          of_whole<BatchRead, &BatchRead::assigned, false>},
    Field{"by", kStartedBy, kAlways, "who reads it", read<BatchRead, &BatchRead::by>},
    Field{"guarded", kBoolType, kAlways, "the script gives it a default or tests it",
          of_whole<BatchRead, &BatchRead::guarded, false>},
    Field{"job", kJobObject, kAlways, "the job", job_of<BatchRead>},
    Field{"known", kBoolType, kAlways, "Slurm has a variable of that name", read<BatchRead, &BatchRead::known>},
    Field{"meant", kStringType, kAlways, "the variable whose name it nearly is; empty: none",
          read<BatchRead, &BatchRead::meant>},
    Field{"name", kStringType, kAlways, "its name", read<BatchRead, &BatchRead::name>},
    Field{"printed", kBoolType, kAlways, "the script only says it", read<BatchRead, &BatchRead::printed>},
    Field{"set_by", kStringType, kAlways, "the option without which a batch script does not have it; empty: none",
          read<BatchRead, &BatchRead::set_by>},
    Field{"strict", kBoolType, kAlways, "set -u: the script ends where it is not set",
          read<BatchRead, &BatchRead::strict>},
    Field{"unset", kBoolType, kAlways, "a name in small letters that neither the script nor another file sets",
          read<BatchRead, &BatchRead::unset>},
};

/// GPUs of one spelling, where it names them once.
template <DevicesPer per>
Value gpus_of(const void* object, const ReadContext&) {
  const auto& part = *static_cast<const SbatchComponent*>(object);
  const DeviceAsk* found = nullptr;
  for (const DeviceAsk& ask : part.devices) {
    if (ask.name != "gpu" || ask.per != per) continue;
    if (found != nullptr) return Value::absent();
    found = &ask;
  }
  return found == nullptr || !part.devices_known ? Value::absent() : Value::of(found->count);
}

constexpr std::array kRequestFields{
    Field{"account", kStringType, kOptional, "--account", read<SbatchComponent, &SbatchComponent::account>},
    Field{"asks_gpus", kBoolType, kAlways, "it asks for GPUs, in whatever spelling",
          read<SbatchComponent, &SbatchComponent::asks_gpus>},
    Field{"component", kIntType, kAlways, "which component of a heterogeneous job, from 0",
          read<SbatchComponent, &SbatchComponent::component>},
    Field{"constraint", kStringType, kOptional, "--constraint", read<SbatchComponent, &SbatchComponent::constraint>},
    Field{"cpus_each", kIntType, kAlways, "CPUs of a node", read<SbatchComponent, &SbatchComponent::cpus_each>},
    Field{"cpus_per_gpu", kIntType, kOptional, "--cpus-per-gpu", read<SbatchComponent, &SbatchComponent::cpus_per_gpu>},
    Field{"cpus_per_task", kIntType, kOptional, "--cpus-per-task",
          read<SbatchComponent, &SbatchComponent::cpus_per_task>},
    Field{"exclusive", kStringType, kOptional, "--exclusive", read<SbatchComponent, &SbatchComponent::exclusive>},
    Field{"gpus_each", kIntType, kAlways, "GPUs of a node; 0: none",
          read<SbatchComponent, &SbatchComponent::gpus_each>},
    Field{"gpus_of_job", kIntType, kOptional, "--gpus, where it names them once", gpus_of<DevicesPer::Job>},
    Field{"gpus_of_node", kIntType, kOptional, "--gpus-per-node or --gres, where they name GPUs once",
          gpus_of<DevicesPer::Node>},
    Field{"gpus_of_task", kIntType, kOptional, "--gpus-per-task, where it names them once", gpus_of<DevicesPer::Task>},
    Field{"job", kJobObject, kAlways, "the job", job_of<SbatchComponent>},
    Field{"max_nodes", kIntType, kAlways, "most nodes it takes", read<SbatchComponent, &SbatchComponent::max_nodes>},
    Field{"memory", kIntType, kOptional, "--mem, in MiB; 0: all of each node",
          read<SbatchComponent, &SbatchComponent::memory>},
    Field{"memory_each", kIntType, kOptional, "MiB of a node, from any spelling",
          read<SbatchComponent, &SbatchComponent::memory_each>},
    Field{"min_nodes", kIntType, kAlways, "fewest nodes it takes", read<SbatchComponent, &SbatchComponent::min_nodes>},
    Field{"minutes", kIntType, kOptional, "--time, in minutes", read<SbatchComponent, &SbatchComponent::minutes>},
    Field{"nodes_given", kBoolType, kAlways, "--nodes is written; else the nodes follow from the tasks",
          read<SbatchComponent, &SbatchComponent::nodes_given>},
    Field{"partition", kStringType, kOptional, "--partition", read<SbatchComponent, &SbatchComponent::partition>},
    Field{"qos", kStringType, kOptional, "--qos, a name", read<SbatchComponent, &SbatchComponent::qos>},
    Field{"requeue", kBoolType, kOptional, "--requeue or --no-requeue",
          read<SbatchComponent, &SbatchComponent::requeue>},
    Field{"reservation", kStringType, kOptional, "--reservation", read<SbatchComponent, &SbatchComponent::reservation>},
    Field{"tasks", kIntType, kOptional, "--ntasks", read<SbatchComponent, &SbatchComponent::tasks>},
    Field{"tasks_each", kIntType, kAlways, "tasks of a node", read<SbatchComponent, &SbatchComponent::tasks_each>},
    Field{"tasks_per_node", kIntType, kOptional, "--ntasks-per-node",
          read<SbatchComponent, &SbatchComponent::tasks_per_node>},
};

constexpr std::array kStepFields{
    Field{"all_nodes", kIntType, kOptional, "nodes it runs on: its own, else those of the job",
          read_known<BatchStep, &BatchStep::all_nodes>},
    Field{"alone", kBoolType, kAlways, "the script has no other", of_whole<BatchStep, &BatchStep::alone, true>},
    Field{"asks_gpus", kBoolType, kAlways, "it asks for GPUs, in whatever spelling",
          read<BatchStep, &BatchStep::asks_gpus>},
    Field{"background", kBoolType, kAlways, "it ends with &", read<BatchStep, &BatchStep::background>},
    Field{"branch", kBoolType, kAlways, "it stands in a condition, a loop or a function",
          read<BatchStep, &BatchStep::branch>},
    Field{"cpus_given", kBoolType, kAlways,
          "--cpus-per-task or --cpus-per-gpu, or words from somewhere else; or the script speaks of SRUN_CPUS_PER_TASK",
          read<BatchStep, &BatchStep::cpus_given>},
    Field{"cpus_per_task", kIntType, kOptional, "--cpus-per-task", read_known<BatchStep, &BatchStep::cpus_per_task>},
    Field{"exports", kBoolType, kAlways,
          "--export, or words from somewhere else; or the script speaks of SLURM_EXPORT_ENV",
          read<BatchStep, &BatchStep::exports>},
    Field{"gpus", kIntType, kOptional, "--gpus", read_known<BatchStep, &BatchStep::gpus>},
    Field{"gpus_per_node", kIntType, kOptional, "GPUs of a node: --gres, --gpus-per-node",
          read_known<BatchStep, &BatchStep::gpus_per_node>},
    Field{"holds_memory_of", kStringType, kAlways,
          "the program of a step that waits until it ends, as it has all memory of its nodes; empty: none",
          read<BatchStep, &BatchStep::holds_memory_of>},
    Field{"job", kJobObject, kAlways, "the job", job_of<BatchStep>},
    Field{"nodes", kIntType, kOptional, "--nodes", read_known<BatchStep, &BatchStep::nodes>},
    Field{"odd_number", kStringType, kOptional, "a letter of srun whose number is none, as written: `-np`",
          read_known<BatchStep, &BatchStep::odd_number>},
    Field{"of_spank", kBoolType, kAlways, "a SPANK plugin of a plugstack.conf may add options; unknown where one may",
          of_spank},
    Field{"other_job", kBoolType, kAlways, "a step of another job, or of components",
          read<BatchStep, &BatchStep::other_job>},
    Field{"overcommit", kBoolType, kAlways, "--overcommit, here or elsewhere in the script",
          read<BatchStep, &BatchStep::overcommit>},
    Field{"program", kStringType, kAlways, "what it starts", read<BatchStep, &BatchStep::program>},
    Field{"same_rank", kStringType, kOptional,
          "SLURM_PROCID or SLURM_NODEID in its words, where the batch shell puts its own in: 0",
          read_known<BatchStep, &BatchStep::same_rank>},
    Field{"tasks", kIntType, kOptional, "--ntasks", read_known<BatchStep, &BatchStep::tasks>},
    Field{"tasks_each_node", kIntType, kOptional, "tasks on a node",
          read_known<BatchStep, &BatchStep::tasks_each_node>},
    Field{"tasks_per_node", kIntType, kOptional, "--ntasks-per-node",
          read_known<BatchStep, &BatchStep::tasks_per_node>},
    Field{"unbound", kBoolType, kAlways,
          "its tasks are bound to no CPU: --cpu-bind=none, or SLURM_CPU_BIND=none before it",
          read<BatchStep, &BatchStep::unbound>},
    Field{"unknown_option", kStringType, kOptional, "a long option that srun does not have, without dashes",
          read_known<BatchStep, &BatchStep::unknown_option>},
};

Value meant_variable(const void* object, const ReadContext& context) {
  const std::string_view name = static_cast<const BatchVariable*>(object)->name;
  if (const std::string_view meant = meant_device_variable(name); !meant.empty()) return Value::of(meant);
  if (const std::string_view meant = meant_nccl_variable(name); !meant.empty()) return Value::of(meant);
  return Value::of(context.arena->copy(meant_container_variable(name)));
}

constexpr std::array kVariableFields{
    Field{"batch_rank", kBoolType, kAlways,
          "the batch shell puts its own SLURM_PROCID, SLURM_NODEID or SLURM_LOCALID in, which is 0",
          read<BatchVariable, &BatchVariable::batch_rank>},
    Field{"branch", kBoolType, kAlways, "within a condition, a loop or a function",
          read<BatchVariable, &BatchVariable::branch>},
    Field{"by", kStartedBy, kAlways, "who sets it", read<BatchVariable, &BatchVariable::by>},
    Field{"job", kJobObject, kAlways, "the job", job_of<BatchVariable>},
    Field{"meant", kStringType, kAlways,
          "the variable of CUDA, ROCm, PyTorch, NCCL or Apptainer that its name nearly is; empty: none",
          meant_variable},
    Field{"name", kStringType, kAlways, "its name", read<BatchVariable, &BatchVariable::name>},
    Field{"node_numbers", kBoolType, kAlways, "SLURM_JOB_GPUS or SLURM_STEP_GPUS is put in: numbers of the node's GPUs",
          read<BatchVariable, &BatchVariable::node_numbers>},
    Field{"own_host", kBoolType, kAlways, "each task puts the name of its own node in",
          read<BatchVariable, &BatchVariable::own_host>},
    Field{"prefix", kBoolType, kAlways, "for one command alone", read<BatchVariable, &BatchVariable::prefix>},
    Field{"task_number", kBoolType, kAlways,
          "each task of several on a node puts its SLURM_LOCALID in, and no binding of GPUs is written",
          read<BatchVariable, &BatchVariable::task_number>},
    Field{"times", kIntType, kAlways, "how often the script sets it", times},
    Field{"used", kBoolType, kAlways, "it is exported, or the script reads it other than to print it",
          read<BatchVariable, &BatchVariable::used>},
    Field{"value", kStringType, kOptional, "its value; absent where the run decides it",
          read_known<BatchVariable, &BatchVariable::value>},
};

Span where_of_problem(const void* object) { return static_cast<const RequestProblem*>(object)->where; }
Span where_of_request(const void* object) { return static_cast<const SbatchComponent*>(object)->min_nodes.where; }

}  // namespace

const ObjectType kBatchLaunchType{"batch_launch", "a command that starts the processes of a program", kLaunchFields,
                                  where_of<BatchLaunch>, job_id<BatchLaunch>};
const ObjectType kBatchMpiRunType{"batch_mpi_run", "mpirun or mpiexec in a batch script", kMpiRunFields,
                                  where_of<BatchMpiRun>, job_id<BatchMpiRun>};
const ObjectType kBatchProblemType{"batch_problem", "what a batch job asks for that its site does not have",
                                   kProblemFields, where_of_problem, job_id<RequestProblem>};
const ObjectType kBatchReadType{"batch_read", "a variable of Slurm's that a batch script reads", kReadFields,
                                where_of<BatchRead>, job_id<BatchRead>};
const ObjectType kBatchRequestType{"batch_request", "what a component of a batch job asks for", kRequestFields,
                                   where_of_request, job_id<SbatchComponent>};
const ObjectType kBatchStepType{"batch_step", "a command of a batch script that starts a step", kStepFields,
                                where_of<BatchStep>, job_id<BatchStep>};
const ObjectType kBatchVariableType{"batch_variable", "a variable that a batch script sets", kVariableFields,
                                    where_of<BatchVariable>, job_id<BatchVariable>};

}  // namespace muster
