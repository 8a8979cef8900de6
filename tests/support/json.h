#pragma once

#include <nlohmann/json.hpp>

// Compiled once, in json.cc, instead of in every test that reads a report.
extern template class nlohmann::basic_json<>;
