#include <algorithm>
#include <array>

#include "report/report.h"

namespace muster {
namespace {

constexpr std::array kFormats{
    ReportFormat{"github", "annotations of GitHub Actions", render_github},
    ReportFormat{"json", "muster.check/v1", render_json},
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

std::string rule_url(const RenderOptions& options, std::string_view rule) {
  return options.docs_url + "/rules.html#" + std::string(rule);
}

}  // namespace muster
