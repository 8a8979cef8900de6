#pragma once

#include <set>
#include <string>
#include <string_view>

namespace muster {

/// `folder/sub/../x` without the detours; the path of an Include is written by people.
std::string conf_path(std::string_view folder, std::string_view path);

/// `slurm.conf` of `slurm.conf.bak`; empty for names that have no such ending.
std::string_view without_spare_ending(std::string_view path);

/// `slurm.conf.example` and `slurm.conf.j2.backup` beside a slurm.conf, be it a template: nobody installs them.
bool is_spare_copy(std::string_view path, const std::set<std::string_view>& paths);

/// Of a role, whose `files` holds what is copied and whose `templates` what is rendered, the other one; else the
/// folder.
std::string other_role_folder(std::string folder);

}  // namespace muster
