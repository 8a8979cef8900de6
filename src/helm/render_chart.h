#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "helm/engine.h"
#include "helm/run_helm.h"
#include "source/source_map.h"

namespace muster::helm {

struct RenderedTemplate {
  std::string name;            ///< as Helm calls it, NAME/templates/job.yaml
  FileId file = FileId::None;  ///< of the input; None of packed charts
  Written written;
};

struct RenderedChart {
  std::vector<RenderedTemplate> templates;  ///< those that wrote anything
  std::vector<std::string> missing;         ///< charts that it depends on and that are not there
  std::string trouble;                      ///< why Helm refuses it, or what is not done here; then there is nothing
  std::size_t steps = 0;                    ///< that it took
  bool refused = false;                     ///< a template of it called `fail`, or `required`
};

struct ChartQuestion {
  const std::vector<ChartText>& files;
  std::vector<ChartText> values;  ///< files beside its own values, in the order in which they are given
  std::string kubernetes;         ///< the release that is rendered for, 1.34
  std::string name_space;
  std::function<bool(std::string_view)> has_api;  ///< what a cluster of that release serves
  std::size_t steps = 3'000'000;                  ///< that it may take; one writes 16 bytes
};

/// What `helm template` makes of a chart, by each of its templates, without a program: a release `release-name`. Parts
/// that are not there are left out. Schemas of values are not looked at, `import-values` and TOML are not done.
/// Bounded. Held against Helm 3.19 by a test.
RenderedChart render_chart(const ChartQuestion& question, const SourceMap& sources);

}  // namespace muster::helm
