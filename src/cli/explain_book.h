#pragma once

#include <iosfwd>
#include <string_view>
#include <vector>

#include "kinds/knowledge.h"
#include "rulebook/table.h"

namespace muster {

// What muster knows as data, for people: lines of at most 120 columns.

/// Inputs, and every row with its conditions and its answer.
void explain_table(const Table& table, std::ostream& out);

/// The kinds of that id, or of that object kind whatever its case; the schedulers of that id or schedulerName; the
/// operator of that id. False where there is none.
bool explain_knowledge(std::string_view name, const Knowledge& knowledge, std::ostream& out);

/// Names that explain_knowledge knows.
void add_known_names(const Knowledge& knowledge, std::vector<std::string_view>& out);

}  // namespace muster
