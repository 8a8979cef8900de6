#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

/// Where a place stands in a YAML text, by the indentation of the lines around it: also while the text is no YAML yet,
/// as it is between two letters. Lists have the name `-` in the path. Flow style has no lines of its own: what stands
/// in one is a value.
struct YamlOutline {
  std::vector<std::string> path;  ///< keys above the place
  bool is_value = false;          ///< it stands behind a key, else it is one
  std::string key;                ///< that it stands behind
  std::size_t begin = 0;          ///< of the word there, in bytes
  std::size_t end = 0;
  std::vector<std::string> beside;         ///< other keys of the mapping it stands in
  std::map<std::string, std::string> top;  ///< keys of the document's root, with what stands behind them on the line
};

YamlOutline yaml_outline_at(std::string_view text, std::size_t offset);

}  // namespace muster
