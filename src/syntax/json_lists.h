#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// What is kept of a JSON text that is mostly long lists, as `kubectl get -o json` and `squeue --json` print them.
struct JsonLists {
  /// Whether a member is read at all; `open` has the keys that its mapping and all around it stand under, the root
  /// first; those of the root and of what stands in a list are empty.
  std::function<bool(const std::vector<std::string>& open, std::string_view key)> wanted;
  /// Called for each text that is a member of the root, when it comes: what lists behind it are of. May be empty.
  std::function<void(std::string_view key, std::string_view text)> text;
  /// Called for each mapping of a list that is a member of the root, with the key of the list. The node lives until it
  /// returns.
  std::function<void(std::string_view list, const Node& item)> item;
  /// Called at the end with the root, its lists empty.
  std::function<void(const Node& root)> root;
};

/// Reads a text item by item: memory is that of the largest one. Nodes have no places. What is no JSON, nested deeper
/// than DocumentBuilder::kMaxDepth or has an item of too many values is a finding of rule json-syntax. Never throws.
bool read_json_lists(FileId file, std::string_view text, const JsonLists& lists, std::vector<Finding>& findings);

}  // namespace muster
