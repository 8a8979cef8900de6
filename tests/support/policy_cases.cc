#include "support/policy_cases.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "pipeline/check.h"
#include "support/catch.h"
#include "support/refusals.h"

namespace muster::test {
namespace {

namespace fs = std::filesystem;

}  // namespace

const std::vector<PolicyException>& policy_exceptions() {
  static const std::vector<PolicyException> kAll = [] {
    std::vector<PolicyException> out;
    std::istringstream lines(read_file(source_dir() + "/tests/admission/exceptions.txt"));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t end = line.find(": ");
      if (line.empty() || line.front() == '#' || end == std::string::npos) continue;
      out.push_back({line.substr(0, end), line.find("server: ", end) == end + 2});
    }
    return out;
  }();
  return kAll;
}

bool PolicyCase::is_excepted(const std::string& rule) const {
  return std::ranges::any_of(policy_exceptions(),
                             [&](const PolicyException& one) { return one.what == place + " " + rule; });
}

std::vector<PolicyCase> policy_cases(const Case& one) {
  std::vector<PolicyCase> out;
  for (const std::string& file : manifest_files(one.path)) {
    const std::string name = one.name + (is_folder(one.path) ? "/" + fs::path(file).filename().string() : "");
    const std::vector<ManifestAt> all = manifests_in(read_file(file));
    for (const ManifestAt& at : all) {
      if (std::ranges::count(all, at.first_line, &ManifestAt::first_line) != 1) continue;
      out.push_back({fs::absolute(file).lexically_normal().string(), name + ":" + std::to_string(at.first_line),
                     at.manifest, at.first_line, at.last_line});
    }
  }
  return out;
}

Saying RuleSayings::of(const std::string& rule, const PolicyCase& object) const {
  Saying out;
  const auto [first, last] = by_file_.equal_range(object.file);
  for (auto at = first; at != last; ++at) {
    const Said& said = at->second;
    if (said.rule != rule || said.line < object.first_line || said.line > object.last_line) continue;
    if (said.open) {
      out.open = true;
    } else if (!out.speaks) {
      out.speaks = true;
      out.message = said.message;
    }
  }
  return out;
}

RuleSayings sayings_of(const Case& one) {
  const DiskFileSystem disk;
  Options options;
  options.paths = {one.path};
  options.today = *parse_date("2026-06-01");
  Workspace workspace;
  const Result<Report> report = check(options, disk, workspace);
  REQUIRE(report);
  RuleSayings out;
  const auto add = [&](const Span& where, const std::string& rule, bool open, const std::string& message) {
    const SourceFile& file = workspace.inputs.sources.file(where.file);
    out.by_file_.emplace(fs::absolute(file.path()).lexically_normal().string(),
                         RuleSayings::Said{rule, static_cast<int>(file.position(where.begin).line), open, message});
  };
  for (const Finding& finding : report->findings) add(finding.where, finding.rule, false, finding.message);
  for (const SuppressedFinding& one_of : report->suppressed)
    add(one_of.finding.where, one_of.finding.rule, false, one_of.finding.message);
  for (const Undecided& open : report->undecided) add(open.where, open.rule, true, "");
  return out;
}

}  // namespace muster::test
