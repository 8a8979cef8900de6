#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "source/located.h"

namespace muster {

/// Where a command of a batch script runs.
enum class StartedBy {
  Shell,  ///< the batch shell itself, on the first node of the job
  Srun,   ///< each task of a step
  Mpi,    ///< each process of mpirun and its like
  Other,  ///< other machines, or nobody knows: ssh, pdsh, a function that is handed on
};
template <>
struct EnumNames<StartedBy> {
  static constexpr std::string_view names[] = {"shell", "srun", "mpi", "other"};
};

/// A command of a batch script that starts a step. Numbers are those of its own options.
struct BatchStep {
  Located<std::int64_t> nodes;
  Located<std::int64_t> tasks;
  Located<std::int64_t> tasks_per_node;
  Located<std::int64_t> cpus_per_task;
  Located<std::int64_t> gpus_per_node;
  Located<std::int64_t> gpus;             ///< of all its nodes
  Located<std::int64_t> tasks_each_node;  ///< as it comes out of its own options, else those of the job
  Located<std::int64_t> all_nodes;        ///< as they come out: its own, else those of the job
  Located<bool> asks_gpus;                ///< by any spelling
  std::string program;                    ///< what it starts
  bool alone = false;                     ///< the script has no other
  bool cpus_given = false;      ///< --cpus-per-task or --cpus-per-gpu, or SRUN_CPUS_PER_TASK somewhere in the script
  bool memory_given = false;    ///< --mem or its like, or options from somewhere else; or the script sets SLURM_MEM_...
  std::string holds_memory_of;  ///< what waits until it ends, as it has all memory of its nodes; empty: nothing
  bool unbound = false;         ///< --cpu-bind=none, or SLURM_CPU_BIND=none before it
  bool overcommit = false;      ///< here or elsewhere in the script
  bool exports = false;         ///< --export or SLURM_EXPORT_ENV, here or elsewhere in the script
  Located<std::string> unknown_option;  ///< a long option that srun does not have, without dashes
  Located<std::string> odd_number;      ///< a letter of srun whose number is none, as written: `-np`
  Located<std::string> same_rank;       ///< a number of the task or its node that the batch shell puts in: its own, 0
  bool other_job = false;               ///< --jobid: a step of some job
  bool branch = false;                  ///< it may not run, or more than once
  bool background = false;
  Span where;
  std::string job;     ///< id of its job
  std::size_t of = 0;  ///< in Model::sbatch_jobs
};

/// A command of a batch script that starts the processes of a training: torchrun and its like.
struct BatchLaunch {
  std::string launcher;  ///< torchrun, accelerate, deepspeed, python: a plain program
  StartedBy by = StartedBy::Shell;
  Located<std::int64_t> nodes;            ///< --nnodes, --num_machines, --num_nodes
  Located<std::int64_t> processes;        ///< on each node; --nproc_per_node, --num_gpus
  Located<std::int64_t> processes_total;  ///< --num_processes
  Located<std::string> node_rank;         ///< --node_rank, --machine_rank: as written
  bool same_rank = false;                 ///< every node gets the same
  Located<std::string> host;              ///< where the processes meet
  bool host_is_local = false;             ///< localhost
  bool host_is_own = false;               ///< each task names its own node
  Located<std::int64_t> port;
  bool host_given = false;     ///< it is told where, be it a name that only the run knows
  bool rank_given = false;     ///< it is told its node rank
  bool options_known = false;  ///< nothing of its options comes from somewhere else
  std::string backend;         ///< --rdzv_backend
  bool standalone = false;
  bool host_list = false;                 ///< it is given other hosts: a hostfile
  bool by_ssh = false;                    ///< deepspeed starts the processes of a hostfile's nodes by ssh
  Located<std::int64_t> tasks_each_node;  ///< how many of it start on a node
  Located<std::int64_t> step_nodes;       ///< on how many nodes its step runs
  Located<std::int64_t> loaders;          ///< --num_workers and its like of its program: processes that load data
  bool branch = false;
  bool loop = false;
  bool background = false;
  bool first = false;           ///< of the script, other than in conditions
  bool config_read = false;     ///< accelerate's --config_file is of the input
  std::string left_behind;      ///< variables of the script that its processes do not get, as ssh starts them
  bool spreads = false;         ///< its program works on all GPUs that it sees in one process
  bool alone = false;           ///< the script has no other
  bool chosen_task = false;     ///< it stands in a condition, and the script asks which task of the node it is
  bool devices_chosen = false;  ///< CUDA_VISIBLE_DEVICES stands in front of it
  bool per_gpu = false;         ///< as many processes as a task sees GPUs, which are those of its node
  Span where;
  std::string job;
  std::size_t of = 0;
};

/// `NAME=value` in a batch script.
struct BatchVariable {
  std::string name;
  Located<std::string> value;  ///< unknown where the run decides it
  StartedBy by = StartedBy::Shell;
  bool own_host = false;  ///< each task puts the name of its own node in
  bool branch = false;
  bool prefix = false;      ///< for one command
  bool used = true;         ///< commands get it, or it is read
  bool batch_rank = false;  ///< the batch shell puts its own SLURM_PROCID, SLURM_NODEID or SLURM_LOCALID in, which is 0
  bool node_numbers = false;  ///< SLURM_JOB_GPUS or SLURM_STEP_GPUS is put in: numbers of the node's GPUs
  bool task_number = false;   ///< each task of a step puts its SLURM_LOCALID in, and no --gpu-bind is written
  std::int64_t times = 1;     ///< how often the script sets it
  Span where;
  std::string job;
  std::size_t of = 0;
};

/// A variable of Slurm's that a batch script reads.
struct BatchRead {
  std::string name;
  std::string meant;      ///< what the name is a misspelling of; empty: Slurm sets it, or nobody knows
  std::string set_by;     ///< the option of sbatch that sets it; empty: it is there anyway
  bool known = true;      ///< Slurm sets it, in some job
  bool guarded = false;   ///< somewhere in the script it is given a default or tested
  bool printed = false;   ///< only for somebody to see
  bool strict = false;    ///< set -u: the script ends here where it is not set
  bool assigned = false;  ///< the script sets it itself
  bool unset = false;     ///< a name of the script's own that neither it nor another file of the input sets
  StartedBy by = StartedBy::Shell;
  Span where;
  std::string job;
  std::size_t of = 0;
};

/// The body of a batch script.
/// mpirun, mpiexec.
struct BatchMpiRun {
  Span where;
  std::string job;
  std::size_t of = 0;           ///< the job, in Model::sbatch_jobs
  Located<std::int64_t> ranks;  ///< -np, -n; unknown where only the run tells; absent where it is not written
  bool branch = false;          ///< within a condition, a loop or a function
  bool places_itself = false;   ///< hosts are named, or it is told that more ranks than slots are meant
};

struct BatchScript {
  std::vector<BatchStep> steps;
  std::vector<BatchMpiRun> mpi_runs;
  std::vector<BatchLaunch> launches;
  std::vector<BatchVariable> variables;
  std::vector<BatchRead> reads;
  std::vector<std::string> starters;   ///< what it starts other machines with: srun, mpirun, ssh; each once
  std::vector<std::string> programs;   ///< words that are commands, each once
  std::vector<std::string> launchers;  ///< of the processes of trainings: torchrun and its like, each once
  bool fixed_port = false;             ///< it sets MASTER_PORT to a number
  bool runs_scripts = false;           ///< other shell scripts: what they start nobody looks at
  bool runs_unread = false;            ///< a script that the input lacks, or a program that a variable names
  std::vector<std::string> makes;      ///< folders it makes with mkdir
  Located<std::string> own_path;       ///< `dirname $0` and its like
  Located<std::string> ray_start;      ///< its own shell joins or begins a cluster of Ray: `--head`, `--address`
  Located<std::string> status_lost;    ///< what the job ends with in place of its runs; see lost_status
  Located<std::string> ray_folder;     ///< where the head of Ray that it starts has its files: --temp-dir, RAY_TMPDIR
  std::int64_t ray_folder_bytes = 0;   ///< how long that is at least
  bool ranks_of_tasks = false;         ///< RANK is the number of the task, and WORLD_SIZE how many there are
  std::int64_t gpus_named = 0;         ///< GPUS_PER_NODE and its like, where it is set to a number once; 0: it is not
  bool traps = false;                  ///< it has a trap
  bool complete = true;                ///< false: too long to be read whole; what is not here may be in it
};

}  // namespace muster
