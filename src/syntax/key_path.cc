#include "syntax/key_path.h"

#include <algorithm>

#include "base/strings.h"

namespace muster {

KeyPath key_path(std::string_view text) {
  KeyPath out;
  if (text.empty()) return out;
  for (const std::string_view step : split(text, '.')) out.emplace_back(step);
  return out;
}

namespace {

constexpr std::size_t kMostItems = 1000;  // of a list that are looked at

Node item_called(const Node& list, std::string_view name) {
  for (std::size_t i = 0; i < std::min(list.size(), kMostItems); ++i) {
    if (list.item(i)["name"].text() == name) return list.item(i);
  }
  return list[name];
}

}  // namespace

Node at_path(Node node, const KeyPath& path) {
  for (const std::string& step : path) node = node.is_sequence() ? item_called(node, step) : node[step];
  return node;
}

Node at_path_text(Node node, std::string_view path) {
  while (!path.empty()) {
    const std::string_view step = path.substr(0, path.find('.'));
    node = node.is_sequence() ? item_called(node, step) : node[step];
    path.remove_prefix(std::min(path.size(), step.size() + 1));
  }
  return node;
}

}  // namespace muster
