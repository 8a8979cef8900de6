// Accounts of Argo's workflows that may not report what became of a step.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

constexpr std::size_t kMostBindings = 100;  // of one account

bool allows_word(const WrittenValue* list, std::string_view word) {
  return list != nullptr && std::ranges::any_of(list->items(), [&](const WrittenValue& one) {
           return one.state == State::Unknown || one.text() == word || one.text() == "*";
         });
}

/// What a role has to do with a workflow's pods.
struct WorkflowGrant {
  bool reports = false;  ///< it may report results, or nobody knows
  bool patches = false;  ///< it may patch pods, as executors did before
};

/// Source: argoproj/argo-workflows:docs/workflow-rbac.md (3.6).
WorkflowGrant grant_of(const Manifest& role) {
  const WrittenValue& rules = role.part("rules");
  WorkflowGrant out;
  out.reports = rules.state != State::Set || rules.items().empty();  // others are put into it
  for (const WrittenValue& rule : rules.items()) {
    if (rule.state == State::Unknown) out.reports = true;
    const WrittenValue* groups = rule.find("apiGroups");
    const WrittenValue* resources = rule.find("resources");
    const WrittenValue* verbs = rule.find("verbs");
    const bool results = allows_word(groups, "argoproj.io") && allows_word(resources, "workflowtaskresults");
    out.reports = out.reports || (results && allows_word(verbs, "create"));
    if (allows_word(groups, "") && allows_word(resources, "pods") && allows_word(verbs, "patch")) out.patches = true;
  }
  return out;
}

using BundleAndName = std::pair<std::string_view, std::string_view>;

class WorkflowRoles {
 public:
  explicit WorkflowRoles(Model& model) : model_(model) {
    for (const Manifest& one : model.manifests) {
      // The chart makes roles for accounts, too.
      if (one.def->collection == "helm_releases" && one.part("chart").text() == "argo-workflows") open_ = true;
      if (one.def == roles_) by_name_[{one.bundle, one.name.value}].push_back(&one);
      if (one.def != bindings_) continue;
      for (const WrittenValue& subject : one.part("subjects").items()) {
        if (subject.text_of("kind") == "ServiceAccount") bound_[{one.bundle, subject.text_of("name")}].push_back(&one);
        const WrittenValue* name = subject.find("name");
        const bool all = subject.text_of("kind") == "Group" && subject.text_of("name").starts_with("system:");
        if (all || subject.state == State::Unknown || (name != nullptr && name->state == State::Unknown))
          unknown_.insert(one.bundle);
      }
    }
  }

  void run() {
    if (open_ || bound_.empty()) return;
    for (Manifest& one : model_.manifests) {
      if (one.def == workflows_) look(one);
    }
  }

 private:
  /// What the role of a binding grants; nobody knows where the input does not have just that one.
  WorkflowGrant granted_by(const Manifest& binding) const {
    const WrittenValue& ref = binding.part("role");
    const auto found = by_name_.find({binding.bundle, ref.text_of("name")});
    const bool one = found != by_name_.end() && found->second.size() == 1;
    if (!one || found->second.front()->kind.view() != ref.text_of("kind")) return {true, false};
    return grant_of(*found->second.front());
  }

  void look(Manifest& workflow) const {
    // Source: argoproj/argo-workflows:pkg/apis/workflow/v1alpha1/workflow_types.go, ExecutorConfig (3.6).
    const WrittenValue& executor = workflow.part("executor_account");
    const WrittenValue& account = executor.state == State::Absent ? workflow.part("service_account") : executor;
    if (!account.is_text()) return;
    const auto found = bound_.find({workflow.bundle, account.text()});
    if (found == bound_.end() || found->second.size() > kMostBindings || unknown_.contains(workflow.bundle)) return;
    const Manifest* patching = nullptr;
    for (const Manifest* binding : found->second) {
      const bool elsewhere = binding->kind == "RoleBinding" && !workflow.space.empty() && !binding->space.empty() &&
                             binding->space != workflow.space;
      const WorkflowGrant grant = granted_by(*binding);
      if (grant.reports) return;
      if (grant.patches && !elsewhere) patching = binding;
    }
    if (patching == nullptr) return;
    workflow.remarks.own().silent_role = set_to(std::string(patching->part("role").text_of("kind")) + " `" +
                                                    std::string(patching->part("role").text_of("name")) + "`",
                                                account.where, "serviceAccountName");
  }

  Model& model_;
  const ManifestDef* roles_ = &manifest_def("kubernetes_roles");
  const ManifestDef* bindings_ = &manifest_def("role_bindings");
  const ManifestDef* workflows_ = &manifest_def("argo_workflows");
  std::map<BundleAndName, std::vector<const Manifest*>> by_name_;  // roles
  std::map<BundleAndName, std::vector<const Manifest*>> bound_;    // bindings, by account
  std::set<std::string_view> unknown_;  // bundles where somebody fills an account in, or all get a role
  bool open_ = false;
};

}  // namespace

void relate_workflow_roles(Model& model) { WorkflowRoles(model).run(); }

}  // namespace muster
