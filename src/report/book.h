#pragma once

#include <string>

#include "rulebook/rule_book.h"

namespace muster {

/// What `muster rules check` found, for people: a problem a paragraph, then what was proved.
std::string book_text(const BookCheck& checked);

/// muster.rules-check/v1.
std::string book_json(const BookCheck& checked);

}  // namespace muster
