// Admission policies as our own implementation of CEL judges objects by them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "admission/admission_policy.h"
#include "syntax/document.h"

namespace muster::test {

/// Those of the shipped rules and kinds.
const AdmissionPolicies& shipped_policies();

struct PolicyVerdict {
  enum class Says { Quiet, Speaks, Fails } says = Says::Quiet;
  std::string message;  ///< of one that speaks, or why it cannot be computed
};

/// A policy, compiled.
class PolicyJudge {
 public:
  explicit PolicyJudge(const AdmissionPolicy& policy);
  PolicyJudge(PolicyJudge&&) noexcept;
  ~PolicyJudge();

  const AdmissionPolicy& policy() const { return policy_; }
  bool is_about(const std::string& api_version, const std::string& kind) const;
  /// Of an object that is created.
  PolicyVerdict judge(const Node& object) const { return judge(object, {}); }
  /// Of one that is updated.
  PolicyVerdict judge(const Node& object, const Node& before) const;

 private:
  struct Compiled;
  const AdmissionPolicy& policy_;
  std::unique_ptr<const Compiled> compiled_;
};

}  // namespace muster::test
