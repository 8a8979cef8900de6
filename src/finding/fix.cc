#include "finding/fix.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {
namespace {

/// `from` as a word of its own in the text; npos where there is none.
std::size_t find_whole_word(std::string_view text, std::string_view from, std::size_t begin) {
  for (std::size_t at = text.find(from, begin); at != text.npos; at = text.find(from, at + 1)) {
    const bool begins = at == 0 || !is_word_char(from.front()) || !is_word_char(text[at - 1]);
    const std::size_t end = at + from.size();
    if (begins && (end == text.size() || !is_word_char(from.back()) || !is_word_char(text[end]))) return at;
  }
  return text.npos;
}

/// Within quotes where there are some: they stay as they are, so what comes has to mean the same in any.
std::optional<Span> within_quotes(Span where, std::string_view text, std::string_view to) {
  const bool plain = std::ranges::all_of(
      to, [](char c) { return is_word_char(c) || std::string_view("-./:,=[]").find(c) != std::string_view::npos; });
  if (text.empty()) return std::nullopt;
  if (text.front() != '"' && text.front() != '\'') return where;
  if (!plain || text.size() < 2 || text.back() != text.front()) return std::nullopt;
  return Span{where.file, where.begin + 1, where.end - 1};
}

/// `{% if x %}`, `<% else %>`: what a branch of a template begins or ends with.
bool is_template_statement(std::string_view line) {
  line = trim(line);
  return line.starts_with("{%") || (line.starts_with("<%") && !line.starts_with("<%="));
}

std::optional<TextEdit> removal(Span where, const SourceFile& file) {
  const std::string_view text = file.text();
  const std::uint32_t line = file.position(where.begin).line;
  const std::uint32_t begin = file.line_start(line);
  if (file.position(where.end).line != line) return std::nullopt;
  const std::string_view before = text.substr(begin, where.begin - begin);
  const std::string_view behind = text.substr(where.end, begin + file.line(line).size() - where.end);
  if (trim(before).empty() && trim(behind).empty()) {
    // The line before would go on with what follows this one.
    if (line > 1 && trim(file.line(line - 1)).ends_with('\\')) return std::nullopt;
    const bool last = line == file.line_count();
    if (last) return TextEdit{{where.file, begin, where.end}, ""};
    // A branch that holds nothing else is what somebody wrote for it.
    if (line > 1 && is_template_statement(file.line(line - 1)) && is_template_statement(file.line(line + 1)))
      return std::nullopt;
    std::uint32_t next = line + 1;
    while (line == 1 && next < file.line_count() && trim(file.line(next)).empty()) ++next;
    return TextEdit{{where.file, begin, file.line_start(next)}, ""};
  }
  // What begins a line may be what the rest belongs to.
  if (trim(before).empty()) return std::nullopt;
  const std::size_t blanks = before.size() - before.find_last_not_of(" \t") - 1;
  if (blanks == 0) return std::nullopt;
  return TextEdit{{where.file, where.begin - static_cast<std::uint32_t>(blanks), where.end}, ""};
}

/// As far in as the line that it comes before.
TextEdit insertion(const Span& before, std::string_view line, const SourceFile& file) {
  const std::uint32_t number = file.position(before.begin).line;
  const std::uint32_t begin = file.line_start(number);
  const std::string_view there = file.line(number);
  const std::string_view indent = there.substr(0, std::min(there.find_first_not_of(" \t"), there.size()));
  const bool dos = number > 1 && file.text().substr(0, begin).ends_with("\r\n");
  return {{before.file, begin, begin}, std::string(indent) + std::string(line) + (dos ? "\r\n" : "\n")};
}

std::optional<TextEdit> edit_at(const Fix& fix, const SourceMap& sources) {
  if (fix.remove) return removal(fix.where, sources.file(fix.where.file));
  const std::string_view text = sources.text_of(fix.where);
  if (fix.from.empty()) {
    const std::optional<Span> where = within_quotes(fix.where, text, fix.to);
    if (!where || sources.text_of(*where) == fix.to) return std::nullopt;
    return TextEdit{*where, fix.to};
  }
  const std::size_t at = find_whole_word(text, fix.from, 0);
  if (at == text.npos || fix.from == fix.to) return std::nullopt;
  // The key begins `Key=Value`, whatever the value is; elsewhere it has to be the only one.
  if (at != 0 && find_whole_word(text, fix.from, at + 1) != text.npos) return std::nullopt;
  const std::uint32_t begin = fix.where.begin + static_cast<std::uint32_t>(at);
  return TextEdit{{fix.where.file, begin, begin + static_cast<std::uint32_t>(fix.from.size())}, fix.to};
}

/// The same text elsewhere in the file, between blanks, and in no comment.
std::vector<Span> like(const Span& where, const SourceFile& file) {
  const std::string_view text = file.text();
  const std::string_view word = text.substr(where.begin, where.end - where.begin);
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  std::vector<Span> out;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + word.size())) {
    const std::size_t end = at + word.size();
    if (at != 0 && !is_blank(text[at - 1])) continue;
    if (end != text.size() && !is_blank(text[end])) continue;
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
    if (at != where.begin && text.substr(line, at - line).find('#') != text.npos) continue;
    out.push_back({where.file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
  }
  return out;
}

}  // namespace

std::optional<Fix> spell_as_one_of(std::span<const std::string_view> known, const Span& where, std::string_view word) {
  const std::optional<std::string_view> meant = slip_of(word, known);
  return meant ? std::optional(spell(where, *meant)) : std::nullopt;
}

std::vector<TextEdit> edits_of(const RareValue<Fix>& fix, const SourceMap& sources) {
  if (fix && !fix->made.empty()) return fix->made;
  if (!fix || !fix->where.placed() || fix->where.begin >= fix->where.end) return {};
  std::vector<TextEdit> out;
  if (fix->before.placed()) {
    if (contains(fix->to, "\n")) return {};
    out.push_back(insertion(fix->before, fix->to, sources.file(fix->before.file)));
    if (!fix->remove) return out;
    std::optional<TextEdit> edit = removal(fix->where, sources.file(fix->where.file));
    if (!edit) return {};
    out.insert(edit->where < out.front().where ? out.begin() : out.end(), std::move(*edit));
    return out;
  }
  for (const Span& where :
       fix->everywhere ? like(fix->where, sources.file(fix->where.file)) : std::vector{fix->where}) {
    Fix here = *fix;
    here.where = where;
    std::optional<TextEdit> edit = edit_at(here, sources);
    if (!edit) return {};
    out.push_back(std::move(*edit));
  }
  return out;
}

}  // namespace muster
