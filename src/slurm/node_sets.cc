#include "slurm/node_sets.h"

#include <set>

#include "slurm/records.h"

namespace muster {

void find_lost_features(SlurmSite& site) {
  if (site.node_sets.empty() || !site.nodes_known) return;
  std::set<std::string> features;
  for (const SlurmNodes& nodes : site.nodes) {
    if (nodes.features.unknown() || nodes.unread) return;
    for (std::string& feature : features_of(nodes)) features.insert(std::move(feature));
  }
  for (SlurmNodeSet& set : site.node_sets)
    set.feature_lost = set.feature.is_set() && !set.feature.value.empty() && !features.contains(set.feature.value);
}

}  // namespace muster
