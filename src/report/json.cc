#include <nlohmann/json.hpp>

#include "report/json_text.h"
#include "report/report.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

Json finding_json(const Finding& finding, const SourceMap& sources) {
  Json related = Json::array();
  for (const RelatedPlace& place : finding.related) {
    related.push_back({{"message", place.message}, {"location", location_json(sources, place.where)}});
  }
  return {{"rule", finding.rule},
          {"severity", name_of(finding.severity)},
          {"message", finding.message},
          {"fingerprint", finding.fingerprint},
          {"location", location_json(sources, finding.where)},
          {"related", std::move(related)},
          {"follows", finding.follows},
          {"help", finding.help},
          {"object", finding.object},
          {"plane", name_of(finding.plane)},
          {"effect", name_of(finding.effect)},
          {"assumes", finding.assumes}};
}

}  // namespace

std::string render_json(const Report& report, const RenderOptions&) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(finding_json(finding, *report.sources));
  Json undecided = Json::array();
  for (const Undecided& open : report.undecided) {
    undecided.push_back({{"rule", open.rule}, {"object", open.object}, {"location", location_json(*report.sources, open.where)}, {"needs", open.needs}});
  }
  Json templates = Json::array();
  for (const SkippedTemplate& file : report.templates) templates.push_back({{"file", file.file}, {"kind", file.kind}});
  const Summary& summary = report.summary;
  return to_json_text({{"version", "muster.check/v1"},
                       {"findings", std::move(findings)},
                       {"undecided", std::move(undecided)},
                       {"templates", std::move(templates)},
                       {"summary",
                        {{"errors", summary.errors},
                         {"warnings", summary.warnings},
                         {"infos", summary.infos},
                         {"undecided", summary.undecided},
                         {"suppressed", summary.suppressed},
                         {"artifacts", summary.artifacts},
                         {"files", summary.files},
                         {"skipped", summary.skipped},
                         {"templates", summary.templates}}}});
}

}  // namespace muster
