#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "generate/template_def.h"

namespace muster {

/// A value as it stands in a file of the format; nothing where the format cannot carry it.
std::optional<std::string> quote(std::string_view value, ValueKind kind, OutputFormat format);

/// Reads a generated text back: it must parse, and each of `values` must be one of its values. The error says what is
/// lost.
std::optional<std::string> read_back(const std::string& text, OutputFormat format,
                                     const std::vector<std::string>& values);

}  // namespace muster
