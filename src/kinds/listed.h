#pragma once

#include <string_view>

#include "syntax/document.h"

namespace muster {

/// What items of a list inherit from it.
struct ListItemType {
  std::string_view api_version;
  std::string_view kind;
};

inline std::string_view kind_in(const Node& object, const ListItemType& listed) {
  return object["kind"].text().empty() ? listed.kind : object["kind"].text();
}
inline std::string_view api_version_in(const Node& object, const ListItemType& listed) {
  return object["apiVersion"].text().empty() ? listed.api_version : object["apiVersion"].text();
}

/// JobList says what its items are; a plain List does not.
inline ListItemType items_of(std::string_view list_kind, std::string_view api_version) {
  if (!list_kind.ends_with("List") || list_kind == "List") return {};
  return {api_version, list_kind.substr(0, list_kind.size() - 4)};
}

}  // namespace muster
