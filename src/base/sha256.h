#pragma once

#include <string>

namespace muster {

/// SHA-256 of a text as 64 lower-case hexadecimal digits. Source: FIPS 180-4.
std::string sha256(std::string text);

}  // namespace muster
