#include "helm/template_syntax.h"

#include "helm/parse_template.h"

namespace muster {

std::optional<TemplateTrouble> template_trouble(std::string_view text) { return helm::parse_template(text).trouble; }

}  // namespace muster
