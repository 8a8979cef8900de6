// Charts among other files: which values their templates read, and their objects in place of their templates.
// Reads: src/pipeline/charts.cc src/pipeline/chart_inputs.cc src/pipeline/rendered_charts.cc
// Reads: src/pipeline/chart_folders.cc src/kubernetes/chart_values.cc
// Reads: src/kubernetes/value_nil.cc src/kubernetes/value_reads.cc src/kubernetes/installed_charts.cc
// Reads: src/helm/helm_ignore.cc src/helm/line_places.cc
// Seeds: tests/helm/charts/*/ tests/cases/rules/*/*/
// With: ==> Chart.yaml
// Input: files
#include "fuzz/fuzz.h"
#include "helm/line_places.h"
#include "pipeline/charts.h"
#include "pipeline/given_values.h"
#include "pipeline/rendered_charts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  std::map<std::string, std::string> files = fuzz::files_of(fuzz::text_of(data, size), "templates/a.yaml");
  files.emplace("Chart.yaml", "apiVersion: v2\nname: a\nversion: 1.0.0\n");
  const MemoryFileSystem disk(files);
  std::vector<Finding> findings;
  const Result<Inputs> inputs = discover({{"."}, {}, {}, ""}, disk, findings);
  if (!inputs) return 0;
  std::vector<ParsedFile> parsed = parse_all(*inputs, 1, findings);
  FoundCharts charts(*inputs);
  check_charts(charts, *inputs, findings);
  Rendered rendered = render_all(parsed, *inputs, findings, KindTable::shipped());
  render_charts({"", ""}, charts, parsed, *inputs, disk, findings, KindTable::shipped(), rendered);
  const Model model = normalise_all(parsed, *inputs, {}, findings, rendered.bundles);
  fuzz::stay_within(findings, inputs->sources);
  for (const auto& [path, text] : files) {
    for (const std::uint32_t line : lines_that_wrote(text, files.begin()->second)) fuzz::expect(line > 0, "no line");
  }
  return 0;
}
