#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "helm/template_tree.h"

namespace muster::helm {

/// What a quoted text or character of Go says; the quotes are there.
std::string unquoted(std::string_view quoted);
/// The code of its first character.
std::int64_t first_character(std::string_view text);
/// A number as Go writes one: an Integer, or a Decimal where it has a point or an exponent.
void read_number(std::string text, Operand& out);

}  // namespace muster::helm
