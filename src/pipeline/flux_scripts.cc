#include "pipeline/flux_scripts.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "model/named_folders.h"
#include "syntax/shell_reader.h"

namespace muster {
namespace {

constexpr std::string_view kFluxSubstitute = "kustomize.toolkit.fluxcd.io/substitute";

/// The name of a variable that the text begins with; empty: it begins with none.
std::string_view shell_name_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_word_char(text[end])) ++end;
  return is_shell_name(text.substr(0, end)) ? text.substr(0, end) : std::string_view();
}

/// Names that a script sets itself: `NAME=...`, `export NAME=...`, `for NAME in ...`. Not `NAME=${NAME}`, which asks
/// for it to be filled in.
std::set<std::string_view> set_by_script(std::string_view script) {
  std::set<std::string_view> out;
  std::set<std::string_view> asked;
  for (std::string_view line : split(script, '\n')) {
    line = trim(line);
    const bool loop = line.starts_with("for ");
    for (const std::string_view word : {"export ", "local ", "readonly ", "declare ", "for "}) {
      if (line.starts_with(word)) line = trim(line.substr(word.size()));
    }
    const std::string_view name = shell_name_at(line);
    const std::string_view rest = line.substr(name.size());
    if (name.empty() || !(loop ? rest.starts_with(" in ") : rest.starts_with("="))) continue;
    if (contains(rest, "${" + std::string(name))) asked.insert(name);
    out.insert(name);
  }
  for (const std::string_view name : asked) out.erase(name);
  return out;
}

/// A `${NAME}` that Flux fills in: not `$${NAME}`, and not `$NAME`. Source:
/// fluxcd/kustomize-controller:docs/spec/v1/kustomizations.md, Post build variable substitution (1.9).
std::string_view emptied_variable(std::string_view script, const WrittenValue* substitutes) {
  const std::set<std::string_view> own = set_by_script(script);
  if (own.empty()) return {};
  for (std::size_t at = script.find("${"); at != script.npos; at = script.find("${", at + 2)) {
    if (at > 0 && script[at - 1] == '$') continue;
    const std::string_view name = shell_name_at(script.substr(at + 2));
    const bool plain = at + 2 + name.size() < script.size() && script[at + 2 + name.size()] == '}';
    if (plain && own.contains(name) && (substitutes == nullptr || substitutes->find(name) == nullptr)) return name;
  }
  return {};
}

/// Whether there is some variable to fill in: without any, Flux fills in nothing, unless it is told to always do so.
bool may_fill_in(const WrittenValue& post_build) {
  if (post_build.text_of("substituteStrategy") == "Always") return true;
  for (const std::string_view list : {"substitute", "substituteFrom"}) {
    const WrittenValue* found = post_build.find(list);
    if (found != nullptr && found->state == State::Set && !found->items().empty()) return true;
  }
  return false;
}

/// Whether it says `disabled` itself, or somebody fills in what it says.
bool is_substituted_never(const Manifest& map) {
  for (const std::string_view marks : {"annotations", "labels"}) {
    const WrittenValue& all = map.part(marks);
    const WrittenValue* mark = all.find(kFluxSubstitute);
    if (all.state == State::Unknown) return true;
    if (mark != nullptr && (mark->state != State::Set || mark->text() == "disabled")) return true;
  }
  return false;
}

/// Whether patches of the Kustomization may say so of what it builds.
bool patches_marks(const Manifest& kustomization) {
  const WrittenValue& patches = kustomization.part("patches");
  return patches.state == State::Unknown || std::ranges::any_of(patches.items(), [](const WrittenValue& one) {
           return one.state == State::Unknown || contains(one.text_of("patch"), kFluxSubstitute);
         });
}

/// Kustomizations that fill something in, of the repository that the input is: of the one source that all of them name,
/// or of the one that `flux bootstrap` makes of the repository that it writes itself into.
NamedFolders folders_filled_in(const Model& model) {
  const ManifestDef* flux = &manifest_def("flux_objects");
  std::set<std::pair<std::string_view, std::string_view>> sources;  // kind and name
  std::vector<const Manifest*> filling;
  for (const Manifest& one : model.manifests) {
    if (one.def != flux || one.kind != "Kustomization" || !one.part("path").is_text()) continue;
    sources.emplace(one.part("source").text_of("kind"), one.part("source").text_of("name"));
    if (may_fill_in(one.part("post_build")) && !patches_marks(one)) filling.push_back(&one);
  }
  NamedFolders out(model.unlisted_files);
  for (const Manifest* one : filling) {
    if (sources.size() == 1 || one->part("source").text_of("name") == "flux-system") out.add(one->part("path"), *one);
  }
  return out;
}

}  // namespace

void find_emptied_variables(const Model& model, std::vector<Finding>& findings) {
  const ManifestDef* maps = &manifest_def("script_maps");
  const NamedFolders folders = folders_filled_in(model);
  if (folders.empty()) return;
  std::set<Span> said;  // several kustomizations may build a file
  for (const Manifest& map : model.manifests) {
    if (map.def != maps || is_substituted_never(map)) continue;
    const std::vector<const Manifest*> users = folders.users_of(map);
    const WrittenValue& data = map.part("data");
    for (std::size_t i = 0; i < data.keys().size(); ++i) {
      const WrittenValue& script = data.items()[i];
      if (!script.is_text() || !script.text().starts_with("#!")) continue;
      for (const Manifest* user : users) {
        const std::string_view name = emptied_variable(script.text(), user->part("post_build").find("substitute"));
        if (name.empty() || !said.insert(script.where).second) continue;
        findings.push_back(problem("flux-empties-script-variable", script.where,
                                   "Kustomization `" + user->name.value + "` of Flux fills in `${" + std::string(name) +
                                       "}` of the script `" + std::string(data.keys()[i]) + "`, which sets it itself"));
        findings.back().field = "data";
        findings.back().about = About::Whole;
      }
    }
  }
}

}  // namespace muster
