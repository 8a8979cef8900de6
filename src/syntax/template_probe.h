#pragma once

#include <optional>
#include <string_view>

namespace muster {

/// Whose template a text is; its places are known only after rendering.
enum class TemplateKind { DoubleBraces, Jinja, Erb, Terraform, Braces };

/// What a text is a template of, judged by lines that no config file of ours can have: `{{ }}` as a value or a line of
/// its own (Helm, Go, Jinja2), `{% %}` (Jinja2), `<% %>` (ERB), `%{ if }` (Terraform), `{name}` alone on a line (Python). Braces within quotes are values
/// that somebody fills in later, not templates: see is_placeholder.
std::optional<TemplateKind> probe_template(std::string_view text);

std::string_view name_of(TemplateKind kind);

}  // namespace muster
