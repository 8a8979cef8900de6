#include "facts/value.h"

#include <cstring>

#include "facts/object_type.h"

namespace muster {

std::string_view Arena::copy(std::string_view text) {
  const std::span<char> copy = make_array<char>(text.size());
  if (!text.empty()) std::memcpy(copy.data(), text.data(), text.size());
  return {copy.data(), text.size()};
}

std::string_view name_of(Value::Kind kind) {
  using Kind = Value::Kind;
  switch (kind) {
    case Kind::Absent: return "absent";
    case Kind::Unknown: return "unknown";
    case Kind::Error: return "error";
    case Kind::Null: return "null_type";
    case Kind::Bool: return "bool";
    case Kind::Int: return "int";
    case Kind::Uint: return "uint";
    case Kind::Double: return "double";
    case Kind::String: return "string";
    case Kind::Bytes: return "bytes";
    case Kind::List: return "list";
    case Kind::Map: return "map";
    case Kind::Duration: return "google.protobuf.Duration";
    case Kind::Timestamp: return "google.protobuf.Timestamp";
    case Kind::Type: return "type";
    case Kind::Optional: return "optional_type";
    case Kind::Object: return "object";
    case Kind::Quantity: return "quantity";
    case Kind::Version: return "version";
    case Kind::Hostlist: return "hostlist";
    case Kind::Semver: return "semver";
  }
  return "";
}

std::string name_of(const Type& type) {
  switch (type.kind) {
    case TypeKind::Dyn: return "dyn";
    case TypeKind::Null: return "null";
    case TypeKind::Bool: return "bool";
    case TypeKind::Int: return "int";
    case TypeKind::Uint: return "uint";
    case TypeKind::Double: return "double";
    case TypeKind::String: return "string";
    case TypeKind::Bytes: return "bytes";
    case TypeKind::List: return "list(" + name_of(*type.element) + ")";
    case TypeKind::Map: return "map(" + name_of(*type.key) + ", " + name_of(*type.element) + ")";
    case TypeKind::Duration: return "duration";
    case TypeKind::Timestamp: return "timestamp";
    case TypeKind::Type: return "type";
    case TypeKind::Optional: return "optional(" + name_of(*type.element) + ")";
    case TypeKind::Object: return std::string(type.object->name);
    case TypeKind::Quantity: return "quantity";
    case TypeKind::Version: return "version";
    case TypeKind::Hostlist: return "hostlist";
    case TypeKind::Semver: return "semver";
  }
  return "";
}

bool fits(const Type& given, const Type& wanted) {
  if (given.kind == TypeKind::Dyn || wanted.kind == TypeKind::Dyn) return true;
  if (given.kind != wanted.kind) return false;
  switch (given.kind) {
    case TypeKind::List:
    case TypeKind::Optional: return fits(*given.element, *wanted.element);
    case TypeKind::Map: return fits(*given.key, *wanted.key) && fits(*given.element, *wanted.element);
    case TypeKind::Object: return given.object == wanted.object;
    case TypeKind::Dyn:
    case TypeKind::Null:
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::Uint:
    case TypeKind::Double:
    case TypeKind::String:
    case TypeKind::Bytes:
    case TypeKind::Duration:
    case TypeKind::Timestamp:
    case TypeKind::Type:
    case TypeKind::Quantity:
    case TypeKind::Version:
    case TypeKind::Hostlist:
    case TypeKind::Semver: return true;
  }
  return false;
}

}  // namespace muster
