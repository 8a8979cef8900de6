#include "syntax/usual_yaml.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kLongestKey = 1000;  // libyaml takes 1,024 characters up to the colon

/// What a character may end within a plain text.
enum : unsigned char { kEndsInBlock = 1, kEndsInFlow = 2, kNoFirst = 4 };

constexpr std::array<unsigned char, 256> kClasses = [] {
  std::array<unsigned char, 256> out{};
  for (const char c : std::string_view("\n\t:#")) out[static_cast<unsigned char>(c)] = kEndsInBlock | kEndsInFlow;
  for (const char c : std::string_view(",[]{}?")) out[static_cast<unsigned char>(c)] = kEndsInFlow;
  for (const char c : std::string_view("\n\t ?:,[]{}#&*!|>'\"%@`")) out[static_cast<unsigned char>(c)] |= kNoFirst;
  return out;
}();

unsigned char class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }

/// Line ends, tabs and what ASCII can print: other bytes are broken, or other lines' ends, or count otherwise.
bool is_plain_ascii(std::string_view text) {
  constexpr std::size_t kBlock = 32;  // of a fixed size: a compiler makes a few wide instructions of it
  const auto odd = [](char c) {
    return static_cast<unsigned char>(c - ' ') > '~' - ' ' ? static_cast<unsigned char>(c != '\n' && c != '\t') : 0;
  };
  std::size_t at = 0;
  for (; at + kBlock <= text.size(); at += kBlock) {
    int odds = 0;
    for (std::size_t i = 0; i < kBlock; ++i) odds |= odd(text[at + i]);
    if (odds != 0) return false;
  }
  for (; at < text.size(); ++at) {
    if (odd(text[at]) != 0) return false;
  }
  return true;
}

/// Columns count from 0; that of the end of the text is -1, left of everything. Whatever answers false gives up.
class UsualReader {
 public:
  UsualReader(std::string_view text, Span where) : text_(text), base_(where.begin), builder_(where.file, where) {}

  bool run(Document& out) {
    if (!begin() || column_ < 0 || !node(-1, true) || column_ != -1) return false;
    out = std::move(builder_).finish();
    return true;
  }

 private:
  /// A key or a text on one line.
  struct Word {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string_view text;  ///< in text_ or value_
    ScalarStyle style = ScalarStyle::Plain;
  };

  char peek(std::size_t at) const { return at < text_.size() ? text_[at] : '\n'; }
  char here() const { return peek(at_); }
  bool is_blank(std::size_t at) const { return peek(at) == ' ' || peek(at) == '\n' || peek(at) == '\t'; }
  bool is_dash() const { return here() == '-' && is_blank(at_ + 1); }
  bool is_colon() const { return here() == ':' && is_blank(at_ + 1); }
  bool ends_line() const { return here() == '\n' || (here() == '#' && text_[at_ - 1] == ' '); }
  std::uint32_t place(std::size_t at) const { return base_ + static_cast<std::uint32_t>(at); }
  std::size_t line_end(std::size_t at) const { return std::min(text_.find('\n', at), text_.size()); }
  void skip_spaces() {
    while (here() == ' ') ++at_;
  }

  bool begin() {
    if (!text_.starts_with("---")) return to_content(0);
    at_ = 3;
    return to_next_line();
  }

  /// From behind a value to the next line that says something: nothing but a comment may stand between.
  bool to_next_line() {
    skip_spaces();
    if (!ends_line()) return false;
    return to_content(line_end(at_) + 1);
  }

  bool to_content(std::size_t line) {
    for (;; line = line_end(at_) + 1) {
      at_ = line;
      skip_spaces();
      if (at_ >= text_.size()) return end();
      if (here() != '\n' && here() != '#') break;
    }
    column_ = static_cast<std::ptrdiff_t>(at_ - line);
    const std::string_view marker = column_ == 0 ? text_.substr(at_, 3) : std::string_view{};
    return here() != '\t' && marker != "---" && marker != "...";
  }

  bool end() {
    at_ = text_.size();
    column_ = -1;
    return true;
  }

  /// The value that begins here and the way to the next line, which must not belong to it: `parent` is the column of
  /// the mapping or sequence around it. On the line of its key a value holds no other key and no dash.
  bool node(std::ptrdiff_t parent, bool own_line) {
    if (here() == '{' || here() == '[') return flow() && to_next_line() && column_ <= parent;
    if (here() == '|' || here() == '>') return block_text(parent);
    if (is_dash()) return own_line && sequence();
    Word word;
    if (!read(word, kEndsInBlock)) return false;
    if (is_colon()) return own_line && mapping(word);
    add(word);
    return to_next_line() && column_ <= parent;
  }

