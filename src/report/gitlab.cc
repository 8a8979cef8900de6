#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "report/json_text.h"
#include "report/report.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

// Of info, minor, major, critical and blocker: what ESLint's formatter makes of its own, too.
std::string_view gitlab_severity(Severity severity) {
  switch (severity) {
    case Severity::Error: return "major";
    case Severity::Warning: return "minor";
    case Severity::Info: return "info";
  }
  return "info";
}

}  // namespace

/// A merge request shows the description and the place, no other key. Of two entries with one fingerprint it shows one;
/// ours differ. Source: docs.gitlab.com/ci/testing/code_quality, "Code Quality report format".
std::string render_gitlab(const Report& report, const RenderOptions&) {
  Json out = Json::array();
  for (const Finding& finding : report.findings) {
    const SourceMap& sources = *report.sources;
    std::string description = printable(finding.message);
    if (!finding.help.empty()) description += "; " + printable(finding.help);
    out.push_back(
        {{"description", description + " (" + finding.rule + ")"},
         {"check_name", finding.rule},
         {"fingerprint", finding.fingerprint},
         {"severity", gitlab_severity(finding.severity)},
         {"location",
          {{"path", sources.file(finding.where.file).path()},
           {"lines",
            {{"begin", sources.begin_of(finding.where).line}, {"end", sources.end_of(finding.where).line}}}}}});
  }
  return to_json_text(out);
}

}  // namespace muster
