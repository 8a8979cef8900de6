#include "pipeline/empty_files.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

bool may_be_empty(std::string_view name) {
  constexpr std::array<std::string_view, 4> kWords{"values", "kustomization", "Chart", "placeholder"};
  return name.starts_with('.') ||
         std::ranges::any_of(kWords, [&](std::string_view word) { return contains(name, word); });
}

/// A comment or two where the object should be: `# the Service in front of it`. More of them are an object that is put
/// aside, and these words say why there is none.
bool is_stub(std::string_view text) {
  constexpr std::size_t kMostLines = 2;
  constexpr std::array<std::string_view, 18> kMeant{
      "option", "intention", "disabled", "moved", "removed", "deprecated", "placeholder", "not needed", "no longer",
      "unused", "managed",   "supplied", "see ",  "empty",   "kept",       "default",     "allow",      "kind:"};
  if (!trim(text).starts_with('#')) return false;
  std::size_t lines = 0;
  for (std::string_view line : split(text, '\n')) {
    line = trim(line);
    if (line.empty()) continue;
    if (!line.starts_with('#') || ++lines > kMostLines) return false;
  }
  return lines > 0 &&
         std::ranges::none_of(kMeant, [&](std::string_view word) { return contains_ignoring_case(text, word); });
}

bool is_within(std::string_view folder, std::string_view top) {
  return top.empty() || folder == top || (folder.starts_with(top) && folder[top.size()] == '/');
}

bool has_manifest(std::string_view text) { return contains(text, "apiVersion:") && contains(text, "kind:"); }

}  // namespace

void find_empty_files(const Inputs& inputs, std::vector<Finding>& findings) {
  std::vector<std::size_t> empty;
  std::set<std::string_view> folders;
  std::set<std::string_view> charts;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const FileContext& context = inputs.files[i].context;
    const std::string_view name = last_part(context.path);
    if (name == "Chart.yaml") charts.insert(context.folder);
    const bool yaml = name.ends_with(".yaml") || name.ends_with(".yml");
    if (!yaml || inputs.files[i].reading != Reading::Whole || may_be_empty(name)) continue;
    const std::string_view text = inputs.sources.file(static_cast<FileId>(i)).text();
    if (!trim(text).empty() && (!is_stub(text) || contains(name, "patch") || name.starts_with("main."))) continue;
    empty.push_back(i);
    folders.insert(context.folder);
  }
  if (empty.empty()) return;
  std::set<std::string_view> with_manifests;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view folder = inputs.files[i].context.folder;
    if (folders.contains(folder) && !with_manifests.contains(folder) &&
        has_manifest(inputs.sources.file(static_cast<FileId>(i)).text()))
      with_manifests.insert(folder);
  }
  for (const std::size_t i : empty) {
    const FileContext& context = inputs.files[i].context;
    const bool in_chart =
        std::ranges::any_of(charts, [&](std::string_view chart) { return is_within(context.folder, chart); });
    if (!with_manifests.contains(context.folder) || in_chart) continue;
    const bool bare = trim(inputs.sources.file(static_cast<FileId>(i)).text()).empty();
    findings.push_back(
        problem("manifest-empty", Span{static_cast<FileId>(i), 0, 0},
                "`" + std::string(last_part(context.path)) + "` " + (bare ? "is empty" : "has nothing but a comment")));
  }
}

}  // namespace muster
