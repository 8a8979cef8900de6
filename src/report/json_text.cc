#include "report/json_text.h"

#include <nlohmann/json.hpp>

namespace muster {

std::string to_json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', true, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

nlohmann::ordered_json location_json(const SourceMap& sources, const Span& where) {
  const Position begin = sources.begin_of(where);
  const Position end = sources.end_of(where);
  return {{"file", sources.file(where.file).path()},
          {"line", begin.line},
          {"column", begin.column},
          {"end_line", end.line},
          {"end_column", end.column}};
}

nlohmann::ordered_json text_or_null(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

}  // namespace muster
