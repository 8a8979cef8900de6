#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// A path without `.`, double `/` and `..`, as far as that goes: what leads out of where it begins stays.
std::string normal_path(std::string_view path);
/// The same of a path in a folder; one that begins with `/` stays as it is.
std::string joined_path(std::string_view folder, std::string_view path);

/// A folder, those that it stands in, and the topmost one, which is empty.
std::vector<std::string> folders_around(std::string_view folder);

}  // namespace muster
