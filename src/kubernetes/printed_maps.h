#pragma once

#include <vector>

#include "finding/finding.h"
#include "kubernetes/chart_values.h"
#include "kubernetes/value_reads.h"
#include "syntax/document.h"

namespace muster {

/// `path: {{ .Values.storage.hostPath }}` where values.yaml has a mapping there and templates read names in it, so that
/// no user can write a text for it: `helm-map-printed`. Linear in the texts.
void check_printed_maps(const std::vector<ChartFile>& files, const Node& values, const ValueReads& reads,
                        std::vector<Finding>& findings);

}  // namespace muster
