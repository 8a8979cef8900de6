#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/shared_text.h"
#include "source/located.h"

namespace muster {

/// What every named thing of the input has: who it is and where it stands.
struct Object {
  SharedText id;     ///< for reports: batch/v1/Job/ml/train, slurm.conf/PartitionName/gpu
  SharedText group;  ///< API group, such as batch.volcano.sh; empty outside Kubernetes
  SharedText kind;   ///< Job, PodGroup ...
  SharedText space;  ///< Kubernetes namespace; empty when not written: then it is whatever the client says
  Located<std::string> name;
  Span where;         ///< of the object's name or first line: the place for what is absent
  SharedText file;    ///< path of the file it stands in
  SharedText bundle;  ///< folder within which names may meet
};

/// What tells the objects of an input apart, for as long as they are there: two files may have one of a name, for one
/// or the other to be applied, and two overlays build different ones of one file.
struct ObjectKey {
  std::string_view bundle;
  std::string_view file;
  std::string_view id;

  auto operator<=>(const ObjectKey&) const = default;
};
inline ObjectKey object_key(const Object& one) { return {one.bundle, one.file, one.id}; }

/// Names that a list of examples holds at most; the count beside it says how many there are.
constexpr std::size_t kShown = 3;

}  // namespace muster
