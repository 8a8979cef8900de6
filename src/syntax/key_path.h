#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "syntax/document.h"

namespace muster {

/// Keys from a value down: spec.template is {"spec", "template"}.
using KeyPath = std::vector<std::string>;

/// The steps of `spec.template`; none of an empty text.
KeyPath key_path(std::string_view text);

/// What stands there; nothing where a step is missing. Into a list a step is the `name` of an item.
Node at_path(Node node, const KeyPath& path);
/// The same for a path that is not taken apart.
Node at_path_text(Node node, std::string_view path);

}  // namespace muster
