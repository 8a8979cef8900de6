#include "pipeline/charts.h"

#include "base/strings.h"
#include "helm/template_syntax.h"
#include "pipeline/chart_folders.h"

namespace muster {
namespace {

/// Whether another program fills the chart in before Helm sees it, or a pattern may leave files of it out.
bool is_another_programs(const ChartFolder& chart, std::string_view folder) {
  if (contains(folder, "{{")) return true;
  for (const ChartFile& file : chart.files) {
    if (contains(file.path, "{{") || contains(file.path, ".jinja")) return true;
    if (file.path == "Chart.yaml" && (contains(file.text, "{{") || contains(file.text, "{%"))) return true;
    if (file.path == ".helmignore" && contains(file.text, "templates")) return true;
  }
  return false;
}

void check_template_syntax(const ChartFolder& chart, std::vector<Finding>& findings) {
  for (const ChartFile& file : chart.files) {
    if (!file.path.starts_with("templates/") || !contains(file.text, "{{")) continue;
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
    if (!is_another_programs(chart, folder)) check_template_syntax(chart, findings);
    const std::size_t slash = folder.rfind('/');
    const std::string_view above = slash == folder.npos ? std::string_view() : folder.substr(0, slash);
    const bool within = !folder.empty() && chart_around(charts, above) != charts.end();
    if (chart.whole) check_chart_values(chart.files, chart.subcharts, within, findings);
  }
}

}  // namespace muster
