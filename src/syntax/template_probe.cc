#include "syntax/template_probe.h"

#include "base/strings.h"

namespace muster {
namespace {

/// What the text of a line before a place says about that place. Places are asked for from left to right.
class Before {
 public:
  explicit Before(std::string_view line) : line_(line) {}

  /// An open quote: `"a {{ b }}"` is a value, not a template.
  bool inside_quotes(std::size_t at) {
    read_to(at);
    return quote_ != 0;
  }
  bool is_value_position(std::size_t at) {
    read_to(at);
    return last_ == 0 || std::string_view(":=-[,").find(last_) != std::string_view::npos;
  }

 private:
  void read_to(std::size_t at) {
    for (; at_ < at; ++at_) {
      const char c = line_[at_];
      if (quote_ == 0 && (c == '"' || c == '\'')) {
        quote_ = c;
      } else if (quote_ != 0 && c == quote_) {
        quote_ = 0;
      }
      if (c != ' ' && c != '\t' && c != '\r') last_ = c;
    }
  }

  std::string_view line_;
  std::size_t at_ = 0;
  char quote_ = 0;
  char last_ = 0;  ///< the last character that is not a blank
};

std::optional<TemplateKind> probe_line(std::string_view line) {
  const std::string_view words = trim(line);
  if (words.starts_with('#') && !words.starts_with("#SBATCH")) return std::nullopt;
  if (words.starts_with("{%")) return TemplateKind::Jinja;
  if (words.starts_with("<%") || contains(words, "<%=")) return TemplateKind::Erb;
  if (words.starts_with("%{")) return TemplateKind::Terraform;
  const std::string_view name = words.size() > 2 ? words.substr(1, words.size() - 2) : std::string_view{};
  const bool name_only = name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == name.npos;
  if (!name.empty() && words.front() == '{' && words.back() == '}' && name_only) return TemplateKind::Braces;
  const std::size_t last_close = words.starts_with("{{") ? line.size() : line.rfind("}}");
  Before before_braces(line);
  for (std::size_t at = line.find("{{"); at != line.npos && last_close != line.npos && at < last_close; at = line.find("{{", at + 2)) {
    if (before_braces.is_value_position(at) && !before_braces.inside_quotes(at)) return TemplateKind::DoubleBraces;
  }
  const std::size_t last_end = line.rfind("%}");
  Before before_statement(line);
  for (std::size_t at = line.find("{%"); at != line.npos && last_end != line.npos && at < last_end; at = line.find("{%", at + 2)) {
    if (!before_statement.inside_quotes(at)) return TemplateKind::Jinja;
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
