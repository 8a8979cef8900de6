#include "pipeline/batch_programs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

bool has_one(std::string_view text, const auto& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return contains(text, word); });
}

/// `1`, `a100:1`
bool is_one_gpu(std::string_view value) { return value == "1" || value.ends_with(":1"); }

/// Each task sees one GPU, number 0, and the program takes the one of its number on the node.
/// Source: slurm.schedmd.com/sbatch.html#OPT_gpus-per-task (implies --gpu-bind=per_task).
void device_by_rank(const SbatchJob& job, const BatchStep& step, std::string_view script, std::string_view program,
                    std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 5> kTakes{"set_device(local_rank)", "cuda(local_rank)", "cuda:{local_rank}",
                                                   "\"cuda\", local_rank", "'cuda', local_rank"};
  constexpr std::array<std::string_view, 5> kAsks{"device_count", "VISIBLE_DEVICES", "min(local_rank", "local_rank = 0",
                                                  "local_rank %"};
  constexpr std::array<std::string_view, 5> kOther{"VISIBLE_DEVICES", "gpu-bind", "GPU_BIND", "tres-per-task",
                                                   "allow-task-sharing"};
  const SbatchPair* gpus = option_in_force(job, "gpus-per-task");
  const bool several = step.tasks_each_node.known() && step.tasks_each_node.value > 1;
  if (gpus == nullptr || !gpus->value.known() || !is_one_gpu(gpus->value.value) || !several ||
      step.asks_gpus.unknown() || (step.asks_gpus.known() && step.asks_gpus.value) || has_one(script, kOther))
    return;
  if (!contains(program, "\"SLURM_LOCALID\"") && !contains(program, "'SLURM_LOCALID'")) return;
  if (!has_one(program, kTakes) || has_one(program, kAsks)) return;
  findings.push_back(problem("sbatch-device-by-local-rank", gpus->where,
                             "each task sees one GPU, number 0, and `" + step.program +
                                 "` takes the one of its SLURM_LOCALID, 0 to " +
                                 std::to_string(step.tasks_each_node.value - 1)));
  findings.back().related.push_back({step.where, "the step"});
}

/// `jax.distributed.initialize()` in a task that has several GPUs.
void jax_devices(const SbatchJob& job, const BatchStep& step, std::string_view script, std::string_view program,
                 std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 3> kChosen{"local_device_ids", "JAX_LOCAL_DEVICE_IDS", "VISIBLE_DEVICES"};
  const Located<std::int64_t>& gpus = job.parts.front().gpus_each;
  if (!contains(program, "jax.distributed.initialize()") || has_one(program, kChosen) || has_one(script, kChosen))
    return;
  if (!gpus.known() || !step.tasks_each_node.known() || step.tasks_each_node.value >= gpus.value) return;
  if (step.asks_gpus.unknown() || (step.asks_gpus.known() && step.asks_gpus.value)) return;
  const std::int64_t tasks = step.tasks_each_node.value;
  findings.push_back(problem("sbatch-jax-sees-one-device", step.where,
                             "JAX takes one GPU for each task, and this step has " +
                                 count_of(static_cast<std::size_t>(tasks), "task") + " for the " +
                                 std::to_string(gpus.value) + " GPUs of a node"));
}

bool is_of_lightning(std::string_view program) {
  constexpr std::array<std::string_view, 8> kImports{
      "import lightning\n", "import lightning ",        "import lightning.",      "from lightning ",
      "from lightning.",    "import pytorch_lightning", "from pytorch_lightning", "import lightning as"};
  return contains(program, "Trainer(") && has_one(program, kImports);
}

