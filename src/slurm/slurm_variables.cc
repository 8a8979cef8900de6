// Variables that Slurm sets for a batch script or its steps, or that its commands read.
#include <algorithm>
#include <array>

#include "base/strings.h"
#include "slurm/launches.h"

namespace muster::sbatch {
namespace {

struct SlurmVariable {
  std::string_view name;
  std::string_view set_by;  ///< the option of sbatch without which a batch script does not have it; empty: none
};

// Sources: SchedMD/slurm:doc/man/man1/sbatch.1, srun.1 and salloc.1, sections on environment variables;
// src/common/env.c (22.05 to 26.05).
constexpr std::array kSlurmVariables{
    SlurmVariable{"SLURMD_DEBUG", ""},
    SlurmVariable{"SLURMD_NODENAME", ""},
    SlurmVariable{"SLURMD_TRES_BIND", ""},
    SlurmVariable{"SLURMD_TRES_FREQ", ""},
    SlurmVariable{"SLURM_ACCOUNT", ""},
    SlurmVariable{"SLURM_ACCTG_FREQ", ""},
    SlurmVariable{"SLURM_ARCH", ""},
    SlurmVariable{"SLURM_ARRAY_JOB_ID", "array"},
    SlurmVariable{"SLURM_ARRAY_TASK_COUNT", "array"},
    SlurmVariable{"SLURM_ARRAY_TASK_ID", "array"},
    SlurmVariable{"SLURM_ARRAY_TASK_MAX", "array"},
    SlurmVariable{"SLURM_ARRAY_TASK_MIN", "array"},
    SlurmVariable{"SLURM_ARRAY_TASK_STEP", "array"},
    SlurmVariable{"SLURM_BCAST", ""},
    SlurmVariable{"SLURM_BCAST_EXCLUDE", ""},
    SlurmVariable{"SLURM_BITSTR_LEN", ""},
    SlurmVariable{"SLURM_BURST_BUFFER", ""},
    SlurmVariable{"SLURM_CHECKPOINT_IMAGE_DIR", ""},
    SlurmVariable{"SLURM_CLUSTERS", ""},
    SlurmVariable{"SLURM_CLUSTER_CONSTRAINT", ""},
    SlurmVariable{"SLURM_CLUSTER_NAME", ""},
    SlurmVariable{"SLURM_COMPRESS", ""},
    SlurmVariable{"SLURM_CONF", ""},
    SlurmVariable{"SLURM_CONSOLIDATE_SEGMENTS", ""},
    SlurmVariable{"SLURM_CONSTRAINT", ""},
    SlurmVariable{"SLURM_CONTAINER", ""},
    SlurmVariable{"SLURM_CONTAINER_ID", ""},
    SlurmVariable{"SLURM_CORE_SPEC", ""},
    SlurmVariable{"SLURM_CPUS_ON_NODE", ""},
    SlurmVariable{"SLURM_CPUS_PER_GPU", "cpus-per-gpu"},
    SlurmVariable{"SLURM_CPUS_PER_TASK", "cpus-per-task"},
    SlurmVariable{"SLURM_CPU_BIND", ""},
    SlurmVariable{"SLURM_CPU_BIND_LIST", ""},
    SlurmVariable{"SLURM_CPU_BIND_SORT", ""},
    SlurmVariable{"SLURM_CPU_BIND_TYPE", ""},
    SlurmVariable{"SLURM_CPU_BIND_VERBOSE", ""},
    SlurmVariable{"SLURM_CPU_FREQ_REQ", ""},
    SlurmVariable{"SLURM_DEBUG", ""},
    SlurmVariable{"SLURM_DELAY_BOOT", ""},
    SlurmVariable{"SLURM_DEPENDENCY", ""},
    SlurmVariable{"SLURM_DISABLE_STATUS", ""},
    SlurmVariable{"SLURM_DISTRIBUTION", ""},
    SlurmVariable{"SLURM_DIST_PLANESIZE", ""},
    SlurmVariable{"SLURM_EPILOG", ""},
    SlurmVariable{"SLURM_EXACT", ""},
    SlurmVariable{"SLURM_EXCLUSIVE", ""},
    SlurmVariable{"SLURM_EXIT_ERROR", ""},
    SlurmVariable{"SLURM_EXIT_IMMEDIATE", ""},
    SlurmVariable{"SLURM_EXPORT_ENV", ""},
    SlurmVariable{"SLURM_EXTERNAL_LAUNCHER", ""},
    SlurmVariable{"SLURM_GET_USER_ENV", ""},
    SlurmVariable{"SLURM_GPUS", "gpus"},
    SlurmVariable{"SLURM_GPUS_ON_NODE", ""},
    SlurmVariable{"SLURM_GPUS_PER_NODE", "gpus-per-node"},
    SlurmVariable{"SLURM_GPUS_PER_SOCKET", "gpus-per-socket"},
    SlurmVariable{"SLURM_GPUS_PER_TASK", "gpus-per-task"},
    SlurmVariable{"SLURM_GPU_BIND", ""},
    SlurmVariable{"SLURM_GPU_FREQ", ""},
    SlurmVariable{"SLURM_GRES", ""},
    SlurmVariable{"SLURM_GRES_FLAGS", ""},
    SlurmVariable{"SLURM_GTID", ""},
    SlurmVariable{"SLURM_GTIDS", ""},
    SlurmVariable{"SLURM_HET_JOB_ID", ""},
    SlurmVariable{"SLURM_HET_JOB_NODELIST", ""},
    SlurmVariable{"SLURM_HET_JOB_OFFSET", ""},
    SlurmVariable{"SLURM_HET_SIZE", ""},
    SlurmVariable{"SLURM_HINT", ""},
    SlurmVariable{"SLURM_HOME", ""},
    SlurmVariable{"SLURM_HOSTFILE", ""},
    SlurmVariable{"SLURM_JOBID", ""},
    SlurmVariable{"SLURM_JOB_ACCOUNT", ""},
    SlurmVariable{"SLURM_JOB_COMMENT", ""},
    SlurmVariable{"SLURM_JOB_CONSTRAINTS", ""},
    SlurmVariable{"SLURM_JOB_CPUS_PER_NODE", ""},
    SlurmVariable{"SLURM_JOB_DEPENDENCY", ""},
    SlurmVariable{"SLURM_JOB_DERIVED_EC", ""},
    SlurmVariable{"SLURM_JOB_END_TIME", ""},
    SlurmVariable{"SLURM_JOB_EXCLUSIVE", ""},
    SlurmVariable{"SLURM_JOB_EXIT_CODE", ""},
    SlurmVariable{"SLURM_JOB_EXIT_CODE2", ""},
    SlurmVariable{"SLURM_JOB_EXIT_CODE_MAX", ""},
    SlurmVariable{"SLURM_JOB_EXIT_CODE_MIN", ""},
    SlurmVariable{"SLURM_JOB_EXTRA", ""},
    SlurmVariable{"SLURM_JOB_GID", ""},
    SlurmVariable{"SLURM_JOB_GPUS", ""},
    SlurmVariable{"SLURM_JOB_GROUP", ""},
    SlurmVariable{"SLURM_JOB_ID", ""},
    SlurmVariable{"SLURM_JOB_LICENSES", ""},
    SlurmVariable{"SLURM_JOB_MAIL_TYPE", ""},
    SlurmVariable{"SLURM_JOB_NAME", ""},
    SlurmVariable{"SLURM_JOB_NICS", ""},
    SlurmVariable{"SLURM_JOB_NODELIST", ""},
    SlurmVariable{"SLURM_JOB_NUM_NODES", ""},
    SlurmVariable{"SLURM_JOB_OVERSUBSCRIBE", ""},
    SlurmVariable{"SLURM_JOB_PARTITION", ""},
    SlurmVariable{"SLURM_JOB_QOS", ""},
    SlurmVariable{"SLURM_JOB_QUEUED_TIME", ""},
    SlurmVariable{"SLURM_JOB_RESERVATION", ""},
    SlurmVariable{"SLURM_JOB_RESTART_COUNT", ""},
    SlurmVariable{"SLURM_JOB_RUN_TIME", ""},
    SlurmVariable{"SLURM_JOB_SEGMENT_SIZE", "segment"},
    SlurmVariable{"SLURM_JOB_SELINUX_CONTEXT", ""},
    SlurmVariable{"SLURM_JOB_SLUID", ""},
    SlurmVariable{"SLURM_JOB_STAGE_OUT_TIME", ""},
    SlurmVariable{"SLURM_JOB_START_TIME", ""},
    SlurmVariable{"SLURM_JOB_STATE", ""},
    SlurmVariable{"SLURM_JOB_STDERR", ""},
    SlurmVariable{"SLURM_JOB_STDIN", ""},
    SlurmVariable{"SLURM_JOB_STDOUT", ""},
    SlurmVariable{"SLURM_JOB_TERM_SIGNAL_MAX", ""},
    SlurmVariable{"SLURM_JOB_UID", ""},
    SlurmVariable{"SLURM_JOB_USER", ""},
    SlurmVariable{"SLURM_JOB_WORK_DIR", ""},
    SlurmVariable{"SLURM_JSON", ""},
    SlurmVariable{"SLURM_JWT", ""},
    SlurmVariable{"SLURM_KILL_BAD_EXIT", ""},
    SlurmVariable{"SLURM_LABELIO", ""},
    SlurmVariable{"SLURM_LAUNCH_NODE_IPADDR", ""},
    SlurmVariable{"SLURM_LOCALID", ""},
    SlurmVariable{"SLURM_LOCAL_GLOBALS_FILE", ""},
    SlurmVariable{"SLURM_MEM_BIND", ""},
    SlurmVariable{"SLURM_MEM_BIND_LIST", ""},
    SlurmVariable{"SLURM_MEM_BIND_PREFER", ""},
    SlurmVariable{"SLURM_MEM_BIND_SORT", ""},
    SlurmVariable{"SLURM_MEM_BIND_TYPE", ""},
    SlurmVariable{"SLURM_MEM_BIND_VERBOSE", ""},
    SlurmVariable{"SLURM_MEM_PER_CPU", ""},
    SlurmVariable{"SLURM_MEM_PER_GPU", "mem-per-gpu"},
    SlurmVariable{"SLURM_MEM_PER_NODE", ""},
    SlurmVariable{"SLURM_MPI_TYPE", ""},
    SlurmVariable{"SLURM_NCORES_PER_SOCKET", ""},
    SlurmVariable{"SLURM_NETWORK", ""},
    SlurmVariable{"SLURM_NNODES", ""},
    SlurmVariable{"SLURM_NODEID", ""},
    SlurmVariable{"SLURM_NODELIST", ""},
    SlurmVariable{"SLURM_NODE_ALIASES", ""},
    SlurmVariable{"SLURM_NODE_NAME", ""},
    SlurmVariable{"SLURM_NO_KILL", ""},
    SlurmVariable{"SLURM_NPROCS", ""},
    SlurmVariable{"SLURM_NSOCKETS_PER_NODE", ""},
    SlurmVariable{"SLURM_NTASKS", ""},
    SlurmVariable{"SLURM_NTASKS_PER_CORE", "ntasks-per-core"},
    SlurmVariable{"SLURM_NTASKS_PER_GPU", "ntasks-per-gpu"},
    SlurmVariable{"SLURM_NTASKS_PER_NODE", "ntasks-per-node"},
    SlurmVariable{"SLURM_NTASKS_PER_SOCKET", "ntasks-per-socket"},
    SlurmVariable{"SLURM_NTASKS_PER_TRES", ""},
    SlurmVariable{"SLURM_OOMKILLSTEP", ""},
    SlurmVariable{"SLURM_OOM_KILL_STEP", ""},
    SlurmVariable{"SLURM_OPEN_MODE", ""},
    SlurmVariable{"SLURM_OS", ""},
    SlurmVariable{"SLURM_OVERCOMMIT", ""},
    SlurmVariable{"SLURM_OVERLAP", ""},
    SlurmVariable{"SLURM_PACK_JOB_ID", ""},
    SlurmVariable{"SLURM_PACK_JOB_NODELIST", ""},
    SlurmVariable{"SLURM_PACK_JOB_OFFSET", ""},
    SlurmVariable{"SLURM_PACK_SIZE", ""},
    SlurmVariable{"SLURM_PARTITION", ""},
    SlurmVariable{"SLURM_PMI_KVS_DUP_KEYS", ""},
    SlurmVariable{"SLURM_PMI_RESP_IFHN", ""},
    SlurmVariable{"SLURM_POWER", ""},
    SlurmVariable{"SLURM_PRIO_PROCESS", ""},
    SlurmVariable{"SLURM_PROCID", ""},
    SlurmVariable{"SLURM_PROFILE", ""},
    SlurmVariable{"SLURM_PROLOG", ""},
    SlurmVariable{"SLURM_PTY_PORT", ""},
    SlurmVariable{"SLURM_PTY_WIN_COL", ""},
    SlurmVariable{"SLURM_PTY_WIN_ROW", ""},
    SlurmVariable{"SLURM_QOS", ""},
    SlurmVariable{"SLURM_REMOTE_CWD", ""},
    SlurmVariable{"SLURM_REQ_SWITCH", ""},
    SlurmVariable{"SLURM_RESERVATION", ""},
    SlurmVariable{"SLURM_RESTART_COUNT", ""},
    SlurmVariable{"SLURM_RESV_PORTS", ""},
    SlurmVariable{"SLURM_RLIMIT_AS", ""},
    SlurmVariable{"SLURM_RLIMIT_CORE", ""},
    SlurmVariable{"SLURM_RLIMIT_CPU", ""},
    SlurmVariable{"SLURM_RLIMIT_DATA", ""},
    SlurmVariable{"SLURM_RLIMIT_FSIZE", ""},
    SlurmVariable{"SLURM_RLIMIT_MEMLOCK", ""},
    SlurmVariable{"SLURM_RLIMIT_NOFILE", ""},
    SlurmVariable{"SLURM_RLIMIT_NPROC", ""},
    SlurmVariable{"SLURM_RLIMIT_RSS", ""},
    SlurmVariable{"SLURM_RLIMIT_STACK", ""},
    SlurmVariable{"SLURM_ROOT", ""},
    SlurmVariable{"SLURM_RUNTIME", ""},
    SlurmVariable{"SLURM_SACK_JWKS", ""},
    SlurmVariable{"SLURM_SACK_KEY", ""},
    SlurmVariable{"SLURM_SCRIPT_CONTEXT", ""},
    SlurmVariable{"SLURM_SEND_LIBS", ""},
    SlurmVariable{"SLURM_SHARDS_ON_NODE", ""},
    SlurmVariable{"SLURM_SIGNAL", ""},
    SlurmVariable{"SLURM_SLINGSHOT_CXI_VERSION", ""},
    SlurmVariable{"SLURM_SPREAD_JOB", ""},
    SlurmVariable{"SLURM_SPREAD_SEGMENTS", ""},
    SlurmVariable{"SLURM_SRUN_COMM_HOST", ""},
    SlurmVariable{"SLURM_SRUN_COMM_PORT", ""},
    SlurmVariable{"SLURM_SRUN_MULTI", ""},
    SlurmVariable{"SLURM_SRUN_REDUCE_TASK_EXIT_MSG", ""},
    SlurmVariable{"SLURM_SRUN_TLS_CERT", ""},
    SlurmVariable{"SLURM_STDERRMODE", ""},
    SlurmVariable{"SLURM_STDINMODE", ""},
    SlurmVariable{"SLURM_STDOUTMODE", ""},
    SlurmVariable{"SLURM_STEPID", ""},
    SlurmVariable{"SLURM_STEPMGR", ""},
    SlurmVariable{"SLURM_STEP_GPUS", ""},
    SlurmVariable{"SLURM_STEP_GRES", ""},
    SlurmVariable{"SLURM_STEP_ID", ""},
    SlurmVariable{"SLURM_STEP_KILLED_MSG_NODE_ID", ""},
    SlurmVariable{"SLURM_STEP_LAUNCHER_PORT", ""},
    SlurmVariable{"SLURM_STEP_NICS", ""},
    SlurmVariable{"SLURM_STEP_NODELIST", ""},
    SlurmVariable{"SLURM_STEP_NUM_NODES", ""},
    SlurmVariable{"SLURM_STEP_NUM_TASKS", ""},
    SlurmVariable{"SLURM_STEP_RESV_PORTS", ""},
    SlurmVariable{"SLURM_STEP_TASKS_PER_NODE", ""},
    SlurmVariable{"SLURM_SUBMIT_DIR", ""},
    SlurmVariable{"SLURM_SUBMIT_HOST", ""},
    SlurmVariable{"SLURM_TASKS_PER_NODE", ""},
    SlurmVariable{"SLURM_TASK_EPILOG", ""},
    SlurmVariable{"SLURM_TASK_PID", ""},
    SlurmVariable{"SLURM_TASK_PROLOG", ""},
    SlurmVariable{"SLURM_TEST_EXEC", ""},
    SlurmVariable{"SLURM_THREADS", ""},
    SlurmVariable{"SLURM_THREADS_PER_CORE", "threads-per-core"},
    SlurmVariable{"SLURM_THREAD_SPEC", ""},
    SlurmVariable{"SLURM_TIMELIMIT", ""},
    SlurmVariable{"SLURM_TIME_FORMAT", ""},
    SlurmVariable{"SLURM_TOPOLOGY_ADDR", ""},
    SlurmVariable{"SLURM_TOPOLOGY_ADDR_PATTERN", ""},
    SlurmVariable{"SLURM_TRES_BIND", ""},
    SlurmVariable{"SLURM_TRES_PER_TASK", ""},
    SlurmVariable{"SLURM_UID", ""},
    SlurmVariable{"SLURM_UMASK", ""},
    SlurmVariable{"SLURM_UNBUFFEREDIO", ""},
    SlurmVariable{"SLURM_USE_MIN_NODES", ""},
    SlurmVariable{"SLURM_VERSION", ""},
    SlurmVariable{"SLURM_WAIT", ""},
    SlurmVariable{"SLURM_WAIT4SWITCH", ""},
    SlurmVariable{"SLURM_WCKEY", ""},
    SlurmVariable{"SLURM_WORKING_CLUSTER", ""},
    SlurmVariable{"SLURM_WORKING_DIR", ""},
    SlurmVariable{"SLURM_X11_SETUP_FAILED", ""},
    SlurmVariable{"SLURM_YAML", ""},
};

const SlurmVariable* find_variable(std::string_view name) {
  const auto found = std::ranges::lower_bound(kSlurmVariables, name, {}, &SlurmVariable::name);
  return found == kSlurmVariables.end() || found->name != name ? nullptr : &*found;
}

/// `# SBATCH --array=0-3`, `##SBATCH --array=0-3`.
bool is_directive_put_aside(std::string_view comment) {
  constexpr std::string_view kMark = "SBATCH ";
  const std::size_t begin = comment.find_first_not_of("# \t");
  return begin != comment.npos && comment.substr(begin).starts_with(kMark) &&
         trim(comment.substr(begin + kMark.size())).starts_with('-');
}

}  // namespace

bool is_slurm_variable(std::string_view name) { return find_variable(name) != nullptr; }

std::string_view job_variable_for(std::string_view name) {
  // SLURM_ACCOUNT is one, too, which users export for their commands. Source: SchedMD/slurm:doc/man/man1/srun.1, INPUT
  // ENVIRONMENT VARIABLES; sbatch.1, OUTPUT ENVIRONMENT VARIABLES (26.05).
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kTaken{
      {{"SLURM_PARTITION", "SLURM_JOB_PARTITION"},
       {"SLURM_QOS", "SLURM_JOB_QOS"},
       {"SLURM_RESERVATION", "SLURM_JOB_RESERVATION"},
       {"SLURM_TIMELIMIT", "SLURM_JOB_END_TIME"}}};
  const auto found = std::ranges::find(kTaken, name, [](const auto& one) { return one.first; });
  return found == kTaken.end() ? std::string_view() : found->second;
}

std::string_view option_behind(std::string_view name) {
  const SlurmVariable* found = find_variable(name);
  return found == nullptr ? std::string_view{} : found->set_by;
}

bool is_left_to_caller(std::string_view text, std::string_view option) {
  const std::string word = "--" + std::string(option);
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view comment = trim(line);
    // A script that was made for an array and is none any more does not say that.
    if (comment.starts_with('#') && !comment.starts_with("#SBATCH") && contains(comment, word) &&
        !(option == "array" && is_directive_put_aside(comment)))
      return true;
  }
  return false;
}

