#include "kubernetes/check_workflow_claims.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "gang/pod_template.h"
#include "model/storage_class.h"

namespace muster {
namespace {

constexpr std::size_t kMostWorkflowItems = 1000;

void each_in_workflow(const Node& list, const auto& take) {
  for (std::size_t i = 0; list.is_sequence() && i < std::min(list.size(), kMostWorkflowItems); ++i) take(list.item(i));
}

/// Claims that the workflow makes, which one node at a time mounts, by name. Folders of a node and shared file systems
/// are left out, whatever mode they are asked for.
std::map<std::string_view, Node> claims_of_one_node(const Node& claims) {
  std::map<std::string_view, Node> out;
  each_in_workflow(claims, [&](const Node& claim) {
    const Node modes = claim["spec"]["accessModes"];
    bool one = modes.is_sequence() && modes.size() > 0;
    each_in_workflow(modes, [&](const Node& mode) { one = one && mode.text() == "ReadWriteOnce"; });
    const std::string_view storage_class = claim["spec"]["storageClassName"].text();
    one = one && !is_folder_or_share(storage_class) && !contains(storage_class, "{");
    if (one) out.emplace(claim["metadata"]["name"].text(), modes);
  });
  return out;
}

bool step_asks_for_devices(const Node& container) {
  for (const std::string_view list : {"limits", "requests"}) {
    const Node resources = container["resources"][list];
    for (std::size_t i = 0; resources.is_mapping() && i < resources.size(); ++i) {
      if (is_accelerator(resources.key(i).text()) && resources.value(i).text() != "0") return true;
    }
  }
  return false;
}

/// Whether nothing keeps pods of the template from running beside each other, wherever there is room.
bool runs_beside_itself(const Node& step_template) {
  return !step_template["synchronization"].exists() && !step_template["affinity"].exists() &&
         !step_template["nodeSelector"]["kubernetes.io/hostname"].exists();
}

bool is_fanned_out(const Node& step) {
  const Node items = step["withItems"];
  return (items.is_sequence() && items.size() > 1) || step["withParam"].exists() || step["withSequence"].exists();
}

class WorkflowClaims {
 public:
  explicit WorkflowClaims(const Node& spec) : claims_(claims_of_one_node(spec["volumeClaimTemplates"])) {
    if (claims_.empty() || !runs_beside_itself(spec) || spec["templateDefaults"].exists()) return;
    each_in_workflow(spec["templates"], [&](const Node& one) {
      const Node container = one["container"].exists() ? one["container"] : one["script"];
      if (!step_asks_for_devices(container) || !runs_beside_itself(one)) return;
      each_in_workflow(container["volumeMounts"], [&](const Node& mount) {
        const auto claim = claims_.find(mount["name"].text());
        if (claim != claims_.end()) mounting_.emplace(one["name"].text(), *claim);
      });
    });
  }

  void check(const Node& step, std::vector<Finding>& findings) const {
    const auto found = mounting_.find(step["template"].text());
    if (found == mounting_.end() || !is_fanned_out(step)) return;
    const auto& [claim, modes] = found->second;
    findings.push_back(problem("workflow-claim-of-one-node", modes.where(),
                               "steps `" + std::string(step["name"].text()) +
                                   "` run at the same time and share the claim `" + std::string(claim) +
                                   "`, which one node at a time mounts"));
    findings.back().field = "accessModes";
    findings.back().related.push_back({step["template"].where(), "the steps"});
    findings.back().about = About::Whole;
  }

  bool empty() const { return mounting_.empty(); }

 private:
  std::map<std::string_view, Node> claims_;
  std::map<std::string_view, std::pair<std::string_view, Node>> mounting_;  ///< by template: its claim, and the modes
};

}  // namespace

/// Source: argoproj/argo-workflows:docs/fields.md (3.6), volumeClaimTemplates: one claim for all steps.
void check_workflow_claims(const Node& spec, std::vector<Finding>& findings) {
  if (!spec["volumeClaimTemplates"].is_sequence() || spec["parallelism"].text() == "1") return;
  const WorkflowClaims claims(spec);
  if (claims.empty()) return;
  const std::size_t before = findings.size();
  each_in_workflow(spec["templates"], [&](const Node& one) {
    if (one["parallelism"].text() == "1") return;
    each_in_workflow(one["steps"], [&](const Node& group) {
      each_in_workflow(group, [&](const Node& step) {
        if (findings.size() == before) claims.check(step, findings);
      });
    });
    each_in_workflow(one["dag"]["tasks"], [&](const Node& task) {
      if (findings.size() == before) claims.check(task, findings);
    });
  });
}

}  // namespace muster
