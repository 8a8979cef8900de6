// Any text as muster.yaml: what is wrong with it has a place, what is right counts in a check.
// Reads: src/pipeline/config.cc
// Seeds: examples/**/muster.yaml tests/cases/rules/*/*/muster.yaml
#include "fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  const std::string text = fuzz::text_of(data, size);
  const MemoryFileSystem disk({{"muster.yaml", text}, {"a/slurm.conf", "ClusterName=c\nSlurmctldHost=h\n"}});
  const Result<Config> config = read_config("muster.yaml", disk);
  if (!config) {
    fuzz::expect(config.error().message.find("muster.yaml") != std::string::npos, "a mistake without a place");
    return 0;
  }
  for (const ConfigSuppression& entry : config->suppressions)
    fuzz::expect(entry.place.end <= config->text.size(), "an entry is outside its file");
  Targets targets;
  add_targets(text, targets);
  // A book that a site changes is proved anew, which takes seconds.
  if (!config->severities.empty() || !config->params.empty() || !config->rows.empty() || !config->rule_folders.empty())
    return 0;
  Options options;
  options.paths = {"."};
  options.today = *parse_date("2026-06-01");
  Workspace workspace;
  const Result<Report> report = check(options, disk, workspace);
  if (report) fuzz::stay_within(report->findings, workspace.inputs.sources);
  return 0;
}
