// A whole check of files in memory, of any name, and its report in every format.
// Reads: src/pipeline/check.cc src/pipeline/read_model.cc src/pipeline/rendered.cc src/pipeline/coverage.cc
// Reads: src/kinds/recognise.cc src/lint/lint.cc src/report/json.cc src/report/sarif.cc src/report/text.cc
// Reads: src/report/github.cc src/report/gitlab.cc src/report/junit.cc src/report/checkstyle.cc src/report/markdown.cc
// Reads: src/report/rdjson.cc src/report/folding.cc src/report/ledger.cc src/source/snippet.cc
// Seeds: tests/cases/rules/*/*.* tests/cases/rules/*/*/ examples/*/
// Input: files
#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace muster;
  std::map<std::string, std::string> files = fuzz::files_of(fuzz::text_of(data, size), "job.yaml");
  // A book that a site changes is proved anew, which takes seconds.
  std::erase_if(files, [](const auto& file) {
    return file.first.ends_with("muster.yaml") && file.second.find("rules") != std::string::npos;
  });
  Options options;
  options.paths = {"."};
  options.today = *parse_date("2026-06-01");
  Workspace workspace;
  const Result<Report> report = check(options, MemoryFileSystem(std::move(files)), workspace);
  if (!report) return 0;
  fuzz::stay_within(report->findings, workspace.inputs.sources);
  for (const Undecided& open : report->undecided) fuzz::stay_within(open.where, workspace.inputs.sources);
  RenderOptions render;
  render.coverage = true;
  for (const ReportFormat& format : report_formats()) {
    const std::string text = format.render(*report, render);
    if (text.starts_with('{') || text.starts_with('[')) fuzz::expect(nlohmann::json::accept(text), "no JSON");
    fuzz::expect(text.find('\x1b') == text.npos, "control characters in a report");
  }
  return 0;
}
