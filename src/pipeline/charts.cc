#include "pipeline/charts.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kubernetes/chart_values.h"

namespace muster {
namespace {

/// A chart within another is a chart of its own, but a part of it where something was left out.
struct ChartFolder {
  std::vector<ChartFile> files;
  std::vector<std::string_view> subcharts;
  bool whole = true;
};

using ChartFolders = std::map<std::string_view, ChartFolder>;

/// The innermost chart that a file or folder stands in.
ChartFolders::iterator chart_around(ChartFolders& charts, std::string_view path) {
  for (std::string_view folder = folder_of(path);; folder = folder_of(folder)) {
    const auto found = charts.find(folder);
    if (found != charts.end() || folder.empty()) return found;
  }
}

}  // namespace

void check_charts(const Inputs& inputs, std::vector<Finding>& findings) {
  constexpr std::string_view kChart = "Chart.yaml";
  ChartFolders charts;
  for (const InputFile& file : inputs.files) {
    const std::string_view path = file.context.path;
    if (path.substr(path.rfind('/') + 1) == kChart && !file.named) charts[file.context.folder];
  }
  if (charts.empty()) return;
  for (std::size_t id = 0; id < inputs.files.size(); ++id) {
    const InputFile& file = inputs.files[id];
    const auto chart = chart_around(charts, file.context.path);
    if (chart == charts.end()) continue;
    chart->second.whole &= file.reading == Reading::Whole;
    const std::string_view path = file.context.path;
    chart->second.files.push_back({path.substr(chart->first.empty() ? 0 : chart->first.size() + 1),
                                   inputs.sources.file(static_cast<FileId>(id)).text(), static_cast<FileId>(id)});
  }
  for (const std::vector<std::string>* left_out : {&inputs.ignored, &inputs.excluded, &inputs.too_large}) {
    for (const std::string& path : *left_out) {
      const auto chart = chart_around(charts, std::string_view(path).substr(0, path.size() - path.ends_with('/')));
      if (chart != charts.end()) chart->second.whole = false;
    }
  }
  for (const auto& [folder, chart] : charts) {
    const auto outer = folder.empty() ? charts.end() : chart_around(charts, folder);
    if (outer != charts.end()) outer->second.subcharts.push_back(folder.substr(folder.rfind('/') + 1));
  }
  for (const auto& [folder, chart] : charts) {
    if (chart.whole) check_chart_values(chart.files, chart.subcharts, findings);
  }
}

}  // namespace muster
