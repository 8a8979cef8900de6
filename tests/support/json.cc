#include "support/json.h"

template class nlohmann::basic_json<>;
MUSTER_PARSE_JSON(const std::string&, const std::string&);
MUSTER_PARSE_JSON(std::string&, std::string&);
MUSTER_PARSE_JSON(std::string, std::string&&);

std::string Catch::StringMaker<nlohmann::json>::convert(const nlohmann::json& value) { return value.dump(); }
