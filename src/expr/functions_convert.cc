#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "base/strings.h"
#include "base/utf8.h"
#include "expr/function_tables.h"

namespace muster {
namespace {

using Kind = Value::Kind;
using Arguments = std::span<const Value>;

constexpr double kTwo63 = 9223372036854775808.0;
constexpr double kTwo64 = 18446744073709551616.0;

Value bad_text(EvalContext& context, const Value& text, std::string_view type) {
  return make_error(context, "cannot convert " + to_literal(text) + " to " + std::string(type));
}

Value to_int(Arguments in, EvalContext& context) {
  const Value& value = in[0];
  switch (value.kind()) {
    case Kind::Int: return value;
    case Kind::Uint:
      if (value.as_uint() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return make_error(context, "range error: int overflow");
      return Value::of(static_cast<std::int64_t>(value.as_uint()));
    case Kind::Double: {
      const double number = value.as_double();
      if (!(number > -kTwo63 && number < kTwo63)) return make_error(context, "range error: int overflow");
      return Value::of(static_cast<std::int64_t>(number));
    }
    case Kind::String: {
      const std::optional<std::int64_t> number = parse_int(value.as_text());
      return number ? Value::of(*number) : bad_text(context, value, "int");
    }
    case Kind::Timestamp: return Value::of(value.as_time().seconds);
    case Kind::Quantity:
      if (!value.as_quantity().is_whole()) return make_error(context, "the quantity is not a whole number");
      return Value::of(value.as_quantity().whole);
    default: return no_overload(context, "int", in);
  }
}

Value to_uint(Arguments in, EvalContext& context) {
  const Value& value = in[0];
  switch (value.kind()) {
    case Kind::Uint: return value;
    case Kind::Int:
      if (value.as_int() < 0) return make_error(context, "range error: uint overflow");
      return Value::of(static_cast<std::uint64_t>(value.as_int()));
    case Kind::Double: {
      const double number = value.as_double();
      if (!(number > -1.0 && number < kTwo64) || number < 0.0) return make_error(context, "range error: uint overflow");
      return Value::of(static_cast<std::uint64_t>(number));
    }
    case Kind::String: {
      const std::string_view text = value.as_text();
      std::uint64_t number = 0;
      const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      const bool whole = error == std::errc{} && stop == text.data() + text.size();
      return whole ? Value::of(number) : bad_text(context, value, "uint");
    }
    default: return no_overload(context, "uint", in);
  }
}

/// Decimal numbers, NaN and infinities with a sign; nothing around them.
std::optional<double> parse_double(std::string_view text) {
  std::string_view digits = text;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.remove_prefix(1);
  const std::string word = to_lower(digits);
  const double infinity = std::numeric_limits<double>::infinity();
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (word == "inf" || word == "infinity") return negative ? -infinity : infinity;
  const bool plain = !digits.empty() && digits.find_first_not_of("0123456789.eE+-") == std::string_view::npos &&
                     digits.front() != '+' && digits.front() != '-';
  if (!plain) return std::nullopt;
  const std::string copy(digits);
  char* end = nullptr;
  const double number = std::strtod(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size() || std::isinf(number)) return std::nullopt;
  return negative ? -number : number;
}

Value to_double(Arguments in, EvalContext& context) {
  const Value& value = in[0];
  if (value.is(Kind::Double)) return value;
  if (value.is(Kind::Int)) return Value::of(static_cast<double>(value.as_int()));
  if (value.is(Kind::Uint)) return Value::of(static_cast<double>(value.as_uint()));
  if (!value.is(Kind::String)) return no_overload(context, "double", in);
  const std::optional<double> number = parse_double(value.as_text());
  return number ? Value::of(*number) : bad_text(context, value, "double");
}

Value to_bool(Arguments in, EvalContext& context) {
  if (in[0].is(Kind::Bool)) return in[0];
  if (!in[0].is(Kind::String)) return no_overload(context, "bool", in);
  constexpr std::array<std::string_view, 5> kTrue{"1", "t", "true", "TRUE", "True"};
  constexpr std::array<std::string_view, 5> kFalse{"0", "f", "false", "FALSE", "False"};
  const std::string_view text = in[0].as_text();
  if (std::ranges::find(kTrue, text) != kTrue.end()) return Value::of(true);
  if (std::ranges::find(kFalse, text) != kFalse.end()) return Value::of(false);
  return make_error(context, "Type conversion error: cannot convert " + to_literal(in[0]) + " to bool");
}

Value to_bytes(Arguments in, EvalContext& context) {
  if (in[0].is(Kind::Bytes)) return in[0];
  return in[0].is(Kind::String) ? Value::bytes(in[0].as_text()) : no_overload(context, "bytes", in);
}

Value to_string(Arguments in, EvalContext& context) {
  switch (in[0].kind()) {
    case Kind::String: return in[0];
    case Kind::Bytes:
      if (first_invalid_utf8(in[0].as_text()))
        return make_error(context, "invalid UTF-8 in bytes, cannot convert to string");
      return Value::of(in[0].as_text());
    case Kind::Double: return Value::of(context.read.arena->copy(double_text(in[0].as_double())));
    case Kind::Bool:
    case Kind::Int:
    case Kind::Uint:
    case Kind::Duration:
    case Kind::Timestamp:
    case Kind::Quantity:
    case Kind::Version:
    case Kind::Semver: return Value::of(context.read.arena->copy(to_text(in[0])));
    default: return no_overload(context, "string", in);
  }
}

Value to_dyn(Arguments in, EvalContext&) { return in[0]; }

Value type_of(Arguments in, EvalContext&) {
  return Value::type(in[0].is(Kind::Object) ? in[0].object_type()->name : name_of(in[0].kind()));
}

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Value encode_base64(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::Bytes)) return no_overload(context, "base64.encode", in);
  const std::string_view bytes = in[0].as_text();
  const std::span<char> out = make_text((bytes.size() + 2) / 3 * 4, context);
  for (std::size_t i = 0, o = 0; i < bytes.size(); i += 3, o += 4) {
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      out[o + j] = i + j <= bytes.size() ? kAlphabet[group >> (18 - 6 * j) & 63] : '=';
  }
  return Value::of(std::string_view(out.data(), out.size()));
}

/// With or without the `=` at the end.
Value decode_base64(Arguments in, EvalContext& context) {
  if (!in[0].is(Kind::String)) return no_overload(context, "base64.decode", in);
  std::string_view text = in[0].as_text();
  if (text.size() % 4 == 0 && text.ends_with("==")) {
    text.remove_suffix(2);
  } else if (text.size() % 4 == 0 && text.ends_with('=')) {
    text.remove_suffix(1);
  }
  std::string out;
  std::uint32_t group = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t digit = kAlphabet.find(text[i]);
    if (digit == kAlphabet.npos) return make_error(context, "illegal base64 data at byte " + std::to_string(i));
    group = group << 6 | static_cast<std::uint32_t>(digit);
    if (i % 4 != 0) out += static_cast<char>(group >> (6 - 2 * (i % 4)) & 255);
  }
  if (text.size() % 4 == 1)
    return make_error(context, "illegal base64 data at byte " + std::to_string(text.size() - 1));
  return Value::bytes(context.read.arena->copy(out));
}

