#pragma once

#include <string_view>
#include <vector>

#include "syntax/cut_text.h"

namespace muster {

/// What a file of Terraform hands to Kubernetes in its own language, as YAML: objects within `yamlencode({...})` and
/// `manifest = {...}`, each `helm_release` as the HelmRelease that says the same, and node groups with GPUs. An
/// expression that only Terraform can work out is `"${x}"`. Places are those of the keys and values. Linear in the
/// text; what is not understood is left out, never an error. Source: hashicorp/hcl:hclsyntax/spec.md (2.24);
/// hashicorp/terraform-provider-helm:docs/resources/release.md (3.1).
std::vector<CutText> terraform_objects(std::string_view text);

}  // namespace muster
