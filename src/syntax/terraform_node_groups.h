#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "syntax/here_documents.h"

namespace muster {

/// The next `resource "aws_eks_node_group" "x" {...}` whose AMI or machines have GPUs, as the NodeGroup of Crossplane
/// that says the same; `from` moves behind it. Of others nothing is said: most leave what they are to a variable.
/// Source: crossplane-contrib/provider-upjet-aws:apis/eks/v1beta1/zz_nodegroup_types.go.
std::optional<CutText> next_node_group(std::string_view text, std::size_t& from, std::size_t& left);

}  // namespace muster
