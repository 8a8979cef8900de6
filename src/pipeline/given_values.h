#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/chart_folders.h"
#include "pipeline/discover.h"

namespace muster {

/// Files of values that are given to a chart of the input, in the order in which Helm reads them.
struct GivenValues {
  std::string chart;          ///< its folder, as in ChartFolders; empty: the top, or where `chart_known` is false none
  bool chart_known = true;    ///< else the chart is none of the input, or which is not known
  std::string remote;         ///< then: its name, by what a command installs
  std::vector<FileId> files;  ///< without the chart's own values.yaml; at least one
  std::size_t untried = 0;    ///< more sets that a name with a variable stands for
};

/// What commands of scripts, guides, Makefiles and workflows (`helm upgrade --install x ./charts/x -f env/prod.yaml`)
/// and Applications of Argo CD (`valueFiles`) give to charts. A name with a variable in it stands for each file that
/// fits. Nothing of a command that gives a file which the input does not have. Bounded.
/// Source: helm/helm:pkg/cli/values/options.go (3.19); argo-cd.readthedocs.io, user-guide/helm (3.2).
std::vector<GivenValues> find_given_values(const Inputs& inputs, const ChartFolders& charts);

/// The charts of an input, with what is given to them.
struct FoundCharts {
  explicit FoundCharts(const Inputs& inputs)
      : folders(find_charts(inputs)), given(find_given_values(inputs, folders)) {}

  ChartFolders folders;
  std::vector<GivenValues> given;
};

}  // namespace muster
