#pragma once

#include <string_view>

namespace muster {

/// n2 before n10: runs of digits compare as numbers.
bool naturally_before(std::string_view a, std::string_view b);

}  // namespace muster
