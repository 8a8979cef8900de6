#include "syntax/switched_text.h"

#include <vector>

#include "base/strings.h"

namespace muster {
namespace {

enum class SwitchLine { Literal, On, Off, Other };

/// `{{- if .Values.queue.enabled }}`, `{{- end -}}` and comments `{{/* ... */}}`, each alone in its line.
SwitchLine switch_of(std::string_view line) {
  if (!contains(line, "{{")) return SwitchLine::Literal;
  if (!line.starts_with("{{") || !trim(line).ends_with("}}") || line.find("{{", 2) != line.npos)
    return SwitchLine::Other;
  std::string_view action = trim(line);
  action = action.substr(2, action.size() - 4);
  if (action.starts_with('-')) action.remove_prefix(1);
  if (action.ends_with('-')) action.remove_suffix(1);
  action = trim(action);
  if (action == "end") return SwitchLine::Off;
  // What the cluster can do is no switch: both sides are for some.
  return action.starts_with("if ") && !contains(action, ".Capabilities") ? SwitchLine::On : SwitchLine::Other;
}

/// Whether a document may begin in that line, as far as it tells.
bool may_begin_document(std::string_view line) {
  return line.starts_with("---") || line.starts_with("apiVersion:") || line.starts_with("kind:");
}

}  // namespace

std::optional<CutText> switched_text(std::string_view text) {
  if (!contains(text, "{{") || !contains(text, "apiVersion:")) return std::nullopt;
  CutText out;
  int depth = 0;
  bool any = false;
  bool begins = true;  // a document may begin here, and nothing else
  for (const TextLine& line : lines_of(text)) {
    const SwitchLine what = switch_of(line.text);
    const bool remark = line.blank() || line.text.starts_with('#');
    if (what == SwitchLine::Other) return std::nullopt;
    if (what == SwitchLine::Literal && !remark) {
      if (begins && !may_begin_document(line.text)) return std::nullopt;
      begins = line.text.starts_with("---");
    }
    depth += what == SwitchLine::On ? 1 : what == SwitchLine::Off ? -1 : 0;
    if (depth < 0) return std::nullopt;
    any = any || what == SwitchLine::On;
    if (what != SwitchLine::Literal) begins = true;
    out.add(line, 0, what == SwitchLine::Literal ? line.text : std::string_view());
  }
  if (!any || depth != 0) return std::nullopt;
  return out;
}

}  // namespace muster
