#include "pipeline/sacct_fields.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "pipeline/input_names.h"

namespace muster {
namespace {

/// Small letters: sacct compares without the case.
constexpr std::array<std::string_view, 2> kRemovedFields{"allocgres", "reqgres"};

/// Whether a word stands at `at` by itself.
bool stands_alone(std::string_view text, std::size_t at, std::size_t size) {
  return (at == 0 || !is_word_char(text[at - 1])) && (at + size >= text.size() || !is_word_char(text[at + size]));
}

/// Where sacct itself, or its variable, begins last in a text; npos: nowhere.
std::size_t last_command(std::string_view before) {
  constexpr std::array<std::string_view, 2> kBegins{"sacct", "sacct_format"};
  std::size_t out = before.npos;
  for (const std::string_view begin : kBegins) {
    for (std::size_t at = before.find(begin); at != before.npos; at = before.find(begin, at + 1)) {
      if (stands_alone(before, at, begin.size()) && (out == before.npos || at > out)) out = at;
    }
  }
  return out;
}

/// Where the list of fields begins in a command; npos: it asks for none.
std::size_t list_of_fields(std::string_view command) {
  if (command.starts_with("sacct_format")) {
    const std::size_t sign = command.find_first_of("=:");
    return sign == command.npos ? sign : sign + 1;
  }
  const std::size_t spelled = command.rfind("--format");
  if (spelled != command.npos) return spelled + 8;
  const std::size_t option = command.rfind("-o");
  const bool apart = option != command.npos && option > 0 && contains(" \t\"'", command.substr(option - 1, 1));
  return apart ? option + 2 : command.npos;
}

/// Whether nothing but fields stands in a list: blanks only behind a comma, a sign or a quote.
bool is_list(std::string_view fields) {
  constexpr std::string_view kBehind = ",=:'\"\\";
  char last = '=';
  for (const char c : fields) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (blank && kBehind.find(last) == kBehind.npos) return false;
    // The end of a line ends the command but for these two.
    if (c == '\n' && last != ',' && last != '\\') return false;
    if (!blank && !is_word_char(c) && kBehind.find(c) == kBehind.npos && c != '%' && c != '-' && c != '.') return false;
    if (!blank) last = c;
  }
  return true;
}

/// Whether the place stands in a command of sacct that asks for it: `sacct ... --format=JobID,ReqGRES`,
/// `"sacct", "-o", "ReqGRES"`. `text` in small letters.
bool is_asked_for(std::string_view text, std::size_t at) {
  constexpr std::size_t kNear = 300;  // characters of the command before it
  const std::size_t from = at - std::min(at, kNear);
  const std::string_view before = text.substr(from, at - from);
  const std::size_t begin = last_command(before);
  if (begin == before.npos) return false;
  const std::size_t line = before.substr(0, begin).rfind('\n') + 1;  // npos + 1 is 0
  const std::string_view in_front = before.substr(line, begin - line);
  if (contains(in_front, "#") || contains(in_front, "//")) return false;  // a remark
  const std::string_view command = before.substr(begin);
  const std::size_t list = list_of_fields(command);
  if (list == command.npos || command.find_first_of(";|#)]") != command.npos || contains(command, "\n\n")) return false;
  for (std::size_t end = command.find('\n'); end != command.npos; end = command.find('\n', end + 1)) {
    const std::string_view ended = trim(command.substr(0, end));
    if (!ended.ends_with('\\') && !ended.ends_with(',')) return false;
  }
  return is_list(command.substr(list));
}

std::size_t field_asked_for(std::string_view text, std::string_view field) {
  for (std::size_t at = text.find(field); at != text.npos; at = text.find(field, at + 1)) {
    if (stands_alone(text, at, field.size()) && is_asked_for(text, at)) return at;
  }
  return text.npos;
}

/// Whether the text asks for the new field where the old one is gone, or tells of the change. In small letters.
bool knows_of_change(std::string_view text) {
  constexpr std::array<std::string_view, 6> kSigns{"version", "except", "20.11", "deprecat", "removed", "renamed"};
  return (contains(text, "reqtres") || contains(text, "alloctres")) &&
         std::ranges::any_of(kSigns, [&](std::string_view sign) { return contains(text, sign); });
}

bool tells_of_releases(std::string_view path) {
  constexpr std::array<std::string_view, 4> kNames{"changelog", "changes", "news", "release"};
  const std::string name = to_lower(last_part(path));
  return std::ranges::any_of(kNames, [&](std::string_view one) { return name.starts_with(one); });
}

}  // namespace

void find_removed_sacct_fields(const Inputs& inputs, std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < inputs.files.size(); ++i) {
    if (inputs.files[i].reading != Reading::Whole) continue;
    const auto file = static_cast<FileId>(i);
    const std::string_view text = inputs.sources.file(file).text();
    if (find_part(text, "sacct") == text.npos && find_part(text, "SACCT_FORMAT") == text.npos) continue;
    if (!contains_ignoring_case(text, "gres") || tells_of_releases(inputs.files[i].context.path)) continue;
    const std::string lower = to_lower(text);
    for (const std::string_view field : kRemovedFields) {
      const std::size_t at = field_asked_for(lower, field);
      if (at == lower.npos || knows_of_change(lower)) continue;
      const std::string now = field.starts_with("req") ? "ReqTRES" : "AllocTRES";
      // Both are asked for: the old one where the new one is refused.
      if (field_asked_for(lower, to_lower(now)) != lower.npos) continue;
      const std::string_view written = text.substr(at, field.size());
      findings.push_back(problem("sacct-field-removed", span_of_part(file, text, written),
                                 "sacct has no field `" + std::string(written) + "` any more: it is " + now));
      break;
    }
  }
}

}  // namespace muster
