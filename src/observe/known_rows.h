#pragma once

#include <string_view>
#include <vector>

#include "gang/scheduler.h"
#include "kubernetes/kind_file.h"

namespace muster {

/// The kinds and schedulers by which dumps are read: the shipped ones, or a site's over them. They outlive what is
/// read.
struct KnownRows {
  std::vector<const KindFile*> kinds;
  const SchedulerBook& schedulers;

  /// The row of that version, else of another one.
  const KindFile* find(std::string_view api_version, std::string_view kind) const;
};

}  // namespace muster
