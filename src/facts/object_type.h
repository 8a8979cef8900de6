#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/version.h"
#include "facts/slurm_keys.h"
#include "facts/type.h"
#include "facts/value.h"
#include "model/model.h"

namespace muster {

/// Versions of the software that the input runs on; what is missing is unknown.
using Targets = std::map<std::string, Version, std::less<>>;

/// What reading a field may look at besides the object itself.
struct ReadContext {
  const Model* model = nullptr;
  const Targets* targets = nullptr;
  Arena* arena = nullptr;
  const SlurmKeyTable* slurm_keys = nullptr;  ///< of the rule book; nullptr: nothing is known of keys
};

enum class Presence : unsigned char {
  Always,    ///< there, or unknown
  Optional,  ///< may be absent: has() or .? must ask first
};

/// A field of the model as rules see it.
struct Field {
  std::string_view name;
  Type type;
  Presence presence;
  std::string_view doc;
  Value (*read)(const void* object, const ReadContext& context);
};

/// A kind of thing rules speak about: a gang, a queue, a switch ...
struct ObjectType {
  std::string_view name;
  std::string_view doc;
  std::span<const Field> fields;                                     ///< sorted by name
  Span (*where)(const void* object);                                 ///< its own place
  SharedText (*id)(const void* object, const ReadContext& context);  ///< for reports: batch/v1/Job/ml/train

  const Field* find(std::string_view field) const;
};

/// What a rule can run over: `for: g in gangs`.
struct Collection {
  std::string_view name;
  const ObjectType* element;
  std::string_view doc;
  void (*each)(const Model& model, const std::function<void(const void*)>& visit);
};

/// All object types and collections, sorted by name.
std::span<const ObjectType* const> object_types();
std::span<const Collection> collections();
const Collection* find_collection(std::string_view name);

/// `target`: the software whose versions rules may ask for; its fields are the names that --target takes.
const ObjectType& target_type();
std::vector<std::string_view> target_names();

constexpr auto kAlways = Presence::Always;
constexpr auto kOptional = Presence::Optional;

}  // namespace muster
