#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace muster {

/// A file of Compose that was read whole.
struct ComposeFile {
  const Manifest* manifest = nullptr;
  std::string folder;
  const WrittenValue* services = nullptr;
};

/// Its items, where it is a list.
inline void each_item(const WrittenValue* list, const std::function<void(const WrittenValue& value)>& visit) {
  if (list == nullptr || list->kind != WrittenValue::Kind::List) return;
  for (const WrittenValue& one : list->items()) visit(one);
}

/// Of a text; empty for all else.
inline std::string_view text_at(const WrittenValue* value) {
  return value != nullptr && value->is_text() ? value->text() : "";
}

inline bool is_map(const WrittenValue* value) { return value != nullptr && value->kind == WrittenValue::Kind::Map; }

/// What a service has, its own or by `<<`; nullptr: nothing.
const WrittenValue* part_of(const WrittenValue& service, std::string_view key, int depth = 0);

/// `name:/path`, `./folder:/path:ro`.
struct Mount {
  std::string_view source;
  std::string_view target;
  bool named = false;  ///< the source is a volume
};

/// Of an item of `volumes`; nothing where a variable is filled in, or it is neither a folder nor a volume.
std::optional<Mount> mount_of(const WrittenValue& value);
/// Where it is mounted, also of `${DATA:-./data}:/data`; nothing: nobody knows.
std::optional<std::string_view> mount_target_of(const WrittenValue& value);

/// Those of a model that are small enough for all of their values to be there.
std::vector<ComposeFile> compose_files_of(const Model& model);

}  // namespace muster
