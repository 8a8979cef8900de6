#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/hostlist.h"
#include "base/quantity.h"
#include "base/version.h"
#include "facts/type.h"
#include "source/located.h"

namespace muster {

class Value;

/// Where evaluation keeps what it makes; emptied at once between two evaluations.
class Arena {
 public:
  Arena() : memory_(buffer_, sizeof buffer_) {}
  ~Arena() { destroy_owned(); }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  template <class T>
  T* make(T value) {
    static_assert(std::is_trivially_destructible_v<T>, "the arena runs no destructors");
    used_ += sizeof(T);
    return new (memory_.allocate(sizeof(T), alignof(T))) T(std::move(value));
  }
  /// Keeps something that owns memory itself, such as a node list, until the reset.
  template <class T>
  const T* own(T value) {
    struct Kept : Owned {
      T value;
    };
    used_ += sizeof(Owned);
    const auto destroy = [](const Owned* owned) { static_cast<const Kept*>(owned)->value.~T(); };
    Kept* kept = new (memory_.allocate(sizeof(Kept), alignof(Kept))) Kept{{destroy, owned_}, std::move(value)};
    owned_ = kept;
    return &kept->value;
  }
  template <class T>
  std::span<T> make_array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>, "the arena runs no destructors");
    const std::size_t bytes = std::max<std::size_t>(1, count) * sizeof(T);
    used_ += bytes;
    T* first = static_cast<T*>(memory_.allocate(bytes, alignof(T)));
    for (std::size_t i = 0; i < count; ++i) new (first + i) T();
    return {first, count};
  }
  std::string_view copy(std::string_view text);
  /// Bytes handed out since the last reset: what evaluation bounds.
  std::size_t used() const { return used_; }
  void reset() {
    if (used_ == 0) return;
    destroy_owned();
    memory_.release();
    used_ = 0;
  }

 private:
  struct Owned {
    void (*destroy)(const Owned* owned);
    const Owned* next;
  };
  void destroy_owned() {
    for (; owned_ != nullptr; owned_ = owned_->next) owned_->destroy(owned_);
  }

  alignas(std::max_align_t) std::byte buffer_[16384];
  std::pmr::monotonic_buffer_resource memory_;
  std::size_t used_ = 0;
  const Owned* owned_ = nullptr;
};

/// One thing that would decide an unknown value.
struct UnknownNeed {
  std::string_view needs;
  const UnknownNeed* next = nullptr;
};

struct ErrorData {
  std::string_view message;
  std::uint32_t begin = 0;  ///< offsets in the expression's text
  std::uint32_t end = 0;
};

/// A list is read item by item, so that a model's vectors need no copy.
struct ListData {
  std::size_t size = 0;
  const void* base = nullptr;
  Value (*at)(const void* base, std::size_t i) = nullptr;
  std::uint16_t depth = 1;  ///< of lists and maps within each other
  bool partial = false;     ///< some value within is unknown
};

struct MapEntry;
struct MapData {
  std::span<const MapEntry> entries;  ///< in the order written; keys are unique
  std::uint16_t depth = 1;            ///< of lists and maps within each other
  bool partial = false;               ///< some value within is unknown
};

/// Seconds and nanoseconds. A duration's have the same sign, as in google.protobuf.Duration; a timestamp counts from
/// 1970 and its nanoseconds are never negative, as in google.protobuf.Timestamp.
struct TimeData {
  std::int64_t seconds = 0;
  std::int32_t nanos = 0;
};

/// A semantic version 2.0.0; build metadata is dropped, because it has no order.
struct SemverData {
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  std::uint64_t patch = 0;
  std::string_view pre_release;
};

/// A value of the rule language. Small and trivially copied; what it points at lives in the model, in the expression or
/// in the arena of the evaluation. It may know where it was written: its origin.
class Value {
 public:
  enum class Kind : unsigned char {
    Absent,  ///< an optional field that is not there; only has() and .? ever see it
    Unknown,
    Error,
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

