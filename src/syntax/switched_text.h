#pragma once

#include <optional>
#include <string_view>

#include "syntax/cut_text.h"

namespace muster {

/// The documents of a template of Helm that are all literal and stand whole within `{{- if ... }}` and `{{- end }}`, as
/// if every switch were on. Nothing where a line has any other action, where a switch is about a part of a document, or
/// has an `else`.
std::optional<CutText> switched_text(std::string_view text);

}  // namespace muster
