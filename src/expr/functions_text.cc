#include <algorithm>
#include <limits>
#include <string>

#include "base/strings.h"
#include "base/utf8.h"
#include "expr/function_tables.h"

namespace muster {
namespace {

using Kind = Value::Kind;
using Arguments = std::span<const Value>;

constexpr std::int64_t kEverything = std::numeric_limits<std::int64_t>::max();

Value text_of(std::string_view text, EvalContext& context) { return Value::of(context.read.arena->copy(text)); }

Value text_too_long(EvalContext& context) { return make_error(context, "the text is too long"); }

/// The argument `at` is an int, or is not there.
bool int_or_none(Arguments in, std::size_t at) { return in.size() <= at || in[at].is(Kind::Int); }

/// Bytes before the code point `index`; nothing when the text has fewer.
std::optional<std::size_t> byte_offset(std::string_view text, std::int64_t index) {
  std::size_t at = 0;
  for (; index > 0 && at < text.size(); --index) at += code_point_length(text, at);
  return index == 0 ? std::optional(at) : std::nullopt;
}

Value out_of_range(EvalContext& context, std::int64_t index) {
  return make_error(context, "index out of range: " + std::to_string(index));
}

Value char_at(Arguments in, EvalContext& context) {
  if (!strings(in, 1) || !in[1].is(Kind::Int)) return no_overload(context, "charAt", in);
  const std::string_view text = in[0].as_text();
  const std::optional<std::size_t> at = byte_offset(text, in[1].as_int());
  if (!at) return out_of_range(context, in[1].as_int());
  return Value::of(*at == text.size() ? std::string_view() : text.substr(*at, code_point_length(text, *at)));
}

Value substring(Arguments in, EvalContext& context) {
  if (!strings(in, 1) || !in[1].is(Kind::Int) || !int_or_none(in, 2)) return no_overload(context, "substring", in);
  const std::string_view text = in[0].as_text();
  const std::int64_t first = in[1].as_int();
  const std::optional<std::size_t> begin = byte_offset(text, first);
  if (!begin) return out_of_range(context, first);
  if (in.size() == 2) return Value::of(text.substr(*begin));
  const std::int64_t last = in[2].as_int();
  if (first > last)
    return make_error(context,
                      "invalid substring range. start: " + std::to_string(first) + ", end: " + std::to_string(last));
  const std::optional<std::size_t> end = byte_offset(text, last);
  return end ? Value::of(text.substr(*begin, *end - *begin)) : out_of_range(context, last);
}

Value contains_text(Arguments in, EvalContext& context) {
  if (in[0].is(Kind::Hostlist) && in[1].is(Kind::String))
    return Value::of(in[0].as_hostlist().contains(in[1].as_text()));
  return strings(in, 2) ? Value::of(contains(in[0].as_text(), in[1].as_text())) : no_overload(context, "contains", in);
}
Value starts_with(Arguments in, EvalContext& context) {
  return strings(in, 2) ? Value::of(in[0].as_text().starts_with(in[1].as_text()))
                        : no_overload(context, "startsWith", in);
}
Value ends_with(Arguments in, EvalContext& context) {
  return strings(in, 2) ? Value::of(in[0].as_text().ends_with(in[1].as_text())) : no_overload(context, "endsWith", in);
}

/// Blank in Unicode's sense (White_Space).
bool is_blank(std::string_view text, std::size_t at, std::size_t length) {
  if (length == 1) return text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r');
  const std::string_view character = text.substr(at, length);
  if (length == 2) return character == "\xc2\x85" || character == "\xc2\xa0";
  if (length != 3) return false;
  if (character.starts_with("\xe2\x80")) {  // U+2000 to 200A, 2028, 2029 and 202F
    const auto last = static_cast<unsigned char>(character[2]);
    return last <= 0x8a || last == 0xa8 || last == 0xa9 || last == 0xaf;
  }
  return character == "\xe1\x9a\x80" || character == "\xe2\x81\x9f" || character == "\xe3\x80\x80";
}

Value trim_text(Arguments in, EvalContext& context) {
  if (!strings(in, 1)) return no_overload(context, "trim", in);
  const std::string_view text = in[0].as_text();
  std::size_t begin = text.size();
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    if (!is_blank(text, at, length)) {
      begin = std::min(begin, at);
      end = at + length;
    }
    at += length;
  }
  return Value::of(begin < end ? text.substr(begin, end - begin) : std::string_view());
}

template <char from, char to>
Value change_case(Arguments in, EvalContext& context) {
  if (!strings(in, 1)) return no_overload(context, "lowerAscii or upperAscii", in);
  const std::string_view text = in[0].as_text();
  const std::span<char> out = make_text(text.size(), context);
  constexpr int kCase = to - from;
  std::ranges::transform(text, out.begin(),
                         [](char c) { return c >= from && c < from + 26 ? static_cast<char>(c + kCase) : c; });
  return Value::of(std::string_view(out.data(), out.size()));
}

/// The limit of split and replace; without one, or with a negative one, there is none.
std::int64_t limit_of(Arguments in, std::size_t at) {
  return in.size() > at && in[at].as_int() >= 0 ? in[at].as_int() : kEverything;
}

Value split_text(Arguments in, EvalContext& context) {
  if (!strings(in, 2) || !int_or_none(in, 2)) return no_overload(context, "split", in);
  const std::string_view text = in[0].as_text();
  const std::string_view separator = in[1].as_text();
  const std::int64_t limit = limit_of(in, 2);
  std::vector<Value> pieces;
  std::size_t at = 0;
  while (limit > 0 && static_cast<std::int64_t>(pieces.size()) + 1 < limit) {
    const std::size_t end =
        separator.empty() ? at + (at < text.size() ? code_point_length(text, at) : 0) : text.find(separator, at);
    if (end == text.npos || (separator.empty() && end >= text.size())) break;
    pieces.push_back(Value::of(text.substr(at, end - at)));
    at = end + separator.size();
  }
  if (limit > 0 && !(separator.empty() && text.empty())) pieces.push_back(Value::of(text.substr(at)));
  const std::span<Value> values = context.read.arena->make_array<Value>(pieces.size());
  std::ranges::copy(pieces, values.begin());
  return make_list(values, context);
}

Value replace_text(Arguments in, EvalContext& context) {
  if (!strings(in, 3) || !int_or_none(in, 3)) return no_overload(context, "replace", in);
  const std::string_view text = in[0].as_text();
  const std::string_view from = in[1].as_text();
  const std::string_view to = in[2].as_text();
  std::string out;
  std::size_t at = 0;
  for (std::int64_t left = limit_of(in, 3); left > 0; --left) {
    const std::size_t found = text.find(from, at);
    if (found == text.npos) break;
    out += text.substr(at, found - at);
    out += to;
    at = found + from.size();
    if (out.size() > kMaxMemory) return text_too_long(context);
    if (!from.empty()) continue;
    if (at >= text.size()) return text_of(out, context);
    const std::size_t length = code_point_length(text, at);  // nothing stands between any two characters
    out += text.substr(at, length);
    at += length;
  }
  out += text.substr(std::min(at, text.size()));
  return text_of(out, context);
}

Value join_texts(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::List) || (in.size() > 1 && !in[1].is(Kind::String))) return no_overload(context, "join", in);
  std::string out;
  for (std::size_t i = 0; i < in[0].as_list().size; ++i) {
    const Value each = item(in[0], i);
    if (!each.is(Kind::String))
      return make_error(context,
                        "no such overload: join wants a list of strings, got " + std::string(name_of(each.kind())));
    if (i > 0 && in.size() > 1) out += in[1].as_text();
    out += each.as_text();
    if (out.size() > kMaxMemory) return text_too_long(context);
  }
  return text_of(out, context);
}

