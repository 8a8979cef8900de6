#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "finding/finding.h"
#include "source/source_map.h"

namespace muster {

/// Two blanks of indentation, keys in the order written, bytes that are no UTF-8 replaced; ends with a line end. ASCII
/// alone: no character of the input can hide or reorder text, wherever this is shown.
std::string to_json_text(const nlohmann::ordered_json& json);

struct Report;
/// muster.check/v1 as a value, to be part of something larger.
nlohmann::ordered_json report_value(const Report& report);

/// {"file", "line", "column", "end_line", "end_column"}: 1-based, columns in code points.
nlohmann::ordered_json location_json(const SourceMap& sources, const Span& where);

/// The text, or null where it is empty.
nlohmann::ordered_json text_or_null(const std::string& text);

/// As `findings` of muster.check/v1 has it.
nlohmann::ordered_json finding_json(const Finding& finding, const SourceMap& sources);

}  // namespace muster
