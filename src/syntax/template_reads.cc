#include "syntax/template_reads.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/strings.h"
#include "syntax/hcl_reader.h"

namespace muster {
namespace {

constexpr std::array<std::string_view, 10> kTemplateWords{"else", "endfor", "endif", "false", "for",
                                                          "if",   "in",     "null",  "true",  ""};

/// The stretch of `${ ... }` that begins behind its brace, up to the one that closes it.
std::size_t end_of_sequence(std::string_view text, std::size_t at) {
  int depth = 0;
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted && c == '\\') {
      ++at;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == '{') {
      ++depth;
    } else if (!quoted && c == '}' && depth-- == 0) {
      return at;
    }
  }
  return text.npos;
}

class TemplateReads {
 public:
  explicit TemplateReads(std::string_view text) : text_(text) {}

  std::vector<TemplateRead> run() {
    for (std::size_t at = 0; at + 1 < text_.size(); ++at) {
      const char c = text_[at];
      if (c != '$' && c != '%') continue;
      if (text_[at + 1] == c && text_.substr(at + 2).starts_with('{')) {
        at += 2;  // `$${`, a text
      } else if (text_[at + 1] == '{') {
        const std::size_t end = end_of_sequence(text_, at + 2);
        if (end == text_.npos) return {};  // nothing that Terraform reads
        if (c == '$' || is_directive(at + 2, end)) names(at + 2, end);
        at = end;
      }
    }
    std::erase_if(found_, [&](const TemplateRead& one) { return bound_.contains(one.name); });
    return std::move(found_);
  }

 private:
  std::size_t behind_blanks(std::size_t at, std::size_t end) const {
    while (at < end && is_white(text_[at])) ++at;
    return at;
  }

  /// `%{ if a }`, `%{~ for b in c }`: anything else, as `%{http_code}` of curl, is refused for another reason.
  bool is_directive(std::size_t at, std::size_t end) const {
    at = behind_blanks(at + (text_[at] == '~' ? 1 : 0), end);
    return text_.substr(at).starts_with("if ") || text_.substr(at).starts_with("for ");
  }

  void names(std::size_t at, std::size_t end) {
    bool binds = false;  // between `for` and `in`
    while (at < end) {
      const char c = text_[at];
      if (c == '"') {
        for (++at; at < end && text_[at] != '"'; ++at) at += text_[at] == '\\' ? 1 : 0;
        ++at;
        continue;
      }
      if (!is_hcl_letter(c)) {
        ++at;
        continue;
      }
      const std::size_t begin = at;
      while (at < end && is_hcl_letter(text_[at])) ++at;
      const std::string_view name = text_.substr(begin, at - begin);
      const std::size_t next = behind_blanks(at, end);
      const char behind = next < end ? text_[next] : '\0';
      const bool member = begin > 0 && text_[begin - 1] == '.';
      if (name == "for" || name == "in") binds = name == "for";
      const bool word = std::ranges::find(kTemplateWords, name) != kTemplateWords.end();
      const bool key = behind == ':' || (behind == '=' && next + 1 < end && text_[next + 1] != '=');
      if (word || member || is_digit(c) || c == '-' || behind == '(') continue;
      if (binds)
        bound_.insert(name);
      else if (!key && seen_.insert(name).second)
        found_.push_back({name, static_cast<std::uint32_t>(begin)});
    }
  }

  std::string_view text_;
  std::vector<TemplateRead> found_;
  std::set<std::string_view> seen_;
  std::set<std::string_view> bound_;
};

}  // namespace

std::vector<TemplateRead> template_reads(std::string_view text) { return TemplateReads(text).run(); }

}  // namespace muster
