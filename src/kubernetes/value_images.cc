#include "kubernetes/value_images.h"

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "kubernetes/value_nil.h"

namespace muster {
namespace {

constexpr std::string_view kImageValue = ".Values.";
constexpr std::size_t kMostAround = 200;  // characters of the line before an action, and behind it

/// `a.b` of `.Values.a.b`, alone or quoted; empty: the action does more, or something else.
std::string_view path_read(std::string_view action) {
  if (!action.starts_with(kImageValue)) return {};
  const std::string_view path = action.substr(kImageValue.size());
  const std::size_t bar = path.find('|');
  const std::string_view own = trim(path.substr(0, bar));
  const bool plain = !own.empty() && std::ranges::all_of(own, [](char c) { return is_word_char(c) || c == '.'; });
  return plain && (bar == path.npos || trim(path.substr(bar + 1)) == "quote") ? own : std::string_view();
}

/// Whether an action is all that stands behind `image:`; where it is a part, the image is refused as it is.
bool is_of_image(std::string_view text, std::size_t at, std::size_t end) {
  const std::size_t near = at - std::min(at, kMostAround);
  std::string_view line = text.substr(near, at - near);
  line = trim(line.substr(line.rfind('\n') + 1));  // npos + 1 is 0
  if (line.starts_with("- ")) line = trim(line.substr(2));
  std::string_view after = text.substr(end, kMostAround);
  after = after.substr(0, after.find('\n'));
  const std::size_t close = after.find("}}");
  const bool alone = close != after.npos && trim(after.substr(close + 2)).find_first_not_of("\"'") == after.npos;
  return alone && (line == "image: {{" || line == "image: {{-" || line == "image: \"{{" || line == "image: '{{");
}

/// Where the path ends in the values: the first name that nobody set; empty: all are.
std::string_view missing_part(const Node& values, std::string_view path) {
  Node at = values;
  for (const std::string_view name : split(path, '.')) {
    if (!at.is_mapping() || !at[name].exists()) return name;
    at = at[name];
  }
  return {};
}

}  // namespace

bool speaks_of_value(std::string_view text, std::string_view name) {
  const std::string key = std::string(name) + ":";
  for (std::size_t at = find_part(text, name); at != text.npos; at = find_part(text, name, at + 1)) {
    const bool alone = at == 0 || !is_word_char(text[at - 1]);
    const std::string_view rest = text.substr(at + name.size());
    if (alone && (text.substr(at).starts_with(key) || rest.starts_with("=") || rest.starts_with("\""))) return true;
  }
  return false;
}

void check_value_images(std::string_view text, FileId file, const Node& values,
                        const std::vector<std::string_view>& known, const ValueToldOf& told,
                        std::vector<Finding>& findings) {
  for (const std::string_view action : certain_actions(text)) {
    const std::string_view path = path_read(action);
    const auto begin = static_cast<std::size_t>(action.data() - text.data());
    if (path.empty() || !is_of_image(text, begin, begin + action.size())) continue;
    const std::string_view missing = missing_part(values, path);
    // In what is not set at all Helm ends at the next step: helm-value-parent-missing.
    if (missing.empty() || missing.data() + missing.size() != path.data() + path.size()) continue;
    if (std::ranges::any_of(known, [&](std::string_view one) { return speaks_of_value(one, missing); }) ||
        told(missing))
      continue;
    findings.push_back(
        problem("helm-image-undefined",
                {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + action.size())},
                "the image is `.Values." + std::string(path) + "`, which values.yaml does not have"));
    return;
  }
}

}  // namespace muster
