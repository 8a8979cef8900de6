#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "source/span.h"

namespace muster {

/// A file of a chart by its path below it; packed charts among them.
struct ChartText {
  std::string path;
  std::string_view text;
  FileId file = FileId::None;  ///< of the input; None of packed charts
};

struct HelmCall {
  std::string program;  ///< absolute
  std::vector<ChartText> chart;
  std::vector<ChartText> values;          ///< files beside its own values.yaml, in the order in which they are given
  std::string kubernetes;                 ///< the release that is rendered for, 1.34; empty: the one Helm was made for
  std::vector<std::string> api_versions;  ///< that the cluster has beside those that Helm knows: apps/v1/Deployment
};

/// What `helm template` prints. The chart is written into a folder that is removed again: Helm sees what is given here
/// and nothing else of the disk, no plugins, no repositories and no cluster. Time of the processor and output are
/// bounded. Fails with what Helm says, in one line; written for Helm 3 and 4.
Result<std::string> run_helm(const HelmCall& call);

}  // namespace muster
