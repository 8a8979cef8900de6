#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace muster {

/// Whether a text names an instance type of EC2 that has GPUs: `p5.48xlarge`, `g6e.` of "ml.g6e.4xlarge", `p6-b200.`.
/// Families g4 and later, gr6, p3 and later. Source: docs.aws.amazon.com/ec2/latest/instancetypes/ac.html (2025-10).
bool names_gpu_instance(std::string_view text);

/// GPUs that a machine type of Google Cloud comes with; nothing: by its name none, or one that is not known.
std::optional<std::int64_t> gpus_of_google_machine(std::string_view type);

/// GPUs of a machine type as a cloud calls it, 0 where it has none; nothing: it is not known.
std::optional<std::int64_t> gpus_of_aws_machine(std::string_view type);
std::optional<std::int64_t> gpus_of_azure_machine(std::string_view type);

}  // namespace muster
