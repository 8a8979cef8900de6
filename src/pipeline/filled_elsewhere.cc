#include "pipeline/filled_elsewhere.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "gang/coupling.h"
#include "kinds/language.h"
#include "pipeline/guide_lines.h"
#include "pipeline/input_names.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

/// Whether another file than `own` fills in `mark`, which is `$(NAME)`.
bool is_filled(const Inputs& inputs, InputNames& names, FileId own, std::string_view mark) {
  const std::string_view folder = folder_of(inputs.files[static_cast<std::size_t>(own)].context.path);
  const std::string set = "name: " + std::string(mark.substr(2, mark.size() - 3)) + "\n";
  const auto sets = [&](std::string_view text) {
    for (std::size_t at = text.find(set); at != text.npos; at = text.find(set, at + 1)) {
      if (trim(text.substr(at + set.size())).starts_with("value")) return true;  // a variable, no object of that name
    }
    return false;
  };
  return names.of_some_text([&](std::size_t i, std::string_view text) {
    const std::string_view path = inputs.files[i].context.path;
    if (i == static_cast<std::size_t>(own)) return false;
    if (is_yaml_file(path)) return folder_of(path) == folder && sets(text);
    return !is_recipe_file(path) &&  // it has such variables itself
           language_of(path) != Language::Prose && contains(text, mark);
  });
}

void drop_filled_variables(const Inputs& inputs, std::vector<Finding>& findings) {
  std::optional<InputNames> names;
  std::erase_if(findings, [&](const Finding& finding) {
    if (finding.rule != "container-variable-unset" ||
        static_cast<std::size_t>(finding.where.file) >= inputs.files.size())
      return false;
    if (!names) names.emplace(inputs);
    const std::string_view text = inputs.sources.text_of(finding.where);
    for (std::size_t at = text.find("$("); at != text.npos; at = text.find("$(", at + 2)) {
      const std::size_t end = text.find(')', at);
      if (end != text.npos && is_filled(inputs, *names, finding.where.file, text.substr(at, end + 1 - at))) return true;
    }
    return false;
  });
}

/// What Flux waits for and somebody else makes, and the Service of a set: another text than those that ask for it has
/// the name.
void drop_told_dependencies(const Inputs& inputs, std::vector<Finding>& findings) {
  std::optional<InputNames> names;
  std::erase_if(findings, [&](const Finding& finding) {
    const bool of_set = finding.rule == "stateful-set-service-missing";
    const std::string_view asks = of_set ? "serviceName:" : "dependsOn:";
    if ((finding.rule != "flux-dependency-missing" && !of_set) || !finding.where.placed()) return false;
    if (!names) names.emplace(inputs);
    std::string name(inputs.sources.text_of(finding.where));
    std::erase_if(name, [](char c) { return c == '"' || c == '\''; });
    return (of_set && is_screaming(name)) || names->of_some_text([&](std::size_t, std::string_view text) {
      return !contains(text, asks) && find_word(text, name) != text.npos;
    });
  });
}

/// A required field that many files of one kind lack comes from what completes them all, be it a patch for a cluster.
void join_missing_fields(std::vector<Finding>& findings) {
  constexpr std::size_t kMany = 6;  // fewer may be copies of one slip
  std::map<std::string, std::set<FileId>> files;
  const auto lacks = [](const Finding& one) { return one.rule == "custom-field-missing" && one.where.placed(); };
  for (const Finding& one : findings) {
    if (lacks(one)) files[std::string(one.message)].insert(one.where.file);
  }
  std::set<std::string> said;
  std::erase_if(findings, [&](Finding& one) {
    const std::string message(one.message);
    if (!lacks(one) || files[message].size() < kMany) return false;
    if (!said.insert(message).second) return true;
    one.severity = Severity::Info;
    one.message = message + ", and so do those of " + std::to_string(files[message].size() - 1) +
                  " other files: something may complete them";
    return false;
  });
}

/// The image of a container with devices is spoken of there.
void drop_images_of_containers(std::vector<Finding>& findings) {
  const auto place_of = [](const Finding& one) { return std::pair(one.where.file, one.where.end); };
  std::set<std::pair<FileId, std::uint32_t>> said;
  for (const Finding& one : findings) {
    if (one.rule != "container-image-tag-gone" || !one.where.placed()) continue;
    said.insert(place_of(one));
    said.insert({one.where.file, one.where.end - 1});  // in quotes
  }
  if (said.empty()) return;
  std::erase_if(findings, [&](const Finding& one) {
    return one.rule == "cuda-image-tag-gone" && one.where.placed() && said.contains(place_of(one));
  });
}

}  // namespace

void settle_filled_elsewhere(const Inputs& inputs, std::vector<Finding>& findings) {
  drop_filled_variables(inputs, findings);
  drop_told_dependencies(inputs, findings);
  join_missing_fields(findings);
  drop_images_of_containers(findings);
}

}  // namespace muster
