#pragma once

#include <string_view>

namespace muster {

/// Whether a text is what muster itself wrote: a report in any of its formats, a baseline. Such files lie where they
/// were made, and speak of everything that the input names.
bool is_own_output(std::string_view text);

}  // namespace muster
