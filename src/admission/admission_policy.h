#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kubernetes/kind_file.h"
#include "rulebook/rule_book.h"

namespace muster {

/// Objects that an API server asks about: one item of `matchConstraints.resourceRules`.
struct AdmittedResources {
  std::string group;  ///< empty: the core group
  std::string version;
  std::vector<std::string> names;  ///< plural, sorted: jobs, cronjobs
};

struct PolicyVariable {
  std::string name;
  std::string expression;
};

/// A rule about one Kubernetes object as a ValidatingAdmissionPolicy: the conditions of the rule, with the paths of the
/// manifest in place of its facts. Source: kubernetes/api:admissionregistration/v1/types.go (1.36).
struct AdmissionPolicy {
  std::string rule;
  std::string name;  ///< of the objects
  std::string says;  ///< the message of the rule without its values
  Severity severity = Severity::Info;
  std::vector<std::string> actions;  ///< Deny, Warn, Audit
  std::vector<AdmittedResources> resources;
  std::vector<PolicyVariable> variables;  ///< each may use those before it
  std::string expression;                 ///< true: nothing is said against the object
  std::string message;                    ///< where the next one cannot be computed
  std::optional<std::string> message_expression;
};

/// Rules that no policy can state, and why.
struct UnstatedRules {
  std::string reason;
  std::vector<std::string> rules;
};

struct AdmissionPolicies {
  std::vector<AdmissionPolicy> policies;  ///< sorted by rule
  std::vector<UnstatedRules> left_out;    ///< sorted by reason
};

/// What of the book an API server can judge by itself. Pod templates are found in the kinds that are given.
AdmissionPolicies admission_policies(const RuleBook& book, const std::vector<const KindFile*>& kinds);

}  // namespace muster
