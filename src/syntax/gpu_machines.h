#pragma once

#include <string_view>

namespace muster {

/// Whether a text names an instance type of EC2 that has GPUs: `p5.48xlarge`, `g6e.` of "ml.g6e.4xlarge", `p6-b200.`.
/// Families g4 and later, gr6, p3 and later. Source: docs.aws.amazon.com/ec2/latest/instancetypes/ac.html (2025-10).
bool names_gpu_instance(std::string_view text);

}  // namespace muster
