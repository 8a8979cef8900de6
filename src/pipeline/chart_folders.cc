#include "pipeline/chart_folders.h"

#include "base/strings.h"

namespace muster {

ChartFolders::iterator chart_around(ChartFolders& charts, std::string_view path) {
  for (std::string_view folder = folder_of(path);; folder = folder_of(folder)) {
    const auto found = charts.find(folder);
    if (found != charts.end() || folder.empty()) return found;
  }
}

ChartFolders find_charts(const Inputs& inputs) {
  constexpr std::string_view kChart = "Chart.yaml";
  ChartFolders charts;
  for (std::size_t id = 0; id < inputs.files.size(); ++id) {
    const InputFile& file = inputs.files[id];
    const std::string_view path = file.context.path;
    if (path.substr(path.rfind('/') + 1) == kChart && !file.named)
      charts[file.context.folder].chart = static_cast<FileId>(id);
  }
  if (charts.empty()) return charts;
  for (std::size_t id = 0; id < inputs.files.size(); ++id) {
    const InputFile& file = inputs.files[id];
    const auto chart = chart_around(charts, file.context.path);
    if (chart == charts.end()) continue;
    const std::string_view path = file.context.path;
    const std::string_view below = path.substr(chart->first.empty() ? 0 : chart->first.size() + 1);
    if (file.reading != Reading::Whole) chart->second.left_out.emplace_back(below);
    chart->second.files.push_back(
        {below, inputs.sources.file(static_cast<FileId>(id)).text(), static_cast<FileId>(id)});
  }
  for (const std::vector<std::string>* left_out : {&inputs.ignored, &inputs.excluded, &inputs.too_large}) {
    for (const std::string& path : *left_out) {
      const auto chart = chart_around(charts, std::string_view(path).substr(0, path.size() - path.ends_with('/')));
      if (chart == charts.end()) continue;
      chart->second.left_out.push_back(path.substr(chart->first.empty() ? 0 : chart->first.size() + 1));
    }
  }
  for (const auto& [folder, chart] : charts) {
    const auto outer = folder.empty() ? charts.end() : chart_around(charts, folder);
    if (outer != charts.end()) outer->second.subcharts.push_back(folder.substr(folder.rfind('/') + 1));
  }
  return charts;
}

bool is_filled_in_before(const ChartFolder& chart, std::string_view folder) {
  if (contains(folder, "{{")) return true;
  for (const ChartFile& file : chart.files) {
    if (contains(file.path, "{{") || contains(file.path, ".jinja")) return true;
    if (file.path == "Chart.yaml" && (contains(file.text, "{{") || contains(file.text, "{%"))) return true;
  }
  return false;
}

}  // namespace muster
