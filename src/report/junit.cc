#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/junit_text.h"
#include "report/ledger.h"
#include "report/report.h"
#include "report/words.h"

namespace muster {
namespace {

JUnitTest test_of_rule(std::string_view file, const std::vector<const Finding*>& findings, const Report& report,
                       const RenderOptions& options) {
  const Finding& gravest = **std::ranges::min_element(findings, {}, [](const Finding* one) { return one->severity; });
  std::string body;
  for (const Finding* finding : findings) {
    body += place_words(*report.sources, finding->where) + ": " + std::string(name_of(finding->severity)) + ": " +
            printable(finding->message) + "\n";
    for (const std::string& line : detail_lines(*finding, *report.sources)) body += "  " + line + "\n";
  }
  JUnitTest out{qualified(gravest.rule), std::string(file), JUnitTest::Outcome::Passed, ""};
  if (options.fails(gravest.severity)) {
    out.outcome = JUnitTest::Outcome::Failed;
    const std::string more =
        findings.size() > 1 ? " (and " + with_thousands(findings.size() - 1) + " more in this file)" : "";
    out.inside = junit_outcome("failure", name_of(gravest.severity), gravest.message + more, body);
  } else {
    out.inside = junit_output(body);
  }
  return out;
}

JUnitSuite suite_of_file(const FindingGroup& file, const Report& report, const RenderOptions& options) {
  JUnitSuite out{std::string(file.name), {}};
  std::map<std::string_view, std::vector<const Finding*>> rules;
  for (const Finding* finding : file.findings) rules[finding->rule].push_back(finding);
  for (const auto& [rule, findings] : rules) out.tests.push_back(test_of_rule(file.name, findings, report, options));
  return out;
}

/// A file that was read and of which nothing is said passes: a build server takes a run without tests for a broken one.
void add_clean_files(const Report& report, std::map<std::string, JUnitSuite>& suites) {
  for (const CoverageLine& line : report.coverage.lines) {
    if (line.fate != "read" && line.fate != "fields checked") continue;
    JUnitSuite& suite = suites[line.file];
    if (!suite.tests.empty()) continue;
    suite.name = line.file;
    suite.tests.push_back({"muster.check", line.file, JUnitTest::Outcome::Passed, ""});
  }
}

/// What somebody allowed, where its rule says nothing else of the file.
void add_suppressed(const Report& report, std::map<std::string, JUnitSuite>& suites) {
  std::set<std::pair<std::string, std::string>> told;
  for (const Finding& finding : report.findings)
    told.emplace(report.sources->file(finding.where.file).path(), finding.rule);
  for (const SuppressedFinding& entry : report.suppressed) {
    const Finding& finding = entry.finding;
    const std::string& path = report.sources->file(finding.where.file).path();
    if (!told.emplace(path, finding.rule).second) continue;
    suites[path].name = path;
    suites[path].tests.push_back(
        {qualified(finding.rule), path, JUnitTest::Outcome::Skipped,
         junit_outcome("skipped", "allowed", "allowed: " + entry.reason,
                       place_words(*report.sources, finding.where) + ": " + printable(finding.message) + "\n")});
  }
}

JUnitSuite suite_of_undecided(const Report& report, const RenderOptions& options) {
  JUnitSuite out{"not decided", {}};
  const auto outcome = options.fail_on_unknown ? JUnitTest::Outcome::Failed : JUnitTest::Outcome::Skipped;
  const std::string what = options.fail_on_unknown ? "failure" : "skipped";
  for (const OpenNeed& need : open_needs(report)) {
    out.tests.push_back({"muster.undecided", need.need, outcome,
                         junit_outcome(what, "undecided", "would decide " + count_of(need.objects, "object"),
                                       "first: " + place_words(*report.sources, need.first) + "\n")});
  }
  if (const std::string kinds = unknown_gpu_line(report.coverage); !kinds.empty())
    out.tests.push_back(
        {"muster.undecided", "GPU objects of unknown kinds", outcome, junit_outcome(what, "undecided", kinds, "")});
  return out;
}

}  // namespace

/// Source: jenkinsci/xunit-plugin: types/model/xsd/junit-10.xsd; what GitLab, Azure and CircleCI read is less. Two
/// tests of one class and name are one to GitLab (docs.gitlab.com/ci/testing/unit_test_reports).
std::string render_junit(const Report& report, const RenderOptions& options) {
  std::map<std::string, JUnitSuite> suites;
  for (const FindingGroup& file : by_file(report)) suites.emplace(file.name, suite_of_file(file, report, options));
  add_suppressed(report, suites);
  add_clean_files(report, suites);
  std::vector<JUnitSuite> all;
  for (auto& [path, suite] : suites) all.push_back(std::move(suite));
  if (JUnitSuite open = suite_of_undecided(report, options); !open.tests.empty()) all.push_back(std::move(open));
  if (all.empty()) {
    const std::string nothing = nothing_checked_line(report);
    all.push_back(
        {"muster",
         {{"muster.check", "files", JUnitTest::Outcome::Skipped, junit_outcome("skipped", "nothing", nothing, "")}}});
  }
  return junit_document(all);
}

}  // namespace muster
