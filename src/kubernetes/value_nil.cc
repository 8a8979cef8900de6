#include "kubernetes/value_nil.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::string_view kField = ".Values.";
constexpr std::array<std::string_view, 5> kOpens{"if", "with", "range", "define", "block"};

std::string_view first_word(std::string_view action) {
  return action.substr(0, std::min(action.find_first_of(" \t\r\n("), action.size()));
}

/// `and` and `or` look at their later arguments only where the earlier ones say so.
bool may_stop_short(std::string_view action) {
  return std::ranges::any_of(split_blanks(action), [](std::string_view word) {
    word.remove_prefix(std::min(word.find_first_not_of('('), word.size()));
    return word == "and" || word == "or";
  });
}

std::string_view name_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_word_char(text[end])) ++end;
  return text.substr(at, end - at);
}

/// Quotes hold no reads.
std::vector<std::size_t> fields_in(std::string_view action) {
  std::vector<std::size_t> out;
  char quote = 0;
  for (std::size_t i = 0; i < action.size(); ++i) {
    const char c = action[i];
    if (quote != 0) {
      if (c == '\\' && quote == '"') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '`') {
      quote = c;
    } else if (action.substr(i).starts_with(kField) && (i == 0 || !is_word_char(action[i - 1]))) {
      out.push_back(i);
    }
  }
  return out;
}

}  // namespace

std::vector<std::string_view> certain_actions(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t depth = 0;
  for (std::size_t at = text.find("{{"); at != text.npos; at = text.find("{{", at)) {
    const bool comment = trim(text.substr(at + 2, 8)).starts_with("/*") || text.substr(at, 5) == "{{-/*";
    const std::size_t end = text.find(comment ? "*/" : "}}", at + 2);
    if (end == text.npos) break;
    std::string_view action = text.substr(at + 2, end - at - 2);
    if (action.starts_with("- ")) action.remove_prefix(1);
    action = trim(action);
    at = end + 2;
    if (comment) continue;
    const std::string_view word = first_word(action);
    const bool opens = std::ranges::find(kOpens, word) != kOpens.end();
    if (word == "end") depth -= depth > 0 ? 1 : 0;
    if (depth == 0 && word != "define" && word != "else" && word != "end") out.push_back(action);
    if (opens) ++depth;
  }
  return out;
}

std::vector<ValueStep> certain_steps(std::string_view text, FileId file) {
  std::vector<ValueStep> out;
  for (const std::string_view action : certain_actions(text)) {
    if (may_stop_short(action)) continue;
    for (const std::size_t field : fields_in(action)) {
      const std::string_view parent = name_at(action, field + kField.size());
      const std::size_t dot = field + kField.size() + parent.size();
      if (parent.empty() || action.substr(dot, 1) != ".") continue;
      const std::string_view name = name_at(action, dot + 1);
      if (name.empty()) continue;
      const auto begin = static_cast<std::uint32_t>(action.data() + field - text.data());
      out.push_back({parent, name, {file, begin, static_cast<std::uint32_t>(name.data() + name.size() - text.data())}});
    }
  }
  return out;
}

}  // namespace muster
