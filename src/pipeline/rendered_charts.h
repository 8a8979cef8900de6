#pragma once

#include <string>
#include <vector>

#include "pipeline/rendered.h"
#include "source/file_system.h"

namespace muster {

struct FoundCharts;

struct ChartRendering {
  std::string helm;        ///< the program; empty: none
  std::string kubernetes;  ///< the release that is rendered for; empty: the one Helm was made for
};

/// Renders each chart of the input that is no part of another and no library: with its own values, and once more with
/// each `ci/*-values.yaml`, by which chart-testing tries it (helm/chart-testing:pkg/chart/chart.go, v3.11), each
/// `values-*.yaml` beside them and what is given to it (given_values.h); by a program if one is named, else by
/// ourselves. What a template wrote is judged instead of the template. From the disk come packed charts alone. A chart
/// that Helm refuses, or of which something was left out that decides, is named with the reason, and its templates are
/// judged as they are.
void render_charts(const ChartRendering& how, FoundCharts& charts, std::vector<ParsedFile>& parsed,
                   const Inputs& inputs, const FileSystem& disk, std::vector<Finding>& findings, const KindTable& kinds,
                   Rendered& rendered);

}  // namespace muster
