#include "pipeline/put_aside.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/strings.h"
#include "base/version.h"
#include "syntax/cut_text.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 13> kAsideNames{
    "fixtures", "golden",   "archive",   "archived",  "archives",         "attic", "graveyard", "trash",
    "obsolete", "testdata", "test-data", "test_data", "ipynb_checkpoints"};
/// `monitoring-old`: what another folder took the place of.
constexpr std::array<std::string_view, 7> kNameEndings{"-old",     "_old",      "-deprecated", "_deprecated",
                                                       "-archive", "-archived", "-obsolete"};
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
  return std::ranges::find(kAsideNames, name) != kAsideNames.end() ||
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

/// Folders that are named by a release, and only by it, among their like: `install/v0.4.0`, `install/v0.5.1-rc0`.
class Releases {
 public:
  explicit Releases(const Inputs& inputs) {
    for (const InputFile& input : inputs.files) {
      const std::string_view file = input.context.path;
      for (std::size_t end = file.find('/'); end != file.npos; end = file.find('/', end + 1)) {
        const std::string_view folder = file.substr(0, end);
        if (const auto release = release_of(folder)) by_parent_[parent_of(folder)].emplace(*release);
      }
    }
  }

  /// Whether a newer one lies beside it, of several: two may be what two clusters run.
  bool is_history(std::string_view folder) const {
    const auto release = release_of(folder);
    if (!release) return false;
    const std::set<Version>& all = by_parent_.at(parent_of(folder));
    return all.size() >= kSeveral && *release < *all.rbegin();
  }

 private:
  static constexpr std::size_t kSeveral = 4;

  static std::string_view parent_of(std::string_view folder) { return folder.substr(0, folder.rfind('/') + 1); }
  static std::optional<Version> release_of(std::string_view folder) {
    const std::string_view name = folder.substr(folder.rfind('/') + 1);
    return contains(name, ".") ? Version::parse(name) : std::nullopt;
  }

  std::map<std::string_view, std::set<Version>> by_parent_;
};

/// The folder that says so, or the file itself unless somebody named it; empty: nothing does.
std::string_view put_aside_by(const InputFile& input, const Inputs& inputs, const Releases& releases) {
  const std::string_view file = input.context.path;
  std::size_t begin = length_of_path(file, inputs);
  for (std::size_t end = file.find('/', begin); end != file.npos; end = file.find('/', begin)) {
    const std::string_view folder = file.substr(begin, end - begin);
    if (keeps_old(folder) || releases.is_history(file.substr(0, end))) return folder;
    begin = end + 1;
  }
  const bool kept = std::ranges::any_of(kEndings, [&](std::string_view ending) { return file.ends_with(ending); });
  return kept && !input.named ? file.substr(begin) : std::string_view();
}

/// A comment on one of the lines behind it that names the field: `# Image is set by the controller`.
bool is_said_to_come(const Finding& finding, const Inputs& inputs) {
  constexpr std::uint32_t kLines = 6;
  if (!finding.where.placed() || finding.field.empty()) return false;
  const SourceFile& file = inputs.sources.file(finding.where.file);
  const std::uint32_t first = file.position(finding.where.begin).line;
  for (std::uint32_t line = first; line < first + kLines && line <= file.line_count(); ++line) {
    const std::string text = to_lower(trim(file.line(line)));
    if (!text.starts_with('#') || !contains(text, to_lower(finding.field.view()))) continue;
    for (const std::string_view word : {"set by", "injected", "filled", "added by", "patched", "replaced"}) {
      if (contains(text, word)) return true;
    }
  }
  return false;
}

/// Folders that a Kustomization of Flux builds with `targetNamespace`, in `path`: subjects that name one of its
/// accounts get that namespace. Source: fluxcd/pkg:kustomize/kustomize_generator.go (0180cac), WriteFile; executed with
/// kustomize 5.8.1.
std::vector<std::string> folders_with_namespace(const Inputs& inputs) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!contains(text, "kustomize.toolkit.fluxcd.io") || !contains(text, "targetNamespace:")) continue;
    for (const TextLine& line : lines_of(text)) {
      std::string_view words = trim(line.text);
      if (!words.starts_with("path:")) continue;
      words = trim(words.substr(5));
      while (words.starts_with("\"") || words.starts_with("'") || words.starts_with("./")) words.remove_prefix(1);
      while (words.starts_with('/')) words.remove_prefix(1);
      while (words.ends_with('"') || words.ends_with('\'') || words.ends_with('/')) words.remove_suffix(1);
      if (!words.empty()) out.push_back("/" + std::string(words) + "/");
    }
  }
  return out;
}

bool is_below_some(std::string_view path, const std::vector<std::string>& folders) {
  const std::string whole = "/" + std::string(path);
  return std::ranges::any_of(folders, [&](const std::string& folder) { return contains(whole, folder); });
}

/// Of what another file should have: nobody keeps that for what he put aside.
bool stands_elsewhere(const Finding& finding) {
  return finding.rule == "flux-source-missing" || finding.rule == "binding-account-unknown";
}

/// Takes out a missing namespace that Flux fills in.
void drop_filled_namespaces(std::vector<Finding>& findings, const Inputs& inputs) {
  const auto lacks = [](const Finding& one) {
    return one.rule == "field-missing" && one.field.view() == "namespace" && one.where.placed();
  };
  if (std::ranges::none_of(findings, lacks)) return;
  const std::vector<std::string> folders = folders_with_namespace(inputs);
  std::erase_if(findings, [&](const Finding& one) {
    return lacks(one) && is_below_some(inputs.sources.file(one.where.file).path(), folders);
  });
}

}  // namespace

void soften_put_aside(std::vector<Finding>& findings, const Inputs& inputs) {
  std::erase_if(findings,
                [&](const Finding& one) { return one.rule == "field-missing" && is_said_to_come(one, inputs); });
  drop_filled_namespaces(findings, inputs);
  if (findings.empty()) return;
  const Releases releases(inputs);
  std::map<FileId, std::string_view> aside;
  const auto by_what = [&](const Finding& finding) {
    const FileId file = finding.where.file;
    const auto [known, fresh] = aside.try_emplace(file);
    if (fresh && static_cast<std::size_t>(file) < inputs.files.size())
      known->second = put_aside_by(inputs.files[static_cast<std::size_t>(file)], inputs, releases);
    return known->second;
  };
  std::erase_if(findings, [&](const Finding& finding) {
    if (finding.severity != Severity::Info && !stands_elsewhere(finding)) return false;
    const auto file = static_cast<std::size_t>(finding.where.file);
    return !by_what(finding).empty() && !inputs.files[file].named;
  });
  for (Finding& finding : findings) {
    const std::string_view by = by_what(finding);
    if (by.empty()) continue;
    finding.severity = Severity::Info;
    const bool is_file = std::ranges::any_of(kEndings, [&](std::string_view ending) { return by.ends_with(ending); });
    finding.assumes.push_back("nobody runs what `" + std::string(by) + "` keeps: give that " +
                              (is_file ? "file" : "folder") + " as PATH where somebody does");
    std::ranges::sort(finding.assumes);
  }
}

}  // namespace muster
