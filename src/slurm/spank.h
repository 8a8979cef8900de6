#pragma once

#include <string>
#include <string_view>

namespace muster {

/// Whether Slurm or a site reads a file of that path as a list of SPANK plugins: plugstack.conf, plugstack.conf.d/*.
bool is_plugstack(std::string_view path);

/// The first plugin of a plugstack.conf whose options for sbatch muster does not know; empty where there is none.
/// Source: slurm.schedmd.com/spank.html, configuration.
std::string unknown_spank_plugin(std::string_view plugstack);

}  // namespace muster
