#include "pipeline/unlisted_manifests.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "gang/coupling.h"
#include "kustomize/files.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

constexpr std::size_t kMostLeftOut = 2;   // of one folder: more of them are kept there for a reason
constexpr std::size_t kFewestListed = 2;  // of its own folder, for a kustomization that means to list them

/// What is applied by hand, filled in, decrypted or read by another program first: by its name or that of its folder.
/// Kubebuilder writes roles for people, which nobody has to bind: `queue_editor_role.yaml`.
constexpr std::array<std::string_view, 17> kForOthers{"example", "sample", "test",     "template", "values", "patch",
                                                      "sops",    "demo",   "-old",     "_old",     "bak",    "disabled",
                                                      "backup",  "local/", "local-",   "local.",   "_role."};

bool is_for_others(std::string_view path) {
  const std::string_view name = last_part(path);
  return contains(path, "deprecated/") || contains(path, "archive") || name.starts_with('.') || name.starts_with('_') ||
         !(name.ends_with(".yaml") || name.ends_with(".yml")) || is_named_for(path, kForOthers);
}

bool has_line(std::string_view text, std::string_view begin) {
  return text.starts_with(begin) || contains(text, "\n" + std::string(begin));
}

/// A line that is nothing else, whatever ends it.
bool has_whole_line(std::string_view text, const std::string& line) {
  return has_line(text, line + "\n") || has_line(text, line + "\r");
}

/// An object of some kind, that nobody has to fill in and that is more than a run or a part of another.
bool is_whole_manifest(std::string_view text) {
  if (!has_line(text, "apiVersion:") || !has_line(text, "kind:") || contains(text, "{{")) return false;
  constexpr std::array<const char*, 5> kOthers{"kind: Job", "kind: List", "kind: Workflow", "kind: Pod", "kind: Secret"};
  return !contains(text, "kustomize.config.k8s.io") && !contains(text, "generateName:") &&
         std::ranges::none_of(kOthers, [&](const char* one) { return has_whole_line(text, one); });
}

struct ListingFolder {
  std::size_t kustomization = 0;
  std::size_t listed = 0;
  std::vector<std::size_t> left_out;
};

}  // namespace

void find_unlisted_manifests(const Inputs& inputs, std::vector<Finding>& findings) {
  const auto text_of = [&](std::size_t i) { return inputs.sources.file(static_cast<FileId>(i)).text(); };
  std::map<std::string_view, ListingFolder> folders;
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const FileContext& context = inputs.files[i].context;
    if (kustomize::is_kustomization(context.path) && has_line(text_of(i), "resources:"))
      folders[folder_of(context.path)].kustomization = i;
  }
  if (folders.empty()) return;
  InputNames names(inputs);
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view path = inputs.files[i].context.path;
    const auto found = folders.find(folder_of(path));
    if (found == folders.end() || inputs.files[i].reading != Reading::Whole || !is_whole_manifest(text_of(i))) continue;
    ListingFolder& folder = found->second;
    const std::string_view name = last_part(path);
    if (kustomize::is_kustomization(path)) continue;
    if (find_word(text_of(folder.kustomization), name.substr(0, name.rfind('.'))) != std::string_view::npos) {
      ++folder.listed;
    } else if (!is_for_others(path)) {
      folder.left_out.push_back(i);
    }
  }
  for (const auto& [path, folder] : folders) {
    if (folder.listed < kFewestListed || folder.left_out.size() > kMostLeftOut ||
        folder.listed < folder.left_out.size())
      continue;
    for (const std::size_t i : folder.left_out) {
      const std::string name(last_part(inputs.files[i].context.path));
      if (names.is_said(name, [&](std::size_t file, std::string_view, std::size_t) { return file != i; })) continue;
      const auto end = static_cast<std::uint32_t>(std::min(text_of(i).find('\n'), text_of(i).size()));
      Finding finding = problem("kustomization-leaves-file-out", {static_cast<FileId>(i), 0, end},
                                "the kustomization of this folder lists " + std::to_string(folder.listed) +
                                    " files beside `" + name + "` and not this one, and nothing else names it");
      finding.related.push_back({{static_cast<FileId>(folder.kustomization), 0, 0}, "the kustomization"});
      findings.push_back(std::move(finding));
    }
  }
}

}  // namespace muster
