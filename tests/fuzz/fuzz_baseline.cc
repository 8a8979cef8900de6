// Any bytes as a baseline, and what is left of it in an input; one that is read is written and read again.
// Reads: src/pipeline/baseline.cc src/finding/matching.cc src/report/baseline.cc
#include "fuzz/fuzz.h"
#include "pipeline/baseline.h"
#include "report/baseline.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  static const std::string kJobs =
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\n";
  static const fuzz::ReadFiles input({{"a.yaml", kJobs}, {"b/slurm.conf", "ClusterName=c\n"}});
  const std::string name(kBaselineName);
  const MemoryFileSystem disk({{name, fuzz::text_of(data, size)}});
  const Result<Baseline> baseline = read_baseline(name, disk);
  if (!baseline) {
    fuzz::expect(!baseline.error().message.empty(), "a refusal without a reason");
    return 0;
  }
  const FindingKeys keys(input.inputs, input.parsed, names_from(baseline->folder, disk));
  std::vector<KeyedFindings> found = baseline->entries;
  if (!found.empty()) found.pop_back();
  found.push_back({{"a.yaml", "Job/j", "gang-of-one", "spec", ""}, Severity::Error, 2, true});
  const BaselineMatch match = match_baseline(*baseline, found, keys, input.inputs, disk);
  fuzz::expect(match.known.size() == found.size(), "not every finding was looked at");
  const std::string written = render_baseline(baseline->entries);
  const Result<Baseline> again = read_baseline(name, MemoryFileSystem({{name, written}}));
  fuzz::expect(static_cast<bool>(again), "what is written is not read");
  fuzz::expect(render_baseline(again->entries) == written, "it is written otherwise");
  return 0;
}
