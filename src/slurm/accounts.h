#pragma once

#include <string_view>

namespace muster {

/// Whether a text is what `sacctmgr dump` writes and `sacctmgr load` reads.
bool is_account_file(std::string_view text);

}  // namespace muster
