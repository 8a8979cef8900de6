#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace muster::sbatch {

inline bool runs_images(std::string_view program) { return program == "singularity" || program == "apptainer"; }

/// Options of exec and run that have a value. Sources: apptainer/apptainer and
/// sylabs/singularity:cmd/internal/cli/action_flags.go.
inline constexpr std::array<std::string_view, 56> kImageOptionsWithValue{"--add-caps",
                                                                         "--app",
                                                                         "--apply-cgroups",
                                                                         "--arch",
                                                                         "--authfile",
                                                                         "--bind",
                                                                         "--blkio-weight",
                                                                         "--blkio-weight-device",
                                                                         "--cdi-dirs",
                                                                         "--containlibs",
                                                                         "--cpu-shares",
                                                                         "--cpus",
                                                                         "--cpuset-cpus",
                                                                         "--cpuset-mems",
                                                                         "--cwd",
                                                                         "--data",
                                                                         "--device",
                                                                         "--dmtcp-launch",
                                                                         "--dns",
                                                                         "--docker-host",
                                                                         "--docker-password",
                                                                         "--docker-username",
                                                                         "--drop-caps",
                                                                         "--env",
                                                                         "--env-file",
                                                                         "--fusemount",
                                                                         "--home",
                                                                         "--hostname",
                                                                         "--memory",
                                                                         "--memory-reservation",
                                                                         "--memory-swap",
                                                                         "--mount",
                                                                         "--netns-path",
                                                                         "--network",
                                                                         "--network-args",
                                                                         "--no-env",
                                                                         "--no-mount",
                                                                         "--overlay",
                                                                         "--pem-path",
                                                                         "--pids-limit",
                                                                         "--platform",
                                                                         "--proot",
                                                                         "--pwd",
                                                                         "--runscript-timeout",
                                                                         "--scratch",
                                                                         "--security",
                                                                         "--tmpdir",
                                                                         "--vm-cpu",
                                                                         "--vm-ip",
                                                                         "--vm-ram",
                                                                         "--workdir",
                                                                         "-B",
                                                                         "-H",
                                                                         "-S",
                                                                         "-W",
                                                                         "-o"};
static_assert(std::ranges::is_sorted(kImageOptionsWithValue));

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
