#include "slurm/site_paths.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/paths.h"
#include "base/strings.h"

namespace muster {

std::string conf_path(std::string_view folder, std::string_view path) {
  return normal_path(std::string(folder) + (folder.empty() ? "" : "/") + std::string(path));
}

std::string_view without_spare_ending(std::string_view path) {
  constexpr std::array<std::string_view, 13> kEndings{".example", ".sample",   ".dist",   ".orig", ".bak",
                                                      ".bk",      ".bkp",      ".backup", ".old",  ".save",
                                                      ".rpmnew",  ".disabled", ".off"};
  const auto ending = std::ranges::find_if(kEndings, [&](std::string_view one) { return path.ends_with(one); });
  return ending == kEndings.end() ? std::string_view{} : path.substr(0, path.size() - ending->size());
}

bool is_spare_copy(std::string_view path, const std::set<std::string_view>& paths) {
  const std::string live(without_spare_ending(path));
  if (live.empty()) return false;
  if (paths.contains(live)) return true;
  return std::ranges::any_of(std::array{".j2", ".tpl", ".tmpl", ".erb", ".jinja", ".epp", ".jinja2"},
                             [&](const char* mark) { return paths.contains(live + mark); });
}

std::string other_role_folder(std::string folder) {
  constexpr std::string_view kCopied = "files";
  constexpr std::string_view kRendered = "templates";
  const auto is_of = [&](std::string_view name) { return ("/" + folder).ends_with("/" + std::string(name)); };
  const bool copied = is_of(kCopied);
  if (!copied && !is_of(kRendered)) return folder;
  const std::size_t size = copied ? kCopied.size() : kRendered.size();
  return folder.replace(folder.size() - size, size, copied ? kRendered : kCopied);
}

}  // namespace muster
