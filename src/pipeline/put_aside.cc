#include "pipeline/put_aside.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 10> kNames{"archive", "archived", "archives", "attic",     "graveyard",
                                                  "trash",   "obsolete", "testdata", "test-data", "test_data"};
/// `monitoring-old`: what another folder took the place of.
constexpr std::array<std::string_view, 6> kNameEndings{"-old",        "_old",      "-deprecated",
                                                       "_deprecated", "-archived", "-obsolete"};
/// Of files that an editor or a patch keeps.
constexpr std::array<std::string_view, 3> kEndings{".orig", ".bak", ".old"};
// Words for states of what runs, too, unless the folder is hidden or set apart.
constexpr std::array<std::string_view, 7> kApartNames{"old",    "disabled", "unused", "deprecated",
                                                      "backup", "bak",      "off"};

/// `slurm-21.08.6`, `slurm-24.05.4-1`: Slurm's own sources, with examples and the configurations of its tests.
bool is_unpacked_slurm(std::string_view folder) {
  constexpr std::string_view kForm = "slurm-##.##.#";
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (i >= folder.size() || (kForm[i] == '#' ? !is_digit(folder[i]) : folder[i] != kForm[i])) return false;
  }
  return folder.find_first_not_of("0123456789.-", kForm.size()) == folder.npos;
}

bool keeps_old(std::string_view folder) {
  if (is_unpacked_slurm(folder)) return true;
  const bool apart = folder.starts_with('.') || folder.starts_with('_');
  const std::string name = to_lower(folder.substr(apart ? 1 : 0));
  if (std::ranges::any_of(kNameEndings, [&](std::string_view ending) { return name.ends_with(ending); })) return true;
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

/// The folder that says so, or the file itself unless somebody named it; empty: nothing does.
std::string_view put_aside_by(const InputFile& input, const Inputs& inputs) {
  const std::string_view file = input.context.path;
  const std::vector<std::string_view> parts = split(file.substr(length_of_path(file, inputs)), '/');
  const auto found = std::find_if(parts.begin(), parts.end() - 1, keeps_old);
  if (found != parts.end() - 1) return *found;
  const bool kept = std::ranges::any_of(kEndings, [&](std::string_view ending) { return file.ends_with(ending); });
  return kept && !input.named ? parts.back() : std::string_view();
}

}  // namespace

void soften_put_aside(std::vector<Finding>& findings, const Inputs& inputs) {
  std::map<FileId, std::string_view> aside;
  for (Finding& finding : findings) {
    const FileId file = finding.where.file;
    const auto [known, fresh] = aside.try_emplace(file);
    if (fresh && static_cast<std::size_t>(file) < inputs.files.size())
      known->second = put_aside_by(inputs.files[static_cast<std::size_t>(file)], inputs);
    if (known->second.empty() || finding.severity == Severity::Info) continue;
    finding.severity = Severity::Info;
    const std::string_view by = known->second;
    const bool is_file = std::ranges::any_of(kEndings, [&](std::string_view ending) { return by.ends_with(ending); });
    finding.assumes.push_back("nobody runs what `" + std::string(by) + "` keeps: give that " +
                              (is_file ? "file" : "folder") + " as PATH where somebody does");
    std::ranges::sort(finding.assumes);
  }
}

}  // namespace muster
