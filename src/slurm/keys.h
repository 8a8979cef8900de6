#pragma once

#include <string_view>

namespace muster {

/// Whether some line of a text begins with a key that only Slurm's files have. Cheap: looks at the first word of each
/// line, so that other files are left alone.
bool mentions_slurm_key(std::string_view text);

/// Whether a key, in lower case, belongs to slurm.conf's own vocabulary (not to its sibling files).
bool is_slurm_conf_key(std::string_view lower_key);

}  // namespace muster
