#include "syntax/template_probe.h"

#include "base/strings.h"

namespace muster {
namespace {

/// True where the text before `at` leaves a quote open: `"a {{ b }}"` is a value, not a template.
bool inside_quotes(std::string_view line, std::size_t at) {
  char open = 0;
  for (std::size_t i = 0; i < at; ++i) {
    if (open == 0 && (line[i] == '"' || line[i] == '\'')) {
      open = line[i];
    } else if (open != 0 && line[i] == open) {
      open = 0;
    }
  }
  return open != 0;
}

bool is_value_position(std::string_view line, std::size_t at) {
  const std::string_view before = trim(line.substr(0, at));
  return before.empty() || before.ends_with(':') || before.ends_with('=') || before.ends_with('-') ||
         before.ends_with('[') || before.ends_with(',');
}

std::optional<TemplateKind> probe_line(std::string_view line) {
  const std::string_view words = trim(line);
  if (words.starts_with('#') && !words.starts_with("#SBATCH")) return std::nullopt;
  if (words.starts_with("{%")) return TemplateKind::Jinja;
  if (words.starts_with("<%") || contains(words, "<%=")) return TemplateKind::Erb;
  if (words.starts_with("%{")) return TemplateKind::Terraform;
  const std::string_view name = words.size() > 2 ? words.substr(1, words.size() - 2) : std::string_view{};
  const bool name_only = name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == name.npos;
  if (!name.empty() && words.front() == '{' && words.back() == '}' && name_only) return TemplateKind::Braces;
  for (std::size_t at = line.find("{{"); at != line.npos; at = line.find("{{", at + 2)) {
    if (!contains(line.substr(at), "}}") && !words.starts_with("{{")) continue;
    if (is_value_position(line, at) && !inside_quotes(line, at)) return TemplateKind::DoubleBraces;
  }
  for (std::size_t at = line.find("{%"); at != line.npos; at = line.find("{%", at + 2)) {
    if (contains(line.substr(at), "%}") && !inside_quotes(line, at)) return TemplateKind::Jinja;
  }
  return std::nullopt;
}

/// `chat_template: |` or `- >-`: the lines below it that are indented further are a value.
bool opens_block_scalar(std::string_view line) {
  const std::string_view words = trim(line.substr(0, line.find(" #")));
  const std::size_t mark = words.find_last_not_of("0123456789+-");
  if (mark == words.npos || mark < 2 || (words[mark] != '|' && words[mark] != '>')) return false;
  return words[mark - 1] == ' ' && (words[mark - 2] == ':' || words[mark - 2] == '-');
}

}  // namespace

std::optional<TemplateKind> probe_template(std::string_view text) {
  // Most files have none of these: look for the marks before looking at lines.
  const bool candidate = contains(text, "\n{") || contains(text, "{{") || contains(text, "{%") || contains(text, "<%") || contains(text, "%{");
  if (!candidate) return std::nullopt;
  std::optional<std::size_t> block;  // indent of the line whose block scalar we are in: somebody else's text
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t indent = line.find_first_not_of(" \t\r");
    if (indent == line.npos) continue;
    if (block && indent > *block) continue;
    block.reset();
    if (const std::optional<TemplateKind> kind = probe_line(line)) return kind;
    if (opens_block_scalar(line)) block = indent;
  }
  return std::nullopt;
}

std::string_view name_of(TemplateKind kind) {
  switch (kind) {
    case TemplateKind::DoubleBraces: return "Helm, Go or Jinja2 template";
    case TemplateKind::Jinja: return "Jinja2 template";
    case TemplateKind::Erb: return "ERB template";
    case TemplateKind::Terraform: return "Terraform template";
    case TemplateKind::Braces: return "Python template";
  }
  return "template";
}

}  // namespace muster
