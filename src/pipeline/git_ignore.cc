#include "pipeline/git_ignore.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/strings.h"

namespace muster {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_alpha(char c) { return is_upper(c) || is_lower(c); }
bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_space(char c) { return is_blank(c) || (c >= '\n' && c <= '\r'); }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }
bool is_graph(char c) { return c > ' ' && c < 0x7F; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

struct CharacterClass {
  std::string_view name;
  bool (*has)(char);
};
constexpr std::array kClasses{
    CharacterClass{"alnum", [](char c) { return is_alpha(c) || is_digit(c); }},
    CharacterClass{"alpha", is_alpha},
    CharacterClass{"blank", is_blank},
    CharacterClass{"cntrl", is_control},
    CharacterClass{"digit", [](char c) { return is_digit(c); }},
    CharacterClass{"graph", is_graph},
    CharacterClass{"lower", is_lower},
    CharacterClass{"print", [](char c) { return is_graph(c) || c == ' '; }},
    CharacterClass{"punct", [](char c) { return is_graph(c) && !is_alpha(c) && !is_digit(c); }},
    CharacterClass{"space", is_space},
    CharacterClass{"upper", is_upper},
    CharacterClass{"xdigit", is_hex},
};

/// One element of a pattern that is no star: its length there, and whether it takes a character.
struct Element {
  std::size_t size = 1;
  bool takes = false;
};

/// `[...]` at the start of a pattern, as wildmatch.c reads it; nothing where it does not end or names no class.
class Brackets {
 public:
  Brackets(std::string_view pattern, char c) : pattern_(pattern), c_(c) {}

  std::optional<Element> read() {
    const bool negated = peek() == '!' || peek() == '^';
    if (negated) ++at_;
    char before = 0;
    for (bool first = true; first || peek() != ']'; first = false) {
      const std::optional<char> next = member(before);
      if (!next) return std::nullopt;
      before = *next;
    }
    return Element{at_ + 1, takes_ != negated};
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : '\0'; }

  /// The next character, behind a backslash if there is one; NUL at the end.
  char literal() {
    if (peek() == '\\') ++at_;
    return at_ < pattern_.size() ? pattern_[at_++] : '\0';
  }

  /// Reads one member; the result is what a `-` behind it counts from, NUL where nothing can.
  std::optional<char> member(char before) {
    if (peek() == '\0') return std::nullopt;
    if (peek() == '-' && before != 0 && peek(1) != '\0' && peek(1) != ']') return range(before);
    if (peek() == '[' && peek(1) == ':') {
      const std::size_t close = pattern_.find(']', at_ + 2);
      if (close == pattern_.npos) return std::nullopt;
      if (close > at_ + 2 && pattern_[close - 1] == ':') return named(close);
    }
    const char it = literal();
    if (it == '\0') return std::nullopt;
    takes_ = takes_ || it == c_;
    return it;
  }

  std::optional<char> range(char from) {
    ++at_;
    const char to = literal();
    if (to == '\0') return std::nullopt;
    const auto code = [](char c) { return static_cast<unsigned char>(c); };
    takes_ = takes_ || (code(from) <= code(c_) && code(c_) <= code(to));
    return '\0';
  }

  std::optional<char> named(std::size_t close) {
    const auto found =
        std::ranges::find(kClasses, pattern_.substr(at_ + 2, close - 1 - (at_ + 2)), &CharacterClass::name);
    if (found == kClasses.end()) return std::nullopt;
    takes_ = takes_ || found->has(c_);
    at_ = close + 1;
    return '\0';
  }

  std::string_view pattern_;
  char c_;
  std::size_t at_ = 1;
  bool takes_ = false;
};

/// Nothing where the pattern is broken there: it then matches nothing.
std::optional<Element> element_of(std::string_view pattern, char c) {
  if (pattern.front() == '?') return Element{1, true};
  if (pattern.front() == '[') return Brackets(pattern, c).read();
  if (pattern.front() != '\\') return Element{1, pattern.front() == c};
  if (pattern.size() == 1) return std::nullopt;
  return Element{2, pattern[1] == c};
}

/// One segment of a path against one of a pattern. A star that did not go far enough takes one character more.
bool segment_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = pattern.npos;
  std::size_t behind_star = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      behind_star = t;
      continue;
    }
    const std::optional<Element> element = p < pattern.size() ? element_of(pattern.substr(p), text[t]) : Element{};
    if (!element) return false;
    if (element->takes) {
      p += element->size;
      ++t;
    } else if (star != pattern.npos) {
      p = star;
      t = ++behind_star;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// `**` stands for any number of folders, at the end for at least one name.
bool path_matches(const std::vector<std::string>& pattern, const std::vector<std::string_view>& path) {
  std::size_t p = 0;
  std::size_t s = 0;
  std::size_t deep = std::string::npos;
  std::size_t behind_deep = 0;
  while (s < path.size()) {
    if (p < pattern.size() && pattern[p] == "**") {
      if (p + 1 == pattern.size()) return true;
      deep = ++p;
      behind_deep = s;
    } else if (p < pattern.size() && segment_matches(pattern[p], path[s])) {
      ++p;
      ++s;
    } else if (deep != std::string::npos) {
      p = deep;
      s = ++behind_deep;
    } else {
      return false;
    }
  }
  return p == pattern.size();
}

/// Split at slashes that stand outside of brackets; nothing where the pattern is broken.
std::optional<std::vector<std::string>> segments_of(std::string_view pattern) {
  std::vector<std::string> out(1);
  for (std::size_t at = 0; at < pattern.size();) {
    const bool escaped_slash = pattern[at] == '\\' && pattern.substr(at + 1).starts_with('/');
    if (pattern[at] == '/' || escaped_slash) {
      out.emplace_back();
      at += escaped_slash ? 2 : 1;
      continue;
    }
    const std::optional<Element> element = pattern[at] == '*' ? Element{} : element_of(pattern.substr(at), '\0');
    if (!element) return std::nullopt;
    out.back() += pattern.substr(at, element->size);
    at += element->size;
  }
  return out;
}

/// Blanks at the end do not count unless a backslash stands before them.
std::string_view without_trailing_blanks(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '\\')
      ++at;
    else if (line[at] == ' ')
      continue;
    end = std::min(at + 1, line.size());
  }
  return line.substr(0, end);
}

}  // namespace

