#pragma once

#include <optional>
#include <string>
#include <vector>

#include "facts/types.h"
#include "model/model.h"

// How fields of the model become values. Included only by the files that list fields.

namespace muster {

inline Value to_value(bool value, const ReadContext&) { return Value::of(value); }
inline Value to_value(std::int64_t value, const ReadContext&) { return Value::of(value); }
inline Value to_value(double value, const ReadContext&) { return Value::of(value); }
inline Value to_value(const std::string& value, const ReadContext&) { return Value::of(std::string_view(value)); }
inline Value to_value(const SharedText& value, const ReadContext&) { return Value::of(value.view()); }
inline Value to_value(const Quantity& value, const ReadContext&) { return Value::of(value); }
template <class Enum>
requires std::is_enum_v<Enum> Value to_value(Enum value, const ReadContext&) { return Value::of(name_of(value)); }
inline Value to_value(const FactValue& value, const ReadContext& context) {
  return std::visit([&](const auto& held) { return to_value(held, context); }, value);
}

/// A located value with its state: unknown and absent are states, not values.
template <class T>
Value to_value(const Located<T>& value, const ReadContext& context) {
  switch (value.state) {
    case State::Absent: return Value::absent().with_origin(&value);
    case State::Unknown:
      return Value::unknown(context.arena->make(UnknownNeed{value.needs(), nullptr})).with_origin(&value);
    case State::Set:
    case State::Defaulted:
    case State::Assumed: return to_value(value.value, context).with_origin(&value);
  }
  return Value::null();
}

template <class T>
Value to_value(const Rare<T>& value, const ReadContext& context) {
  return to_value(value.located(), context);
}

template <class T>
Value to_value(const std::optional<T>& value, const ReadContext& context) {
  return value ? to_value(*value, context) : Value::absent();
}

inline Value to_value(const std::optional<Hostlist>& value, const ReadContext&) {
  return value ? Value::of(&*value) : Value::absent();
}

/// A list of texts, read in place.
inline Value to_value(const std::vector<std::string>& texts, const ReadContext& context) {
  return Value::of(context.arena->make(ListData{texts.size(), &texts, [](const void* base, std::size_t i) {
                                                  return Value::of(std::string_view(
                                                      (*static_cast<const std::vector<std::string>*>(base))[i]));
                                                }}));
}

/// A vector of the model as a list of objects, read in place.
template <const ObjectType& type, class T>
Value to_objects(const std::vector<T>& items, const ReadContext& context) {
  return Value::of(context.arena->make(ListData{items.size(), &items, [](const void* base, std::size_t i) {
                                                  return Value::object(&type,
                                                                       &(*static_cast<const std::vector<T>*>(base))[i]);
                                                }}));
}

/// Reads member `member` of a T.
template <class T, auto member>
Value read(const void* object, const ReadContext& context) {
  return to_value(static_cast<const T*>(object)->*member, context);
}

/// Reads one of the remarks of a T.
template <class T, auto member>
Value read_remark(const void* object, const ReadContext& context) {
  return to_value((*static_cast<const T*>(object)->remarks).*member, context);
}

template <class T, auto member, const ObjectType& type>
Value read_objects(const void* object, const ReadContext& context) {
  return to_objects<type>(static_cast<const T*>(object)->*member, context);
}

template <class T>
Span where_of(const void* object) {
  return static_cast<const T*>(object)->where;
}

template <class Enum>
constexpr Type enum_type() {
  return Type{TypeKind::String, nullptr, nullptr, nullptr, names_of<Enum>()};
}

constexpr Type list_of(const Type& element) { return Type{TypeKind::List, &element, nullptr, nullptr, {}}; }
constexpr Type object_of(const ObjectType& type) { return Type{TypeKind::Object, nullptr, nullptr, &type, {}}; }

template <class T>
SharedText own_id(const void* object, const ReadContext&) {
  return static_cast<const T*>(object)->id;
}

constexpr Type kSystemType = enum_type<GangSystem>();
constexpr Type kSiteObject = object_of(kSlurmSiteType);
constexpr Type kPartitionObject = object_of(kSlurmPartitionType);
constexpr Type kSettingsMap{TypeKind::Map, &kStringType, &kStringType};

/// The Slurm site of a T that has its index.
template <class T>
Value site_of(const void* object, const ReadContext& context) {
  return Value::object(&kSlurmSiteType, &context.model->slurm_sites[static_cast<const T*>(object)->site]);
}

}  // namespace muster
