#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "syntax/here_documents.h"

namespace muster {

/// The next object that Terraform's provider of Kubernetes has a resource of its own for and that makes pods,
/// `resource "kubernetes_deployment" "x" {...}`, as the YAML that the provider sends; `from` moves behind it. Nothing
/// where there is none, or no steps are `left`. `dynamic` blocks are open values. Its `limit` is left to the caller.
/// Source: hashicorp/terraform-provider-kubernetes:kubernetes/structures_pod.go (3.0).
std::optional<CutText> next_terraform_object(std::string_view text, std::size_t& from, std::size_t& left);

}  // namespace muster
