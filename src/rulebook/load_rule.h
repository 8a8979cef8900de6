#pragma once

#include <map>
#include <string>

#include "rulebook/book_reader.h"
#include "rulebook/rule.h"
#include "rulebook/table.h"

namespace muster {

/// Parameters that a site sets, by rule and name.
using ParamValues = std::map<std::string, std::map<std::string, std::string>>;

/// A rule of which nothing is known but what its path says: id and family.
Rule name_rule(std::string_view path);
/// Reads one rule file.
Rule load_rule(const Node& root, const std::string& path, const ParamValues& params, BookReader& reader);

/// Reads one table file.
Table load_table(const Node& root, const std::string& path, BookReader& reader);
/// Sets what a row wants of an input, or gives for an output. Says what is wrong with it; empty when nothing is.
std::string read_row_cell(const Table& table, TableRow& row, std::string_view input,
                          const std::vector<std::string>& texts, const Span& where);
std::string read_row_word(const Table& table, TableRow& row, std::string_view output, std::string_view word);

/// Sees that tables fit together and puts them into the order in which they feed each other.
void link_tables(std::vector<Table>& tables, BookReader& reader);

}  // namespace muster
