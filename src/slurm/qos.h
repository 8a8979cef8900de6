#pragma once

#include <string_view>

namespace muster {

/// Whether a text is what `sacctmgr -P show qos` prints.
bool is_qos_table(std::string_view text);

}  // namespace muster
