#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "syntax/here_documents.h"

namespace muster {

/// The next `resource "aws_eks_node_group" "x" {...}` whose AMI or machines have GPUs, as the NodeGroup of Crossplane
/// that says the same; `from` moves behind it. Of others nothing is said: most leave what they are to a variable.
/// Source: crossplane-contrib/provider-upjet-aws:apis/eks/v1beta1/zz_nodegroup_types.go.
std::optional<CutText> next_node_group(std::string_view text, std::size_t& from, std::size_t& left);

/// The groups in `eks_managed_node_groups` of a module that have GPUs, likewise. The module makes a launch template for
/// each: `ofModule` in it says that there is no image and no start of the group's own.
/// Source: terraform-aws-modules/terraform-aws-eks:modules/eks-managed-node-group/variables.tf (21).
std::vector<CutText> module_node_groups(std::string_view text, std::size_t& left);

}  // namespace muster
