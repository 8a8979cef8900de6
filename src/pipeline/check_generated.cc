#include "pipeline/check_generated.h"

namespace muster {

Result<std::vector<std::string>> check_generated(const std::vector<GeneratedFile>& files, const Workspace& workspace) {
  if (files.empty()) return std::vector<std::string>{};
  const std::string folder = "generated/";
  std::map<std::string, std::string> all;
  for (const GeneratedFile& file : files) all[folder + file.path] = file.text;
  const auto beside = [&](const auto& objects, const char* name, std::string& option) {
    if (objects.empty()) return;
    option = name;
    all[name] = workspace.inputs.sources.file(objects.front().where.file).text();
  };
  Options options;
  options.paths = {"generated"};
  options.today = parse_date("2000-01-01").value_or(Date{});  // nothing in them expires
  options.targets = workspace.site.targets;
  beside(workspace.model.fleets, "fleet.yaml", options.fleet);
  beside(workspace.model.workloads, "workloads.yaml", options.workloads);
  const MemoryFileSystem disk(std::move(all));
  Workspace own;
  Result<Report> report = check(options, disk, own);
  if (!report) return report.error();
  std::vector<std::string> out;
  for (const Finding& finding : report->findings) {
    const Position at = own.inputs.sources.begin_of(finding.where);
    const std::string& path = own.inputs.sources.file(finding.where.file).path();
    if (!path.starts_with(folder)) continue;  // about the user's own files: `muster check` says it
    out.push_back(path + ":" + std::to_string(at.line) + " " + finding.rule + ": " + finding.message);
  }
  return out;
}

}  // namespace muster
