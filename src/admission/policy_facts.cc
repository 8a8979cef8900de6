#include "admission/policy_facts.h"

#include <array>

#include "facts/read.h"

namespace muster {
namespace {

Span nowhere(const void*) { return {}; }
SharedText no_id(const void*, const ReadContext&) { return ""; }

constexpr std::array kResourceFields{
    Field{"group", kStringType, kAlways, "API group; empty: the core group",
          read<AdmittedResources, &AdmittedResources::group>},
    Field{"names", kStringListType, kAlways, "resources", read<AdmittedResources, &AdmittedResources::names>},
    Field{"version", kStringType, kAlways, "its version", read<AdmittedResources, &AdmittedResources::version>},
};
const ObjectType kResourcesType{"admitted_resources", "resources of one API group", kResourceFields, nowhere, no_id};

constexpr std::array kVariableFields{
    Field{"expression", kStringType, kAlways, "its value", read<PolicyVariable, &PolicyVariable::expression>},
    Field{"name", kStringType, kAlways, "its name", read<PolicyVariable, &PolicyVariable::name>},
};
const ObjectType kVariableType{"policy_variable", "a variable of a policy", kVariableFields, nowhere, no_id};

constexpr Type kResourcesObject = object_of(kResourcesType);
constexpr Type kVariableObject = object_of(kVariableType);

const std::array kPolicyFields{
    Field{"actions", kStringListType, kAlways, "validationActions", read<AdmissionPolicy, &AdmissionPolicy::actions>},
    Field{"expression", kStringType, kAlways, "what has to hold", read<AdmissionPolicy, &AdmissionPolicy::expression>},
    Field{"message", kStringType, kAlways, "what is said", read<AdmissionPolicy, &AdmissionPolicy::message>},
    Field{"message_expression", kStringType, kOptional, "what is said, with values of the object",
          read<AdmissionPolicy, &AdmissionPolicy::message_expression>},
    Field{"name", kStringType, kAlways, "its name", read<AdmissionPolicy, &AdmissionPolicy::name>},
    Field{"resources", list_of(kResourcesObject), kAlways, "what it is about",
          read_objects<AdmissionPolicy, &AdmissionPolicy::resources, kResourcesType>},
    Field{"rule", kStringType, kAlways, "the rule it stands for", read<AdmissionPolicy, &AdmissionPolicy::rule>},
    Field{"says", kStringType, kAlways, "the rule in one sentence", read<AdmissionPolicy, &AdmissionPolicy::says>},
    Field{"severity", enum_type<Severity>(), kAlways, "the rule's", read<AdmissionPolicy, &AdmissionPolicy::severity>},
    Field{"variables", list_of(kVariableObject), kAlways, "its variables",
          read_objects<AdmissionPolicy, &AdmissionPolicy::variables, kVariableType>},
};

constexpr std::array kUnstatedRulesFields{
    Field{"reason", kStringType, kAlways, "why", read<UnstatedRules, &UnstatedRules::reason>},
    Field{"rules", kStringListType, kAlways, "the rules", read<UnstatedRules, &UnstatedRules::rules>},
};

}  // namespace

const ObjectType kAdmissionPolicyType{"admission_policy", "a rule as a ValidatingAdmissionPolicy", kPolicyFields,
                                      nowhere, no_id};
const ObjectType kUnstatedRulesType{"left_out", "rules that no policy can state", kUnstatedRulesFields, nowhere, no_id};

namespace {

const AdmissionPolicies kNone;

}  // namespace

Value policy_values(const AdmissionPolicies* policies, const ReadContext& context) {
  return to_objects<kAdmissionPolicyType>((policies == nullptr ? kNone : *policies).policies, context);
}

Value left_out_values(const AdmissionPolicies* policies, const ReadContext& context) {
  return to_objects<kUnstatedRulesType>((policies == nullptr ? kNone : *policies).left_out, context);
}

}  // namespace muster
