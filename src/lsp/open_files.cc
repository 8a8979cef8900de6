#include "lsp/open_files.h"

#include <algorithm>
#include <filesystem>

#include "base/strings.h"

namespace muster {

OpenFiles::OpenFiles(const FileSystem& disk, std::string folder, OpenTexts texts)
    : disk_(disk), folder_(std::move(folder)), texts_(std::move(texts)) {}

/// The path from the top, without `.` and `..`.
std::string OpenFiles::below(const std::string& path) const {
  if (path.empty() || path == ".") return folder_;
  const bool plain = !path.starts_with('/') && !path.starts_with('.') && !contains(path, "/.") && !contains(path, "//");
  if (plain) return folder_ + (folder_.ends_with('/') ? "" : "/") + path;
  std::string out = (std::filesystem::path(folder_) / path).lexically_normal().generic_string();
  while (out.size() > 1 && out.ends_with('/')) out.pop_back();
  return out;
}

const std::string* OpenFiles::open(const std::string& path) const {
  const auto found = texts_.find(below(path));
  return found == texts_.end() ? nullptr : &found->second;
}

FileSystem::Kind OpenFiles::kind(const std::string& path) const {
  return open(path) != nullptr ? Kind::File : disk_.kind(below(path));
}

std::uint64_t OpenFiles::size(const std::string& path) const {
  const std::string* text = open(path);
  return text != nullptr ? text->size() : disk_.size(below(path));
}

Result<std::string> OpenFiles::read(const std::string& path) const {
  const std::string* text = open(path);
  return text != nullptr ? Result<std::string>(*text) : disk_.read(below(path));
}

Result<std::string> OpenFiles::read_start(const std::string& path, std::size_t bytes) const {
  const std::string* text = open(path);
  return text != nullptr ? Result<std::string>(text->substr(0, bytes)) : disk_.read_start(below(path), bytes);
}

Result<std::vector<FileSystem::Entry>> OpenFiles::list(const std::string& path) const {
  const std::string folder = below(path);
  Result<std::vector<Entry>> out = disk_.list(folder);
  if (!out) return out;
  const std::string prefix = folder.ends_with('/') ? folder : folder + "/";
  for (auto at = texts_.lower_bound(prefix); at != texts_.end() && at->first.starts_with(prefix); ++at) {
    const std::string name = at->first.substr(prefix.size());
    if (name.find('/') != name.npos) continue;  // of a folder that is not there yet, too
    const auto place = std::ranges::lower_bound(*out, name, {}, &Entry::name);
    if (place == out->end() || place->name != name) out->insert(place, {name, Kind::File, false});
  }
  return out;
}

std::string OpenFiles::absolute(const std::string& path) const { return disk_.absolute(below(path)); }

Result<std::string> OpenFiles::read_standard_input(std::uint64_t) const {
  return Error{Error::Code::Io, "cannot read `-`: standard input belongs to the editor"};
}

}  // namespace muster
