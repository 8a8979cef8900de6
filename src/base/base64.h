#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace muster {

/// With the standard alphabet, and `=` at the end (RFC 4648 §4).
std::string to_base64(std::string_view bytes);
/// Nothing where the text is none.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace muster
