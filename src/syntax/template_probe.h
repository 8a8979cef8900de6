#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace muster {

/// Whose template a text is; its places are known only after rendering.
enum class TemplateKind { DoubleBraces, Jinja, Erb, Terraform, Braces, Marks };

/// What a text is a template of, judged by lines that no config file of ours can have: `{{ }}` as a value or a line of
/// its own (Helm, Go, Jinja2), `{% %}` (Jinja2), `<% %>` (ERB), `%{ if }` (Terraform), `{name}` alone on a line
/// (Python), `@NAME@` and `@@NAME@@` as a value (Autoconf and its like: Marks). Braces within quotes are values that
/// somebody fills in later, not templates: see is_placeholder.
std::optional<TemplateKind> probe_template(std::string_view text);

/// The same for a file of `Key=Value` lines, in which quotes protect nothing and every place to fill in makes it a
/// template:
/// `${NAME}` and `{name}` anywhere, too, and `@NAME@`, `__NAME__`, `=#NAME` and values such as `<cores per socket>`
/// (Marks).
std::optional<TemplateKind> probe_conf_template(std::string_view text);

/// Directives that another program fills in: `#SBATCH --nodes=$${nodes}` of FireWorks, which leaves out lines whose
/// value nobody gives, and `#SBATCH --time=__time;time;Wall clock time__`, of which a portal makes a form. Three that
/// are left empty, `#SBATCH --time=  # hours`, are a form for a person. Source:
/// materialsproject/fireworks:fireworks/queue/queue_adapter.py, get_script_str (2.0).
bool has_directive_marks(std::string_view text);

/// A place of a template that is filled in, or a statement or comment of it.
struct TemplateMark {
  std::size_t begin = 0;
  std::size_t end = 0;
  TemplateKind kind = TemplateKind::Marks;
  bool value = true;  ///< stands for a text
};

/// All of them outside of comments, in their order.
std::vector<TemplateMark> template_marks(std::string_view text);

/// Such a text with `X` for every value to fill in and nothing for statements, lines of nothing else left blank: what
/// it would be like when it is rendered. Line ends stay.
std::string without_template_marks(std::string_view text);

/// Such a text with `{xxx}` of the same length for every value to fill in and blanks for statements: every line that
/// some rendering has, at its place. Lines that `-}}` and `-%}` join stay one; what `{{ '' }}` shows is a blank.
std::string masked_template_marks(std::string_view text);

/// Such a text with only what no filling in changes: spaces for every line that has a mark (a line goes on after `\`)
/// and for all between a statement and its end. Offsets and line ends stay. All blank where the statements do not pair.
std::string literal_lines(std::string_view text);

/// What each round of a loop of such a text (Jinja, Go, ERB) writes, whatever it is about: stretches between marks, in
/// their order, none of them within a condition of the loop. Nothing where the statements do not pair.
std::vector<std::pair<std::size_t, std::size_t>> looped_parts(std::string_view text);

/// A stretch of a template that only some renderings have.
struct ConditionalPart {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool of_release = false;  ///< a condition around it asks for a release, or whether something is old
};

/// What stands within conditions of such a text: stretches between marks, in their order. The whole text, `of_release`,
/// where the statements do not pair.
std::vector<ConditionalPart> conditional_parts(std::string_view text);

std::string_view name_of(TemplateKind kind);

}  // namespace muster
