#include "lsp/json_value.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace muster {
namespace {

using Json = nlohmann::json;

std::optional<std::uint32_t> count_of_json(const Json* value) {
  if (value == nullptr || !value->is_number_integer()) return std::nullopt;
  if (value->is_number_unsigned())
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(value->get<std::uint64_t>(), UINT32_MAX));
  const auto number = value->get<std::int64_t>();
  if (number < 0) return std::nullopt;
  return static_cast<std::uint32_t>(std::min<std::int64_t>(number, UINT32_MAX));
}

}  // namespace

const Json* value_at(const Json& json, std::initializer_list<std::string_view> keys) {
  const Json* at = &json;
  for (const std::string_view key : keys) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(key);
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at;
}

std::string text_at(const Json& json, std::initializer_list<std::string_view> keys) {
  const Json* value = value_at(json, keys);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

std::optional<std::int64_t> number_at(const Json& json, std::initializer_list<std::string_view> keys) {
  const Json* value = value_at(json, keys);
  if (value == nullptr || !value->is_number_integer()) return std::nullopt;
  return value->get<std::int64_t>();
}

bool flag_at(const Json& json, std::initializer_list<std::string_view> keys) {
  const Json* value = value_at(json, keys);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

std::optional<TextPosition> position_at(const Json& json, std::initializer_list<std::string_view> keys) {
  const Json* value = value_at(json, keys);
  if (value == nullptr) return std::nullopt;
  const std::optional<std::uint32_t> line = count_of_json(value_at(*value, {"line"}));
  const std::optional<std::uint32_t> character = count_of_json(value_at(*value, {"character"}));
  if (!line || !character) return std::nullopt;
  return TextPosition{*line, *character};
}

std::optional<TextRange> range_at(const Json& json, std::initializer_list<std::string_view> keys) {
  const Json* value = value_at(json, keys);
  if (value == nullptr) return std::nullopt;
  const std::optional<TextPosition> begin = position_at(*value, {"start"});
  const std::optional<TextPosition> end = position_at(*value, {"end"});
  if (!begin || !end) return std::nullopt;
  return TextRange{std::min(*begin, *end), std::max(*begin, *end)};
}

bool list_has(const Json& json, std::initializer_list<std::string_view> keys, const Json& value) {
  const Json* list = value_at(json, keys);
  return list != nullptr && list->is_array() && std::ranges::find(*list, value) != list->end();
}

Json range_json(const TextRange& range) {
  const auto position = [](const TextPosition& at) { return Json{{"line", at.line}, {"character", at.character}}; };
  return {{"start", position(range.begin)}, {"end", position(range.end)}};
}

Json place_json(const std::string& uri, const TextRange& range) { return {{"uri", uri}, {"range", range_json(range)}}; }

std::string message_text(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace muster
