#include "kubernetes/removed_objects.h"

#include <string>

#include "gang/manifest.h"
#include "kubernetes/field_table.h"
#include "model/device_releases.h"

namespace muster {

std::optional<RemovedObject> removed_object(std::string_view api_version, std::string_view kind, const Span& where) {
  const FieldTable::ObjectKind* found = FieldTable::shipped().find(api_version, kind);
  const DeviceApi* api = find_device_api(api_version, kind);
  const bool is_gone = found != nullptr && !found->gone.empty();
  if (!is_gone && api == nullptr) return std::nullopt;
  RemovedObject object;
  object.group = api_group(api_version);
  object.kind = kind;
  object.name = defaulted_to(std::string(), where, "metadata.name");
  object.id = std::string(api_version) + "/" + object.kind + "/";
  object.where = where;
  object.api_version = api_version;
  if (is_gone) object.gone = Version::parse(found->gone);
  if (api != nullptr) object.since = Version::parse(api->since);
  object.kind_remains = FieldTable::shipped().is_served(kind);
  return object;
}

}  // namespace muster
