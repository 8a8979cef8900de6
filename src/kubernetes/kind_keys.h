#pragma once

#include "rulebook/book_reader.h"
#include "syntax/document.h"

namespace muster {

/// Only keys that a file of rules/kinds may have: as a whole, in one of its parts, and in a role.
void check_kind_keys(const Node& root, BookReader& reader);
void check_part_keys(const Node& part, BookReader& reader);
void check_role_keys(const Node& role, BookReader& reader);

}  // namespace muster
