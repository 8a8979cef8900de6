#include "model/site_nodes.h"

#include "base/capped.h"

namespace muster {

std::int64_t SiteNodes::devices_of(std::string_view name, std::string_view type) const {
  std::int64_t sum = 0;
  for (const NodeDevices& one : devices) {
    if (one.name == name && (type.empty() || one.type == type)) sum = add_capped(sum, one.count);
  }
  return sum;
}

}  // namespace muster
