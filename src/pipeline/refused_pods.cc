#include "pipeline/refused_pods.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/strings.h"
#include "source/span.h"

namespace muster {
namespace {

constexpr std::string_view kLabel = "pod-security.kubernetes.io/enforce";

/// Stands for all bundles: no folder is called so.
constexpr std::string_view kAnyBundle = "*";

/// A namespace as its bundle writes it; overlays may each write it.
struct Enforced {
  std::string_view level;
  Span where;
  bool agreed = true;
  bool elsewhere = false;  ///< another bundle than that of the pods writes it, and all that do say the same
};
using Spaces = std::map<std::pair<std::string_view, std::string_view>, Enforced>;  // by bundle and name

/// Whether a command gives some namespace its level.
bool is_said_by_command(const Inputs& inputs) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (contains(inputs.sources.file(static_cast<FileId>(i)).text(), "pod-security.kubernetes.io/enforce="))
      return true;
  }
  return false;
}

Spaces enforcing(const Model& model) {
  const ManifestDef* spaces = &manifest_def("kubernetes_namespaces");
  Spaces out;
  for (const Manifest& one : model.manifests) {
    if (one.def != spaces) continue;
    const WrittenValue* label = one.part("labels").find(kLabel);
    const bool known = label != nullptr && label->state == State::Set;
    const std::string_view level = known ? label->text() : std::string_view();
    const auto [at, fresh] =
        out.try_emplace({one.bundle, one.name.value}, Enforced{level, known ? label->where : Span{}});
    at->second.agreed = at->second.agreed && (fresh || at->second.level == level);
    const auto [all, first] = out.try_emplace({kAnyBundle, one.name.value}, at->second);
    all->second.elsewhere = true;
    all->second.agreed = all->second.agreed && all->second.level == level;
  }
  std::erase_if(out, [](const auto& one) {
    return !one.second.agreed || (one.second.level != "baseline" && one.second.level != "restricted");
  });
  return out;
}

/// OpenShift's constraints fill in what a pod does not say, and so may other webhooks and policies.
bool fills_in(const Inputs& inputs) {
  constexpr std::array<std::string_view, 5> kFillers{"openshift.io/", "MutatingWebhookConfiguration",
                                                     "MutatingAdmissionPolicy", "mutateExistingOnPolicyUpdate",
                                                     "patchStrategicMerge"};
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (std::ranges::any_of(kFillers, [&](std::string_view word) { return contains(text, word); })) return true;
  }
  return false;
}

bool is_built_in(const Manifest& one) {
  return one.group.view().empty() || one.group.view() == "apps" || one.group.view() == "batch";
}

/// A Job with generateName alone has no name.
std::string shown(const Manifest& one) {
  return one.name.value.empty() ? "this " + std::string(one.kind.view()) : "`" + one.name.value + "`";
}

}  // namespace

void find_refused_pods(const Inputs& inputs, const Model& model, std::vector<Finding>& findings) {
  const Spaces spaces = enforcing(model);
  if (spaces.empty()) return;
  const ManifestDef* makers = &manifest_def("pod_makers");
  const ManifestDef* pods = &manifest_def("pods");
  const bool filled = fills_in(inputs);
  const bool told = is_said_by_command(inputs);
  for (const Manifest& one : model.manifests) {
    // Those of Kubernetes itself with accelerators are in both.
    if (one.def != makers && (one.def != pods || is_built_in(one))) continue;
    auto found = spaces.find({one.bundle, one.space});
    if (found == spaces.end() && !told) found = spaces.find({kAnyBundle, one.space});
    if (found == spaces.end()) continue;
    const Enforced& enforced = found->second;
    const PodSecurity& security = one.security;
    const bool host = security.baseline != 0;
    if (host && enforced.elsewhere) continue;  // not certain
    if (!host && (security.restricted == 0 || enforced.level != "restricted" || filled)) continue;
    findings.push_back(problem(host ? "pod-security-host-access" : "pod-security-fields-missing",
                               host ? security.baseline_at : security.restricted_at,
                               "namespace `" + std::string(one.space.view()) + "` enforces `" +
                                   std::string(enforced.level) + "`, which refuses the pods of " + shown(one) + ": " +
                                   kPodSecurityReasons[host ? security.baseline : security.restricted]));
    findings.back().related.push_back({enforced.where, "what the namespace enforces"});
  }
}

}  // namespace muster
