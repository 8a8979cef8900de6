#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// Whether some text that may set values of charts speaks of the value of that name.
using ValueToldOf = std::function<bool(std::string_view name)>;

/// A file of values or a text about them that has a line for the name, or sets it: `--set image=`.
bool speaks_of_value(std::string_view text, std::string_view name);

/// `image: {{ .Values.image }}` in a template that every rendering makes, of a value that neither values.yaml has nor
/// one of `known`, other files of values or words about them, nor `told`: `helm-image-undefined`. The first of a
/// template.
void check_value_images(std::string_view text, FileId file, const Node& values,
                        const std::vector<std::string_view>& known, const ValueToldOf& told,
                        std::vector<Finding>& findings);

}  // namespace muster