  /// What stands behind a colon or a dash, or in the lines below it.
  bool value(std::ptrdiff_t parent, bool behind_dash) {
    const std::size_t sign = at_;
    skip_spaces();
    if (!ends_line()) {
      column_ += static_cast<std::ptrdiff_t>(at_ - sign) + 1;  // of a dash's value
      return node(parent, behind_dash);
    }
    if (!to_next_line()) return false;
    if (column_ > parent) return node(parent, true);
    if (column_ == parent && !behind_dash && is_dash()) return sequence();
    builder_.null(place(sign));
    return true;
  }

  bool mapping(const Word& first) {
    const std::ptrdiff_t column = column_;
    if (!builder_.begin_container(NodeKind::Mapping, place(first.begin))) return false;
    for (Word key = first;;) {
      if (builder_.is_full() || at_ - key.begin > kLongestKey) return false;
      add(key);
      ++at_;
      if (!value(column, false)) return false;
      if (column_ != column) break;
      if (is_dash() || !read(key, kEndsInBlock) || !is_colon()) return false;
    }
    builder_.end_container(0);
    return column_ < column;
  }

  /// Where it is as far left as the mapping around it, one of its keys may follow.
  bool sequence() {
    const std::ptrdiff_t column = column_;
    if (!builder_.begin_container(NodeKind::Sequence, place(at_))) return false;
    while (column_ == column && is_dash()) {
      ++at_;
      if (builder_.is_full() || !value(column, true)) return false;
    }
    builder_.end_container(0);
    return column_ <= column;
  }

  bool flow() {
    const bool mapping = here() == '{';
    const char close = mapping ? '}' : ']';
    if (!builder_.begin_container(mapping ? NodeKind::Mapping : NodeKind::Sequence, place(at_))) return false;
    ++at_;
    for (bool first = true;; first = false) {
      if (builder_.is_full() || !skip_in_flow()) return false;
      if (here() == close) break;
      if (!first) {
        if (here() != ',') return false;
        ++at_;
        if (!skip_in_flow()) return false;
        if (here() == close) break;
      }
      if (mapping && !flow_key()) return false;
      if (here() == '{' || here() == '[') {
        if (!flow()) return false;
        continue;
      }
      Word word;
      if (!read(word, kEndsInFlow)) return false;
      add(word);
    }
    ++at_;
    builder_.end_container(place(at_));
    return true;
  }

  bool flow_key() {
    Word key;
    if (!read(key, kEndsInFlow) || !is_colon() || at_ - key.begin > kLongestKey) return false;
    add(key);
    ++at_;
    return skip_in_flow();
  }

  /// Blanks, line ends and comments.
  bool skip_in_flow() {
    for (;; ++at_) {
      skip_spaces();
      if (at_ >= text_.size()) return false;
      if (here() == '#') {
        if (!is_blank(at_ - 1)) return false;
        at_ = line_end(at_);
      }
      if (here() != '\n') return true;
      const std::string_view marker = text_.substr(std::min(at_ + 1, text_.size()), 3);
      if (marker == "---" || marker == "...") return false;
    }
  }

  /// A plain or quoted text and the blanks behind it. `end` is what ends a plain one: kEndsInBlock or kEndsInFlow.
  bool read(Word& out, unsigned char end) {
    if (here() == '"' || here() == '\'') return quoted(out) && behind_quote(end);
    if (at_ >= text_.size() || (class_of(here()) & kNoFirst) != 0) return false;
    if (here() == '-' && (is_blank(at_ + 1) || (class_of(peek(at_ + 1)) & kEndsInFlow) != 0)) return false;
    std::size_t at = at_;
    for (;; ++at) {
      while (at < text_.size() && (class_of(text_[at]) & end) == 0) ++at;
      const char c = peek(at);
      if (c == '\t' || c == '?') return false;
      if (c == ':') {
        if (is_blank(at + 1)) break;
        if (end == kEndsInFlow && (class_of(peek(at + 1)) & kEndsInFlow) != 0) return false;
      } else if (c != '#' || text_[at - 1] == ' ') {
        break;
      }
    }
    out.begin = at_;
    out.end = at;
    while (text_[out.end - 1] == ' ') --out.end;
    out.text = text_.substr(out.begin, out.end - out.begin);
    out.style = ScalarStyle::Plain;
    at_ = at;
    return true;
  }

