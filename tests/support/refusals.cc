#include "support/refusals.h"

#include <algorithm>
#include <filesystem>

#include "pipeline/check.h"
#include "support/catch.h"

namespace muster::test {

namespace fs = std::filesystem;

Refusals refusals_of(const std::string& path) {
  const DiskFileSystem disk;
  Options options;
  options.paths = {path};
  options.today = *parse_date("2026-06-01");
  Workspace workspace;
  const Result<Report> report = check(options, disk, workspace);
  REQUIRE(report);
  Refusals out;
  for (const Finding& finding : report->findings) {
    if (finding.effect != Effect::Rejected) continue;
    const SourceFile& file = workspace.inputs.sources.file(finding.where.file);
    const std::string absolute = fs::absolute(file.path()).lexically_normal().string();
    out[absolute].emplace(file.position(finding.where.begin).line, finding.rule);
  }
  return out;
}

std::vector<std::string> rules_between(const std::multimap<int, std::string>& refused, int first_line, int last_line) {
  std::vector<std::string> out;
  for (auto at = refused.lower_bound(first_line); at != refused.end() && at->first <= last_line; ++at)
    out.push_back(at->second);
  return out;
}

std::vector<std::string> manifest_files(const std::string& path) {
  std::vector<std::string> out;
  const auto add = [&](const fs::path& file) {
    if (file.extension() == ".yaml" || file.extension() == ".yml" || file.extension() == ".json")
      out.push_back(file.string());
  };
  if (!fs::is_directory(path))
    add(path);
  else
    for (const auto& entry : fs::recursive_directory_iterator(path)) add(entry.path());
  std::ranges::sort(out);
  return out;
}

}  // namespace muster::test
