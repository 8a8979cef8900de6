// Jobs that delete themselves below a folder that Argo CD keeps as it is.
#include <set>
#include <string_view>

#include "model/model.h"
#include "model/named_folders.h"

namespace muster {
namespace {

/// Source: https://argo-cd.readthedocs.io/en/stable/user-guide/auto_sync/#automatic-self-healing (3.2)
bool heals_itself(const Manifest& application) {
  const WrittenValue* heals = application.part("automated").find("selfHeal");
  const WrittenValue* enabled = application.part("automated").find("enabled");
  const bool off = enabled != nullptr && !(enabled->state == State::Set && enabled->flag);
  const bool said = heals != nullptr && heals->state == State::Set && heals->kind == WrittenValue::Kind::Bool;
  return said && heals->flag && !off;
}

/// What is no part of the state that is kept. Source: argoproj/gitops-engine:pkg/sync/hook/hook.go, IsHook (0.7).
bool is_hook(const Manifest& job) {
  const WrittenValue& marks = job.part("annotations");
  return marks.state == State::Unknown || marks.find("argocd.argoproj.io/hook") != nullptr ||
         marks.find("helm.sh/hook") != nullptr;
}

}  // namespace

void relate_kept_jobs(Model& model) {
  const ManifestDef* releases = &manifest_def("helm_releases");
  const ManifestDef* jobs = &manifest_def("kubernetes_jobs");
  NamedFolders folders(model.unlisted_files);
  std::set<std::string_view> repositories;  // of several one may be another than the input
  for (const Manifest& one : model.manifests) {
    if (one.def != releases || one.kind != "Application" || !one.part("path").is_text()) continue;
    repositories.insert(one.part("repository").text());
    if (heals_itself(one)) folders.add(one.part("path"), one);
  }
  if (folders.empty() || repositories.size() > 1) return;
  for (Manifest& job : model.manifests) {
    const WrittenValue* ttl = job.def == jobs ? &job.part("ttl") : nullptr;
    if (ttl == nullptr || ttl->state != State::Set || ttl->kind != WrittenValue::Kind::Int || is_hook(job)) continue;
    const std::vector<const Manifest*> keepers = folders.users_of(job);
    if (!keepers.empty()) job.remarks.own().kept_by = keepers.front()->name;
  }
}

}  // namespace muster
