// Functions about regular expressions, by RE2, whose syntax is that of Go. Source: Masterminds/sprig:regex.go (3.3).
#include <re2/re2.h>

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "helm/call.h"

namespace muster::helm {
namespace {

constexpr std::size_t kMostText = std::size_t{1} << 20;

/// The pattern, or a trouble where it is none; what is searched is bounded.
class Pattern {
 public:
  Pattern(Call& call, const std::string& pattern, const std::string& text) : pattern_(pattern, options()) {
    if (!pattern_.ok())
      call.fail("error parsing regexp: " + pattern_.error());
    else if (text.size() > kMostText || !call.engine.spend(10 + text.size() / 4))
      call.engine.fail("it takes too many steps");
    good_ = !call.engine.failed();
  }

  explicit operator bool() const { return good_; }
  const re2::RE2& operator*() const { return pattern_; }

 private:
  static re2::RE2::Options options() {
    re2::RE2::Options out(re2::RE2::Quiet);
    out.set_max_mem(1 << 20);
    return out;
  }

  re2::RE2 pattern_;
  bool good_ = false;
};

/// Go writes `$1` and `${1}` where RE2 has `\1`; names of groups are not done.
std::string rewritten(std::string_view text, bool literal) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool braces = !literal && text.substr(i).starts_with("${") && i + 3 < text.size() && text[i + 3] == '}';
    const std::size_t digit = i + (braces ? 2 : 1);
    if (!literal && text[i] == '$' && digit < text.size() && is_digit(text[digit])) {
      out += std::string("\\") + text[digit];
      i = digit + (braces ? 1 : 0);
    } else if (text[i] == '\\') {
      out += "\\\\";
    } else {
      out += text[i];
    }
  }
  return out;
}

Value matches(Call& call) {
  const Pattern pattern(call, call.text(0), call.text(1));
  return pattern ? Value::of(re2::RE2::PartialMatch(call.text(1), *pattern)) : Value();
}

/// What the pattern finds, one after the other, at most so many.
std::vector<std::pair<std::size_t, std::size_t>> found(const re2::RE2& pattern, const std::string& text,
                                                       std::int64_t most) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  const re2::StringPiece all(text);
  std::size_t at = 0;
  while (at <= text.size() && (most < 0 || static_cast<std::int64_t>(out.size()) < most)) {
    re2::StringPiece match;
    if (!pattern.Match(all, at, text.size(), re2::RE2::UNANCHORED, &match, 1)) break;
    const auto begin = static_cast<std::size_t>(match.data() - text.data());
    out.emplace_back(begin, match.size());
    at = begin + std::max<std::size_t>(match.size(), 1);
  }
  return out;
}

Value find_first(Call& call) {
  const Pattern pattern(call, call.text(0), call.text(1));
  if (!pattern) return {};
  const auto all = found(*pattern, call.text(1), 1);
  return Value::of(all.empty() ? std::string() : call.text(1).substr(all[0].first, all[0].second));
}

Value find_all(Call& call) {
  const Pattern pattern(call, call.text(0), call.text(1));
  if (!pattern) return {};
  const Value out = call.engine.store().list();
  for (const auto& [begin, size] : found(*pattern, call.text(1), call.integer(2))) {
    if (!call.engine.spend(4)) return {};
    out.list->items.push_back(Value::of(call.text(1).substr(begin, size)));
  }
  return out;
}

Value replace_pattern(Call& call) {
  const Pattern pattern(call, call.text(0), call.text(1));
  if (!pattern) return {};
  std::string out = call.text(1);
  re2::RE2::GlobalReplace(&out, *pattern, rewritten(call.text(2), contains(call.name, "Literal")));
  return call.engine.spend(out.size() / 16) ? Value::of(std::move(out)) : Value();
}

Value split_at_pattern(Call& call) {
  const Pattern pattern(call, call.text(0), call.text(1));
  if (!pattern) return {};
  const std::string& text = call.text(1);
  const std::int64_t most = call.integer(2);
  const Value out = call.engine.store().list();
  std::size_t at = 0;
  for (const auto& [begin, size] : found(*pattern, text, most < 0 ? most : most - 1)) {
    if (!call.engine.spend(4)) return {};
    out.list->items.push_back(Value::of(text.substr(at, begin - at)));
    at = begin + size;
  }
  out.list->items.push_back(Value::of(text.substr(at)));
  return out;
}

Value quote_pattern(Call& call) {
  std::string out;
  for (const char c : call.text(0)) {
    if (contains("\\.+*?()|[]{}^$", std::string_view(&c, 1))) out += '\\';
    out += c;
  }
  return Value::of(std::move(out));
}

}  // namespace

const std::vector<Function> kPatternFunctions = {
    {"mustRegexFind", "ss", find_first},
    {"mustRegexFindAll", "ssi", find_all},
    {"mustRegexMatch", "ss", matches},
    {"mustRegexReplaceAll", "sss", replace_pattern},
    {"mustRegexReplaceAllLiteral", "sss", replace_pattern},
    {"mustRegexSplit", "ssi", split_at_pattern},
    {"regexFind", "ss", find_first},
    {"regexFindAll", "ssi", find_all},
    {"regexMatch", "ss", matches},
    {"regexQuoteMeta", "s", quote_pattern},
    {"regexReplaceAll", "sss", replace_pattern},
    {"regexReplaceAllLiteral", "sss", replace_pattern},
    {"regexSplit", "ssi", split_at_pattern},
};

}  // namespace muster::helm
