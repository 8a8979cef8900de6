#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "base/utf8.h"
#include "report/ledger.h"
#include "report/markdown_text.h"
#include "report/report.h"
#include "report/words.h"

namespace muster {
namespace {

/// How much fits.
struct Bounds {
  std::size_t bytes = 0;     ///< of the whole
  std::size_t per_rule = 0;  ///< findings shown of one rule
};
constexpr Bounds kComment{kCommentBytes, 10};
// Of a job summary 1 MiB a step is kept. Source: docs.github.com, "Workflow commands", "Step isolation and limits".
constexpr Bounds kSummary{1'000'000, 100};

constexpr std::size_t kTail = 8'000;      // bytes kept free for what stands behind the findings
constexpr std::size_t kTextShown = 400;   // code points of one sentence
constexpr std::size_t kDetailsShown = 8;  // lines below one finding
constexpr std::size_t kNotesShown = 10;

/// Findings of one rule and severity.
struct RuleGroup {
  Severity severity = Severity::Error;
  std::string_view rule;
  std::vector<const Finding*> findings;
};

/// Errors first; the rules of one severity in the order of their ids.
std::vector<RuleGroup> groups_of(const Report& report) {
  std::map<std::pair<Severity, std::string_view>, RuleGroup> groups;
  for (const Finding& finding : report.findings) {
    RuleGroup& group = groups[{finding.severity, finding.rule}];
    group.severity = finding.severity;
    group.rule = finding.rule;
    group.findings.push_back(&finding);
  }
  std::vector<RuleGroup> out;
  for (auto& [key, group] : groups) out.push_back(std::move(group));
  return out;
}

std::string short_text(const std::string& text) { return markdown_text(clipped(printable(text), kTextShown)); }

class MarkdownReport {
 public:
  MarkdownReport(const Report& report, const RenderOptions& options, const Bounds& bounds)
      : report_(report), options_(options), bounds_(bounds) {}

  std::string run() {
    out_ = "### muster: " + markdown_text(summary_line(report_)) + "\n\n";
    if (const std::string nothing = nothing_checked_line(report_); !nothing.empty()) out_ += "**" + nothing + "**\n\n";
    for (const RuleGroup& group : groups_of(report_)) write(group);
    write_left_out();
    write_notes();
    return std::move(out_);
  }

 private:
  void write(const RuleGroup& group) {
    std::string body;
    std::size_t count = 0;
    std::set<std::string> said;
    for (const Finding* finding : group.findings) {
      const std::string item = item_of(*finding, said);
      if (count == bounds_.per_rule || out_.size() + body.size() + item.size() + kTail > bounds_.bytes) break;
      body += item;
      ++count;
    }
    const std::size_t rest = group.findings.size() - count;
    if (rest > 0) {
      left_out_ += rest;
      rules_cut_.insert(group.rule);
    }
    if (count == 0) return;
    if (rest > 0) body += "* and " + with_thousands(rest) + " more\n";
    body += "\n" + more_about(group.rule);
    const std::string head = std::string(name_of(group.severity)) + ": <code>" + std::string(group.rule) + "</code>, " +
                             count_of(group.findings.size(), "finding");
    out_ += markdown_details(head, body, group.severity == Severity::Error ? Fold::Open : Fold::Closed);
  }

  /// What was said of a finding of the same rule is not said again.
  std::string item_of(const Finding& finding, std::set<std::string>& said) const {
    const Position at = report_.sources->begin_of(finding.where);
    std::string out = "* " +
                      markdown_code(clipped(printable(report_.sources->file(finding.where.file).path()), kTextShown) +
                                    ":" + std::to_string(at.line) + ":" + std::to_string(at.column)) +
                      ": " + short_text(finding.message) + "\n";
    std::vector<std::string> lines = detail_lines(finding, *report_.sources);
    std::erase_if(lines, [&](const std::string& line) { return !said.insert(line).second; });
    for (std::size_t i = 0; i < std::min(lines.size(), kDetailsShown); ++i) out += "  * " + short_text(lines[i]) + "\n";
    if (lines.size() > kDetailsShown) out += "  * and " + count_of(lines.size() - kDetailsShown, "line") + " more\n";
    return out;
  }

  std::string more_about(std::string_view rule) const {
    const RuleInfo* info = find_rule(report_, rule);
    const std::string url = info == nullptr ? "" : rule_url(options_, *info);
    const std::string command = markdown_code("muster explain " + std::string(rule));
    return url.empty() ? "More: " + command + "\n" : "More: [" + std::string(rule) + "](<" + url + ">)\n";
  }

  void write_left_out() {
    if (left_out_ == 0) return;
    std::vector<std::string> rules;
    for (const std::string_view rule : rules_cut_) {
      if (rules.size() < kNotesShown) rules.push_back(markdown_code(rule));
    }
    if (rules.size() < rules_cut_.size()) rules.push_back(with_thousands(rules_cut_.size() - rules.size()) + " more");
    out_ += "Left out here: " + count_of(left_out_, "finding") + " of " + count_of(rules_cut_.size(), "rule") + " (" +
            join(rules, ", ") + "), because " + with_thousands(bounds_.per_rule) + " of a rule and " +
            with_thousands(bounds_.bytes / 1000) + " kB in all are shown. `muster check` prints the rest.\n\n";
  }

  void write_notes() {
    std::vector<std::string> notes;
    const auto add = [&](const std::string& note) {
      if (!note.empty()) notes.push_back("* " + short_text(note) + "\n");
    };
    const std::vector<OpenNeed> needs = open_needs(report_);
    for (std::size_t i = 0; i < std::min(needs.size(), kNotesShown); ++i)
      add("not decided (" + count_of(needs[i].objects, "object") + "): " + needs[i].need);
    if (needs.size() > kNotesShown)
      add("not decided: " + count_of(needs.size() - kNotesShown, "more thing") + " would decide something");
    std::size_t count = 0;
    for (const auto& [assumption, findings] : assumptions_of(report_)) {
      if (count++ < kNotesShown) add("assumed (" + count_of(findings, "finding") + "): " + assumption);
    }
    for (std::size_t i = 0; i < std::min(report_.templates.size(), kNotesShown); ++i)
      add("template, not checked: render it first: " + report_.templates[i].file);
    add(configured_line(report_.configured));
    add(unknown_gpu_line(report_.coverage));
    std::string body;
    for (const std::string& note : notes) {
      if (out_.size() + body.size() + note.size() + kClosing <= bounds_.bytes) body += note;
    }
    if (!body.empty()) out_ += markdown_details("what was not judged, and why", body, Fold::Closed);
  }

  static constexpr std::size_t kClosing = 200;  // bytes around the notes

  const Report& report_;
  const RenderOptions& options_;
  const Bounds bounds_;
  std::string out_;
  std::size_t left_out_ = 0;
  std::set<std::string_view> rules_cut_;
};

}  // namespace

std::string render_markdown(const Report& report, const RenderOptions& options) {
  return MarkdownReport(report, options, kComment).run();
}

std::string render_github_summary(const Report& report, const RenderOptions& options) {
  return MarkdownReport(report, options, kSummary).run();
}

}  // namespace muster
