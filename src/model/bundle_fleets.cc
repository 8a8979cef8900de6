#include "model/bundle_fleets.h"

namespace muster {

BundleFleets::BundleFleets(const Model& model) {
  for (const Fleet& fleet : model.fleets) {
    const auto [at, first] = only_.try_emplace(fleet.bundle, &fleet);
    if (!first) at->second = nullptr;
  }
}

const Fleet* BundleFleets::of(const std::string& bundle) const {
  const auto own = only_.find(bundle);
  if (own != only_.end()) return own->second;
  const auto of_all = only_.find("");
  return of_all == only_.end() ? nullptr : of_all->second;
}

}  // namespace muster
