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

/// Whether a webhook that its operator cannot do without reads the object and writes it anew before its fields are
/// checked: `cpu: 0.5` is `500m` then. Kinds of KServe, JobSet and LWS, and what carries a label for Kueue.
bool is_rewritten_first(const Node& object, std::string_view kind);

}  // namespace muster
