#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace muster {

/// Why Go's text/template refuses a template, and where; offsets in the text.
struct TemplateTrouble {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string why;
  bool function = false;  ///< a function that is not known here: another release of Helm may have it
};

/// The first mistake of a template of a chart, as far as the text alone tells: actions that are not closed, `if`
/// without `end`, characters and words out of place, variables that nobody declares, functions that Helm does not have.
/// Linear in the text; nothing is said of one above 1 MiB, or with more than 500 variables or structures within each
/// other. Sources: golang/go:src/text/template/parse/lex.go and parse.go (1.25);
/// Masterminds/sprig:functions.go (3.3); helm/helm:pkg/engine/funcs.go (3.17 and 4.0).
std::optional<TemplateTrouble> template_trouble(std::string_view text);

}  // namespace muster
