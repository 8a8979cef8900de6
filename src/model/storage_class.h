#pragma once

#include <string_view>

namespace muster {

/// Whether a StorageClass of that name makes a folder of the node, whose pods follow it there, or a share of what any
/// node may mount, whatever mode is asked for: by the words that charts and clouds call them. `standard` is either, by
/// cloud.
bool is_folder_or_share(std::string_view storage_class);

}  // namespace muster
