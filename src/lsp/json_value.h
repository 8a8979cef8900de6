#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "lsp/text_position.h"

namespace muster {

// What a message of somebody else says: asking for what is not there, or is something else, ends in nothing.

/// The value under keys within keys; nullptr where there is none.
const nlohmann::json* value_at(const nlohmann::json& json, std::initializer_list<std::string_view> keys);
std::string text_at(const nlohmann::json& json, std::initializer_list<std::string_view> keys);
std::optional<std::int64_t> number_at(const nlohmann::json& json, std::initializer_list<std::string_view> keys);
bool flag_at(const nlohmann::json& json, std::initializer_list<std::string_view> keys);
/// {"line", "character"} under keys.
std::optional<TextPosition> position_at(const nlohmann::json& json, std::initializer_list<std::string_view> keys);
std::optional<TextRange> range_at(const nlohmann::json& json, std::initializer_list<std::string_view> keys);
/// Whether a list under keys has a text, or a number.
bool list_has(const nlohmann::json& json, std::initializer_list<std::string_view> keys, const nlohmann::json& value);

nlohmann::json range_json(const TextRange& range);
/// {"uri", "range"}
nlohmann::json place_json(const std::string& uri, const TextRange& range);
/// One line; bytes that are no UTF-8 are replaced.
std::string message_text(const nlohmann::json& json);

}  // namespace muster
