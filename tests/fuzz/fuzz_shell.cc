// Any text as a shell script: its commands, what a batch script starts with them, what a container does.
// Reads: src/syntax/shell_reader.cc src/slurm/batch_shell.cc src/slurm/launches.cc src/slurm/launcher.cc
// Reads: src/slurm/srun_options.cc src/slurm/shell_value.cc src/slurm/slurm_variables.cc src/slurm/own_variables.cc
// Reads: src/slurm/own_path.cc src/kubernetes/container_script.cc
// Seeds: tests/cases/rules/*/*.sh
#include "fuzz/fuzz.h"
#include "kubernetes/container_script.h"
#include "slurm/launches.h"
#include "slurm/own_path.h"
#include "syntax/shell_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const fuzz::OneFile one(fuzz::text_of(data, size), "job.sh");
  for (const ShellCommand& command : read_shell(one.text)) {
    for (const ShellWord& word : command.words)
      fuzz::expect(word.begin <= word.end && word.end <= one.text.size(), "a word is outside its text");
    ends_script(command);
  }
  SbatchJob job;
  job.parts.emplace_back();
  const sbatch::CalledScripts called = [&](std::string_view path) {
    return path == "./self.sh" ? one.text : std::string_view();
  };
  const BatchScript script = sbatch::read_launches(one.file, one.text, job, called);
  for (const BatchLaunch& launch : script.launches) fuzz::stay_within(launch.where, one.sources);
  const sbatch::BatchBody body = sbatch::walk_batch_script(one.file, one.text, {{"SLURM_NNODES", 2}}, called);
  for (const sbatch::BatchCommand& command : body.commands) fuzz::stay_within(command.where, one.sources);
  for (const sbatch::ScriptRead& read : body.reads) {
    fuzz::stay_within(read.where, one.sources);
    sbatch::near_slurm_variable(read.name);
    sbatch::option_behind(read.name);
  }
  sbatch::own_path(body, one.text);
  only_waits(one.text);
  hides_status(one.text);
  wait_at_end(one.text);
  never_reached(one.text);
  only_looks(one.text);
  leaves_ray_behind(one.text);
  count_of_words(one.text, "ray start");
  return 0;
}
