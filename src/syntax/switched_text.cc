#include "syntax/switched_text.h"

#include <string>
#include <vector>

#include "base/strings.h"

namespace muster {
namespace {

enum class SwitchLine { Literal, On, Off, Comment, Other };

/// Where a comment of templates, `{{/* ... */}}` or `{{- /* ... */ -}}`, begins at that place or behind it; npos: none.
std::size_t comment_of_template(std::string_view line, std::size_t from) {
  for (std::size_t at = line.find("{{", from); at != line.npos; at = line.find("{{", at + 2)) {
    std::size_t inner = at + 2;
    if (inner < line.size() && line[inner] == '-') ++inner;
    inner = line.find_first_not_of(" \t", inner);
    if (inner != line.npos && line.substr(inner, 2) == "/*") return at;
  }
  return line.npos;
}

/// A line without its comments of templates; `open` is whether one goes on in the next.
std::string without_template_comments(std::string_view line, bool& open) {
  std::string out;
  std::size_t at = 0;
  while (true) {
    if (open) {
      const std::size_t end = line.find("*/", at);
      const std::size_t close = end == line.npos ? line.npos : line.find("}}", end);
      if (close == line.npos) return out;
      open = false;
      at = close + 2;
    }
    const std::size_t begin = comment_of_template(line, at);
    out += line.substr(at, begin - at);
    if (begin == line.npos) return out;
    open = true;
    at = begin;
  }
}

/// `{{- if .Values.queue.enabled }}` and `{{- end -}}`, each alone in its line but for comments.
SwitchLine switch_of(std::string_view whole, bool& open) {
  if (!open && !contains(whole, "{{")) return SwitchLine::Literal;
  const std::string left = without_template_comments(whole, open);
  std::string_view line = left;
  if (trim(line).empty()) return SwitchLine::Comment;
  if (const std::size_t remark = line.rfind("}} #"); remark != line.npos) line = line.substr(0, remark + 2);
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
  bool comment = false;
  for (const TextLine& line : lines_of(text)) {
    const SwitchLine what = switch_of(line.text, comment);
    const bool remark = line.blank() || line.text.starts_with('#');
    if (what == SwitchLine::Other) return std::nullopt;
    if (what == SwitchLine::Literal && !remark) {
      if (begins && !may_begin_document(line.text)) return std::nullopt;
      begins = line.text.starts_with("---");
    }
    depth += what == SwitchLine::On ? 1 : what == SwitchLine::Off ? -1 : 0;
    if (depth < 0) return std::nullopt;
    any = any || what == SwitchLine::On;
    if (what == SwitchLine::On || what == SwitchLine::Off) begins = true;
    out.add(line, 0, what == SwitchLine::Literal ? line.text : std::string_view());
  }
  if (!any || depth != 0 || comment) return std::nullopt;
  return out;
}

}  // namespace muster
