#pragma once

#include <cstddef>
#include <string_view>

namespace muster {

/// Where a script has `text` first from `from` on, outside of lines that are comments; npos: nowhere.
std::size_t find_in_script(std::string_view script, std::string_view text, std::size_t from = 0);

}  // namespace muster
