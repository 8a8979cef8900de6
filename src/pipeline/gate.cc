#include "pipeline/gate.h"

#include <algorithm>
#include <memory>

#include "base/strings.h"
#include "pipeline/baseline.h"
#include "pipeline/finding_keys.h"
#include "pipeline/renames.h"
#include "pipeline/revision.h"

namespace muster {
namespace {

std::string as_shown(const std::string& shown) { return shown; }

std::size_t& count_of_severity(Summary& summary, Severity severity) {
  switch (severity) {
    case Severity::Error: return summary.errors;
    case Severity::Warning: return summary.warnings;
    case Severity::Info: break;
  }
  return summary.infos;
}

/// By finding: where it was before.
using Known = std::vector<std::optional<KnownFinding::By>>;

void mark(const std::vector<bool>& known, KnownFinding::By by, Known& out) {
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i] && !out[i]) out[i] = by;
  }
}

void set_known(const Known& known, Report& report) {
  if (std::ranges::none_of(known, [](const auto& by) { return by.has_value(); })) return;
  std::vector<Finding> fresh;
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    if (!known[i]) {
      fresh.push_back(std::move(report.findings[i]));
      continue;
    }
    --count_of_severity(report.summary, report.findings[i].severity);
    ++report.summary.known;
    report.known.push_back({std::move(report.findings[i]), *known[i]});
  }
  report.findings = std::move(fresh);
}

std::optional<Error> hold_against_baseline(const Options& options, const FileSystem& disk, const Workspace& w,
                                           Report& report, Known& known) {
  const std::string path = baseline_path(options, w.config);
  if (path.empty()) return std::nullopt;
  Result<Baseline> baseline = read_baseline(path, disk);
  if (!baseline) return baseline.error();
  const FindingKeys keys(w.inputs, w.parsed, names_from(baseline->folder, disk));
  BaselineMatch match = match_baseline(*baseline, keys.keys_of(report.findings), keys, w.inputs, disk);
  report.compared.baseline = options.baseline.empty() ? path_from(disk.absolute("."), path) : path;
  // Of rules and files that this run leaves out nothing is known.
  if (!report.selected.says_something()) report.compared.stale = std::move(match.stale);
  mark(match.known, KnownFinding::By::Baseline, known);
  return std::nullopt;
}

/// What is open was so already if it is about the same and needs the same.
KeyedFindings key_of_open(const Undecided& open, const FindingKeys& keys) {
  Finding finding = problem(open.rule, open.where, "`" + join(open.needs, "` `") + "`");
  finding.object = open.object;
  return keys.key_of(finding);
}

void drop_open_before(const CheckedRevision& earlier, const FindingKeys& then, const FindingKeys& now, Report& report) {
  std::vector<KeyedFindings> before;
  std::vector<KeyedFindings> after;
  for (const Undecided& open : earlier.report.undecided) before.push_back(key_of_open(open, then));
  for (const Undecided& open : report.undecided) after.push_back(key_of_open(open, now));
  const Matching matching = match_findings(
      before, after, [&](const std::string& file, const std::string& object) { return now.holds(file, object); });
  std::size_t i = 0;
  report.compared.undecided = std::erase_if(report.undecided, [&](const Undecided&) { return matching.known[i++]; });
  report.summary.undecided = report.undecided.size();
}

void hold_against_revision(const Options& options, const CheckedRevision& earlier, const Workspace& w, Report& report,
                           Known& known) {
  const FindingKeys then(earlier.workspace.inputs, earlier.workspace.parsed,
                         names_in_later({earlier.workspace.inputs, as_shown}, {w.inputs, as_shown}));
  const FindingKeys now(w.inputs, w.parsed, as_shown);
  const Matching matching =
      match_findings(then.keys_of(earlier.report.findings), now.keys_of(report.findings),
                     [&](const std::string& file, const std::string& object) { return now.holds(file, object); });
  report.compared.revision = options.since;
  report.compared.commit = earlier.commit;
  drop_open_before(earlier, then, now, report);
  mark(matching.known, KnownFinding::By::Revision, known);
}

}  // namespace

std::string baseline_path(const Options& options, const Config& config) {
  if (options.baseline == "none") return {};
  if (!options.baseline.empty() || config.baseline.empty()) return options.baseline;
  return config.folder + "/" + config.baseline;
}

Result<Report> gate(const Options& options, const FileSystem& disk, Workspace& workspace, KeptInput* kept) {
  std::unique_ptr<CheckedRevision> earlier;
  if (!options.since.empty()) {
    Result<std::unique_ptr<CheckedRevision>> then = check_revision(options.since, options, disk);
    if (!then) return Error{then.error().code, "--since: " + then.error().message};
    earlier = std::move(*then);
  }
  Result<Report> report = check(options, disk, workspace, kept);
  if (!report) return report;
  Known known(report->findings.size());
  if (std::optional<Error> error = hold_against_baseline(options, disk, workspace, *report, known)) return *error;
  if (earlier != nullptr) {
    hold_against_revision(options, *earlier, workspace, *report, known);
    report->compared.not_compared = submodules_not_compared(&earlier->submodules, nullptr, disk);
  }
  set_known(known, *report);
  return report;
}

}  // namespace muster
