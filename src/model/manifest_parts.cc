#include <algorithm>

#include "model/manifest.h"

namespace muster {
namespace {

const WrittenValue kNothing;

std::optional<std::size_t> row_of(const ManifestDef& def, std::string_view part) {
  // They are few, and most differ in their length: halving would compare the letters of some.
  const auto found = std::ranges::find(def.parts, part, &PartDef::name);
  if (found == def.parts.end()) return std::nullopt;
  return static_cast<std::size_t>(found - def.parts.begin());
}

}  // namespace

FieldName field_of(const PartDef& part) {
  // Asked for each part that nobody wrote: a search for several characters calls one for each.
  std::size_t begin = part.path.size();
  while (begin > 0 && part.path[begin - 1] != '.' && part.path[begin - 1] != '/') --begin;
  return FieldName(part.path.substr(begin));
}

const WrittenValue& Manifest::part(std::string_view which) const {
  const std::optional<std::size_t> row = row_of(*def, which);
  const WrittenValue* value = row ? written(*row) : nullptr;
  return value != nullptr ? *value : kNothing;
}

Span Manifest::place_of(std::string_view which) const {
  const std::optional<std::size_t> row = row_of(*def, which);
  if (!row) return {};
  const WrittenValue* value = written(*row);
  return value != nullptr ? value->where : unwritten(*row).where;
}

const WrittenValue* Manifest::written(std::size_t row) const {
  const auto found = std::ranges::lower_bound(written_, row, {}, &WrittenValue::row);
  return found == written_.end() || found->row != row ? nullptr : &*found;
}

Origin Manifest::unwritten(std::size_t row) const {
  Origin out;
  out.field = field_of(def->parts[row]);
  if (row < nearest_of_row_.size()) out.where = nearest_[static_cast<unsigned char>(nearest_of_row_[row])];
  return out;
}

void Manifest::set_parts(std::span<const WrittenValue> written, std::span<const Span> nearest,
                         std::string_view nearest_of_row) {
  written_ = written;
  nearest_ = nearest;
  nearest_of_row_ = nearest_of_row;
}

}  // namespace muster
