#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "helm/run_helm.h"
#include "pipeline/discover.h"
#include "source/file_system.h"

namespace muster {

struct FoundCharts;

/// What one chart of the input is rendered from.
struct ChartInput {
  std::string folder;  ///< as it is shown; "" is the top
  FileId file = FileId::None;
  std::string open;  ///< why it is not rendered: what was not read, or fills it in before; else ""
  std::vector<ChartText> texts;
  /// With what it is rendered: nothing first, then each ci/*-values.yaml and values-*.yaml, then what is given to it.
  std::vector<std::vector<ChartText>> values;
  std::map<std::string, FileId, std::less<>> templates;  ///< by what Helm calls them
  std::deque<std::string> kept;                          ///< texts that are none of the input
  std::vector<std::string> left_out;                     ///< packed charts of it that are not read
  std::size_t untried = 0;                               ///< files of values beyond the most that are tried
};

/// A file of values to try the chart with, by its path below it: `ci/gpu-values.yaml`, and beside values.yaml
/// `values-prod.yaml`.
bool is_values_to_try(std::string_view path);

/// The charts that are part of no other and no libraries, with those within them and those beside them that they name
/// by `file://`. Source: helm/helm:pkg/downloader (3.19).
std::deque<ChartInput> chart_inputs(FoundCharts& charts, const Inputs& inputs);

/// Packed charts that it depends on: they are no text, so that they were not read with the input. Gives each its name
/// and content; those that cannot be read are left out.
void each_packed_chart(ChartInput& chart, const FileSystem& disk,
                       const std::function<void(const std::string&, std::string)>& take);

}  // namespace muster
