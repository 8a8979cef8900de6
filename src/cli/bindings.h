#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/expr.h"

namespace muster {

/// A name and its value for `muster rules eval --with`.
struct Binding {
  std::string name;
  Value value;
};

/// Reads a JSON object of names and values. What JSON cannot carry has a typed form: {"type": "uint", "value": "5"};
/// bytes are base64, NaN and infinities, durations and timestamps texts; {"type": "map", "entries": [[key, value]]};
/// {"type": "optional"} with or without a value; {"type": "unknown", "needs": "what would decide it"}.
/// `text` must outlive the values, which live in the context's arena.
Result<std::vector<Binding>> read_bindings(const std::string& path, const std::string& text, EvalContext& context);

}  // namespace muster
