#include "pipeline/filled_variables.h"

#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "kinds/language.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

bool is_yaml(std::string_view path) { return path.ends_with(".yaml") || path.ends_with(".yml"); }

/// Whether another file than `own` fills in `mark`, which is `$(NAME)`.
bool is_filled(const Inputs& inputs, InputNames& names, FileId own, std::string_view mark) {
  const std::string_view folder = folder_of(inputs.files[static_cast<std::size_t>(own)].context.path);
  const std::string set = "name: " + std::string(mark.substr(2, mark.size() - 3)) + "\n";
  return names.of_some_text([&](std::size_t i, std::string_view text) {
    const std::string_view path = inputs.files[i].context.path;
    if (i == static_cast<std::size_t>(own)) return false;
    if (is_yaml(path)) return folder_of(path) == folder && contains(text, set);
    return language_of(path) != Language::Prose && contains(text, mark);
  });
}

}  // namespace

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

}  // namespace muster
