#include "model/storage_class.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace muster {

bool is_folder_or_share(std::string_view storage_class) {
  if (contains(storage_class, "ceph") && (contains(storage_class, "block") || contains(storage_class, "rbd")))
    return false;  // a disk
  constexpr std::array<std::string_view, 12> kWords{"local",  "hostpath", "standard", "nfs", "efs",  "ceph",
                                                    "lustre", "shared",   "file",     "fsx", "gpfs", "weka"};
  return std::ranges::any_of(kWords, [&](std::string_view word) { return contains(storage_class, word); });
}

}  // namespace muster
