#pragma once

#include <string_view>

#include "model/slurm.h"
#include "slurm/batch_shell.h"

namespace muster::sbatch {

/// A file of settings that a script names, by that path; no text: the input has none.
struct NamedConfig {
  FileId file{};
  std::string_view text;
};
using NamedConfigs = std::function<NamedConfig(std::string_view path)>;

/// What the body of a batch script starts, sets and reads, in scripts that it calls, too. `job`: its options, read
/// already.
BatchScript read_launches(FileId file, std::string_view text, const SbatchJob& job, const CalledScripts& called = {},
                          const NamedConfigs& configs = {});

/// Tells everything of a script whose it is.
void name_owner(BatchScript& script, const std::string& job, std::size_t of);

/// What is known of the variables that Slurm sets for such a job.
std::map<std::string, std::int64_t> slurm_numbers(const SbatchJob& job);

/// Whether Slurm sets or reads a variable of that name.
bool is_slurm_variable(std::string_view name);
/// What a job has in place of a variable that srun and sbatch read and nobody sets: SLURM_JOB_PARTITION for
/// SLURM_PARTITION. Empty: it is none of these.
std::string_view job_variable_for(std::string_view name);
/// The option of sbatch that a batch script has the variable from; empty: it has it anyway, or nobody knows.
std::string_view option_behind(std::string_view name);
/// Whether a comment has whoever submits the script give the option: `##SBATCH --cpus-per-task=8`,
/// `# sbatch --cpus-per-task=8 job.sh`.
bool is_left_to_caller(std::string_view text, std::string_view option);
/// The variable of Slurm's that a misspelt name most likely means; empty: none is near.
std::string near_slurm_variable(std::string_view name);

/// Whether a shell, a login, Slurm or a site sets a variable of that name: a script reads it without a word.
bool is_given_to_all(std::string_view name);
/// Whether `source FILE` takes the environment of a shell, of modules or of Python, and nothing else.
bool sources_environment(const BatchCommand& command);

/// Adds to `out.reads` what the script reads by a name that it nearly sets: ${scale} beside SCALE=.
void find_own_misspelt(const BatchBody& body, std::string_view text, BatchScript& out);

/// What a script as a whole tells of its launches: variables that they do not get or that stand for the GPUs of a node,
/// ranks that are tasks, the folder of Ray.
void read_surroundings(FileId file, const BatchBody& body, std::string_view text, BatchScript& out);

/// A path as seen from where the job was submitted; empty where only the run tells.
std::string below_submit_folder(const ShellValue& path);

/// Takes the command line of a launcher apart that begins at `words[at]`; false: there is none.
bool read_launcher(FileId file, const std::vector<ShellValue>& words, std::size_t at,
                   const std::map<std::string, std::int64_t>& numbers, const NamedConfigs& configs, BatchLaunch& out);

/// Whether a mark is the name or address of the node that it is evaluated on.
bool is_own_host(std::string_view mark);

}  // namespace muster::sbatch
