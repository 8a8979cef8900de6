#include "support/model.h"

#include "support/catch.h"

namespace muster::test {
namespace {

Options options_for() {
  Options options;
  options.paths = {"."};
  options.today = *parse_date("2026-06-01");
  return options;
}

}  // namespace

Workspace read_files(const std::map<std::string, std::string>& files) {
  const MemoryFileSystem disk(files);
  Result<Workspace> workspace = read_workspace(options_for(), disk);
  INFO((workspace ? "" : workspace.error().message));
  REQUIRE(workspace);
  return std::move(*workspace);
}

Checked check_files(const std::map<std::string, std::string>& files, const Targets& targets) {
  const MemoryFileSystem disk(files);
  Options options = options_for();
  options.targets = targets;
  Checked out;
  Result<Report> report = check(options, disk, out.workspace);
  INFO((report ? "" : report.error().message));
  REQUIRE(report);
  out.report = std::move(*report);
  out.report.sources = &out.workspace.inputs.sources;
  return out;
}

std::string summary_of(const Checked& checked) {
  std::string out;
  for (const Finding& finding : checked.report.findings) {
    const SourceFile& file = checked.workspace.inputs.sources.file(finding.where.file);
    const Position at = file.position(finding.where.begin);
    out += file.path() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + " " + finding.rule + ": " +
           finding.message + "\n";
  }
  return out;
}

}  // namespace muster::test
