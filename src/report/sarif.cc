#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/json_text.h"
#include "report/ledger.h"
#include "report/report.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

std::string_view level_of(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Info: return "note";
  }
  return "none";
}

/// Paths become URIs: everything but unreserved characters and `/` is escaped.
std::string uri_of(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += "0123456789ABCDEF"[byte >> 4];
      out += "0123456789ABCDEF"[byte & 15];
    }
  }
  return out;
}

/// A path that is no part of the repository one stands in has no base.
Json artifact_location(const std::string& path) {
  if (path.starts_with('/')) return {{"uri", "file://" + uri_of(path)}};
  return {{"uri", uri_of(path)}, {"uriBaseId", "%SRCROOT%"}};
}

Json physical_location(const SourceMap& sources, const Span& where) {
  const Position begin = sources.begin_of(where);
  const Position end = sources.end_of(where);
  return {
      {"artifactLocation", artifact_location(sources.file(where.file).path())},
      {"region",
       {{"startLine", begin.line}, {"startColumn", begin.column}, {"endLine", end.line}, {"endColumn", end.column}}}};
}

/// Up to the first full stop or line end: what a list of rules shows.
std::string first_sentence(const std::string& text) {
  const std::string line = replace_all(text, "\n", " ");
  const std::size_t stop = line.find(". ");
  return stop == std::string::npos ? line : line.substr(0, stop + 1);
}

Json rule_json(const RuleInfo& rule, const RenderOptions& options) {
  std::string help = rule.why;
  std::string markdown = rule.why;
  if (!rule.sources.empty()) {
    help += "\n\nSources:";
    markdown += "\n\n**Sources**";
    for (const std::string& source : rule.sources) {
      help += "\n- " + source;
      markdown += "\n* " + source;
    }
  }
  return {{"id", rule.id},
          {"name", rule.id},
          {"shortDescription", {{"text", first_sentence(rule.why)}}},
          {"fullDescription", {{"text", rule.why}}},
          {"help", {{"text", help}, {"markdown", markdown}}},
          {"helpUri", rule_url(options, rule.id)},
          {"defaultConfiguration", {{"level", level_of(rule.severity)}}},
          {"properties",
           {{"tags", {rule.family, name_of(rule.plane), name_of(rule.effect)}},
            {"precision", rule.status == RuleStatus::Stable ? "very-high" : "high"},
            {"problem.severity", rule.severity == Severity::Info ? "recommendation" : name_of(rule.severity)}}}};
}

std::string with_stop(std::string text) {
  if (!text.ends_with('.')) text += '.';
  return text;
}

/// For people, and Markdown in one thing: `[text](target)` is a link. The input gets to write none.
/// Source: SARIF 2.1.0, section 3.11.6.
std::string shown(const std::string& text) { return replace_all(printable(text), "](", "] ("); }

std::string link_to(const std::string& text, std::size_t id) {
  std::string escaped = replace_all(text, "\\", "\\\\");
  escaped = replace_all(replace_all(std::move(escaped), "[", "\\["), "]", "\\]");
  return "[" + escaped + "](" + std::to_string(id) + ")";
}

/// Code scanning shows only those related places that the message links to.
std::string message_text(const Finding& finding) {
  std::string message = with_stop(shown(finding.message));
  for (std::size_t i = 0; i < finding.related.size(); ++i)
    message += (i == 0 ? " See: " : ", ") + link_to(printable(finding.related[i].message), i + 1);
  if (!finding.related.empty()) message += ".";
  if (!finding.follows.empty()) message += " What follows: " + with_stop(shown(finding.follows));
  for (const std::string& assumption : finding.assumes) message += " Assumes: " + with_stop(shown(assumption));
  if (!finding.help.empty()) message += " Help: " + with_stop(shown(finding.help));
  return message;
}

/// One thread flow for each thread in the order they begin; executionOrder tells how they interleave.
/// Source: SARIF 2.1.0, sections 3.36 to 3.38.
Json code_flows(const Finding& finding, const SourceMap& sources) {
  std::vector<std::string> threads;
  for (const TraceStep& step : finding.trace) {
    if (std::ranges::find(threads, step.thread) == threads.end()) threads.push_back(step.thread);
  }
  Json flows = Json::array();
  for (const std::string& thread : threads) {
    Json locations = Json::array();
    for (std::size_t i = 0; i < finding.trace.size(); ++i) {
      const TraceStep& step = finding.trace[i];
      if (step.thread != thread) continue;
      locations.push_back({{"executionOrder", i + 1},
                           {"location",
                            {{"physicalLocation", physical_location(sources, step.where)},
                             {"message", {{"text", shown(step.message)}}}}}});
    }
    flows.push_back(
        {{"id", shown(thread)}, {"message", {{"text", shown(thread)}}}, {"locations", std::move(locations)}});
  }
  return Json::array({{{"threadFlows", std::move(flows)}}});
}

