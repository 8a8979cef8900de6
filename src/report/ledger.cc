#include "report/ledger.h"

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "base/utf8.h"

namespace muster {
namespace {

constexpr std::size_t kNamesShown = 10;

/// The first names, and how many more there are.
std::string some_of(std::vector<std::string> names) {
  const std::size_t more = names.size() > kNamesShown ? names.size() - kNamesShown : 0;
  names.resize(names.size() - more);
  return join(names, ", ") + (more > 0 ? " and " + with_thousands(more) + " more" : "");
}

std::string printable_list(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) out.push_back(printable(word));
  return some_of(std::move(out));
}

/// `; shard 2 of 8: 5 of 40 repositories`
std::string shard_words(const std::optional<Shard>& shard) {
  if (!shard) return "";
  std::string out = "; ";
  if (shard->of > 1)
    out += "shard " + with_thousands(shard->number) + " of " + with_thousands(shard->of) + ": " +
           with_thousands(shard->repositories) + " of ";
  out += shard->all == 1 ? "1 repository" : with_thousands(shard->all) + " repositories";
  return out + (shard->failed.empty() ? "" : ", " + with_thousands(shard->failed.size()) + " of them not checked");
}

}  // namespace

std::string unknown_gpu_line(const Coverage& coverage) {
  std::vector<std::string> kinds;
  for (const UnknownKind& kind : coverage.unknown_kinds) {
    // Of a kind that is known in another version of its group the version tells.
    const std::string api = kind.api.empty() ? "" : " of " + printable(kind.api);
    if (kind.with_gpus > 0) kinds.push_back(printable(kind.kind) + api + " (" + with_thousands(kind.with_gpus) + ")");
  }
  if (kinds.empty()) return "";
  const std::size_t objects = coverage.unknown_with_gpus();
  return count_of(objects, "GPU object") + " of kinds muster does not know: " + some_of(std::move(kinds));
}

std::string nothing_checked_line(const Report& report) {
  // What is broken was looked at all the same.
  const bool looked =
      std::ranges::any_of(report.findings, [](const Finding& finding) { return finding.rule != "unreadable-file"; });
  if (report.coverage.read > 0 || report.coverage.quoted > 0 || looked) return "";
  const std::string start = "nothing was checked: ";
  if (report.coverage.templates > 0)
    return start + count_of(report.coverage.templates, "template") +
           " must be rendered first, and no other file is of a kind that muster knows";
  return start + "none of these files is of a kind that muster knows";
}

std::string configured_line(const Configured& configured) {
  if (!configured.says_something()) return "";
  std::vector<std::string> parts;
  if (!configured.off.empty()) parts.push_back("switches off " + printable_list(configured.off));
  if (!configured.severities.empty()) parts.push_back("sets " + printable_list(configured.severities));
  if (!configured.excludes.empty())
    parts.push_back("excludes " + printable_list(configured.excludes) + " (" + with_thousands(configured.excluded) +
                    " left out)");
  if (configured.suppressed > 0) parts.push_back("suppresses " + count_of(configured.suppressed, "finding"));
  return printable(configured.file) + " " + join(parts, "; ");
}

std::string selected_line(const Selected& selected) {
  if (!selected.says_something()) return "";
  std::vector<std::string> parts;
  if (!selected.select.empty()) parts.push_back("selects only " + printable_list(selected.select));
  if (!selected.ignore.empty()) parts.push_back("ignores " + printable_list(selected.ignore));
  if (selected.left_out > 0) parts.back() += " (" + count_of(selected.left_out, "finding") + " left out)";
  if (!selected.excludes.empty())
    parts.push_back("excludes " + printable_list(selected.excludes) + " (" + with_thousands(selected.excluded) +
                    " left out)");
  return "the command line " + join(parts, "; ");
}

std::string stale_line(const Compared& compared) {
  std::size_t count = 0;
  for (const KeyedFindings& one : compared.stale) count += one.count;
  if (count == 0) return "";
  return count_of(count, "finding") + " of " + printable(compared.baseline) + (count == 1 ? " is" : " are") +
         " there no more; `muster baseline write` takes " + (count == 1 ? "it" : "them") + " out";
}

std::vector<std::string> known_parts(const Report& report) {
  const auto in_baseline =
      static_cast<std::size_t>(std::ranges::count(report.known, KnownFinding::By::Baseline, &KnownFinding::by));
  const std::size_t in_revision = report.known.size() - in_baseline;
  std::vector<std::string> out;
  if (in_baseline > 0) out.push_back(with_thousands(in_baseline) + " in the baseline");
  const std::string then = " already in " + printable(report.compared.revision);
  if (in_revision > 0) out.push_back(with_thousands(in_revision) + then);
  if (report.compared.undecided > 0) out.push_back(with_thousands(report.compared.undecided) + " undecided" + then);
  return out;
}

