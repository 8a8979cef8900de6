#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/json_text.h"
#include "report/ledger.h"
#include "report/report.h"
#include "report/words.h"

namespace muster {
namespace {

using Json = nlohmann::ordered_json;

// What code scanning keeps; beyond that it cuts or refuses. Source: docs.github.com, "SARIF results exceed one or more
// limits" and "SARIF results file is too large".
constexpr std::size_t kMostResults = 5'000;  // it keeps the gravest
constexpr std::size_t kMostRelated = 99;     // of 100 locations of a result
constexpr std::size_t kMostSteps = 1'000;
constexpr std::size_t kMostBytes = 9'000'000;  // of 10 MB, compressed; counted without blanks, not compressed
constexpr std::size_t kDescription = 1'000;    // of 1,024 characters

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
  const std::string remedy = without_values(rule.help);
  std::string help = rule.why + "\n\nWhat to do: " + remedy;
  std::string markdown = rule.why + "\n\n**What to do:** " + remedy;
  if (!rule.sources.empty()) {
    help += "\n\nSources:";
    markdown += "\n\n**Sources**";
    for (const std::string& source : rule.sources) {
      help += "\n- " + source;
      markdown += "\n* " + source;
    }
  }
  Json out{{"id", rule.id},
           {"shortDescription", {{"text", clipped(first_sentence(rule.why), kDescription)}}},
           {"fullDescription", {{"text", clipped(rule.why, kDescription)}}},
           {"help", {{"text", help}, {"markdown", markdown}}},
           {"defaultConfiguration", {{"level", level_of(rule.severity)}}},
           {"properties",
            {{"tags", {rule.family, name_of(rule.plane), name_of(rule.effect)}},
             {"precision", rule.status == RuleStatus::Stable ? "very-high" : "high"},
             {"problem.severity", rule.severity == Severity::Info ? "recommendation" : name_of(rule.severity)}}}};
  if (const std::string url = rule_url(options, rule); !url.empty()) out["helpUri"] = url;
  return out;
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
  const std::size_t related = std::min(finding.related.size(), kMostRelated);
  for (std::size_t i = 0; i < related; ++i)
    message += (i == 0 ? " See: " : ", ") + link_to(printable(finding.related[i].message), i + 1);
  if (related < finding.related.size())
    message += " and " + count_of(finding.related.size() - related, "place") + " more, left out here";
  if (related > 0) message += ".";
  if (finding.trace.size() > kMostSteps)
    message +=
        " Of " + count_of(finding.trace.size(), "step") + " the first " + with_thousands(kMostSteps) + " are kept.";
  if (!finding.follows.empty()) message += " What follows: " + with_stop(shown(finding.follows));
  for (const std::string& assumption : finding.assumes) message += " Assumes: " + with_stop(shown(assumption));
  if (!finding.help.empty()) message += " Help: " + with_stop(shown(finding.help));
  return message;
}

/// One thread flow for each thread in the order they begin; executionOrder tells how they interleave.
/// Source: SARIF 2.1.0, sections 3.36 to 3.38.
Json code_flows(const Finding& finding, const SourceMap& sources) {
  std::vector<std::string> threads;
  const std::span<const TraceStep> trace(finding.trace.data(), std::min(finding.trace.size(), kMostSteps));
  for (const TraceStep& step : trace) {
    if (std::ranges::find(threads, step.thread) == threads.end()) threads.push_back(step.thread);
  }
  Json flows = Json::array();
  for (const std::string& thread : threads) {
    Json locations = Json::array();
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const TraceStep& step = trace[i];
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

/// What an editor or a reviewer may take over; `check --fix` looks at what comes of it first, this does not.
/// Source: SARIF 2.1.0, sections 3.55 to 3.57.
Json fixes_json(const Finding& finding, const SourceMap& sources) {
  Json fixes = Json::array();
  const std::vector<TextEdit> edits = edits_of(finding.fix, sources);
  if (edits.empty()) return fixes;
  Json replacements = Json::array();
  for (const TextEdit& edit : edits) {
    const Json place = physical_location(sources, edit.where);
    replacements.push_back({{"deletedRegion", place["region"]}, {"insertedContent", {{"text", edit.text}}}});
  }
  const bool safe = finding.fix->safety == FixSafety::Safe;
  fixes.push_back(
      {{"description",
        {{"text", safe ? "What reads the file does the same." : "What reads the file does something else."}}},
       {"artifactChanges",
        Json::array({{{"artifactLocation", artifact_location(sources.file(edits.front().where.file).path())},
                      {"replacements", std::move(replacements)}}})}});
  return fixes;
}

std::size_t index_of_rule(const std::vector<RuleInfo>& rules, const std::string& id) {
  return static_cast<std::size_t>(std::ranges::lower_bound(rules, id, {}, &RuleInfo::id) - rules.begin());
}

Json result_json(const Finding& finding, std::size_t rule_index, const SourceMap& sources) {
  Json result{{"ruleId", finding.rule},
              {"ruleIndex", rule_index},
              {"level", level_of(finding.severity)},
              {"message", {{"text", message_text(finding)}}},
              {"locations", Json::array({{{"physicalLocation", physical_location(sources, finding.where)}}})}};
  Json related = Json::array();
  for (std::size_t i = 0; i < std::min(finding.related.size(), kMostRelated); ++i) {
    related.push_back({{"id", i + 1},
                       {"physicalLocation", physical_location(sources, finding.related[i].where)},
                       {"message", {{"text", shown(finding.related[i].message)}}}});
  }
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  if (!finding.trace.empty()) result["codeFlows"] = code_flows(finding, sources);
  if (Json fixes = fixes_json(finding, sources); !fixes.empty()) result["fixes"] = std::move(fixes);
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

/// The results that code scanning keeps, the gravest first where there are more, and a word about those it does not.
struct Kept {
  Json results = Json::array();
  std::string left_out;
};

Kept kept_results(const Report& report) {
  std::vector<const Finding*> findings;
  for (const Finding& finding : report.findings) findings.push_back(&finding);
  const std::size_t all = findings.size() + report.known.size() + report.suppressed.size();
  if (all > kMostResults)
    std::ranges::stable_sort(findings, {}, [](const Finding* finding) { return finding->severity; });
  Kept out;
  std::size_t bytes = 0;
  const auto keep = [&](Json result) {
    const std::size_t size = result.dump(-1, ' ', true, Json::error_handler_t::replace).size();
    if (bytes + size > kMostBytes) return;
    bytes += size;
    out.results.push_back(std::move(result));
  };
  for (const Finding* finding : findings) {
    if (out.results.size() == kMostResults) break;
    keep(with_state(result_json(*finding, index_of_rule(report.rules, finding->rule), *report.sources), report, "new"));
  }
  for (const KnownFinding& known : report.known) {
    if (out.results.size() == kMostResults) break;
    const std::size_t rule = index_of_rule(report.rules, known.finding.rule);
    keep(with_state(result_json(known.finding, rule, *report.sources), report, "unchanged"));
  }
  for (const SuppressedFinding& entry : report.suppressed) {
    if (out.results.size() == kMostResults) break;
    const std::size_t rule = index_of_rule(report.rules, entry.finding.rule);
    keep(with_state(suppressed_json(entry, rule, *report.sources), report, "unchanged"));
  }
  if (out.results.size() < all)
    out.left_out = count_of(all - out.results.size(), "result") + " left out: code scanning keeps " +
                   with_thousands(kMostResults) + " results and 10 MB of one run; `--format json` has them all";
  return out;
}

/// What the run left out, if anything.
Json invocations(const Report& report, const std::string& left_out) {
  Json overrides = Json::array();
  for (const std::string& rule : report.configured.off)
    overrides.push_back({{"descriptor", {{"id", rule}}}, {"configuration", {{"enabled", false}}}});
  Json notes = Json::array();
  for (const std::string& note :
       {left_out, nothing_checked_line(report), configured_line(report.configured), selected_line(report.selected),
        stale_line(report.compared), unknown_gpu_line(report.coverage)}) {
    if (!note.empty()) notes.push_back({{"level", "note"}, {"message", {{"text", shown(note)}}}});
  }
  Json invocation{{"executionSuccessful", true}};
  if (!overrides.empty()) invocation["ruleConfigurationOverrides"] = std::move(overrides);
  if (!notes.empty()) invocation["toolExecutionNotifications"] = std::move(notes);
  return Json::array({std::move(invocation)});
}

}  // namespace

/// Source of what code scanning accepts: docs.github.com, SARIF support for code scanning.
std::string render_sarif(const Report& report, const RenderOptions& options) {
  Json rules = Json::array();
  for (const RuleInfo& rule : report.rules) rules.push_back(rule_json(rule, options));
  Kept kept = kept_results(report);
  Json driver{{"name", "muster"}, {"version", options.version}, {"semanticVersion", options.version}};
  if (!options.rules_url.empty()) driver["informationUri"] = options.rules_url;
  driver["rules"] = std::move(rules);
  return to_json_text(
      {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
       {"version", "2.1.0"},
       {"runs", Json::array({{{"tool", {{"driver", std::move(driver)}}},
                              {"automationDetails", {{"id", "muster/check/"}}},
                              {"invocations", invocations(report, kept.left_out)},
                              {"columnKind", "unicodeCodePoints"},
                              {"originalUriBaseIds",
                               {{"%SRCROOT%", {{"description", {{"text", "the root of the repository"}}}}}}},
                              {"results", std::move(kept.results)}}})}});
}

}  // namespace muster
