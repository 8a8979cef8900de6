#include "lsp/diagnostics.h"

#include <nlohmann/json.hpp>

#include "lsp/json_value.h"

namespace muster {
namespace {

using Json = nlohmann::json;

constexpr int kUnnecessary = 1;  // DiagnosticTag

int severity_number(Severity severity) {
  switch (severity) {
    case Severity::Error: return 1;
    case Severity::Warning: return 2;
    case Severity::Info: break;
  }
  return 3;
}

}  // namespace

Json diagnostic_json(const PlacedFinding& finding, const FolderFindings& findings, const ClientAbilities& client,
                     const std::string& rules_url, const std::function<std::string(const std::string& path)>& uri_of) {
  Json out{{"range", range_json(finding.where)},
           {"severity", severity_number(finding.severity)},
           {"code", finding.rule},
           {"source", "muster"},
           {"message", finding.message}};
  const auto rule = findings.rules.find(finding.rule);
  if (client.code_description && !rules_url.empty() && rule != findings.rules.end() && rule->second.shipped)
    out["codeDescription"] = {{"href", rules_url + "#" + finding.rule}};
  // What has no effect may go.
  if (client.unnecessary_tag && finding.effect == Effect::Ignored) out["tags"] = {kUnnecessary};
  if (client.related_information && !finding.related.empty()) {
    Json& related = out["relatedInformation"] = Json::array();
    for (const PlacedText& place : finding.related)
      related.push_back({{"location", place_json(uri_of(place.path), place.where)}, {"message", place.text}});
  }
  return out;
}

}  // namespace muster
