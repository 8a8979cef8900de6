#include "pipeline/charts.h"

#include <algorithm>

#include "base/strings.h"
#include "helm/helm_ignore.h"
#include "helm/template_syntax.h"
#include "pipeline/chart_folders.h"

namespace muster {
namespace {

void check_template_syntax(const ChartFolder& chart, std::vector<Finding>& findings) {
  const auto rules = std::ranges::find(chart.files, ".helmignore", &ChartFile::path);
  const helm::IgnoreRules ignored(rules == chart.files.end() ? std::string_view() : rules->text);
  for (const ChartFile& file : chart.files) {
    if (!file.path.starts_with("templates/") || !contains(file.text, "{{")) continue;
    if (ignored.ignores(std::string(file.path))) continue;
    const std::optional<TemplateTrouble> trouble = template_trouble(file.text);
    if (!trouble) continue;
    const Span where{file.file, static_cast<std::uint32_t>(trouble->begin), static_cast<std::uint32_t>(trouble->end)};
    Finding finding =
        problem(trouble->function ? "helm-function-unknown" : "helm-template-broken", where, trouble->why);
    finding.follows = "Helm refuses the whole chart";
    findings.push_back(std::move(finding));
  }
}

}  // namespace

void check_charts(const Inputs& inputs, std::vector<Finding>& findings) {
  ChartFolders charts = find_charts(inputs);
  for (const auto& [folder, chart] : charts) {
    if (!is_filled_in_before(chart, folder)) check_template_syntax(chart, findings);
    const std::size_t slash = folder.rfind('/');
    const std::string_view above = slash == folder.npos ? std::string_view() : folder.substr(0, slash);
    const bool within = !folder.empty() && chart_around(charts, above) != charts.end();
    if (chart.whole()) check_chart_values(chart.files, chart.subcharts, within, findings);
  }
}

}  // namespace muster
