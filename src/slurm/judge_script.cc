#include "slurm/judge_script.h"

#include "slurm/array_items.h"
#include "slurm/bf16_types.h"
#include "slurm/late_defaults.h"
#include "slurm/launched_programs.h"
#include "slurm/loop_counters.h"
#include "slurm/model_ranks.h"
#include "slurm/multi_prog.h"
#include "slurm/rank_elsewhere.h"
#include "slurm/removed_results.h"
#include "slurm/script_course.h"
#include "slurm/script_ends.h"
#include "slurm/script_ports.h"
#include "slurm/script_signals.h"
#include "slurm/script_steps.h"
#include "slurm/script_values.h"
#include "slurm/script_waits.h"
#include "slurm/step_waits.h"
#include "slurm/unexported.h"
#include "slurm/written_ranks.h"

namespace muster::sbatch {

void judge_script(FileId file, std::string_view text, std::span<const ShellCommand> commands, SbatchJob& job,
                  const CalledScripts& called, const NamedConfigs& configs, std::vector<Finding>& findings) {
  find_script_course(file, text, commands, job, findings);
  find_script_waits(file, text, commands, job, findings);
  find_removed_results(file, text, commands, findings);
  find_script_ends(file, text, commands, findings);
  find_late_defaults(file, text, commands, findings);
  find_bf16_on_older_gpus(file, text, commands, job, findings);
  find_launched_programs(file, commands, findings);
  find_unexported(file, text, commands, job, findings);
  find_signal_slips(file, text, commands, job, findings);
  find_step_slips(file, text, commands, job, findings);
  find_step_waits(file, text, commands, job, findings);
  find_array_items(file, text, commands, job, findings);
  find_multi_prog(file, text, commands, job, configs, findings);
  find_loop_counters(file, text, commands, job, findings);
  find_script_values(file, text, commands, job, findings);
  find_written_ranks(file, text, commands, job, findings);
  find_model_ranks(file, text, job, called, findings);
  find_rank_for_one_node(file, text, job, findings);
  find_meeting_places(file, text, job, called, findings);
}

}  // namespace muster::sbatch
