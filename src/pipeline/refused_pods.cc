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

/// Whether a text other than the manifest of a namespace gives some namespace its level: a command, Terraform,
/// `managedNamespaceMetadata` of Argo CD.
bool says_level(std::string_view path, std::string_view text) {
  if (find_part(text, kLabel) == text.npos) return false;
  const bool manifest = path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json");
  if (manifest && contains(text, "managedNamespaceMetadata")) return true;
  if (!manifest && !path.ends_with(".md")) return true;
  for (std::size_t at = find_part(text, kLabel); at != text.npos; at = find_part(text, kLabel, at + kLabel.size())) {
    const std::string_view behind = text.substr(at + kLabel.size());
    if (behind.starts_with('=') || (behind.starts_with('-') && !behind.starts_with("-version"))) return true;
  }
  return false;
}

/// Namespaces that the input makes or labels by other means than a manifest.
class OtherSpaces {
 public:
  explicit OtherSpaces(const Inputs& inputs) : inputs_(inputs) {
    constexpr std::array<std::string_view, 5> kMakers{"create namespace ", "create ns ", "--create-namespace",
                                                      "CreateNamespace=true", "\"kubernetes_namespace"};
    for (std::size_t i = 0; i < inputs.files.size(); ++i) {
      const std::string_view path = inputs.files[i].context.path;
      if (says_level(path, text(i))) told_ = true;
      if (!path.ends_with(".md") &&
          std::ranges::any_of(kMakers, [&](std::string_view word) { return contains(text(i), word); }))
        makers_.push_back(i);
    }
  }

  /// Whether the level of one in another folder is not certain for that reason. True as well once too many are asked.
  bool may_have(std::string_view name) {
    constexpr std::size_t kMostAsked = 50;
    const auto [known, fresh] = made_.try_emplace(name);
    if (fresh)
      known->second = told_ || made_.size() > kMostAsked ||
                      std::ranges::any_of(makers_, [&](std::size_t i) { return contains(text(i), name); });
    return known->second;
  }

  /// Whether a namespace of the file `space` need not be the one of pods in `pods`.
  bool is_uncertain(FileId space, FileId pods, std::string_view name) {
    return folder_of(path_of(space)) != folder_of(path_of(pods)) && (may_have(name) || are_apart(space, pods));
  }

  /// Whether two files are of different clusters: `clusters/prod/a.yaml` and `clusters/dev/b.yaml`.
  bool are_apart(FileId one, FileId other) const {
    constexpr std::array<std::string_view, 9> kStages{"dev", "development", "lab",     "prod", "production",
                                                      "qa",  "stage",       "staging", "test"};
    constexpr std::array<std::string_view, 8> kAbove{"cluster", "env",  "fleet", "overlay",
                                                     "region",  "site", "stage", "tenant"};
    const std::vector<std::string_view> a = split(path_of(one), '/');
    const std::vector<std::string_view> b = split(path_of(other), '/');
    std::size_t at = 0;
    while (at + 1 < a.size() && at + 1 < b.size() && a[at] == b[at]) ++at;
    if (at + 1 >= a.size() || at + 1 >= b.size()) return false;  // one lies in a folder above the other
    const auto is_stage = [&](std::string_view word) { return std::ranges::find(kStages, word) != kStages.end(); };
    if (is_stage(a[at]) && is_stage(b[at])) return true;
    return at > 0 && std::ranges::any_of(kAbove, [&](std::string_view word) { return a[at - 1].starts_with(word); });
  }

 private:
  std::string_view text(std::size_t i) const { return inputs_.sources.file(static_cast<FileId>(i)).text(); }
  std::string_view path_of(FileId file) const {
    const auto i = static_cast<std::size_t>(file);
    return i < inputs_.files.size() ? std::string_view(inputs_.files[i].context.path) : std::string_view();
  }

  const Inputs& inputs_;
  std::vector<std::size_t> makers_;  ///< files that make some namespace
  std::map<std::string_view, bool> made_;
  bool told_ = false;
};

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
  OtherSpaces others(inputs);
  for (const Manifest& one : model.manifests) {
    // Those of Kubernetes itself with accelerators are in both.
    if (one.def != makers && (one.def != pods || is_built_in(one))) continue;
    auto found = spaces.find({one.bundle, one.space});
    const bool own = found != spaces.end();
    if (!own) found = spaces.find({kAnyBundle, one.space});
    if (found == spaces.end() || (!own && others.may_have(one.space.view()))) continue;
    const Enforced& enforced = found->second;
    const PodSecurity& security = one.security;
    const bool host = security.baseline != 0;
    if (host && enforced.elsewhere) continue;  // not certain
    if (!host && (security.restricted == 0 || enforced.level != "restricted" || filled)) continue;
    const Span& at = host ? security.baseline_at : security.restricted_at;
    if (enforced.where.placed() && at.placed() && others.is_uncertain(enforced.where.file, at.file, one.space.view()))
      continue;
    findings.push_back(problem(host ? "pod-security-host-access" : "pod-security-fields-missing", at,
                               "namespace `" + std::string(one.space.view()) + "` enforces `" +
                                   std::string(enforced.level) + "`, which refuses the pods of " + shown(one) + ": " +
                                   kPodSecurityReasons[host ? security.baseline : security.restricted]));
    findings.back().related.push_back({enforced.where, "what the namespace enforces"});
  }
}

}  // namespace muster