IgnorePatterns::IgnorePatterns(std::string_view text) {
  if (text.size() > kMaxText) return;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (std::string_view line : split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty() && line.front() != '#') add(without_trailing_blanks(line));
    if (wildcards_.size() > kMaxWildcards) {
      *this = IgnorePatterns();
      return;
    }
  }
}

void IgnorePatterns::add(std::string_view line) {
  const bool negated = line.starts_with('!');
  if (negated) line.remove_prefix(1);
  const bool folders_only = line.ends_with('/');
  if (folders_only) line.remove_suffix(1);
  const bool anchored = line.find('/') != line.npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty()) return;
  const std::size_t number = negated_.size();
  if (!anchored && line.find_first_of("*?[\\") == line.npos) {
    Name& name = names_[std::string(line)];
    (folders_only ? name.folder : name.any) = number;
  } else {
    std::optional<std::vector<std::string>> segments = segments_of(line);
    if (!segments) return;
    const bool anywhere = !anchored && segments->size() == 1;
    wildcards_.push_back({number, std::move(*segments), anywhere, folders_only});
  }
  negated_.push_back(negated);
}

IgnorePatterns::Verdict IgnorePatterns::verdict(std::string_view path, FileSystem::Kind kind) const {
  const bool folder = kind == FileSystem::Kind::Folder;
  const std::vector<std::string_view> segments = split(path, '/');
  std::size_t last = 0;
  if (const auto name = names_.find(segments.back()); name != names_.end())
    last = std::max(name->second.any, folder ? name->second.folder : 0);
  for (auto it = wildcards_.rbegin(); it != wildcards_.rend() && it->number > last; ++it) {
    if (it->folders_only && !folder) continue;
    const bool matches =
        it->anywhere ? segment_matches(it->segments.front(), segments.back()) : path_matches(it->segments, segments);
    if (!matches) continue;
    last = it->number;
    break;
  }
  return last == 0 ? Verdict::Silent : negated_[last] ? Verdict::Read : Verdict::Ignored;
}

}  // namespace muster
