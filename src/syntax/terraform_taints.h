#pragma once

#include <string_view>
#include <vector>

#include "source/span.h"

namespace muster {

/// A word for the effect of a taint, in a pool or group of nodes of Terraform, that its provider refuses.
struct TerraformTaint {
  std::string_view resource;
  std::string_view effect;
  Span where;
};

/// Source: cloud.google.com/kubernetes-engine/docs/reference/rest/v1/NodeTaint,
/// docs.aws.amazon.com/eks/latest/APIReference/API_Taint.html.
std::vector<TerraformTaint> refused_taints(std::string_view text, FileId file);

}  // namespace muster
