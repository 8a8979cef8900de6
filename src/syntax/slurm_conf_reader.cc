#include "syntax/slurm_conf_reader.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool is_key_char(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/// A logical line with the place of each of its characters.
struct Logical {
  std::string text;
  std::vector<std::uint32_t> offsets;  ///< source offset of text[i]
  std::uint32_t end = 0;               ///< source offset behind the last character

  void add(char c, std::uint32_t offset) {
    text += c;
    offsets.push_back(offset);
    end = offset + 1;
  }
  std::uint32_t offset(std::size_t i) const { return i < offsets.size() ? offsets[i] : end; }
};

/// Text up to the first `#` that no backslash escapes.
std::size_t comment_start(std::string_view line) {
  bool escaped = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && !escaped) return i;
    escaped = line[i] == '\\' && !escaped;
  }
  return line.size();
}

/// True when an odd number of backslashes, blanks behind them allowed, ends the line; `at` is the last one.
bool continues(std::string_view line, std::size_t& at) {
  std::size_t end = line.size();
  while (end > 0 && is_blank(line[end - 1])) --end;
  std::size_t slashes = 0;
  while (slashes < end && line[end - 1 - slashes] == '\\') ++slashes;
  at = end - std::min<std::size_t>(end, 1);
  return slashes % 2 == 1;
}

/// Backslashes out, what they escape in: Slurm does so before it looks for pairs, so that they protect only `#`, `\\`
/// and the line's end.
Logical without_escapes(const Logical& line) {
  Logical out;
  for (std::size_t i = 0; i < line.text.size(); ++i) {
    if (line.text[i] == '\\' && ++i == line.text.size()) break;
    out.add(line.text[i], line.offsets[i]);
  }
  return out;
}

class LineParser {
 public:
  LineParser(FileId file, const Logical& line) : file_(file), line_(line), text_(line.text) {}

  ConfLine run() {
    ConfLine out;
    const std::size_t first = std::min(skip_blanks(0), text_.size());
    std::size_t last = text_.size();
    while (last > first && is_blank(text_[last - 1])) --last;
    out.where = span(first, last);
    if (first == 0 && starts_with_ignoring_case(text_, "include") &&
        (last == 7 || (text_.size() > 7 && is_blank(text_[7])))) {
      out.include = true;
      take_rest(std::min(skip_blanks(7), last), last, out);
      return out;
    }
    for (std::size_t at = first; at < last;) {
      ConfPair pair;
      const std::size_t next = read_pair(at, last, pair);
      if (next == at) {
        take_rest(at, last, out);
        break;
      }
      out.pairs.push_back(std::move(pair));
      at = skip_blanks(next);
    }
    return out;
  }

 private:
  void take_rest(std::size_t at, std::size_t last, ConfLine& out) const {
    out.rest = text_.substr(at, last - at);
    out.rest_where = span(at, last);
  }
  std::size_t skip_blanks(std::size_t at) const {
    while (at < text_.size() && is_blank(text_[at])) ++at;
    return at;
  }
  Span span(std::size_t begin, std::size_t end) const {
    return {file_, line_.offset(begin), end > begin ? line_.offset(end - 1) + 1 : line_.offset(begin)};
  }
  bool ends(std::size_t at, std::size_t last) const { return at >= last || is_blank(text_[at]); }

  /// key [+-*/]? = "value" or value, then a blank or the end; returns `at` unchanged when there is none.
  std::size_t read_pair(std::size_t at, std::size_t last, ConfPair& pair) const {
    std::size_t end = at;
    while (end < last && is_key_char(text_[end])) ++end;
    if (end == at) return at;
    pair.key = text_.substr(at, end - at);
    pair.key_where = span(at, end);
    std::size_t sign = skip_blanks(end);
    if (sign < last && std::string_view("+-*/").find(text_[sign]) != std::string_view::npos) ++sign;
    if (sign >= last || text_[sign] != '=') return at;
    const std::size_t value = skip_blanks(sign + 1);
    std::size_t value_end = value;
    while (!ends(value_end, last)) ++value_end;
    if (value_end == value) return at;  // Slurm's pattern wants at least one character
    pair.value = text_.substr(value, value_end - value);
    // Quotes count only where a blank follows the second one: `"a"b` is a value with quotes in it.
    const std::size_t quote = text_[value] == '"' ? text_.find('"', value + 1) : text_.npos;
    if (quote < last && ends(quote + 1, last)) {
      value_end = quote + 1;
      pair.value = text_.substr(value + 1, quote - value - 1);
    }
    pair.value_where = span(value, value_end);
    return value_end;
  }

  FileId file_;
  const Logical& line_;
  std::string_view text_;
};

/// Keys without a value, which a form has several times: `ClusterName=`, which Slurm cannot read, and the first of
/// `NodeAddr= CPUs=`, which it takes the second for the value of.
std::size_t count_left_empty(const ConfLine& line) {
  const auto is_bare_key = [](std::string_view text) {
    return text.size() > 1 && std::ranges::find_if_not(text, is_key_char) == text.end() - 1 && text.back() == '=';
  };
  if (line.include) return 0;
  const bool last = line.pairs.empty() ? is_bare_key(line.rest) : is_bare_key(trim(line.rest));
  const auto others = std::ranges::count_if(line.pairs, [&](const ConfPair& pair) { return is_bare_key(pair.value); });
  return static_cast<std::size_t>(others) + (last ? 1 : 0);
}

void mark_forms(std::vector<ConfLine>& lines) {
  constexpr std::size_t kOfForm = 3;  // one or two are mistakes
  std::size_t count = 0;
  for (const ConfLine& line : lines) count += count_left_empty(line);
  if (count < kOfForm) return;
  for (ConfLine& line : lines) line.form = count_left_empty(line) > 0;
}

}  // namespace

std::vector<ConfLine> read_slurm_conf(FileId file, std::string_view text) {
  std::vector<ConfLine> lines;
  Logical logical;
  const auto finish = [&] {
    const Logical line = without_escapes(logical);
    if (!trim(line.text).empty()) lines.push_back(LineParser(file, line).run());
    logical = {};
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = line.substr(0, comment_start(line));  // first the comment, then the continuation: `\ # x` continues
    std::size_t slash = 0;
    const bool more = continues(line, slash);
    const std::size_t length = more ? slash : line.size();
    for (std::size_t i = 0; i < length; ++i) logical.add(line[i], static_cast<std::uint32_t>(at + i));
    if (!more) finish();
    at = end + 1;
  }
  finish();
  mark_forms(lines);
  return lines;
}

}  // namespace muster
