#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kustomize/field_spec.h"

namespace muster::kustomize {

using Resources = std::vector<Resource>;

// The fields of a kustomization that change every object, one function each. A value they write stands where the
// kustomization says it. False where kustomize refuses it.
// Source: sigs.k8s.io/kustomize/api v0.21.1, internal/builtins and filters.

/// Labels or annotations to be written.
using Pairs = std::vector<Member>;

/// Whether no two objects go by the same name.
bool are_distinct(const Resources& objects, Work& work);
bool set_namespace(Resources& objects, const std::string& space, const Span& where,
                   const std::vector<FieldSpec>& fields, Work& work);
bool add_prefix(Resources& objects, const std::string& prefix, const std::vector<FieldSpec>& fields, Work& work);
bool add_suffix(Resources& objects, const std::string& suffix, const std::vector<FieldSpec>& fields, Work& work);
bool add_pairs(Resources& objects, const Pairs& pairs, const std::vector<FieldSpec>& fields, Work& work);
bool set_replicas(Resources& objects, const Tree& entry, const std::vector<FieldSpec>& fields, Work& work);
bool set_image(Resources& objects, const Tree& entry, const std::vector<FieldSpec>& fields, Work& work);

/// Writes the names that objects have now into the fields that refer to them by older ones.
bool update_references(Resources& objects, const std::vector<NameReference>& references, Work& work);

}  // namespace muster::kustomize
