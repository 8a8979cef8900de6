#pragma once

#include <span>
#include <string_view>

#include "input/kind.h"

namespace muster {

/// Sorted by id.
std::span<const Kind> all_kinds();
const Kind* find_kind(std::string_view id);
/// The manifest kind of an apiVersion and kind, if muster knows it.
const Kind* find_manifest_kind(std::string_view api_version, std::string_view object_kind);

}  // namespace muster
