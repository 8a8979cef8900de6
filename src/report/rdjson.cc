#include <nlohmann/json.hpp>

#include "report/json_text.h"
#include "report/markdown_text.h"
#include "report/report.h"
#include "report/words.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

std::string_view rdjson_severity(Severity severity) {
  switch (severity) {
    case Severity::Error: return "ERROR";
    case Severity::Warning: return "WARNING";
    case Severity::Info: return "INFO";
  }
  return "UNKNOWN_SEVERITY";
}

/// Columns are bytes of UTF-8 here, not code points.
Json position_json(const SourceFile& file, std::uint32_t offset) {
  const std::uint32_t line = file.position(offset).line;
  return {{"line", line}, {"column", offset - file.line_start(line) + 1}};
}

/// A reviewer's comment, which is Markdown.
std::string message_of(const Finding& finding, const SourceMap& sources) {
  std::string out = markdown_text(finding.message);
  for (const std::string& line : detail_lines(finding, sources)) out += "\n" + markdown_text(line);
  return out;
}

Json range_json(const SourceFile& file, const Span& where) {
  return {{"start", position_json(file, where.begin)}, {"end", position_json(file, where.end)}};
}

/// One press of a button takes a suggestion over, so only what changes nothing for who reads the file is one.
Json suggestions(const Finding& finding, const SourceMap& sources) {
  Json out = Json::array();
  if (!finding.fix || finding.fix->safety != FixSafety::Safe) return out;
  for (const TextEdit& edit : edits_of(finding.fix, sources))
    out.push_back({{"range", range_json(sources.file(edit.where.file), edit.where)}, {"text", edit.text}});
  return out;
}

Json diagnostic_json(const Finding& finding, const Report& report, const RenderOptions& options) {
  const SourceFile& file = report.sources->file(finding.where.file);
  Json code{{"value", finding.rule}};
  const RuleInfo* rule = find_rule(report, finding.rule);
  if (const std::string url = rule == nullptr ? "" : rule_url(options, *rule); !url.empty()) code["url"] = url;
  Json out{{"message", message_of(finding, *report.sources)},
           {"location", {{"path", file.path()}, {"range", range_json(file, finding.where)}}},
           {"severity", rdjson_severity(finding.severity)},
           {"code", std::move(code)}};
  if (Json edits = suggestions(finding, *report.sources); !edits.empty()) out["suggestions"] = std::move(edits);
  return out;
}

}  // namespace

/// Keys that only its newer releases know are left out: an older one refuses the whole.
/// Source: reviewdog/reviewdog: proto/rdf/reviewdog.proto (DiagnosticResult).
std::string render_rdjson(const Report& report, const RenderOptions& options) {
  Json diagnostics = Json::array();
  for (const Finding& finding : report.findings) diagnostics.push_back(diagnostic_json(finding, report, options));
  Json source{{"name", "muster"}};
  if (!options.rules_url.empty()) source["url"] = options.rules_url;
  return to_json_text({{"source", std::move(source)}, {"diagnostics", std::move(diagnostics)}});
}

}  // namespace muster
