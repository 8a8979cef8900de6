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
}

std::optional<FileId> ShellScripts::find(std::string_view path, std::string_view caller) const {
  return find_in(by_path_, path, caller);
}

std::optional<FileId> ShellScripts::find_config(std::string_view path, std::string_view caller) const {
  return find_in(configs_, path, caller);
}

}  // namespace muster
