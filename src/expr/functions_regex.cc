// Patterns are RE2's: linear time whatever the pattern, so patterns from anywhere are safe.
#include <re2/re2.h>

#include <algorithm>
#include <limits>
#include <string>

#include "base/utf8.h"
#include "expr/function_tables.h"

namespace muster {

struct Regex {
  explicit Regex(std::string_view pattern, const RE2::Options& options)
      : re2(re2::StringPiece(pattern.data(), pattern.size()), options) {}
  RE2 re2;
};

void DeleteRegex::operator()(const Regex* regex) const { delete regex; }

std::unique_ptr<const Regex, DeleteRegex> make_regex(std::string_view pattern, std::string& error) {
  RE2::Options options;
  options.set_log_errors(false);
  std::unique_ptr<const Regex, DeleteRegex> regex(new Regex(pattern, options));
  if (regex->re2.ok()) return regex;
  error = regex->re2.error();
  return nullptr;
}

namespace {

using Kind = Value::Kind;
using Arguments = std::span<const Value>;

/// The pattern of a call: the one compiled with the expression, or one of its own.
class Pattern {
 public:
  Pattern(const Value& text, EvalContext& context) : regex_(context.pattern) {
    context.pattern = nullptr;
    if (regex_ != nullptr) return;
    charge(context, text.as_text().size());
    own_ = make_regex(text.as_text(), error_);
    regex_ = own_.get();
  }
  explicit operator bool() const { return regex_ != nullptr; }
  const RE2& operator*() const { return regex_->re2; }
  Value error(EvalContext& context) const { return make_error(context, "bad pattern: " + error_); }

 private:
  const Regex* regex_;
  std::unique_ptr<const Regex, DeleteRegex> own_;
  std::string error_;
};

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }
std::string_view view(const re2::StringPiece& text) { return {text.data(), text.size()}; }

/// RE2 takes time in the length of the text, in the worst case times that of the pattern's program. False when the
/// evaluation takes too long.
bool charge_scan(const RE2& pattern, std::size_t length, EvalContext& context) {
  constexpr std::size_t kStep = 64;  // instructions of RE2 that take as long as a node of an expression
  const auto program = static_cast<std::size_t>(std::max(1, pattern.ProgramSize()));
  return charge(context, 1 + length / kStep * program + length % kStep * program / kStep);
}

/// Calls `visit` with each match and its first group, leftmost first, without overlaps, until it returns false or the
/// evaluation takes too long.
template <class Visit>
void each_match(const RE2& pattern, std::string_view text, EvalContext& context, Visit visit) {
  if (!charge_scan(pattern, text.size(), context)) return;
  constexpr std::size_t kLookAhead = 256;  // a match may be known only at the text's end; mostly it is not so
  const int groups = std::min(pattern.NumberOfCapturingGroups() + 1, 10);
  re2::StringPiece found[10];
  std::size_t at = 0;
  std::size_t last_end = std::string_view::npos;
  while (at <= text.size() && pattern.Match(piece(text), at, text.size(), RE2::UNANCHORED, found, groups)) {
    const auto begin = static_cast<std::size_t>(found[0].data() - text.data());
    const std::size_t end = begin + found[0].size();
    const bool empty_again = found[0].empty() && begin == last_end;  // right behind a match there is no empty one
    if (!empty_again && !visit(std::span<const re2::StringPiece>(found, static_cast<std::size_t>(groups)))) return;
    if (!charge(context, 1 + (text.size() - begin) / kLookAhead)) return;
    last_end = end;
    at = end;
    if (found[0].empty()) at += end < text.size() ? code_point_length(text, end) : 1;
  }
}

Value list_of_texts(const std::vector<std::string_view>& texts, EvalContext& context) {
  const std::span<Value> values = context.read.arena->make_array<Value>(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) values[i] = Value::of(texts[i]);
  return make_list(values, context);
}

}  // namespace

