#include <algorithm>
#include <array>

#include "report/report.h"

namespace muster {
namespace {

constexpr std::array kFormats{
    ReportFormat{"checkstyle", "Checkstyle XML", render_checkstyle},
    ReportFormat{"github", "annotations of GitHub Actions", render_github},
    ReportFormat{"github-summary", "job summary of GitHub Actions, up to 1 MiB", render_github_summary},
    ReportFormat{"gitlab", "Code Quality report of GitLab", render_gitlab},
    ReportFormat{"json", "muster.check/v1, for programs", render_json},
    ReportFormat{"junit", "JUnit XML: a test for each file and rule", render_junit},
    ReportFormat{"markdown", "comment on a pull request", render_markdown},
    ReportFormat{"rdjson", "diagnostics of reviewdog", render_rdjson},
    ReportFormat{"sarif", "SARIF 2.1.0 for code scanning", render_sarif},
    ReportFormat{"text", "for people, with source lines", render_text},
};
static_assert(std::ranges::is_sorted(kFormats, {}, &ReportFormat::name));

}  // namespace

std::span<const ReportFormat> report_formats() { return kFormats; }

const ReportFormat* find_report_format(std::string_view name) {
  const auto found = std::ranges::find(kFormats, name, &ReportFormat::name);
  return found == kFormats.end() ? nullptr : &*found;
}

std::string rule_url(const RenderOptions& options, const RuleInfo& rule) {
  return options.rules_url.empty() || !rule.shipped ? "" : options.rules_url + "#" + rule.id;
}

const RuleInfo* find_rule(const Report& report, std::string_view id) {
  const auto found = std::ranges::lower_bound(report.rules, id, {}, &RuleInfo::id);
  return found != report.rules.end() && found->id == id ? &*found : nullptr;
}

}  // namespace muster
