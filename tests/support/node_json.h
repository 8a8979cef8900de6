#pragma once

#include "syntax/document.h"

#include "support/json.h"

namespace muster::test {

/// A node as JSON, by YAML's core schema: what is not quoted may be null, a boolean or a number.
nlohmann::json to_json(const Node& node);

}  // namespace muster::test
