#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "support/catch.h"

// Compiled once, in json.cc, instead of in every test that reads a report.
extern template class nlohmann::basic_json<>;
#define MUSTER_PARSE_JSON(Text, Argument) \
  template nlohmann::json nlohmann::json::parse<Text>(Argument, const nlohmann::json::parser_callback_t, bool, bool)
extern MUSTER_PARSE_JSON(const std::string&, const std::string&);
extern MUSTER_PARSE_JSON(std::string&, std::string&);
extern MUSTER_PARSE_JSON(std::string, std::string&&);

template <>
struct Catch::StringMaker<nlohmann::json> {
  static std::string convert(const nlohmann::json& value);
};