std::string summary_line(const Report& report) {
  const Summary& summary = report.summary;
  std::vector<std::string> parts;
  const auto part = [&](std::size_t count, std::string_view noun) {
    if (count > 0) parts.push_back(count_of(count, noun));
  };
  part(summary.errors, "error");
  part(summary.warnings, "warning");
  part(summary.infos, "info");
  if (parts.empty()) parts.emplace_back(report.compared.any() ? "no new findings" : "no findings");
  for (std::string& known : known_parts(report)) parts.push_back(std::move(known));
  if (summary.undecided > 0) parts.push_back(with_thousands(summary.undecided) + " undecided");
  if (summary.suppressed > 0) parts.push_back(with_thousands(summary.suppressed) + " suppressed");
  std::vector<std::string> aside;
  const std::size_t too_large = report.coverage.too_large;
  if (summary.skipped > too_large) aside.push_back(count_of(summary.skipped - too_large, "file") + " skipped");
  if (too_large > 0) aside.push_back(with_thousands(too_large) + " too large");
  if (report.coverage.ignored > 0) aside.push_back(with_thousands(report.coverage.ignored) + " ignored");
  const auto in_part = std::ranges::count_if(report.templates, &SkippedTemplate::in_part);
  const std::size_t templates = summary.templates - static_cast<std::size_t>(in_part);
  if (templates > 0) aside.push_back(count_of(templates, "template") + " not checked");
  if (in_part > 0) aside.push_back(count_of(static_cast<std::size_t>(in_part), "template") + " in part");
  return join(parts, ", ") + " in " + count_of(summary.artifacts, "artifact") +
         (aside.empty() ? "" : " (" + join(aside, ", ") + ")") + shard_words(report.shard);
}

std::vector<OpenNeed> open_needs(const Report& report) {
  std::map<std::string, OpenNeed> needs;
  std::map<std::string, std::set<std::pair<FileId, std::string>>> objects;
  for (const Undecided& open : report.undecided) {
    for (const std::string& need : open.needs) {
      OpenNeed& entry = needs[need];
      if (entry.objects == 0) entry = {need, 0, open.where};
      if (objects[need].emplace(open.where.file, open.object).second) ++entry.objects;
    }
  }
  std::vector<OpenNeed> out;
  for (auto& [need, entry] : needs) out.push_back(std::move(entry));
  std::ranges::stable_sort(out, std::ranges::greater(), &OpenNeed::objects);
  return out;
}

std::map<std::string, std::size_t> assumptions_of(const Report& report) {
  std::map<std::string, std::size_t> out;
  for (const Finding& finding : report.findings) {
    for (const std::string& assumption : finding.assumes) ++out[assumption];
  }
  return out;
}

std::string coverage_text(const Coverage& coverage) {
  std::string out = "coverage:\n";
  std::size_t width = 0;
  for (const CoverageLine& line : coverage.lines) width = std::max(width, line.fate.size());
  for (const CoverageLine& line : coverage.lines) {
    out += "  " + line.fate + std::string(width + 2 - line.fate.size(), ' ') + printable(line.file) +
           (line.detail.empty() ? "" : ": " + printable(line.detail)) + "\n";
  }
  out += "  " + count_of(coverage.read, "object") + " read; " + count_of(coverage.templates, "template") + ", " +
         with_thousands(coverage.too_large) + " too large, " + with_thousands(coverage.ignored) + " ignored, " +
         with_thousands(coverage.foreign) + " foreign\n";
  if (coverage.quoted > 0) out += "  " + count_of(coverage.quoted, "excerpt") + " of other texts\n";
  for (const UnknownKind& kind : coverage.checked_kinds) {
    out += "  " + count_of(kind.objects, "object") + " of " + printable(kind.api) + "/" + printable(kind.kind) +
           ": fields checked, nothing else\n";
  }
  const auto rendered = [&](std::size_t count, std::string_view what, bool chart) {
    const auto not_so = static_cast<std::size_t>(std::ranges::count(coverage.not_rendered, chart, &NotBuilt::chart));
    if (count + not_so > 0) out += "  " + count_of(count, what) + " rendered, " + with_thousands(not_so) + " not\n";
  };
  rendered(coverage.rendered, "kustomization", false);
  rendered(coverage.charts, "chart", true);
  for (const UnknownKind& kind : coverage.unknown_kinds) {
    out += "  " + count_of(kind.objects, "object") + " of unknown kind " + printable(kind.api) + "/" +
           printable(kind.kind) + (kind.with_gpus > 0 ? ", " + with_thousands(kind.with_gpus) + " with GPUs" : "") +
           "\n";
  }
  return out + "\n";
}

}  // namespace muster
