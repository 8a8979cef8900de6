#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "kubernetes/chart_values.h"
#include "pipeline/discover.h"

namespace muster {

/// A Helm chart of the input. One within another is a chart of its own, and a part of it.
struct ChartFolder {
  FileId chart = FileId::None;              ///< its Chart.yaml
  std::vector<ChartFile> files;             ///< without those of charts within
  std::vector<std::string_view> subcharts;  ///< names of the folders of charts within
  std::vector<std::string> left_out;        ///< what is in it and was not read: paths below it; folders end in `/`

  bool whole() const { return left_out.empty(); }
};

using ChartFolders = std::map<std::string_view, ChartFolder>;

/// The charts whose Chart.yaml was found, not named, by their folders; "" is the top.
ChartFolders find_charts(const Inputs& inputs);

/// The innermost chart that a file or folder stands in.
ChartFolders::iterator chart_around(ChartFolders& charts, std::string_view path);

/// Whether another program fills the chart in before Helm sees it.
bool is_filled_in_before(const ChartFolder& chart, std::string_view folder);

}  // namespace muster
