#pragma once

#include <string_view>

namespace muster {

/// Whether the commands of a shell do nothing but wait for an hour or longer, and look at the devices before that:
/// `nvidia-smi; sleep infinity`.
bool only_waits(std::string_view script);

/// Whether a script ends with `program | tee file` and no shell option keeps the status of the program.
bool hides_status(std::string_view script);

/// How many programs of these words it starts, as far as a text tells.
int count_of_words(std::string_view script, std::string_view words);

}  // namespace muster
