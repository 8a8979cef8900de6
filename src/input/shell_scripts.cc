#include "input/shell_scripts.h"

namespace muster {
namespace {

std::optional<FileId> find_in(const std::map<std::string, FileId, std::less<>>& files, std::string_view path,
                              std::string_view caller) {
  while (path.starts_with("./")) path.remove_prefix(2);
  if (path.empty() || path.front() == '/' || path.starts_with("..")) return std::nullopt;
  for (std::size_t end = caller.rfind('/');; end = caller.substr(0, end).rfind('/')) {
    const std::string folder = end == caller.npos ? std::string() : std::string(caller.substr(0, end + 1));
    const auto found = files.find(folder + std::string(path));
    if (found != files.end()) return found->second;
    if (end == caller.npos || end == 0) return std::nullopt;
  }
}

}  // namespace

void ShellScripts::add(FileId file, std::string_view path) {
  if (path.ends_with(".sh") || path.ends_with(".bash")) by_path_.emplace(path, file);
  if (path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".conf")) configs_.emplace(path, file);
  add_folders(path);
}

void ShellScripts::add_folders(std::string_view path) {
  constexpr int kMostNames = 16;
  for (std::size_t end = path.rfind('/'); end != path.npos && end > 0; end = path.rfind('/', end - 1)) {
    const std::string_view folder = path.substr(0, end);
    if (!known_.emplace(folder).second) return;  // and so are those above it
    std::size_t begin = end;
    for (int names = 0; names < kMostNames && begin > 0; ++names) {
      const std::size_t slash = folder.rfind('/', begin - 1);
      folders_.emplace(folder.substr(slash == folder.npos ? 0 : slash + 1));
      begin = slash == folder.npos ? 0 : slash;
    }
  }
}

std::optional<FileId> ShellScripts::find(std::string_view path, std::string_view caller) const {
  return find_in(by_path_, path, caller);
}

std::optional<FileId> ShellScripts::find_config(std::string_view path, std::string_view caller) const {
  return find_in(configs_, path, caller);
}

}  // namespace muster