Value has_match(Arguments in, EvalContext& context) {
  if (!strings(in, 2)) return no_overload(context, "matches", in);
  const Pattern pattern(in[1], context);
  if (!pattern) return pattern.error(context);
  if (!charge_scan(*pattern, in[0].as_text().size(), context)) return Value::of(false);  // the evaluation ends here
  return Value::of(RE2::PartialMatch(piece(in[0].as_text()), *pattern));
}

Value find_match(Arguments in, EvalContext& context) {
  if (!strings(in, 2)) return no_overload(context, "find", in);
  const Pattern pattern(in[1], context);
  if (!pattern) return pattern.error(context);
  Value out = Value::of(std::string_view());
  each_match(*pattern, in[0].as_text(), context, [&](const auto& found) {
    out = Value::of(view(found[0]));
    return false;
  });
  return out;
}

Value find_all_matches(Arguments in, EvalContext& context) {
  if (!strings(in, 2) || (in.size() > 2 && !in[2].is(Kind::Int))) return no_overload(context, "findAll", in);
  const Pattern pattern(in[1], context);
  if (!pattern) return pattern.error(context);
  const std::int64_t limit =
      in.size() > 2 && in[2].as_int() >= 0 ? in[2].as_int() : std::numeric_limits<std::int64_t>::max();
  std::vector<std::string_view> texts;
  each_match(*pattern, in[0].as_text(), context, [&](const auto& found) {
    if (static_cast<std::int64_t>(texts.size()) < limit) texts.push_back(view(found[0]));
    return static_cast<std::int64_t>(texts.size()) < limit;
  });
  return list_of_texts(texts, context);
}

Value regex_extract(Arguments in, EvalContext& context) {
  if (!strings(in, 2)) return no_overload(context, "regex.extract", in);
  const Pattern pattern(in[1], context);
  if (!pattern) return pattern.error(context);
  if ((*pattern).NumberOfCapturingGroups() > 1)
    return make_error(context, "regular expression has more than one capturing group");
  Value out = Value::optional(nullptr);
  each_match(*pattern, in[0].as_text(), context, [&](const auto& found) {
    if (found.size() == 1 || !found[1].empty()) out = make_optional(Value::of(view(found.back())), context);
    return false;
  });
  return out;
}

Value regex_extract_all(Arguments in, EvalContext& context) {
  if (!strings(in, 2)) return no_overload(context, "regex.extractAll", in);
  const Pattern pattern(in[1], context);
  if (!pattern) return pattern.error(context);
  if ((*pattern).NumberOfCapturingGroups() > 1)
    return make_error(context, "regular expression has more than one capturing group");
  std::vector<std::string_view> texts;
  each_match(*pattern, in[0].as_text(), context, [&](const auto& found) {
    if (found.size() == 1 || !found[1].empty()) texts.push_back(view(found.back()));
    return true;
  });
  return list_of_texts(texts, context);
}

Value regex_replace(Arguments in, EvalContext& context) {
  if (!strings(in, 3) || (in.size() > 3 && !in[3].is(Kind::Int))) return no_overload(context, "regex.replace", in);
  const Pattern pattern(in[1], context);
  if (!pattern) return pattern.error(context);
  std::string reason;
  const bool good = (*pattern).CheckRewriteString(piece(in[2].as_text()), &reason);
  if (!good) return make_error(context, "bad replacement: " + reason);
  const std::string_view text = in[0].as_text();
  std::int64_t left = in.size() > 3 && in[3].as_int() >= 0 ? in[3].as_int() : std::numeric_limits<std::int64_t>::max();
  std::string out;
  std::size_t at = 0;
  each_match(*pattern, text, context, [&](const auto& found) {
    if (left-- <= 0 || out.size() > kMaxMemory) return false;
    const auto begin = static_cast<std::size_t>(found[0].data() - text.data());
    out += text.substr(at, begin - at);
    (*pattern).Rewrite(&out, piece(in[2].as_text()), found.data(), static_cast<int>(found.size()));
    at = begin + found[0].size();
    return true;
  });
  if (out.size() > kMaxMemory) return make_error(context, "the text is too long");
  out += text.substr(at);
  return Value::of(context.read.arena->copy(out));
}

}  // namespace muster
