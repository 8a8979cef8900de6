#include "kubernetes/removed_objects.h"

#include <string>

#include "gang/manifest.h"
#include "kubernetes/field_table.h"

namespace muster {

std::optional<RemovedObject> removed_object(std::string_view api_version, std::string_view kind, const Span& where) {
  const FieldTable::ObjectKind* found = FieldTable::shipped().find(api_version, kind);
  if (found == nullptr || found->gone.empty()) return std::nullopt;
  RemovedObject object;
  object.group = api_group(api_version);
  object.kind = kind;
  object.name = defaulted_to(std::string(), where, "metadata.name");
  object.id = std::string(api_version) + "/" + object.kind + "/";
  object.where = where;
  object.api_version = api_version;
  object.gone = *Version::parse(found->gone);
  object.kind_remains = FieldTable::shipped().is_served(kind);
  return object;
}

}  // namespace muster
