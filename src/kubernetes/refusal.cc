#include "kubernetes/refusal.h"

#include <algorithm>

#include "base/strings.h"
#include "syntax/placeholder.h"

namespace muster {
namespace {

constexpr std::size_t kMostOfLabel = 63;     // signs of a label of DNS, and of a label's value
constexpr std::size_t kMostOfPortName = 15;  // signs of a port's name

bool is_small_or_digit(char c) { return (c >= 'a' && c <= 'z') || is_digit(c); }
bool is_letter_or_digit(char c) { return is_small_or_digit(c) || (c >= 'A' && c <= 'Z'); }
}  // namespace

bool is_written(const Node& node) {
  return node.is_scalar() && !node.text().empty() && !is_unsaid(node) && !is_screaming(node.text()) &&
         !is_word_for_number(node.text()) && node.text().find_first_of("${}<>%@()[]#*") == std::string_view::npos;
}

std::optional<std::int64_t> number_written(const Node& value) {
  if (!value.is_scalar() || value.style() != ScalarStyle::Plain) return std::nullopt;
  return parse_int(value.text());
}

bool is_label_word(std::string_view text) {
  if (text.empty() || text.size() > kMostOfLabel) return false;
  const auto inner = [](char c) { return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.'; };
  return is_letter_or_digit(text.front()) && is_letter_or_digit(text.back()) && std::ranges::all_of(text, inner);
}

void Refusal::say(const Node& at, std::string_view field, const std::string& why, About about) {
  findings_.push_back(problem("field-refused", at.where(), in_ticks(field) + " " + why));
  findings_.back().field = field;
  findings_.back().about = about;
}

void Refusal::unlike(const Node& list, std::string_view key, std::string_view what, std::set<std::string_view>& seen) {
  for (std::size_t i = 0; list.is_sequence() && i < list.size(); ++i) {
    const Node name = list.item(i)[key];
    if (!is_written(name) || seen.insert(name.text()).second) continue;
    say(name, key, in_ticks(name.text()) + " is that of another " + std::string(what));
  }
}

void Refusal::unlike(const Node& list, std::string_view key, std::string_view what) {
  std::set<std::string_view> seen;
  unlike(list, key, what, seen);
}

void Refusal::within(const Node& value, std::string_view field, std::int64_t least, std::int64_t most) {
  const std::optional<std::int64_t> number = number_written(value);
  if (!number || (*number >= least && *number <= most)) return;
  say(value, field,
      "is " + std::to_string(*number) + ", and takes " + std::to_string(least) + " to " + std::to_string(most));
}

void Refusal::not_negative(const Node& parent, std::initializer_list<std::string_view> fields) {
  for (const std::string_view field : fields) {
    const Node value = parent[field];
    const std::optional<std::int64_t> number = number_written(value);
    if (number && *number < 0) say(value, field, "is " + std::to_string(*number) + ", and takes 0 and more");
  }
}

void Refusal::dns_label(const Node& name, std::string_view field) {
  if (!is_written(name)) return;
  const std::string_view text = name.text();
  const bool signs = std::ranges::all_of(text, [](char c) { return is_small_or_digit(c) || c == '-'; });
  if (!signs || text.front() == '-' || text.back() == '-')
    say(name, field, in_ticks(text) + " is no label of DNS: small letters, digits and `-` within");
  else if (text.size() > kMostOfLabel)
    say(name, field, "has " + std::to_string(text.size()) + " characters, and takes " + std::to_string(kMostOfLabel));
}

void Refusal::port_name(const Node& name, std::string_view field) {
  if (!is_written(name)) return;
  const std::string_view text = name.text();
  const bool signs = std::ranges::all_of(text, [](char c) { return is_small_or_digit(c) || c == '-'; });
  const bool letter = std::ranges::any_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
  if (text.size() > kMostOfPortName)
    say(name, field, in_ticks(text) + " is longer than the 15 characters of a port's name");
  else if (!signs || text.front() == '-' || text.back() == '-' || contains(text, "--"))
    say(name, field, in_ticks(text) + " is no name of a port: small letters, digits and `-` within");
  else if (!letter)
    say(name, field, in_ticks(text) + " is no name of a port: it has no letter");
}

void Refusal::one_of(const Node& parent, std::initializer_list<std::string_view> ways, std::string_view what,
                     bool needed) {
  if (!parent.is_mapping() || parent["<<"].exists()) return;
  std::string_view first;
  for (const std::string_view way : ways) {
    const Node value = parent[way];
    if (!value.exists() || value.is_null()) continue;
    if (!first.empty())
      return say(value, way, "stands beside " + in_ticks(first) + ", and " + std::string(what) + " has one of them");
    first = way;
  }
  if (first.empty() && needed)
    say(parent, what, "says nothing of how: one of " + join(std::vector<std::string_view>(ways), ", "));
}

}  // namespace muster
