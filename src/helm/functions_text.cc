// Functions about texts. Sources: Masterminds/sprig:functions.go, strings.go (3.3);
// golang/go:src/text/template/funcs.go.
#include <algorithm>
#include <cctype>

#include "base/strings.h"
#include "base/utf8.h"
#include "helm/call.h"
#include "helm/go_format.h"

namespace muster::helm {
namespace {

/// Whether that much may be written.
bool affords(Call& call, std::size_t bytes) { return call.engine.spend(1 + bytes / 16); }

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool is_ascii_letter(char c) { return upper(c) != lower(c); }

template <class Change>
std::string changed(std::string value, Change change) {
  std::ranges::transform(value, value.begin(), change);
  return value;
}

std::string indented(Call& call, const std::string& value) {
  const std::int64_t spaces = call.integer(0);
  if (spaces < 0 || spaces > 1000) return call.fail("a negative or very wide indent"), std::string();
  const auto lines = static_cast<std::size_t>(std::ranges::count(value, '\n')) + 1;
  if (!affords(call, value.size() + lines * static_cast<std::size_t>(spaces))) return {};
  const std::string pad(static_cast<std::size_t>(spaces), ' ');
  return pad + replace_all(value, "\n", "\n" + pad);
}

std::string trimmed(std::string_view value, std::string_view set) {
  const std::size_t first = value.find_first_not_of(set);
  if (first == value.npos) return {};
  return std::string(value.substr(first, value.find_last_not_of(set) - first + 1));
}

Value trunc(Call& call) {
  const std::string& value = call.text(1);
  const std::int64_t count = call.integer(0);
  const auto size = static_cast<std::int64_t>(value.size());
  if (count < 0 && size + count > 0) return text_value(value.substr(static_cast<std::size_t>(size + count)));
  if (count >= 0 && size > count) return text_value(value.substr(0, static_cast<std::size_t>(count)));
  return text_value(value);
}

Value substr(Call& call) {
  const std::string& value = call.text(2);
  const auto size = static_cast<std::int64_t>(value.size());
  std::int64_t begin = call.integer(0);
  std::int64_t end = call.integer(1);
  if (begin < 0)
    begin = 0;
  else if (end < 0 || end > size)
    end = size;
  if (end < begin || end > size) return call.fail("slice bounds out of range");
  return text_value(value.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
}

Value repeat(Call& call) {
  const std::int64_t count = call.integer(0);
  if (count < 0) return call.fail("strings: negative Repeat count");
  const std::string& value = call.text(1);
  if (count > 10'000'000 || !affords(call, value.size() * static_cast<std::size_t>(count)))
    return call.fail("it writes too much");
  std::string out;
  for (std::int64_t i = 0; i < count; ++i) out += value;
  return text_value(std::move(out));
}

/// A separator before each capital letter, and for blanks and dashes.
std::string with_separator(std::string_view value, char separator) {
  std::string out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (c == ' ' || c == '_' || c == '-') {
      if (!out.empty()) out += separator;
      continue;
    }
    const bool capital = c != lower(c);
    const bool after_small = i > 0 && (value[i - 1] != upper(value[i - 1]) || is_digit(value[i - 1]));
    const bool before_small =
        i > 0 && is_ascii_letter(value[i - 1]) && i + 1 < value.size() && value[i + 1] != upper(value[i + 1]);
    if (capital && (after_small || before_small) && !out.empty() && out.back() != separator) out += separator;
    out += lower(c);
  }
  return out;
}

std::string camel(std::string_view value) {
  std::string out;
  bool next = true;
  for (const char c : value) {
    if (c == '_' || c == '-' || c == ' ') {
      next = true;
      continue;
    }
    out += next ? upper(c) : c;
    next = false;
  }
  return out;
}

std::string title(std::string value) {
  bool next = true;
  for (char& c : value) {
    if (next) c = upper(c);
    next = !is_ascii_letter(c) && !is_digit(c) && c != '_' && c != '\'';
  }
  return value;
}

/// Each argument that is not nil, in some marks.
template <class Mark>
Value marked(Call& call, Mark mark) {
  std::string out;
  for (const Value& value : call.arguments) {
    if (value.is_nil()) continue;
    if (!out.empty()) out += ' ';
    out += mark(text_of(value));
  }
  return affords(call, out.size()) ? text_value(std::move(out)) : Value();
}

/// Blanks stand between two values of which none is a text (Sprint), or between all (Sprintln).
Value print(Call& call, bool line) {
  std::string out;
  for (std::size_t i = 0; i < call.size(); ++i) {
    const bool blank = i > 0 && (line || (!call.at(i).is_text() && !call.at(i - 1).is_text()));
    if (blank) out += ' ';
    out += text_of(call.at(i));
  }
  if (line) out += '\n';
  return affords(call, out.size()) ? text_value(std::move(out)) : Value();
}

Value print_formatted(Call& call) {
  const std::vector<Value> values(call.arguments.begin() + 1, call.arguments.end());
  std::string out = go_format(call.text(0), values);
  return affords(call, out.size()) ? text_value(std::move(out)) : Value();
}

Value replace(Call& call) {
  std::string out = call.text(0).empty() ? call.text(2) : replace_all(call.text(2), call.text(0), call.text(1));
  return affords(call, out.size()) ? text_value(std::move(out)) : Value();
}

Value wrap(Call& call) {
  const std::string separator = call.name == "wrapWith" ? call.text(1) : "\n";
  const auto width = static_cast<std::size_t>(std::clamp<std::int64_t>(call.integer(0), 1, 10'000));
  std::string out;
  std::size_t line = 0;
  for (const std::string_view word : split(call.text(call.size() - 1), ' ')) {
    if (!out.empty() && line + 1 + word.size() > width)
      out += separator, line = 0;
    else if (!out.empty())
      out += ' ', ++line;
    out += word;
    line += word.size();
  }
  return text_value(std::move(out));
}

Value abbrev(Call& call) {
  const std::int64_t width = call.integer(0);
  const std::string& value = call.text(1);
  if (width < 4 || static_cast<std::int64_t>(value.size()) <= width) return text_value(value);
  return text_value(value.substr(0, static_cast<std::size_t>(width - 3)) + "...");
}

Value html(Call& call) {
  std::string out;
  for (const Value& value : call.arguments) out += text_of(value);
  for (const auto& [from, to] :
       {std::pair{"&", "&amp;"}, {"'", "&#39;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&#34;"}})
    out = replace_all(std::move(out), from, to);
  return text_value(std::move(out));
}

Value query_escaped(Call& call) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string all;
  for (const Value& value : call.arguments) all += text_of(value);
  std::string out;
  for (const char c : all) {
    if (is_ascii_letter(c) || is_digit(c) || contains("-_.~", std::string_view(&c, 1)))
      out += c;
    else if (c == ' ')
      out += '+';
    else
      out += std::string("%") + kHex[static_cast<unsigned char>(c) >> 4] + kHex[static_cast<unsigned char>(c) & 15];
  }
  return text_value(std::move(out));
}

std::string initials(std::string_view value) {
  std::string out;
  for (const std::string_view word : split_blanks(value)) out += word.substr(0, 1);
  return out;
}

}  // namespace

const std::vector<Function> kTextFunctions = {
    {"abbrev", "is", abbrev},
    {"camelcase", "s", [](Call& c) { return text_value(camel(c.text(0))); }},
    {"cat", "a*", [](Call& c) { return marked(c, [](std::string one) { return one; }); }},
    {"contains", "ss", [](Call& c) { return Value::of(contains(c.text(1), c.text(0))); }},
    {"hasPrefix", "ss", [](Call& c) { return Value::of(c.text(1).starts_with(c.text(0))); }},
    {"hasSuffix", "ss", [](Call& c) { return Value::of(c.text(1).ends_with(c.text(0))); }},
    {"hello", "", [](Call&) { return text_value("Hello!"); }},
    {"html", "a*", html},
    {"indent", "is", [](Call& c) { return text_value(indented(c, c.text(1))); }},
    {"initials", "s", [](Call& c) { return text_value(initials(c.text(0))); }},
    {"kebabcase", "s", [](Call& c) { return text_value(with_separator(c.text(0), '-')); }},
    {"lower", "s", [](Call& c) { return text_value(changed(c.text(0), lower)); }},
    {"nindent", "is", [](Call& c) { return text_value("\n" + indented(c, c.text(1))); }},
    {"nospace", "s",
     [](Call& c) {
       std::string out = c.text(0);
       std::erase_if(out, is_white);
       return text_value(std::move(out));
     }},
    {"plural", "ssi", [](Call& c) { return text_value(c.integer(2) == 1 ? c.text(0) : c.text(1)); }},
    {"print", "a*", [](Call& c) { return print(c, false); }},
    {"printf", "sa*", print_formatted},
    {"println", "a*", [](Call& c) { return print(c, true); }},
    {"quote", "a*", [](Call& c) { return marked(c, [](const std::string& one) { return quoted(one); }); }},
    {"repeat", "is", repeat},
    {"replace", "sss", replace},
    {"snakecase", "s", [](Call& c) { return text_value(with_separator(c.text(0), '_')); }},
    {"squote", "a*", [](Call& c) { return marked(c, [](const std::string& one) { return "'" + one + "'"; }); }},
    {"substr", "iis", substr},
    {"swapcase", "s",
     [](Call& c) {
       return text_value(changed(c.text(0), [](char one) { return upper(one) == one ? lower(one) : upper(one); }));
     }},
    {"title", "s", [](Call& c) { return text_value(title(c.text(0))); }},
    {"toString", "a", [](Call& c) { return text_value(text_of(c.at(0))); }},
    {"trim", "s", [](Call& c) { return text_value(std::string(trimmed(c.text(0), " \t\r\n\v\f"))); }},
    {"trimAll", "ss", [](Call& c) { return text_value(trimmed(c.text(1), c.text(0))); }},
    {"trimPrefix", "ss",
     [](Call& c) {
       return text_value(c.text(1).starts_with(c.text(0)) ? c.text(1).substr(c.text(0).size()) : c.text(1));
     }},
    {"trimSuffix", "ss",
     [](Call& c) {
       const std::string& value = c.text(1);
       return text_value(value.ends_with(c.text(0)) ? value.substr(0, value.size() - c.text(0).size()) : value);
     }},
    {"trimall", "ss", [](Call& c) { return text_value(trimmed(c.text(1), c.text(0))); }},
    {"trunc", "is", trunc},
    {"untitle", "s",
     [](Call& c) {
       std::string out = c.text(0);
       if (!out.empty()) out[0] = lower(out[0]);
       return text_value(std::move(out));
     }},
    {"upper", "s", [](Call& c) { return text_value(changed(c.text(0), upper)); }},
    {"urlquery", "a*", query_escaped},
    {"wrap", "is", wrap},
    {"wrapWith", "iss", wrap},
};

}  // namespace muster::helm
