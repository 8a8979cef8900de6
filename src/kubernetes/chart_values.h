#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "kubernetes/value_images.h"
#include "source/span.h"

namespace muster {

/// A text of a Helm chart.
struct ChartFile {
  std::string_view path;  ///< below the folder of Chart.yaml
  std::string_view text;
  FileId file = FileId::None;
};

/// Holds values.yaml of a chart with accelerators against what its templates read: a value of where or on what pods run
/// that none reads (`helm-placement-unread`), other values that none reads (`helm-value-unread`), and one that they
/// read under a name that differs by some letters (`helm-value-misspelt`). `files` are all of the chart, without those
/// of the charts within it, whose folders are called `subcharts`. Says nothing where a template takes the values as a
/// whole or calls one that the chart does not define.
/// `given`: other files of values for this chart alone; of those what values.yaml does not have.
/// Also what they read in a value that nothing sets (`helm-value-parent-missing`, `helm-image-undefined`), unless the
/// chart is `within` another one, which may set it. `told`: by texts of the input that may set values of some chart.
void check_chart_values(const std::vector<ChartFile>& files, const std::vector<std::string_view>& subcharts,
                        const std::vector<ChartFile>& given, const ValueToldOf& told, bool within,
                        std::vector<Finding>& findings);

}  // namespace muster
