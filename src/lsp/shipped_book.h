#pragma once

#include "rulebook/rule_book.h"

namespace muster {

/// The rules as they are shipped; read when it is first asked for.
const RuleBook& shipped_book();

}  // namespace muster