  Value() : int_(0) {}
  static Value absent() { return Value(Kind::Absent); }
  static Value null() { return Value(Kind::Null); }
  static Value of(bool value) {
    Value v(Kind::Bool);
    v.bool_ = value;
    return v;
  }
  static Value of(std::int64_t value) {
    Value v(Kind::Int);
    v.int_ = value;
    return v;
  }
  static Value of(std::uint64_t value) {
    Value v(Kind::Uint);
    v.uint_ = value;
    return v;
  }
  static Value of(double value) {
    Value v(Kind::Double);
    v.double_ = value;
    return v;
  }
  static Value of(std::string_view value) {
    Value v(Kind::String);
    v.text_ = {value.data(), value.size()};
    return v;
  }
  static Value bytes(std::string_view value) {
    Value v(Kind::Bytes);
    v.text_ = {value.data(), value.size()};
    return v;
  }
  static Value of(const ListData* value) {
    Value v(Kind::List);
    v.list_ = value;
    return v;
  }
  static Value of(const MapData* value) {
    Value v(Kind::Map);
    v.map_ = value;
    return v;
  }
  static Value of(const Quantity& value) {
    Value v(Kind::Quantity);
    v.quantity_ = value;
    return v;
  }
  static Value of(const Version* value) {
    Value v(Kind::Version);
    v.version_ = value;
    return v;
  }
  static Value of(const Hostlist* value) {
    Value v(Kind::Hostlist);
    v.hostlist_ = value;
    return v;
  }
  static Value of(const SemverData* value) {
    Value v(Kind::Semver);
    v.semver_ = value;
    return v;
  }
  static Value duration(TimeData value) {
    Value v(Kind::Duration);
    v.time_ = value;
    return v;
  }
  static Value timestamp(TimeData value) {
    Value v(Kind::Timestamp);
    v.time_ = value;
    return v;
  }
  static Value type(std::string_view name) {
    Value v(Kind::Type);
    v.text_ = {name.data(), name.size()};
    return v;
  }
  /// optional.none() is a null pointer.
  static Value optional(const Value* value) {
    Value v(Kind::Optional);
    v.optional_ = value;
    return v;
  }
  static Value object(const ObjectType* type, const void* data) {
    Value v(Kind::Object);
    v.object_ = {type, data};
    return v;
  }
  static Value unknown(const UnknownNeed* needs) {
    Value v(Kind::Unknown);
    v.unknown_ = needs;
    return v;
  }
  static Value error(const ErrorData* error) {
    Value v(Kind::Error);
    v.error_ = error;
    return v;
  }

  Kind kind() const { return kind_; }
  bool is(Kind kind) const { return kind_ == kind; }
  /// Not a value one can compute with.
  bool stops() const { return kind_ <= Kind::Error; }

  bool as_bool() const { return bool_; }
  std::int64_t as_int() const { return int_; }
  std::uint64_t as_uint() const { return uint_; }
  double as_double() const { return double_; }
  std::string_view as_text() const { return {text_.data, text_.size}; }
  const ListData& as_list() const { return *list_; }
  const MapData& as_map() const { return *map_; }
  const Quantity& as_quantity() const { return quantity_; }
  const Version& as_version() const { return *version_; }
  const Hostlist& as_hostlist() const { return *hostlist_; }
  const SemverData& as_semver() const { return *semver_; }
  const TimeData& as_time() const { return time_; }
  const Value* as_optional() const { return optional_; }
  const ObjectType* object_type() const { return object_.type; }
  const void* object_data() const { return object_.data; }
  const UnknownNeed* needs() const { return unknown_; }
  const ErrorData& as_error() const { return *error_; }

  const Origin* origin() const { return origin_; }
  Value with_origin(const Origin* origin) const {
    Value v = *this;
    v.origin_ = origin;
    return v;
  }

 private:
  explicit Value(Kind kind) : kind_(kind), int_(0) {}

  struct Text {
    const char* data;
    std::size_t size;
  };
  struct Reference {
    const ObjectType* type;
    const void* data;
  };

  Kind kind_ = Kind::Null;
  union {
    bool bool_;
    std::int64_t int_;
    std::uint64_t uint_;
    double double_;
    Text text_;
    Reference object_;
    const ListData* list_;
    const MapData* map_;
    const Value* optional_;
    Quantity quantity_;
    TimeData time_;
    const Version* version_;
    const Hostlist* hostlist_;
    const SemverData* semver_;
    const UnknownNeed* unknown_;
    const ErrorData* error_;
  };
  const Origin* origin_ = nullptr;
};

struct MapEntry {
  Value key;
  Value value;
};

/// The name CEL gives a kind, for messages and for type(): int, string, list ...
std::string_view name_of(Value::Kind kind);

}  // namespace muster