Value size(Arguments in, EvalContext& context) {
  switch (in[0].kind()) {
    case Kind::String: return Value::of(static_cast<std::int64_t>(count_code_points(in[0].as_text())));
    case Kind::Bytes: return Value::of(static_cast<std::int64_t>(in[0].as_text().size()));
    case Kind::List: return Value::of(static_cast<std::int64_t>(in[0].as_list().size));
    case Kind::Map: return Value::of(static_cast<std::int64_t>(in[0].as_map().entries.size()));
    case Kind::Hostlist: return Value::of(static_cast<std::int64_t>(in[0].as_hostlist().size()));
    default: return no_overload(context, "size", in);
  }
}

/// The text as a literal, with every character that has a short escape escaped.
Value quote_text(Arguments in, EvalContext& context) {
  if (!strings(in, 1)) return no_overload(context, "strings.quote", in);
  constexpr std::string_view kFrom = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kTo = "abfnrtv\\\"";
  std::string out = "\"";
  for (const char c : in[0].as_text()) {
    const std::size_t escape = kFrom.find(c);
    if (escape != kFrom.npos) {
      out += '\\';
      out += kTo[escape];
    } else {
      out += c;
    }
  }
  return text_of(out + "\"", context);
}

constexpr Overload kSize[] = {{false, {&kDynType}, &kIntType}, {true, {&kDynType}, &kIntType}};
constexpr Overload kTextTest[] = {{true, {&kStringType, &kStringType}, &kBoolType}};
constexpr Overload kContains[] = {{true, {&kStringType, &kStringType}, &kBoolType},
                                  {true, {&kHostlistType, &kStringType}, &kBoolType}};
constexpr Overload kMatches[] = {{true, {&kStringType, &kStringType}, &kBoolType},
                                 {false, {&kStringType, &kStringType}, &kBoolType}};
constexpr Overload kToText[] = {{true, {&kStringType}, &kStringType}};
constexpr Overload kTextOfText[] = {{false, {&kStringType}, &kStringType}};
constexpr Overload kCharAt[] = {{true, {&kStringType, &kIntType}, &kStringType}};
constexpr Overload kSubstring[] = {{true, {&kStringType, &kIntType}, &kStringType},
                                   {true, {&kStringType, &kIntType, &kIntType}, &kStringType}};
constexpr Overload kSplit[] = {{true, {&kStringType, &kStringType}, &kStringListType},
                               {true, {&kStringType, &kStringType, &kIntType}, &kStringListType}};
