#include "pipeline/reach.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {
namespace {

bool lies_below(std::string_view path, std::string_view folder) {
  if (folder.empty()) return !path.starts_with('/') && !path.starts_with("..");
  return path.starts_with(folder) && path.substr(folder.size(), 1) == "/";
}

}  // namespace

Reach::Reach(const Inputs& inputs) : inputs_(inputs) {
  for (const std::vector<std::string>* list : {&inputs.ignored, &inputs.excluded, &inputs.too_large, &inputs.foreign}) {
    for (const std::string& path : *list)
      left_out_.insert(path.ends_with('/') ? path.substr(0, path.size() - 1) : path);
  }
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const FileContext& file = inputs.files[i].context;
    if (file.path.ends_with("/.gitignore") || file.path == ".gitignore")
      ignores_.emplace(file.folder, IgnorePatterns(inputs.sources.file(static_cast<FileId>(i)).text()));
  }
}

bool Reach::holds(std::string_view path) const {
  if (std::ranges::none_of(inputs_.folders, [&](const std::string& folder) { return lies_below(path, folder); }))
    return false;
  for (std::string_view at = path; !at.empty(); at = folder_of(at)) {
    if (left_out_.contains(at)) return false;
  }
  return !git_ignores(path);
}

bool Reach::has_top_of(std::string_view path) const {
  for (const std::string& folder : inputs_.folders) {
    if (!lies_below(path, folder)) continue;
    const std::size_t slash = path.find('/', folder.empty() ? 0 : folder.size() + 1);
    if (slash == path.npos || has_beginning("", path.substr(0, slash + 1))) return true;
  }
  return false;
}

bool Reach::has_beginning(std::string_view folder, std::string_view begin) const {
  const std::string whole = (folder.empty() ? "" : std::string(folder) + "/") + std::string(begin);
  const auto at = std::ranges::lower_bound(
      inputs_.files, whole, {}, [](const InputFile& file) -> const std::string& { return file.context.path; });
  if (at != inputs_.files.end() && at->context.path.starts_with(whole)) return true;
  const auto aside = left_out_.lower_bound(whole);
  return aside != left_out_.end() && aside->starts_with(whole);
}

bool Reach::git_ignores(std::string_view path) const {
  for (std::string_view folder = folder_of(path);; folder = folder_of(folder)) {
    if (const auto found = ignores_.find(folder); found != ignores_.end()) {
      const std::string_view below = path.substr(folder.empty() ? 0 : folder.size() + 1);
      for (std::string_view at = below; !at.empty(); at = folder_of(at)) {
        const auto kind = at.size() == below.size() ? FileSystem::Kind::File : FileSystem::Kind::Folder;
        if (found->second.verdict(at, kind) == IgnorePatterns::Verdict::Ignored) return true;
      }
    }
    if (folder.empty()) return false;
  }
}

}  // namespace muster
