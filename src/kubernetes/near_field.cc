#include "kubernetes/near_field.h"

#include <string>

#include "base/strings.h"

namespace muster {

std::vector<std::string_view> absent_fields(const FieldTable::Tree& tree, const Node& node) {
  std::vector<std::string_view> out;
  for (const FieldTable::Field& field : tree.fields)
    if (!node[field.name].exists()) out.push_back(field.name);
  return out;
}

std::optional<std::string_view> nearest_field(std::string_view name, const FieldTable::Tree& tree, const Node& node) {
  std::vector<std::string_view> known = absent_fields(tree, node);
  const std::optional<std::string_view> spelt = nearest(name, known);
  if (spelt || name.empty()) return spelt;
  std::string longer(name);
  if (longer.front() >= 'a' && longer.front() <= 'z') longer.front() = static_cast<char>(longer.front() - 'a' + 'A');
  std::erase_if(known, [&](std::string_view field) { return !field.ends_with(longer); });
  return known.size() == 1 ? std::optional(known.front()) : std::nullopt;
}

std::size_t unknown_keys(const Node& node, const FieldTable::Tree& tree) {
  std::size_t unknown = 0;
  for (std::size_t i = 0; !tree.open && i < node.size(); ++i)
    unknown += tree.find(node.key(i).text()) == nullptr ? 1 : 0;
  return unknown;
}

}  // namespace muster
