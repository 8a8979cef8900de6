#include "slurm/node_sets.h"

#include <set>

#include "base/strings.h"

namespace muster {

void find_lost_features(SlurmSite& site) {
  if (site.node_sets.empty() || !site.nodes_known) return;
  std::set<std::string_view> features;
  for (const SlurmNodes& nodes : site.nodes) {
    if (nodes.features.unknown() || nodes.unread) return;
    if (!nodes.features.is_set()) continue;
    for (const std::string_view feature : split(nodes.features.value, ',')) features.insert(trim(feature));
  }
  for (SlurmNodeSet& set : site.node_sets)
    set.feature_lost = set.feature.is_set() && !set.feature.value.empty() && !features.contains(set.feature.value);
}

}  // namespace muster
