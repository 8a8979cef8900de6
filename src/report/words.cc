#include "report/words.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "base/strings.h"
#include "base/utf8.h"

namespace muster {
namespace {

// More steps than these nobody follows in a comment or a log; JSON and SARIF have all of them.
constexpr std::size_t kTraceShown = 20;

std::string rounded(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

}  // namespace

std::string place_words(const SourceMap& sources, const Span& where) {
  const Position at = sources.begin_of(where);
  return printable(sources.file(where.file).path()) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

std::vector<std::string> detail_lines(const Finding& finding, const SourceMap& sources) {
  std::vector<std::string> out;
  for (const RelatedPlace& related : finding.related)
    out.push_back(place_words(sources, related.where) + ": " + printable(related.message));
  for (std::size_t i = 0; i < std::min(finding.trace.size(), kTraceShown); ++i) {
    const TraceStep& step = finding.trace[i];
    out.push_back("step " + std::to_string(i + 1) + ", " + printable(step.thread) + ": " + printable(step.message));
  }
  if (finding.trace.size() > kTraceShown)
    out.push_back("and " + count_of(finding.trace.size() - kTraceShown, "step") + " more");
  if (!finding.follows.empty()) out.push_back("what follows: " + printable(replace_all(finding.follows, "\n", " ")));
  for (const std::string& assumption : finding.assumes) out.push_back("assumes: " + printable(assumption));
  if (!finding.help.empty()) out.push_back("help: " + printable(replace_all(finding.help, "\n", " ")));
  return out;
}

std::string clipped(const std::string& text, std::size_t code_points) {
  std::size_t at = 0;
  for (std::size_t count = 0; at < text.size(); ++count) {
    if (count == code_points) return text.substr(0, at) + "...";
    at += code_point_length(text, at);
  }
  return text;
}

std::string qualified(const std::string& rule) { return "muster." + rule; }

std::vector<FindingGroup> by_file(const Report& report) {
  std::map<std::string_view, FindingGroup> groups;
  for (const Finding& finding : report.findings) {
    const std::string_view path = report.sources->file(finding.where.file).path();
    FindingGroup& group = groups[path];
    group.name = path;
    group.findings.push_back(&finding);
  }
  std::vector<FindingGroup> out;
  for (auto& [path, group] : groups) out.push_back(std::move(group));
  return out;
}

std::string duration_words(double seconds) {
  if (seconds < 120) return rounded(std::max(seconds, 0.0), 0) + " s";
  if (seconds < 7200) return rounded(seconds / 60, 0) + " min";
  if (seconds < 48 * 3600.0) return rounded(seconds / 3600, 1) + " h";
  return rounded(seconds / 86400, 1) + " days";
}

}  // namespace muster
