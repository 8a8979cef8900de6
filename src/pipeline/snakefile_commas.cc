#include "pipeline/snakefile_commas.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "pipeline/input_names.h"
#include "syntax/cut_text.h"

namespace muster {
namespace {

bool opens_items(std::string_view line) {
  constexpr std::array<std::string_view, 4> kParts{"resources:", "input:", "output:", "params:"};
  return std::ranges::find(kParts, trim(line)) != kParts.end();
}

/// `mem_mb` of `mem_mb=32000`; empty: the line is no named item.
std::string_view item_name(std::string_view line) {
  line = trim(line);
  const auto end = static_cast<std::size_t>(std::ranges::find_if_not(line, is_word_char) - line.begin());
  const std::string_view behind = trim(line.substr(end));
  const bool item = end > 0 && !is_digit(line[0]) && behind.starts_with('=') && !behind.starts_with("==");
  return item ? line.substr(0, end) : std::string_view();
}

/// Whether a line is an item that ends in it: quotes and brackets closed, no operator that goes on. False where it has
/// what is not read here.
bool ends_in_line(std::string_view line) {
  int depth = 0;
  char quote = '\0';
  char last = '\0';
  if (contains(line, "\"\"\"") || contains(line, "'''") || contains(line, "lambda")) return false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      if (c == '\\') ++i;
      if (c == quote) quote = '\0';
      last = c;
      continue;
    }
    if (c == '#') break;
    if (c == '"' || c == '\'') quote = c;
    depth += c == '(' || c == '[' || c == '{' ? 1 : 0;
    depth -= c == ')' || c == ']' || c == '}' ? 1 : 0;
    if (c != ' ' && c != '\t' && c != '\r') last = c;
  }
  const bool value = is_word_char(last) || last == '"' || last == '\'' || last == ')' || last == ']' || last == '}';
  return depth == 0 && quote == '\0' && value;
}

/// For each line whether it begins within a text of three quotes or within brackets: nothing of it is an item.
std::vector<bool> begins_inside(const std::vector<TextLine>& lines) {
  std::vector<bool> out;
  std::string_view open;  // the three quotes
  int depth = 0;
  for (const TextLine& line : lines) {
    out.push_back(!open.empty() || depth > 0);
    const std::string_view text = line.text;
    char quote = '\0';
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\\') {
        ++i;
      } else if (!open.empty()) {
        if (!text.substr(i).starts_with(open)) continue;
        open = {};
        i += 2;
      } else if (quote != '\0') {
        if (c == quote) quote = '\0';
      } else if (text.substr(i).starts_with("\"\"\"") || text.substr(i).starts_with("'''")) {
        open = text.substr(i, 3);
        i += 2;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '#') {
        break;
      } else if (c == '(' || c == '[' || c == '{') {
        ++depth;
      } else if (c == ')' || c == ']' || c == '}') {
        --depth;
      }
    }
  }
  return out;
}

void find_in_workflow(FileId file, std::string_view text, std::vector<Finding>& findings) {
  const std::vector<TextLine> lines = lines_of(text);
  const std::vector<bool> inside = begins_inside(lines);
  for (std::size_t i = 0; i + 2 < lines.size(); ++i) {
    if (inside[i] || !opens_items(lines[i].text)) continue;
    const std::size_t column = lines[i + 1].indent();
    if (lines[i + 1].blank() || column <= lines[i].indent()) continue;
    const TextLine* before = nullptr;
    for (std::size_t at = i + 1; at < lines.size(); ++at) {
      if (lines[at].blank() || inside[at] || trim(lines[at].text).starts_with('#')) continue;
      if (lines[at].indent() < column) break;
      const std::string_view name = lines[at].indent() == column ? item_name(lines[at].text) : std::string_view();
      if (before != nullptr && !name.empty()) {
        const std::string_view item = trim(before->text);
        findings.push_back(problem("snakefile-comma-missing", span_of_part(file, text, item),
                                   "no comma stands between this and `" + std::string(name) + "`"));
        return;
      }
      before = !name.empty() && ends_in_line(lines[at].text) ? &lines[at] : nullptr;
    }
  }
}

}  // namespace

void find_missing_commas(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    const std::string_view name = last_part(inputs.files[i].context.path);
    if (name != "Snakefile" && !name.ends_with(".smk")) continue;
    const auto file = static_cast<FileId>(i);
    find_in_workflow(file, inputs.sources.file(file).text(), findings);
  }
}

}  // namespace muster
