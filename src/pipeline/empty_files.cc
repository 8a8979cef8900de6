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
    if (!trim(inputs.sources.file(static_cast<FileId>(i)).text()).empty()) continue;
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
    findings.push_back(problem("manifest-empty", Span{static_cast<FileId>(i), 0, 0},
                               "`" + std::string(last_part(context.path)) + "` is empty"));
  }
}

}  // namespace muster
