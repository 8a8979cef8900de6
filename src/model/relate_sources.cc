// What Flux fetches and applies, and what names it.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "base/strings.h"
#include "model/model.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 4> kFluxSources{"Bucket", "GitRepository", "HelmRepository", "OCIRepository"};

struct FluxSources {
  std::set<std::string_view> names;
  std::set<std::string_view> spaces;  ///< of those beside
  bool open = false;                  ///< somebody fills a name in
};

bool is_flux_source(std::string_view kind) { return std::ranges::find(kFluxSources, kind) != kFluxSources.end(); }

/// Not what is filled in later. Source: RFC 1123, DNS names.
bool is_written_out(std::string_view name) {
  return std::ranges::all_of(name,
                             [](char c) { return c == '-' || c == '.' || is_digit(c) || (c >= 'a' && c <= 'z'); });
}

/// A namespace that a Kustomization fills in stands nowhere.
bool may_be_in(const FluxSources& all, std::string_view space) {
  return space.empty() || all.spaces.contains("") || all.spaces.contains(space);
}

/// Kustomizations or HelmReleases, and what they wait for.
struct Waiting {
  FluxSources all;
  std::map<std::string_view, std::set<std::string_view>> spaces;  // by name
  std::map<std::string_view, std::vector<Manifest*>> by_dependency;
};

const WrittenValue* dependency_name(const Manifest& one, std::string_view name) {
  for (const WrittenValue& other : one.part("depends_on").items()) {
    if (other.text_of("name") == name) return other.find("name");
  }
  return nullptr;
}

/// What nobody of the input is, where most of what others wait for is in it: a part of a repository has few of them.
void find_lost_dependencies(const Waiting& waiting) {
  const auto& all = waiting.all.names;
  const auto there =
      std::ranges::count_if(waiting.by_dependency, [&](const auto& one) { return all.contains(one.first); });
  if (waiting.all.open || 2 * there < std::ssize(waiting.by_dependency)) return;
  for (const auto& [name, users] : waiting.by_dependency) {
    if (all.contains(name)) continue;
    for (Manifest* user : users) {
      const WrittenValue* at = dependency_name(*user, name);
      if (!user->remarks->unmet.is_set()) user->remarks.own().unmet = set_to(std::string(name), at->where, "dependsOn");
    }
  }
}

/// What is waited for in one namespace and is in another alone. Source: fluxcd/kustomize-controller:
/// api/v1/kustomization_types.go (1.7), DependsOn: without a namespace it is that of the object.
void find_dependencies_elsewhere(Manifest& one, const Waiting& waiting) {
  if (waiting.all.open) return;
  for (const WrittenValue& other : one.part("depends_on").items()) {
    const WrittenValue* name = other.find("name");
    const WrittenValue* said = other.find("namespace");
    if (name == nullptr || !name->is_text() || (said != nullptr && !said->is_text())) continue;
    const std::string_view space = said == nullptr ? std::string_view(one.space) : said->text();
    const auto found = waiting.spaces.find(name->text());
    if (found == waiting.spaces.end() || space.empty() || !is_written_out(space)) continue;
    const std::set<std::string_view>& there = found->second;
    if (there.contains(space) ||
        !std::ranges::all_of(there, [](std::string_view each) { return !each.empty() && is_written_out(each); }))
      continue;
    one.remarks.own().unmet_here =
        set_to("`" + std::string(name->text()) + "` in namespace `" + std::string(space) + "`, and that is in `" +
                   std::string(*there.begin()) + "`" + (there.size() > 1 ? " and others" : ""),
               name->where, "dependsOn");
    return;
  }
}

void relate_dependencies(Model& model) {
  const ManifestDef* flux = &manifest_def("flux_objects");
  std::map<std::string_view, Waiting> by_kind;
  for (Manifest& one : model.manifests) {
    if (one.def != flux || (one.kind != "Kustomization" && one.kind != "HelmRelease")) continue;
    Waiting& waiting = by_kind[one.kind];
    waiting.all.open = waiting.all.open || !is_written_out(one.name.value);
    waiting.all.names.insert(one.name.value);
    waiting.spaces[one.name.value].insert(one.space);
    for (const WrittenValue& other : one.part("depends_on").items()) {
      const WrittenValue* name = other.find("name");
      if (name != nullptr && name->is_text() && is_written_out(name->text()))
        waiting.by_dependency[name->text()].push_back(&one);
    }
  }
  for (const auto& [kind, waiting] : by_kind) find_lost_dependencies(waiting);
  for (Manifest& one : model.manifests) {
    const auto waiting = one.def == flux ? by_kind.find(one.kind) : by_kind.end();
    if (waiting != by_kind.end()) find_dependencies_elsewhere(one, waiting->second);
  }
}

}  // namespace

/// Source: fluxcd/helm-controller:api/v2/reference_types.go, CrossNamespaceObjectReference.
void relate_sources(Model& model) {
  relate_dependencies(model);
  const ManifestDef* flux = &manifest_def("flux_objects");
  std::map<std::string_view, FluxSources> by_kind;  // of all of the input
  for (const Manifest& one : model.manifests) {
    if (one.def != flux || !is_flux_source(one.kind)) continue;
    FluxSources& all = by_kind[one.kind];
    all.open = all.open || !is_written_out(one.name.value) || !is_written_out(one.space);
    all.names.insert(one.name.value);
    all.spaces.insert(one.space);
  }
  if (by_kind.empty()) return;
  for (Manifest& one : model.manifests) {
    if (one.def != flux) continue;
    const WrittenValue& source = one.part("source");
    const WrittenValue* name = source.find("name");
    const auto found = by_kind.find(source.text_of("kind"));
    if (name == nullptr || !name->is_text() || found == by_kind.end()) continue;
    if (name->text().empty() || !is_written_out(name->text())) continue;
    const bool by_bootstrap = name->text() == "flux-system";
    const bool known = found->second.open || found->second.names.contains(name->text()) || by_bootstrap;
    const WrittenValue* space = source.find("namespace");
    if (known || !may_be_in(found->second, space == nullptr ? std::string_view(one.space) : space->text())) continue;
    one.remarks.own().dangling = set_to(std::string(name->text()), name->where, "name");
  }
}

}  // namespace muster