constexpr Overload kReplace[] = {{true, {&kStringType, &kStringType, &kStringType}, &kStringType},
                                 {true, {&kStringType, &kStringType, &kStringType, &kIntType}, &kStringType}};
constexpr Overload kJoin[] = {{true, {&kDynList}, &kStringType}, {true, {&kDynList, &kStringType}, &kStringType}};
constexpr Overload kFormat[] = {{true, {&kStringType, &kDynList}, &kStringType}};
constexpr Overload kFind[] = {{true, {&kStringType, &kStringType}, &kStringType}};
constexpr Overload kFindAll[] = {{true, {&kStringType, &kStringType}, &kStringListType},
                                 {true, {&kStringType, &kStringType, &kIntType}, &kStringListType}};
constexpr Overload kExtract[] = {{false, {&kStringType, &kStringType}, &kDynOptional}};
constexpr Overload kExtractAll[] = {{false, {&kStringType, &kStringType}, &kStringListType}};
constexpr Overload kRegexReplace[] = {{false, {&kStringType, &kStringType, &kStringType}, &kStringType},
                                      {false, {&kStringType, &kStringType, &kStringType, &kIntType}, &kStringType}};

constexpr Function kTextFunctions[] = {
    {"charAt", kCharAt, "the character at a position; empty at the end", char_at},
    {"contains", kContains, "whether a text holds another, or a node list a name", contains_text},
    {"endsWith", kTextTest, "whether a text ends with another", ends_with},
    {"find", kFind, "the first match of an RE2 pattern; empty when there is none", find_match},
    {"findAll", kFindAll, "the matches of an RE2 pattern, at most a given number", find_all_matches},
    {"format", kFormat, "a text with its clauses %s %d %f %e %b %o %x %X filled in from a list", format_text},
    {"join", kJoin, "the texts of a list as one", join_texts},
    {"lowerAscii", kToText, "in lower case", change_case<'A', 'a'>},
    {"matches", kMatches, "whether a text holds a match of an RE2 pattern", has_match},
    {"regex.extract", kExtract, "the first match of a pattern, or its one group", regex_extract},
    {"regex.extractAll", kExtractAll, "all matches of a pattern, or of its one group", regex_extract_all},
    {"regex.replace", kRegexReplace, "the text with matches replaced; \\1 is the first group", regex_replace},
    {"replace", kReplace, "the text with another replaced, at most a given number of times", replace_text},
    {"size", kSize, "code points, bytes, items, entries or names", size},
    {"split", kSplit, "the pieces between separators, at most a given number", split_text},
    {"startsWith", kTextTest, "whether a text begins with another", starts_with},
    {"strings.quote", kTextOfText, "the text as a literal", quote_text},
    {"substring", kSubstring, "the characters from one position to before another", substring},
    {"trim", kToText, "without blanks at both ends", trim_text},
    {"upperAscii", kToText, "in upper case", change_case<'a', 'A'>},
};
static_assert(std::ranges::is_sorted(kTextFunctions, {}, &Function::name));

/// What indexOf and lastIndexOf share: an error to return when the arguments are wrong, or null.
Value bad_index_of(std::string_view name, Arguments in, EvalContext& context) {
  if (!strings(in, 2) || !int_or_none(in, 2)) return no_overload(context, name, in);
  const bool within = in.size() == 2 || byte_offset(in[0].as_text(), in[2].as_int());
  return within ? Value::null() : out_of_range(context, in[2].as_int());
}

Value characters_before(std::string_view text, std::size_t at) {
  return Value::of(at == text.npos ? std::int64_t{-1}
                                   : static_cast<std::int64_t>(count_code_points(text.substr(0, at))));
}

}  // namespace

Value text_index_of(Arguments in, EvalContext& context) {
  if (const Value bad = bad_index_of("indexOf", in, context); bad.stops()) return bad;
  const std::string_view text = in[0].as_text();
  return characters_before(text, text.find(in[1].as_text(), in.size() > 2 ? *byte_offset(text, in[2].as_int()) : 0));
}

Value text_last_index_of(Arguments in, EvalContext& context) {
  if (const Value bad = bad_index_of("lastIndexOf", in, context); bad.stops()) return bad;
  const std::string_view text = in[0].as_text();
  if (in.size() == 2) return characters_before(text, text.rfind(in[1].as_text()));
  const std::size_t last = *byte_offset(text, in[2].as_int());
  const bool within = last < text.size() || in[1].as_text().empty();
  return characters_before(text, within ? text.rfind(in[1].as_text(), last) : text.npos);
}

Value reverse_text(Arguments in, EvalContext& context) {
  if (!strings(in, 1)) return no_overload(context, "reverse", in);
  const std::string_view text = in[0].as_text();
  const std::span<char> out = make_text(text.size(), context);
  std::size_t end = text.size();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_length(text, at);
    end -= length;
    std::ranges::copy(text.substr(at, length), out.begin() + static_cast<std::ptrdiff_t>(end));
    at += length;
  }
  return Value::of(std::string_view(out.data(), out.size()));
}

std::span<const Function> text_functions() { return kTextFunctions; }

}  // namespace muster
