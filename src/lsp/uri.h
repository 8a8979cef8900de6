#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace muster {

/// The absolute path of a `file:` URI of this machine, without `.` and `..`; nothing for any other.
std::optional<std::string> path_of_uri(std::string_view uri);
/// Of an absolute path. Source: RFC 8089 and, for what is written with %, RFC 3986.
std::string uri_of_path(std::string_view path);
/// Whether a path is a folder's or lies below it.
bool lies_below(std::string_view folder, std::string_view path);
/// Of a path that does: how it is called from the folder; empty for the folder itself.
std::string path_below(std::string_view folder, std::string_view path);

}  // namespace muster
