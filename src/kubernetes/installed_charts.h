#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/manifest.h"
#include "syntax/document.h"

namespace muster {

/// Whether a document without a kind is a file of values for a chart that hands out devices, by its keys (those of the
/// chart, or the chart's name above them), or of slurm-operator's for a cluster.
bool is_chart_values(const Node& document);

/// The same by a look at the text, before it is read as YAML; true may turn out to be wrong.
bool may_be_chart_values(std::string_view text);

/// Such a file as what installs the chart, its values held against what the chart's templates read
/// (`gpu-operator-value-unread`); nothing of others. File and bundle are left to the caller.
std::optional<Manifest> read_chart_values(const Node& document, std::vector<Finding>& findings, ValueBlock& block);

/// The same of the values in a HelmRelease of Flux or an Application of Argo CD.
void check_installed_chart(const Node& object, std::vector<Finding>& findings);

}  // namespace muster
