#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Single words of texts that no schema sees: sizes that a family of EC2 does not have (`instance-type-unknown`),
/// fields of DCGM where its exporter takes a file (`exporter-fields-as-file`), a log of NCCL that all ranks write
/// (`nccl-log-shared`), a search for `Ready` that finds NotReady (`script-ready-in-not-ready`), dashboards as the API
/// takes them (`dashboard-wrapped`) or with rates of gauges (`dashboard-rate-of-gauge`), and images with parts of a
/// driver (`image-installs-driver`) or with arguments that they do not see (docker_arguments.h). Linear in the texts.
void find_gpu_text_slips(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
