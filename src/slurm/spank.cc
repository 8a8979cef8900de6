#include "slurm/spank.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster {
namespace {

// Their options stand in rules/sbatch/sbatch-option-unknown.yaml, or they have none.
constexpr std::array<std::string_view, 8> kKnown{"auks.so",   "pyxis.so",         "private-tmp.so", "private-tmpdir.so",
                                                 "renice.so", "shifter_slurm.so", "spank_pyxis.so", "x11.so"};

}  // namespace

bool is_plugstack(std::string_view path) {
  return path == "plugstack.conf" || path.ends_with("/plugstack.conf") || contains(path, "plugstack.conf.d/");
}

std::string unknown_spank_plugin(std::string_view plugstack) {
  for (std::string_view line : split(plugstack, '\n')) {
    line = trim(line.substr(0, line.find('#')));
    const std::size_t blank = line.find_first_of(" \t");
    const std::string_view word = line.substr(0, blank);
    if (blank == line.npos || (word != "required" && word != "optional")) continue;
    std::string_view plugin = trim(line.substr(blank));
    plugin = plugin.substr(0, plugin.find_first_of(" \t"));
    plugin = plugin.substr(plugin.rfind('/') + 1);
    if (std::ranges::find(kKnown, plugin) == kKnown.end()) return std::string(plugin);
  }
  return {};
}

}  // namespace muster
