#include "syntax/jinja_blocks.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/strings.h"

namespace muster {
namespace {

// Of `set` and `trans` there are forms without an end.
constexpr std::array<std::string_view, 8> kJinjaBlocks{"autoescape", "block", "call",  "filter",
                                                       "for",        "if",    "macro", "with"};

/// Where a mark that begins at `at` ends, behind its `}}` or `%}`: not in a text, nor within brackets.
std::size_t end_of_jinja_mark(std::string_view text, std::size_t at, std::string_view close) {
  int depth = 0;
  for (std::size_t i = at + 2; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      for (++i; i < text.size() && text[i] != c; ++i) i += text[i] == '\\' ? 1 : 0;
      continue;
    }
    if (depth == 0 && text.substr(i).starts_with(close)) return i + 2;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth < 0) return text.npos;
  }
  return text.npos;
}

/// The word that a statement begins with.
std::string_view jinja_word(std::string_view statement) {
  statement.remove_prefix(2);
  if (statement.starts_with('-') || statement.starts_with('+')) statement.remove_prefix(1);
  statement = trim(statement);
  std::size_t end = 0;
  while (end < statement.size() && is_word_char(statement[end])) ++end;
  return statement.substr(0, end);
}

struct JinjaBlock {
  std::string_view word;
  std::size_t begin = 0;
  std::size_t end = 0;
};

class JinjaBlocks {
 public:
  explicit JinjaBlocks(std::string_view text) : text_(text) {}

  std::optional<JinjaSlip> run() {
    for (std::size_t at = text_.find('{'); at < text_.size(); at = text_.find('{', at)) {
      const char kind = at + 1 < text_.size() ? text_[at + 1] : ' ';
      if (kind != '{' && kind != '%' && kind != '#') {
        ++at;
        continue;
      }
      const std::size_t end =
          kind == '#' ? behind(text_.find("#}", at + 2)) : end_of_jinja_mark(text_, at, kind == '{' ? "}}" : "%}");
      if (end == text_.npos) return std::nullopt;
      if (kind == '%') {
        const std::string_view word = jinja_word(text_.substr(at, end - at));
        if (word == "raw") {
          at = behind_raw(end);
          if (at == text_.npos) return std::nullopt;
          continue;
        }
        if (std::optional<JinjaSlip> slip = read({word, at, end})) return slip;
      }
      at = end;
    }
    if (open_.empty()) return std::nullopt;
    return slip_at(open_.back(), shown(open_.back()) + " is closed nowhere");
  }

 private:
  std::size_t behind(std::size_t found) const { return found == text_.npos ? found : found + 2; }

  std::size_t behind_raw(std::size_t at) const {
    std::size_t end = 0;
    for (at = text_.find("{%", at); at != text_.npos; at = text_.find("{%", at + 2)) {
      if (end < at + 2) end = behind(text_.find("%}", at));
      if (end == text_.npos) return end;
      if (jinja_word(text_.substr(at, end - at)) == "endraw") return end;
    }
    return at;
  }

  std::string shown(const JinjaBlock& block) const {
    const std::string_view statement = text_.substr(block.begin, block.end - block.begin);
    constexpr std::size_t kLong = 60;
    if (statement.size() > kLong || contains(statement, "\n")) return "`{% " + std::string(block.word) + " ... %}`";
    return "`" + std::string(statement) + "`";
  }

  JinjaSlip slip_at(const JinjaBlock& block, std::string message) const {
    return {block.begin, block.end, std::move(message)};
  }

  std::optional<JinjaSlip> read(const JinjaBlock& one) {
    if (std::ranges::find(kJinjaBlocks, one.word) != kJinjaBlocks.end()) {
      open_.push_back(one);
      return std::nullopt;
    }
    const std::string_view innermost = open_.empty() ? std::string_view() : open_.back().word;
    const bool goes_on = one.word == "elif" || one.word == "else";
    if (goes_on && (innermost == "if" || (one.word == "else" && innermost == "for"))) return std::nullopt;
    const bool ends =
        one.word.starts_with("end") && std::ranges::find(kJinjaBlocks, one.word.substr(3)) != kJinjaBlocks.end();
    if (!goes_on && !ends) return std::nullopt;
    if (ends && innermost == one.word.substr(3)) {
      open_.pop_back();
      return std::nullopt;
    }
    return slip_at(one, shown(one) + (open_.empty() ? " closes nothing: no block is open here"
                                                    : " stands where " + shown(open_.back()) + " is open"));
  }

  std::string_view text_;
  std::vector<JinjaBlock> open_;
};

}  // namespace

std::optional<JinjaSlip> find_jinja_slip(std::string_view text) { return JinjaBlocks(text).run(); }

}  // namespace muster
