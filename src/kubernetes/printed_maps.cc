#include "kubernetes/printed_maps.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/strings.h"

namespace muster {
namespace {

constexpr std::size_t kMostPrinted = 20;  // findings of one chart
constexpr std::size_t kLongestKey = 120;  // bytes before a value and behind it

/// `a.b` of an action that is `.Values.a.b` and nothing else; empty: it is another one.
std::string_view path_alone(std::string_view action) {
  if (action.starts_with('-')) action.remove_prefix(1);
  if (action.ends_with('-')) action.remove_suffix(1);
  action = trim(action);
  if (action.starts_with('$')) action.remove_prefix(1);
  constexpr std::string_view kRoot = ".Values.";
  if (!action.starts_with(kRoot)) return {};
  action.remove_prefix(kRoot.size());
  return std::ranges::all_of(action, [](char c) { return is_word_char(c) || c == '.'; }) ? action : std::string_view();
}

/// The key whose whole value stands at [begin, end) of a text; empty: more stands on the line, or no key.
std::string_view key_of_whole(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t from = begin - std::min(begin, kLongestKey);
  std::string_view before = text.substr(from, begin - from);
  before = trim(before.substr(before.rfind('\n') + 1));
  const std::string_view behind = text.substr(end, kLongestKey);
  if (!before.ends_with(':') || before.starts_with('#') || !trim(behind.substr(0, behind.find('\n'))).empty())
    return {};
  if (before.starts_with("- ")) before.remove_prefix(2);
  return before.substr(0, before.size() - 1);
}

/// Whether the value is a mapping of which templates read names.
bool is_read_mapping(std::string_view path, Node value, const ValueReads& reads) {
  const ValueReads::Part* part = &reads.values();
  for (const std::string_view step : split(path, '.')) {
    const auto found = part->parts.find(step);
    if (found == part->parts.end() || !value.is_mapping()) return false;
    part = found->second.get();
    value = value[step];
  }
  if (!value.is_mapping()) return false;
  return std::ranges::any_of(part->parts, [&](const auto& one) { return value[one.first].exists(); });
}

/// A template that takes a text or a mapping asks which of them it has.
bool asks_for_kinds(std::string_view text) {
  constexpr std::array<std::string_view, 4> kAsking{"kindIs", "kindOf", "typeIs", "typeOf"};
  return std::ranges::any_of(kAsking, [&](std::string_view word) { return contains(text, word); });
}

}  // namespace

void check_printed_maps(const std::vector<ChartFile>& files, const Node& values, const ValueReads& reads,
                        std::vector<Finding>& findings) {
  std::size_t said = 0;
  for (const ChartFile& file : files) {
    if (!file.path.starts_with("templates/") || !(file.path.ends_with(".yaml") || file.path.ends_with(".yml")))
      continue;
    if (asks_for_kinds(file.text)) continue;
    for (std::size_t at = file.text.find("{{"); at != file.text.npos; at = file.text.find("{{", at)) {
      const std::size_t end = file.text.find("}}", at);
      if (end == file.text.npos || said == kMostPrinted) break;
      const std::string_view path = path_alone(file.text.substr(at + 2, end - at - 2));
      const std::string_view key = path.empty() ? path : key_of_whole(file.text, at, end + 2);
      // Where key and value are called alike check_template() may have said it.
      if (!key.empty() && path.substr(path.rfind('.') + 1) != key && is_read_mapping(path, values, reads)) {
        ++said;
        findings.push_back(problem("helm-map-printed",
                                   {file.file, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end + 2)},
                                   "`" + std::string(path) + "` is a mapping, and printed as Go prints it: map[...]"));
      }
      at = end + 2;
    }
  }
}

}  // namespace muster