constexpr Overload kToBool[] = {{false, {&kDynType}, &kBoolType}};
constexpr Overload kToBytes[] = {{false, {&kDynType}, &kBytesType}};
constexpr Overload kToDouble[] = {{false, {&kDynType}, &kDoubleType}};
constexpr Overload kToDyn[] = {{false, {&kDynType}, &kDynType}};
constexpr Overload kToInt[] = {{false, {&kDynType}, &kIntType}};
constexpr Overload kToString[] = {{false, {&kDynType}, &kStringType}};
constexpr Overload kToUint[] = {{false, {&kDynType}, &kUintType}};
constexpr Overload kTypeOf[] = {{false, {&kDynType}, &kTypeType}};
constexpr Overload kEncode[] = {{false, {&kBytesType}, &kStringType}};
constexpr Overload kDecode[] = {{false, {&kStringType}, &kBytesType}};

constexpr Function kConvertFunctions[] = {
    {"base64.decode", kDecode, "bytes out of base64", decode_base64},
    {"base64.encode", kEncode, "bytes as base64", encode_base64},
    {"bool", kToBool, "as a bool", to_bool},
    {"bytes", kToBytes, "the UTF-8 bytes of a text", to_bytes},
    {"double", kToDouble, "as a double", to_double},
    {"dyn", kToDyn, "the same value with its type left open", to_dyn},
    {"int", kToInt, "as an int, towards zero; seconds since 1970 of a timestamp", to_int},
    {"string", kToString, "as a text", to_string},
    {"type", kTypeOf, "the type of a value", type_of},
    {"uint", kToUint, "as a uint, towards zero", to_uint},
};
static_assert(std::ranges::is_sorted(kConvertFunctions, {}, &Function::name));

}  // namespace

std::span<const Function> conversion_functions() { return kConvertFunctions; }

}  // namespace muster
