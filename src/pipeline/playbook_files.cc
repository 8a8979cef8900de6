#include "pipeline/playbook_files.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

bool has_part(std::string_view path, std::string_view part) {
  return path.starts_with(std::string(part) + "/") || contains(path, "/" + std::string(part) + "/");
}

bool is_trial(std::string_view path, std::string_view role) {
  constexpr std::array<std::string_view, 6> kTrials{"molecule", "tests", "test", ".github", "examples", "docs"};
  return std::ranges::any_of(kTrials,
                             [&](std::string_view part) { return has_part(path, part) && !has_part(role, part); });
}

bool is_inventory(std::string_view path) {
  const std::string_view name = last_part(path);
  if (path.ends_with(".ini")) return true;
  if (name.find('.') != name.npos) return false;
  return name == "hosts" || name == "inventory" || has_part(path, "inventory") || has_part(path, "inventories") ||
         has_part(path, "group_vars") || has_part(path, "host_vars");
}

}  // namespace

std::optional<std::string> playbook_role_of(std::string_view path) {
  for (const std::string_view part : {"templates/", "files/"}) {
    for (std::size_t at = path.rfind(part); at != path.npos; at = path.rfind(part, at - 1)) {
      if (at == 0 || path[at - 1] == '/') return std::string(path.substr(0, at));
    }
  }
  return std::nullopt;
}

PlaybookRank playbook_rank(std::string_view path, std::string_view role) {
  if (path.starts_with(std::string(role) + "defaults/")) return PlaybookRank::Defaults;
  if (path.starts_with(std::string(role) + "vars/")) return PlaybookRank::Vars;
  const bool of_other_role = has_part(path, "roles") && (has_part(path, "defaults") || has_part(path, "vars"));
  return of_other_role || is_trial(path, role) ? PlaybookRank::None : PlaybookRank::Others;
}

bool may_set_variables(std::string_view path) {
  return path.ends_with(".yml") || path.ends_with(".yaml") || is_inventory(path);
}

bool has_variables_alone(std::string_view path) {
  return has_part(path, "defaults") || has_part(path, "vars") || has_part(path, "group_vars") ||
         has_part(path, "host_vars");
}

}  // namespace muster
