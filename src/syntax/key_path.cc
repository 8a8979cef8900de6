#include "syntax/key_path.h"

#include "base/strings.h"

namespace muster {

KeyPath key_path(std::string_view text) {
  KeyPath out;
  if (text.empty()) return out;
  for (const std::string_view step : split(text, '.')) out.emplace_back(step);
  return out;
}

Node at_path(Node node, const KeyPath& path) {
  for (const std::string& step : path) node = node[step];
  return node;
}

}  // namespace muster
