#pragma once

#include <functional>
#include <string_view>

#include "finding/finding.h"
#include "syntax/document.h"

namespace muster {

/// What is kept of a JSON text that is mostly long lists, as `kubectl get -o json` and `squeue --json` print them.
struct JsonLists {
  /// Whether a member is read at all; `parent` is the key that its mapping stands under, empty at the root and in
  /// lists.
  bool (*wanted)(std::string_view parent, std::string_view key) = nullptr;
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
