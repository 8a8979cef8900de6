#include "pipeline/own_output.h"

#include <algorithm>
#include <string>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kTelling = 6000;  // bytes that tell what a file is

std::string without_white(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_white(c)) out += c;
  }
  return out;
}

/// `"check_name":"RULE"` behind a description that ends with the rule, as report/gitlab.cc writes it.
bool is_code_quality(std::string_view text) {
  constexpr std::string_view kName = "\"check_name\":\"";
  const std::size_t at = text.find(kName);
  if (at == text.npos || !contains(text, "\"fingerprint\":\"")) return false;
  const std::string_view rest = text.substr(at + kName.size());
  return contains(text.substr(0, at), "(" + std::string(rest.substr(0, rest.find('"'))) + ")\",");
}

bool is_own_json(std::string_view text) {
  const std::string start = without_white(text.substr(0, kTelling));
  if (start.starts_with("[")) return is_code_quality(start);
  return start.starts_with("{\"muster\":\"baseline/") || start.starts_with("{\"version\":\"muster.") ||
         start.starts_with("{\"source\":{\"name\":\"muster\"") ||
         (contains(start, "\"tool\":{\"driver\":{\"name\":\"muster\"") && contains(start, "\"runs\":["));
}

/// `error[RULE]: ...` and its place below.
bool is_text_report(std::string_view text) {
  constexpr std::string_view kLevels[] = {"error", "warning", "info"};
  const std::size_t bracket = text.find('[');
  const std::size_t line = text.find('\n');
  const std::size_t close = text.find("]: ");
  if (bracket == text.npos || std::ranges::find(kLevels, text.substr(0, bracket)) == std::end(kLevels)) return false;
  if (line == text.npos || close == text.npos || close > line) return false;
  const std::string_view place = text.substr(line + 1);
  if (!place.starts_with(' ') ||
      !place.substr(std::min(place.find_first_not_of(' '), place.size())).starts_with("--> "))
    return false;
  const std::string_view rule = text.substr(bracket + 1, close - bracket - 1);
  return std::ranges::all_of(rule, [](char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-'; });
}

bool is_annotation(std::string_view text) {
  constexpr std::string_view kLevels[] = {"::error title=muster (", "::warning title=muster (",
                                          "::notice title=muster ("};
  return std::ranges::any_of(kLevels, [&](std::string_view level) { return text.starts_with(level); });
}

}  // namespace

bool is_own_output(std::string_view text) {
  while (!text.empty() && is_white(text.front())) text.remove_prefix(1);
  if (text.empty()) return false;
  switch (text.front()) {
    case '{':
    case '[': return is_own_json(text);
    case '#': return text.starts_with("### muster: ");
    case ':': return is_annotation(text);
    case '<': {
      const std::string_view start = text.substr(0, kTelling);
      return contains(start, "<testsuites name=\"muster\"") ||
             (contains(start, "<checkstyle ") && contains(start, "source=\"muster."));
    }
    case 'e':
    case 'w':
    case 'i': return is_text_report(text);
    default: return false;
  }
}

}  // namespace muster
