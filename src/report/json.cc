#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "report/baseline.h"
#include "report/json_text.h"
#include "report/report.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

enum class Files { Listed, Counted };

Json coverage_json(const Coverage& coverage, Files files) {
  Json kinds = Json::array();
  for (const UnknownKind& kind : coverage.unknown_kinds) {
    kinds.push_back({{"api", kind.api}, {"kind", kind.kind}, {"objects", kind.objects}, {"with_gpus", kind.with_gpus}});
  }
  Json checked = Json::array();
  for (const UnknownKind& kind : coverage.checked_kinds)
    checked.push_back({{"api", kind.api}, {"kind", kind.kind}, {"objects", kind.objects}});
  Json not_rendered = Json::array();
  for (const NotBuilt& one : coverage.not_rendered) not_rendered.push_back({{"file", one.file}, {"why", one.why}});
  Json out = {{"read", coverage.read},
              {"fields_checked", std::move(checked)},
              {"unknown_kinds", std::move(kinds)},
              {"rendered", coverage.rendered},
              {"charts", coverage.charts},
              {"not_rendered", std::move(not_rendered)},
              {"quoted", coverage.quoted},
              {"templates", coverage.templates},
              {"too_large", coverage.too_large},
              {"ignored", coverage.ignored},
              {"foreign", coverage.foreign}};
  if (files == Files::Counted) return out;
  out["files"] = Json::array();
  for (const CoverageLine& line : coverage.lines) {
    if (line.fate != "foreign")  // most of what there is
      out["files"].push_back({{"fate", line.fate}, {"file", line.file}, {"detail", line.detail}});
  }
  return out;
}

/// Null where one run had all of its input.
Json shard_json(const std::optional<Shard>& shard) {
  if (!shard) return nullptr;
  Json failed = Json::array();
  for (const UncheckedRepository& one : shard->failed) failed.push_back({{"folder", one.folder}, {"why", one.why}});
  return {{"number", shard->number}, {"of", shard->of},       {"repositories", shard->repositories},
          {"all", shard->all},       {"fleet", shard->fleet}, {"failed", std::move(failed)}};
}

/// What muster.yaml takes out; null when there is none.
Json configured_json(const Configured& configured) {
  if (configured.file.empty()) return nullptr;
  return {{"file", configured.file},         {"off", configured.off},           {"severities", configured.severities},
          {"excludes", configured.excludes}, {"excluded", configured.excluded}, {"suppressed", configured.suppressed}};
}

/// What the command line takes out; null when that is nothing.
Json selected_json(const Selected& selected) {
  if (!selected.says_something()) return nullptr;
  return {{"select", selected.select},
          {"ignore", selected.ignore},
          {"excludes", selected.excludes},
          {"left_out", selected.left_out},
          {"excluded", selected.excluded}};
}

Json known_json(const std::vector<KnownFinding>& known, const SourceMap& sources) {
  Json out = Json::array();
  for (const KnownFinding& one : known) {
    Json json = finding_json(one.finding, sources);
    json["by"] = one.by == KnownFinding::By::Baseline ? "baseline" : "revision";
    out.push_back(std::move(json));
  }
  return out;
}

/// What the findings were held against; null when that is nothing.
Json compared_json(const Compared& compared) {
  if (!compared.any()) return nullptr;
  const auto text = [](const std::string& word) -> Json { return word.empty() ? Json(nullptr) : Json(word); };
  Json stale = Json::array();
  for (const KeyedFindings& one : compared.stale) stale.push_back(keyed_json(one));
  return {{"baseline", text(compared.baseline)}, {"revision", text(compared.revision)},
          {"commit", text(compared.commit)},     {"stale", std::move(stale)},
          {"undecided", compared.undecided},     {"not_compared", compared.not_compared}};
}

/// Null where the rule has none, or the text is not what it takes it for.
Json fix_json(const Finding& finding, const SourceMap& sources) {
  const std::vector<TextEdit> edits = edits_of(finding.fix, sources);
  if (edits.empty()) return nullptr;
  Json changes = Json::array();
  for (const TextEdit& edit : edits)
    changes.push_back({{"location", location_json(sources, edit.where)}, {"text", edit.text}});
  return {{"safety", name_of(finding.fix->safety)}, {"edits", std::move(changes)}};
}

}  // namespace

