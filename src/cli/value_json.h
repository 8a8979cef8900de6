#pragma once

#include <string>
#include <string_view>

#include "facts/value.h"

namespace muster {

/// The word of the typed form: int, uint, null, duration ...; an object's own type.
std::string_view json_type(const Value& value);

/// `"type": "int", "value": 3`: the members of the typed form, as read_bindings takes them.
std::string typed_members(const Value& value);

/// A value as JSON; the typed form where JSON has no such value or would not tell it from another.
std::string value_json(const Value& value);

/// A JSON string; what is no UTF-8 is replaced.
std::string quoted_json(std::string_view text);

}  // namespace muster
