#pragma once

#include <string>
#include <string_view>

#include "input/kind.h"
#include "model/object.h"
#include "syntax/document.h"

namespace muster {

/// Name, namespace and place of a Kubernetes object; id is group/version/kind/namespace/name.
Object read_object(const Artifact& artifact, const NormaliseContext& context);

/// The same of a node that is an object, without file and bundle, which nobody knows yet.
void identify(const Node& object, std::string_view api_version, std::string_view kind, Object& out);

/// batch/v1/Job/ml/train: what an object is called in reports. `space` may be empty.
std::string object_id(std::string_view api_version, std::string_view kind, std::string_view space,
                      std::string_view name);

/// The group of an apiVersion: "batch" of "batch/v1", nothing of "v1".
std::string_view api_group(std::string_view api_version);

/// Whether one API version came before another of its group: v1alpha2 before v1beta1, v1, v2alpha1. False where either
/// has another form.
bool is_older_api(std::string_view api_version, std::string_view other);

/// The `spec` of the object.
Node spec_of(const Artifact& artifact);

/// A label or annotation of `metadata`; absent when it is not there, unknown when it is a placeholder.
Located<std::string> read_label(const Node& metadata, FieldName key, std::vector<Finding>& findings);
Located<std::string> read_annotation(const Node& metadata, FieldName key, std::vector<Finding>& findings);

/// Reports labels and annotations that are no texts.
void check_marks(const Node& metadata, std::vector<Finding>& findings);

/// A number in an annotation, where quotes are the rule.
Located<std::int64_t> read_count_annotation(const Node& metadata, FieldName key, std::vector<Finding>& findings);

/// The value, or `fallback` as the default that the component fills in; unknown stays unknown.
template <class T>
Located<T> value_or(Located<T> value, T fallback) {
  if (value.state == State::Absent) {
    value.state = State::Defaulted;
    value.value = std::move(fallback);
  }
  return value;
}

}  // namespace muster
