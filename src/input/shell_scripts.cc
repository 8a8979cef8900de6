#include "input/shell_scripts.h"

namespace muster {

void ShellScripts::add(FileId file, std::string_view path) {
  if (path.ends_with(".sh") || path.ends_with(".bash")) by_path_.emplace(path, file);
}

std::optional<FileId> ShellScripts::find(std::string_view path, std::string_view caller) const {
  while (path.starts_with("./")) path.remove_prefix(2);
  if (path.empty() || path.front() == '/' || path.starts_with("..")) return std::nullopt;
  for (std::size_t end = caller.rfind('/');; end = caller.substr(0, end).rfind('/')) {
    const std::string folder = end == caller.npos ? std::string() : std::string(caller.substr(0, end + 1));
    const auto found = by_path_.find(folder + std::string(path));
    if (found != by_path_.end()) return found->second;
    if (end == caller.npos || end == 0) return std::nullopt;
  }
}

}  // namespace muster
