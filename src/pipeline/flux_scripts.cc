#include "pipeline/flux_scripts.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "model/named_folders.h"

namespace muster {
namespace {

constexpr std::string_view kFluxSubstitute = "kustomize.toolkit.fluxcd.io/substitute";

bool of_shell_name(char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string_view shell_name_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && of_shell_name(text[end])) ++end;
  return end > 0 && is_digit(text[0]) ? std::string_view() : text.substr(0, end);
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

/// Whether there is some variable to fill in: without any, Flux fills in nothing.
bool has_variables_to_fill(const WrittenValue& post_build) {
  for (const std::string_view list : {"substitute", "substituteFrom"}) {
    const WrittenValue* found = post_build.find(list);
    if (found != nullptr && found->state == State::Set && !found->items().empty()) return true;
  }
  return false;
}

bool is_substituted_never(const Manifest& map) {
  for (const std::string_view marks : {"annotations", "labels"}) {
    const WrittenValue& all = map.part(marks);
    if (all.state == State::Unknown || all.find(kFluxSubstitute) != nullptr) return true;
  }
  return false;
}

}  // namespace

void find_emptied_variables(const Model& model, std::vector<Finding>& findings) {
  const ManifestDef* flux = &manifest_def("flux_objects");
  const ManifestDef* maps = &manifest_def("script_maps");
  NamedFolders folders;
  for (const Manifest& one : model.manifests) {
    const WrittenValue& post_build = one.def == flux ? one.part("post_build") : WrittenValue();
    if (one.kind == "Kustomization" && has_variables_to_fill(post_build)) folders.add(one.part("path"), one);
  }
  std::set<Span> said;  // several kustomizations may build a file
  for (const Manifest& map : model.manifests) {
    if (folders.empty() || map.def != maps || is_substituted_never(map)) continue;
    const std::vector<const Manifest*> users = folders.users_of(map);
    if (users.empty()) continue;
    const WrittenValue& data = map.part("data");
    for (std::size_t i = 0; i < data.keys().size(); ++i) {
      const WrittenValue& script = data.items()[i];
      if (!script.is_text() || !script.text().starts_with("#!")) continue;
      const Manifest& user = *users.front();
      const std::string_view name = emptied_variable(script.text(), user.part("post_build").find("substitute"));
      if (name.empty() || !said.insert(script.where).second) continue;
      findings.push_back(problem("flux-empties-script-variable", script.where,
                                 "Kustomization `" + user.name.value + "` of Flux fills in `${" + std::string(name) +
                                     "}` of the script `" + std::string(data.keys()[i]) + "`, which sets it itself"));
      findings.back().field = "data";
      findings.back().about = About::Whole;
    }
  }
}

}  // namespace muster