/// `--ntasks=8` for a Trainer, which wants to know how many tasks a node has.
void lightning_tasks(const SbatchJob& job, const BatchStep& step, std::string_view script, std::string_view program,
                     std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 7> kGiven{"ntasks-per-node", "--tasks-per-node", "SLURM_NTASKS",
                                                   "SLURM_JOB_NAME",  "torchrun",         "torch.distributed",
                                                   "accelerate"};
  constexpr std::array<std::string_view, 3> kOther{"SLURMEnvironment", "plugins=", "ClusterEnvironment"};
  constexpr std::array<std::string_view, 2> kByHand{"bash", "interactive"};  // jobs that are no job for Lightning
  if (std::ranges::find(kByHand, std::string_view(job.name.value)) != kByHand.end()) return;
  if (step.tasks.state != State::Absent && !(step.tasks.known() && step.tasks.value > 1)) return;
  if (std::ranges::any_of(job.given, [](const SbatchPair& one) { return contains(one.name, "tasks-per-node"); }))
    return;
  const SbatchPair* tasks = option_in_force(job, "ntasks");
  const std::optional<std::int64_t> count =
      tasks != nullptr && tasks->value.known() ? parse_int(tasks->value.value) : std::nullopt;
  if (!count || *count < 2 || has_one(script, kGiven) || !is_of_lightning(program) || has_one(program, kOther)) return;
  findings.push_back(problem("sbatch-lightning-without-tasks-per-node", tasks->where,
                             "Lightning refuses --ntasks without --ntasks-per-node"));
  findings.back().related.push_back({step.where, "the step"});
}

/// `--signal=USR2@300` for a Trainer that saves and requeues at USR1.
void lightning_signal(const SbatchJob& job, const BatchStep& step, std::string_view script, std::string_view program,
                      std::vector<Finding>& findings) {
  constexpr std::array<std::string_view, 4> kHandles{"requeue_signal", "SIGUSR2", "signal.signal(", "submitit"};
  const SbatchPair* asked = option_in_force(job, "signal");
  if (asked == nullptr || !asked->value.known()) return;
  const std::string value = to_lower(asked->value.value);
  const std::string_view name = std::string_view(value).substr(0, value.find('@'));
  if (name != "usr2" && name != "sigusr2" && name != "12") return;
  if (!is_of_lightning(program) || has_one(program, kHandles)) return;
  const auto traps = [](std::string_view line) { return contains(line, "USR2") || contains(line, "$"); };
  if (contains(script, "USR1") || some_line_with(script, "trap ", traps)) return;
  findings.push_back(problem("sbatch-signal-without-handler", asked->where,
                             "Lightning waits for SIGUSR1, and SIGUSR2 ends the tasks of `" + step.program + "`"));
  findings.back().related.push_back({step.where, "the step"});
}

}  // namespace

/// Source: docs.pytorch.org/docs/stable/generated/torch.nn.DataParallel.html, huggingface.co/docs/accelerate:
/// device_map.
bool spreads_over_gpus(std::string_view program) {
  constexpr std::array<std::string_view, 6> kWays{
      "nn.DataParallel(", " DataParallel(", "device_map=", "mp.spawn(", "MirroredStrategy(", "tensor_parallel_size="};
  return has_one(program, kWays);
}

bool may_drive_others(std::string_view text, const SbatchJob& job) {
  constexpr std::array<std::string_view, 18> kDrivers{
      "srun",       "mpirun",   "mpiexec",   "subprocess", "parsl", "dask_", "SLURMCluster", "ray.init", "submitit",
      "import ase", "from ase", "fireworks", "custodian",  "vasp",  "VASP",  "lammps",       "gromacs",  "cp2k"};
  const auto is_array = [](const SbatchPair& option) { return option.name == "array"; };
  const bool gpus = job.requests_gpus.unknown() || (job.requests_gpus.is_set() && job.requests_gpus.value);
  return !gpus && std::ranges::any_of(job.options, is_array) && has_one(text, kDrivers);
}

void check_step_program(const SbatchJob& job, const BatchStep& step, std::string_view script, std::string_view program,
                        std::vector<Finding>& findings) {
  if (program.empty() || job.components != 1 || step.other_job) return;
  device_by_rank(job, step, script, program, findings);
  jax_devices(job, step, script, program, findings);
  lightning_signal(job, step, script, program, findings);
  lightning_tasks(job, step, script, program, findings);
}

}  // namespace muster
