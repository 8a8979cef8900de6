#pragma once

#include <deque>
#include <map>
#include <string>

#include "rulebook/book_reader.h"
#include "rulebook/rule.h"
#include "rulebook/table.h"

namespace muster {

/// Parameters that a site sets, by rule and name.
using ParamValues = std::map<std::string, std::map<std::string, std::string>>;

/// Reads one rule file. Texts of parameters are kept in `texts`.
Rule load_rule(const Node& root, const std::string& path, const ParamValues& params, std::deque<std::string>& texts, BookReader& reader);

/// Reads one table file.
Table load_table(const Node& root, const std::string& path, BookReader& reader);

}  // namespace muster
