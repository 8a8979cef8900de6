// Any text as a batch script: its directives, what they ask for, and the command lines that start it.
// Reads: src/syntax/sbatch_reader.cc src/syntax/sbatch_options.cc src/slurm/sbatch.cc src/slurm/request.cc
// Reads: src/input/submit_lines.cc src/pipeline/submit_calls.cc
// Seeds: tests/cases/rules/*/*.sh tests/cases/rules/*/*.sbatch tests/cases/rules/*/*/
// With: #SBATCH
// Input: files
#include "fuzz/fuzz.h"
#include "syntax/sbatch_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const std::map<std::string, std::string> files = fuzz::files_of(fuzz::text_of(data, size), "job.sh");
  for (const auto& [path, text] : files) {
    const fuzz::OneFile one(text, path);
    looks_like_sbatch(one.text);
    const SbatchScript script = read_sbatch(one.file, one.text);
    for (const SbatchDirective& directive : script.directives) {
      fuzz::stay_within(directive.where, one.sources);
      for (const SbatchOption& option : directive.options) {
        fuzz::stay_within(option.where, one.sources);
        fuzz::stay_within(option.value_where, one.sources);
      }
    }
    for (const auto* spans : {&script.commands, &script.amiss, &script.misspelt})
      for (const Span& span : *spans) fuzz::stay_within(span, one.sources);
    fuzz::stay_within(script.late_shebang, one.sources);
    fuzz::stay_within(script.first_line, one.sources);
    for (std::size_t at = one.text.find("sbatch"); at != one.text.npos; at = one.text.find("sbatch", at + 6))
      read_sbatch_arguments(sbatch_arguments_at(one.text, at + 6));
  }
  fuzz::ReadFiles read(files);
  return 0;
}
