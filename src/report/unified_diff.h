#pragma once

#include <string>
#include <string_view>

namespace muster {

/// What `diff -u` prints and `patch -p1` and `git apply` take: three lines around each change, and a mark where a last
/// line has no end. Empty where both are equal.
std::string unified_diff(const std::string& path, std::string_view before, std::string_view after);

}  // namespace muster
