#pragma once

#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// `image: {{ .Values.image }}` in a template that every rendering makes, of a value that neither values.yaml has nor
/// one of `known`, other files of values or words about them: `helm-image-undefined`.
void check_value_images(std::string_view text, FileId file, const Node& values,
                        const std::vector<std::string_view>& known, std::vector<Finding>& findings);

}  // namespace muster