Json result_json(const Finding& finding, std::size_t rule_index, const SourceMap& sources) {
  Json result{{"ruleId", finding.rule},
              {"ruleIndex", rule_index},
              {"level", level_of(finding.severity)},
              {"message", {{"text", message_text(finding)}}},
              {"locations", Json::array({{{"physicalLocation", physical_location(sources, finding.where)}}})}};
  Json related = Json::array();
  for (std::size_t i = 0; i < finding.related.size(); ++i) {
    related.push_back({{"id", i + 1},
                       {"physicalLocation", physical_location(sources, finding.related[i].where)},
                       {"message", {{"text", shown(finding.related[i].message)}}}});
  }
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  if (!finding.trace.empty()) result["codeFlows"] = code_flows(finding, sources);
  result["partialFingerprints"] = {{"muster/v1", finding.fingerprint},
                                   {"primaryLocationLineHash", finding.fingerprint + ":1"}};
  result["properties"] = {
      {"effect", name_of(finding.effect)}, {"plane", name_of(finding.plane)}, {"object", finding.object}};
  return result;
}

/// Of a run that was compared every result says whether it is new; viewers then show those alone.
/// Source: SARIF 2.1.0, section 3.27.24.
Json with_state(Json result, const Report& report, std::string_view state) {
  if (report.compared.any()) result["baselineState"] = state;
  return result;
}

Json suppressed_json(const SuppressedFinding& entry, std::size_t rule_index, const SourceMap& sources) {
  Json result = result_json(entry.finding, rule_index, sources);
  const bool outside = entry.said == SuppressedFinding::Where::Config;
  result["suppressions"] =
      Json::array({{{"kind", outside ? "external" : "inSource"}, {"justification", shown(entry.reason)}}});
  return result;
}

/// What the run left out, if anything.
Json invocations(const Report& report) {
  Json overrides = Json::array();
  for (const std::string& rule : report.configured.off)
    overrides.push_back({{"descriptor", {{"id", rule}}}, {"configuration", {{"enabled", false}}}});
  Json notes = Json::array();
  for (const std::string& note :
       {nothing_checked_line(report), configured_line(report.configured), selected_line(report.selected),
        stale_line(report.compared), unknown_gpu_line(report.coverage)}) {
    if (!note.empty()) notes.push_back({{"level", "note"}, {"message", {{"text", shown(note)}}}});
  }
  Json invocation{{"executionSuccessful", true}};
  if (!overrides.empty()) invocation["ruleConfigurationOverrides"] = std::move(overrides);
  if (!notes.empty()) invocation["toolExecutionNotifications"] = std::move(notes);
  return Json::array({std::move(invocation)});
}

std::size_t index_of_rule(const std::vector<RuleInfo>& rules, const std::string& id) {
  return static_cast<std::size_t>(std::ranges::lower_bound(rules, id, {}, &RuleInfo::id) - rules.begin());
}

}  // namespace

/// Source of what code scanning accepts: docs.github.com, SARIF support for code scanning.
std::string render_sarif(const Report& report, const RenderOptions& options) {
  Json rules = Json::array();
  for (const RuleInfo& rule : report.rules) rules.push_back(rule_json(rule, options));
  Json results = Json::array();
  for (const Finding& finding : report.findings)
    results.push_back(
        with_state(result_json(finding, index_of_rule(report.rules, finding.rule), *report.sources), report, "new"));
  for (const KnownFinding& known : report.known)
    results.push_back(
        with_state(result_json(known.finding, index_of_rule(report.rules, known.finding.rule), *report.sources), report,
                   "unchanged"));
  for (const SuppressedFinding& entry : report.suppressed)
    results.push_back(with_state(
        suppressed_json(entry, index_of_rule(report.rules, entry.finding.rule), *report.sources), report, "unchanged"));
  return to_json_text(
      {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
       {"version", "2.1.0"},
       {"runs", Json::array({{{"tool",
                               {{"driver",
                                 {{"name", "muster"},
                                  {"version", options.version},
                                  {"semanticVersion", options.version},
                                  {"informationUri", options.docs_url},
                                  {"rules", std::move(rules)}}}}},
                              {"automationDetails", {{"id", "muster/check/"}}},
                              {"invocations", invocations(report)},
                              {"columnKind", "unicodeCodePoints"},
                              {"originalUriBaseIds",
                               {{"%SRCROOT%", {{"description", {{"text", "the root of the repository"}}}}}}},
                              {"results", std::move(results)}}})}});
}

}  // namespace muster