std::map<std::string, std::int64_t> slurm_numbers(const SbatchJob& job) {
  std::map<std::string, std::int64_t> out;
  if (job.components != 1) return out;
  const SbatchComponent& part = job.parts.front();
  const auto put = [&](const Located<std::int64_t>& value, std::initializer_list<const char*> names) {
    if (!value.is_set()) return;
    for (const char* name : names) out[name] = value.value;
  };
  if (part.nodes_given && part.min_nodes.known() && part.max_nodes.known() &&
      part.min_nodes.value == part.max_nodes.value)
    put(part.min_nodes, {"SLURM_NNODES", "SLURM_JOB_NUM_NODES"});
  put(part.tasks, {"SLURM_NTASKS", "SLURM_NPROCS"});
  put(part.tasks_per_node, {"SLURM_NTASKS_PER_NODE"});
  put(part.cpus_per_task, {"SLURM_CPUS_PER_TASK"});
  const bool whole = job.exclusive.known() && job.exclusive.value;
  if (part.asks_gpus && !whole) put(part.gpus_each, {"SLURM_GPUS_ON_NODE"});
  for (const SbatchPair& pair : job.options) {
    if (!pair.value.is_set()) continue;
    const std::optional<std::int64_t> number = parse_int(pair.value.value.substr(pair.value.value.rfind(':') + 1));
    if (pair.name == "gpus-per-node" && number) out["SLURM_GPUS_PER_NODE"] = *number;
    if (pair.name == "gpus-per-task" && number) out["SLURM_GPUS_PER_TASK"] = *number;
    if (pair.name == "gpus" && number) out["SLURM_GPUS"] = *number;
  }
  return out;
}

std::string near_slurm_variable(std::string_view name) {
  constexpr std::string_view kHead = "SLURM_";
  if (name.starts_with(kHead)) {
    const std::string of_job = "SLURM_JOB_" + std::string(name.substr(kHead.size()));
    if (is_slurm_variable(of_job)) return of_job;
  }
  std::size_t best = 3;
  std::string_view nearest;
  for (const SlurmVariable& one : kSlurmVariables) {
    const std::size_t distance = edit_distance(name, one.name, best);
    if (distance >= best) continue;
    best = distance;
    nearest = one.name;
  }
  return std::string(nearest);
}

}  // namespace muster::sbatch
