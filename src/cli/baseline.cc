#include <algorithm>
#include <memory>
#include <ostream>

#include "base/strings.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "pipeline/baseline.h"
#include "pipeline/gate.h"
#include "report/baseline.h"

namespace muster {
namespace {

constexpr std::size_t kShownEach = 20;

std::size_t sum_of(const std::vector<KeyedFindings>& findings) {
  std::size_t sum = 0;
  for (const KeyedFindings& one : findings) sum += one.count;
  return sum;
}

/// What is in the input, and the baseline that is there, if it is.
struct BaselineRun {
  Workspace workspace;
  std::string path;
  std::optional<Baseline> baseline;
  std::vector<KeyedFindings> findings;
  BaselineMatch match;

  std::vector<KeyedFindings> fresh() const {
    std::vector<KeyedFindings> out;
    for (std::size_t i = 0; i < findings.size(); ++i) {
      if (!match.known[i]) out.push_back(findings[i]);
    }
    return out;
  }
};

std::optional<Error> find_all(const Options& options, Console& console, bool quiet, BaselineRun& out) {
  Options told = options;
  ProgressLine progress(console.err, console.err_is_terminal && !quiet);
  told.progress = [&](const std::string& stage) { progress.tell(stage); };
  Result<Report> report = check(told, console.disk, out.workspace);
  if (!report) return report.error();
  out.path = baseline_path(options, out.workspace.config);
  if (out.path.empty()) out.path = kBaselineName;
  if (options.baseline.empty()) out.path = path_from(console.disk.absolute("."), console.disk.absolute(out.path));
  Baseline none{std::string(folder_of(console.disk.absolute(out.path))), {}};
  if (console.disk.kind(out.path) != FileSystem::Kind::Missing) {
    Result<Baseline> read = read_baseline(out.path, console.disk);
    if (!read) return read.error();
    out.baseline = std::move(*read);
  }
  const Baseline& baseline = out.baseline ? *out.baseline : none;
  const FindingKeys keys(out.workspace.inputs, out.workspace.parsed, names_from(baseline.folder, console.disk));
  out.findings = keys.keys_of(report->findings);
  out.match = match_baseline(baseline, out.findings, keys, out.workspace.inputs, console.disk);
  return std::nullopt;
}

void list_findings(const std::vector<KeyedFindings>& findings, std::ostream& out) {
  for (std::size_t i = 0; i < std::min(findings.size(), kShownEach); ++i) {
    const KeyedFindings& one = findings[i];
    out << "  " << name_of(one.severity) << "[" << one.key.rule << "] " << printable(one.key.file);
    if (!one.key.object.empty()) out << ": " << printable(one.key.object);
    if (one.count > 1) out << " (" << with_thousands(one.count) << ")";
    out << "\n";
  }
  if (findings.size() > kShownEach) out << "  ... and " << with_thousands(findings.size() - kShownEach) << " more\n";
}

/// What of the baseline was found again, as it is called now, and what this run has not looked at.
std::vector<KeyedFindings> kept(const BaselineRun& found) {
  std::vector<KeyedFindings> out;
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    if (found.match.known[i]) out.push_back(found.findings[i]);
  }
  out.insert(out.end(), found.match.unseen.begin(), found.match.unseen.end());
  return out;
}

int write_baseline(const BaselineRun& found, bool grow, Console& console) {
  const std::vector<KeyedFindings> fresh = found.fresh();
  const bool takes_all = grow || !found.baseline;
  std::vector<KeyedFindings> all = kept(found);
  if (takes_all) all.insert(all.end(), fresh.begin(), fresh.end());
  const std::size_t count = sum_of(all);
  if (std::optional<Error> error = replace_file(found.path, render_baseline(std::move(all))))
    return fail(console, error->message);
  console.out << printable(found.path) << ": " << count_of(count, "finding");
  if (found.baseline)
    console.out << "; " << with_thousands(sum_of(found.match.stale)) << " taken out, "
                << with_thousands(takes_all ? fresh.size() : 0) << " taken in";
  console.out << "\n";
  if (takes_all || fresh.empty()) return 0;
  console.out << count_of(fresh.size(), "new finding") << (fresh.size() == 1 ? " is" : " are")
              << " not in it; --grow takes " << (fresh.size() == 1 ? "it" : "them") << " in:\n";
  list_findings(fresh, console.out);
  return 0;
}

int hold_baseline(const BaselineRun& found, Console& console) {
  if (!found.baseline) return fail(console, read_baseline(found.path, console.disk).error().message);
  const std::size_t stale = sum_of(found.match.stale);
  console.out << printable(found.path) << ": " << count_of(sum_of(found.baseline->entries), "finding") << ", "
              << with_thousands(stale) << " of them there no more; " << with_thousands(found.fresh().size())
              << " new in the input\n";
  list_findings(found.match.stale, console.out);
  if (stale > 0) console.out << "`muster baseline write` takes them out\n";
  return stale > 0 ? 1 : 0;
}

}  // namespace

int run_baseline(const Arguments& arguments, Console& console) {
  constexpr std::string_view kWhat[] = {"write", "check"};
  if (std::ranges::find(kWhat, arguments.name) == std::end(kWhat))
    return fail(console, "baseline: expected write or check, got `" + arguments.name + "`" +
                             did_you_mean(arguments.name, kWhat));
  Result<Options> options = make_options(arguments, console);
  if (!options) return fail(console, options.error().message);
  options->one_run = console.one_run;
  const auto found = std::make_unique<BaselineRun>();
  if (std::optional<Error> error = find_all(*options, console, arguments.quiet, *found))
    return fail(console, error->message);
  return arguments.name == "write" ? write_baseline(*found, arguments.grow, console) : hold_baseline(*found, console);
}

}  // namespace muster
