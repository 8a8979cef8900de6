#include "pipeline/put_aside.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 6> kNames{"archive", "archived", "archives", "attic", "graveyard", "trash"};
// Words for states of what runs, too, unless the folder is hidden or set apart.
constexpr std::array<std::string_view, 7> kApartNames{"old",    "disabled", "unused", "deprecated",
                                                      "backup", "bak",      "off"};

bool keeps_old(std::string_view folder) {
  const bool apart = folder.starts_with('.') || folder.starts_with('_');
  const std::string name = to_lower(folder.substr(apart ? 1 : 0));
  return std::ranges::find(kNames, name) != kNames.end() ||
         (apart && std::ranges::find(kApartNames, name) != kApartNames.end());
}

/// Of the PATHs the longest that the file lies in.
std::size_t length_of_path(std::string_view file, const Inputs& inputs) {
  std::size_t longest = 0;
  for (const std::string& folder : inputs.folders) {
    if (file.starts_with(folder + "/")) longest = std::max(longest, folder.size() + 1);
  }
  return longest;
}

bool is_put_aside(std::string_view file, const Inputs& inputs) {
  const std::vector<std::string_view> parts = split(file.substr(length_of_path(file, inputs)), '/');
  return std::any_of(parts.begin(), parts.end() - 1, keeps_old);
}

}  // namespace

void soften_put_aside(std::vector<Finding>& findings, const Inputs& inputs) {
  std::map<FileId, bool> aside;
  for (Finding& finding : findings) {
    const FileId file = finding.where.file;
    const auto [known, fresh] = aside.try_emplace(file, false);
    if (fresh && static_cast<std::size_t>(file) < inputs.files.size())
      known->second = is_put_aside(inputs.files[static_cast<std::size_t>(file)].context.path, inputs);
    if (known->second) finding.severity = Severity::Info;
  }
}

}  // namespace muster
