#pragma once

#include <span>
#include <string>
#include <string_view>

namespace muster {

struct ObjectType;

enum class TypeKind : unsigned char {
  Dyn,  ///< known only when evaluated
  Null,
  Bool,
  Int,
  Uint,
  Double,
  String,
  Bytes,
  List,
  Map,
  Duration,
  Timestamp,
  Type,
  Optional,
  Object,
  Quantity,
  Version,
  Hostlist,
  Semver,
};

/// A type of the rule language. Parameters point at types that live as long as the expression, or for ever.
struct Type {
  TypeKind kind = TypeKind::Dyn;
  const Type* element = nullptr;  ///< of a list or optional; value of a map
  const Type* key = nullptr;      ///< of a map
  const ObjectType* object = nullptr;
  std::span<const std::string_view> words = {};  ///< of a string that can only be one of these
};

inline constexpr Type kDynType{TypeKind::Dyn};
inline constexpr Type kNullType{TypeKind::Null};
inline constexpr Type kBoolType{TypeKind::Bool};
inline constexpr Type kIntType{TypeKind::Int};
inline constexpr Type kUintType{TypeKind::Uint};
inline constexpr Type kDoubleType{TypeKind::Double};
inline constexpr Type kStringType{TypeKind::String};
inline constexpr Type kBytesType{TypeKind::Bytes};
inline constexpr Type kDurationType{TypeKind::Duration};
inline constexpr Type kTimestampType{TypeKind::Timestamp};
inline constexpr Type kTypeType{TypeKind::Type};
inline constexpr Type kQuantityType{TypeKind::Quantity};
inline constexpr Type kVersionType{TypeKind::Version};
inline constexpr Type kHostlistType{TypeKind::Hostlist};
inline constexpr Type kSemverType{TypeKind::Semver};
inline constexpr Type kStringListType{TypeKind::List, &kStringType};

/// `list(string)`, `map(string, int)`, the object's name.
std::string name_of(const Type& type);

/// Whether a value of one type can stand where the other is wanted; dyn fits everywhere.
bool fits(const Type& given, const Type& wanted);

}  // namespace muster
