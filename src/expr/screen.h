#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "facts/object_type.h"

namespace muster {

/// Some objects of a block, a bit each.
using ObjectSet = std::uint64_t;

/// Up to 64 objects of one type. A field of one is read once, however many conditions ask for it.
class ObjectBlock {
 public:
  static constexpr std::size_t kMost = 64;

  explicit ObjectBlock(const ObjectType& type) : type_(type), columns_(type.fields.size()) {}
  ObjectBlock(const ObjectBlock&) = delete;
  ObjectBlock& operator=(const ObjectBlock&) = delete;

  /// Puts others into it, 1 to 64; they have to stay where they are.
  void fill(std::span<const void* const> objects);
  ObjectSet all() const { return ~ObjectSet{0} >> (kMost - objects_.size()); }
  Value object(std::size_t i) const { return Value::object(&type_, objects_[i]); }
  const void* data(std::size_t i) const { return objects_[i]; }
  /// The values of a field of the type by object, absent or not, for those of `among`; nullptr when it is none of its
  /// fields.
  const Value* column(const Field* field, ObjectSet among, ReadContext context);
  /// Those whose value of such a field is a list of maps none of which has a key. The key has to stay where it is.
  ObjectSet lacking(const Field* field, std::string_view key, ObjectSet among, ReadContext context);

 private:
  struct Column {
    std::span<Value> values;  ///< by object
    ObjectSet read = 0;       ///< which of them are there
  };
  /// What rules ask of a list again and again.
  struct Lacking {
    const Field* field;
    std::string_view key;
    ObjectSet asked = 0;
    ObjectSet lack = 0;
  };

  const ObjectType& type_;
  std::span<const void* const> objects_;
  Arena arena_;
  std::vector<Column> columns_;  ///< by field
  std::vector<Lacking> lacking_;
};

}  // namespace muster
