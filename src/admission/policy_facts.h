#pragma once

#include "admission/admission_policy.h"
#include "facts/object_type.h"

namespace muster {

// Policies as expressions of templates see them.
extern const ObjectType kAdmissionPolicyType;
extern const ObjectType kUnstatedRulesType;

/// Lists of them; empty where there are none. They are read in place.
Value policy_values(const AdmissionPolicies* policies, const ReadContext& context);
Value left_out_values(const AdmissionPolicies* policies, const ReadContext& context);

}  // namespace muster
