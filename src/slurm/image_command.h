#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace muster::sbatch {

inline bool runs_images(std::string_view program) { return program == "singularity" || program == "apptainer"; }

/// Options of exec and run that have a value.
inline constexpr std::array<std::string_view, 50> kImageOptionsWithValue{"--add-caps",
                                                                         "--app",
                                                                         "--apply-cgroups",
                                                                         "--bind",
                                                                         "--blkio-weight",
                                                                         "--cpu-shares",
                                                                         "--cpus",
                                                                         "--cpuset-cpus",
                                                                         "--cpuset-mems",
                                                                         "--cwd",
                                                                         "--dns",
                                                                         "--docker-host",
                                                                         "--drop-caps",
                                                                         "--env",
                                                                         "--env-file",
                                                                         "--fusemount",
                                                                         "--home",
                                                                         "--hostname",
                                                                         "--memory",
                                                                         "--memory-swap",
                                                                         "--mount",
                                                                         "--network",
                                                                         "--network-args",
                                                                         "--overlay",
                                                                         "--pem-path",
                                                                         "--pids-limit",
                                                                         "--pwd",
                                                                         "--scratch",
                                                                         "--security",
                                                                         "--workdir",
                                                                         "--memory-reservation",
                                                                         "-B",
                                                                         "-H",
                                                                         "-S",
                                                                         "-W",
                                                                         "-o",
                                                                         "--blkio-weight-device",
                                                                         "--arch",
                                                                         "--authfile",
                                                                         "--cdi-dirs",
                                                                         "--containlibs",
                                                                         "--device",
                                                                         "--dmtcp-launch",
                                                                         "--netns-path",
                                                                         "--no-mount",
                                                                         "--platform",
                                                                         "--runscript-timeout",
                                                                         "--vm-cpu",
                                                                         "--vm-ip",
                                                                         "--vm-ram"};

/// The image of `singularity exec -B /data image.sif python x.py`: the first word behind the word `verb` that is
/// neither an option nor the value of one; `count` where there is none. `text(i)`: word i as far as it is written.
/// Source: apptainer.org/docs/user/1.3/cli/apptainer_exec.html.
template <class Text>
std::size_t image_word(std::size_t count, std::size_t verb, const Text& text) {
  constexpr std::string_view kShortWithValue = "BHSWo";
  for (std::size_t i = verb + 1; i < count; ++i) {
    const std::string_view word = text(i);
    // Short ones together, `-eB VALUE`: behind the first that has a value stands the value.
    const bool together =
        word.size() > 2 && word[0] == '-' && word[1] != '-' && word.find_first_of(kShortWithValue) == word.size() - 1;
    if (together || std::ranges::find(kImageOptionsWithValue, word) != kImageOptionsWithValue.end()) {
      ++i;
    } else if (!word.starts_with('-')) {
      return i;
    }
  }
  return count;
}

}  // namespace muster::sbatch