  bool quoted(Word& out) {
    const char quote = here();
    out.begin = at_;
    out.style = ScalarStyle::Quoted;
    std::size_t piece = at_ + 1;
    value_.clear();
    for (std::size_t at = piece;; ++at) {
      while (peek(at) != quote && peek(at) != '\\' && peek(at) != '\n') ++at;
      if (peek(at) == '\n') return false;
      const bool ends = text_[at] == quote && (quote == '"' || peek(at + 1) != quote);
      if (ends) {
        const std::string_view last = text_.substr(piece, at - piece);
        out.text = value_.empty() ? last : std::string_view(value_.append(last));
        out.end = at_ = at + 1;
        return true;
      }
      if (text_[at] == '\\' && quote == '\'') continue;
      value_.append(text_, piece, at - piece);
      ++at;
      piece = at + 1;
      switch (peek(at)) {
        case 'n': value_ += '\n'; break;
        case 't': value_ += '\t'; break;
        case '\\':
        case '"':
        case '\'':
          if (quote == '"' && text_[at] == '\'') return false;
          value_ += text_[at];
          break;
        default: return false;
      }
    }
  }

  bool behind_quote(unsigned char end) {
    if (!is_blank(at_) && !is_colon() && (end != kEndsInFlow || (class_of(here()) & kEndsInFlow) == 0)) return false;
    skip_spaces();
    return true;
  }

  /// `|` and `>`. Source: libyaml 0.2.5, scanner.c, yaml_parser_scan_block_scalar.
  bool block_text(std::ptrdiff_t parent) {
    const std::size_t begin = at_;
    const bool folded = here() == '>';
    const char chomp = peek(at_ + 1) == '-' || peek(at_ + 1) == '+' ? peek(at_ + 1) : ' ';
    at_ += chomp == ' ' ? 1 : 2;
    skip_spaces();
    if (here() != '\n') return false;
    std::size_t line = at_ + 1;
    std::size_t indent = 0;  // of the first line that is not empty
    std::size_t most = 0;    // of the empty lines before it
    std::size_t breaks = 0;  // empty lines since the last one
    bool more = false;       // whether that one began with a blank
    bool any = false;
    value_.clear();
    for (; line < text_.size(); line = line_end(line) + 1) {
      std::size_t first = line;
      while (peek(first) == ' ' && (!any || first - line < indent)) ++first;
      if (first >= text_.size()) break;
      if (text_[first] == '\n') {
        if (!any) most = std::max(most, first - line);
        ++breaks;
        continue;
      }
      if (!any) {
        indent = first - line;
        const bool tab = text_[first] == '\t';
        if (tab || static_cast<std::ptrdiff_t>(indent) <= parent || most > indent || indent == 0) return false;
      }
      if (first - line < indent) break;
      const bool blank = text_[first] == ' ' || text_[first] == '\t';
      if (any && (!folded || more || blank || breaks == 0)) value_ += folded && !more && !blank ? ' ' : '\n';
      value_.append(breaks, '\n');
      value_.append(text_, first, line_end(first) - first);
      breaks = 0;
      more = blank;
      any = true;
    }
    if (!any || line > text_.size()) return false;  // its last line has an end
    if (chomp != '-') value_ += '\n';
    if (chomp == '+') value_.append(breaks, '\n');
    std::size_t end = line;
    while (is_white(text_[end - 1])) --end;
    builder_.scalar(place(begin), place(end), value_, ScalarStyle::Quoted);
    return to_content(line) && column_ <= parent;
  }

  void add(const Word& word) {
    const std::string_view text = word.text;
    const bool null = text == "~" || text == "null" || text == "Null" || text == "NULL";
    if (null && word.style == ScalarStyle::Plain) return builder_.null(place(word.begin));
    builder_.scalar(place(word.begin), place(word.end), text, word.style);
  }

  std::string_view text_;
  std::uint32_t base_;  ///< of text_ in its file
  DocumentBuilder builder_;
  std::size_t at_ = 0;
  std::ptrdiff_t column_ = 0;  ///< of the line's first value, or of what stands behind its dashes
  std::string value_;          ///< of a text that is not written as it is
};

}  // namespace

bool read_usual_yaml(std::string_view text, Span where, Document& out) {
  return is_plain_ascii(text) && UsualReader(text, where).run(out);
}

}  // namespace muster