nlohmann::ordered_json finding_json(const Finding& finding, const SourceMap& sources) {
  Json related = Json::array();
  for (const RelatedPlace& place : finding.related) {
    related.push_back({{"message", place.message}, {"location", location_json(sources, place.where)}});
  }
  Json trace = Json::array();
  for (const TraceStep& step : finding.trace)
    trace.push_back(
        {{"thread", step.thread}, {"message", step.message}, {"location", location_json(sources, step.where)}});
  return {{"rule", finding.rule},
          {"severity", name_of(finding.severity)},
          {"message", finding.message},
          {"fingerprint", finding.fingerprint},
          {"location", location_json(sources, finding.where)},
          {"related", std::move(related)},
          {"trace", std::move(trace)},
          {"follows", finding.follows},
          {"help", finding.help},
          {"object", finding.object},
          {"plane", name_of(finding.plane)},
          {"effect", name_of(finding.effect)},
          {"assumes", finding.assumes},
          {"fix", fix_json(finding, sources)}};
}

namespace {

constexpr std::size_t kMostHead = 100;  // bytes before the findings
constexpr std::size_t kSample = 1000;   // findings that tell how long the others are

/// The text of a value, without its last line end, four blanks deep.
void add_indented(std::string_view text, std::string& out) {
  text.remove_suffix(1);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (begin > 0) out += "\n    ";
    out += text.substr(begin, end - begin);
    begin = end + 1;
  }
}

/// With an empty list in their place.
Json value_without_findings(const Report& report) {
  Json undecided = Json::array();
  for (const Undecided& open : report.undecided) {
    undecided.push_back({{"rule", open.rule},
                         {"object", open.object},
                         {"location", location_json(*report.sources, open.where)},
                         {"needs", open.needs}});
  }
  Json templates = Json::array();
  for (const SkippedTemplate& file : report.templates)
    templates.push_back({{"file", file.file}, {"kind", file.kind}, {"in_part", file.in_part}});
  Json suppressed = Json::array();
  for (const SuppressedFinding& entry : report.suppressed) {
    Json json = finding_json(entry.finding, *report.sources);
    json["reason"] = entry.reason;
    json["by"] = entry.said == SuppressedFinding::Where::Config ? "config" : "source";
    suppressed.push_back(std::move(json));
  }
  const auto installed = [&](const Located<std::string>& release) -> Json {
    if (!release.is_set()) return nullptr;
    return {{"version", release.value}, {"location", location_json(*report.sources, release.where)}};
  };
  const Summary& summary = report.summary;
  return {{"version", "muster.check/v1"},
          {"findings", Json::array()},
          {"undecided", std::move(undecided)},
          {"suppressed", std::move(suppressed)},
          {"known", known_json(report.known, *report.sources)},
          {"templates", std::move(templates)},
          {"installed_slurm", installed(report.installed_slurm)},
          {"installed_kubernetes", installed(report.installed_kubernetes)},
          {"configured", configured_json(report.configured)},
          {"selected", selected_json(report.selected)},
          {"compared", compared_json(report.compared)},
          {"shard", shard_json(report.shard)},
          {"coverage", coverage_json(report.coverage, report.shard ? Files::Listed : Files::Counted)},
          {"summary",
           {{"errors", summary.errors},
            {"warnings", summary.warnings},
            {"infos", summary.infos},
            {"undecided", summary.undecided},
            {"suppressed", summary.suppressed},
            {"known", summary.known},
            {"artifacts", summary.artifacts},
            {"files", summary.files},
            {"skipped", summary.skipped},
            {"templates", summary.templates}}}};
}

}  // namespace

std::string render_json(const Report& report, const RenderOptions&) {
  // As values, a hundred thousand findings would take ten times the room of their text.
  std::string out = to_json_text(value_without_findings(report));
  constexpr std::string_view kNone = "\"findings\": []";
  const std::size_t at = out.find(kNone) + kNone.size() - 1;
  MUSTER_CHECK(at < out.size() && at < kMostHead, "the findings of a report are not where they should be");
  if (report.findings.empty()) return out;
  const std::string rest = out.substr(at);
  out.resize(at);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    out += i == 0 ? "\n    " : ",\n    ";
    add_indented(to_json_text(finding_json(report.findings[i], *report.sources)), out);
    if (i + 1 == kSample) out.reserve(out.size() / kSample * (report.findings.size() + kSample));
  }
  out += "\n  ";
  out += rest;
  return out;
}

Json report_value(const Report& report) {
  Json out = value_without_findings(report);
  Json& findings = out["findings"];
  for (const Finding& finding : report.findings) findings.push_back(finding_json(finding, *report.sources));
  return out;
}

}  // namespace muster
