#pragma once

#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Of what has no `apiVersion` or no `kind`, and is an object of Kubernetes all the same: `object-type-missing`.
/// Source: kubernetes/apimachinery:pkg/apis/meta/v1/unstructured/unstructuredscheme (1.36).
void check_type(const Node& object, std::vector<Finding>& findings);

/// Of a kind under an API version of Kubernetes that serves others, as `v1` for a Deployment, or in the other group of
/// its project, as `kubeflow.org` for a TrainJob:
/// `api-version-of-other-kinds`.
void check_home(const Node& object, std::vector<Finding>& findings);

}  // namespace muster
