#pragma once

#include "helm/read_output.h"
#include "helm/render_chart.h"

namespace muster::helm {

/// The objects that templates of the input wrote. A scalar stands where the template has it, or in the file of values
/// whose text it repeats; else what prints it is its place. With a trouble, and nothing else, where one of them is no
/// YAML, for then Helm refuses the chart.
ChartObjects read_rendered(const RenderedChart& chart, const SourceMap& sources);

/// Where a stretch of what a template of the input wrote stands in it, or in a file of values.
Span place_of_written(const RenderedTemplate& made, const SourceMap& sources, const Span& written);

}  // namespace muster::helm
