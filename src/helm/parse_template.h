#pragma once

#include <optional>
#include <string_view>

#include "helm/template_syntax.h"
#include "helm/template_tree.h"

namespace muster::helm {

struct ParsedTemplate {
  TemplateTree tree;  ///< whole only without a trouble
  std::optional<TemplateTrouble> trouble;
  bool too_large = false;  ///< above the bounds of template_trouble; nothing was looked at then
};

/// Linear in the text. Never throws.
ParsedTemplate parse_template(std::string_view text);

}  // namespace muster::helm
