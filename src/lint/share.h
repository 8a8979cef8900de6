#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "lint/lint.h"
#include "model/manifest.h"

namespace muster {

/// The rules of one collection, and its objects.
struct Share {
  const Collection* collection = nullptr;
  std::vector<const Rule*> rules;
  std::vector<const void*> objects;

  bool of_manifests() const {
    return std::ranges::binary_search(manifest_defs(), collection->name, {}, &ManifestDef::collection);
  }
};

/// In the order of the first rule of each; those without objects are left out.
inline std::vector<Share> shares_of(const LintInput& input) {
  std::vector<Share> shares;
  std::map<const Collection*, std::size_t> share_of;
  for (const Rule& rule : input.book.rules()) {
    if (rule.collection == nullptr || !rule.enabled) continue;
    const auto [at, added] = share_of.emplace(rule.collection, shares.size());
    if (added) shares.push_back({rule.collection, {}, {}});
    shares[at->second].rules.push_back(&rule);
  }
  for (Share& share : shares)
    share.collection->each(input.model, [&](const void* object) { share.objects.push_back(object); });
  std::erase_if(shares, [](const Share& share) { return share.objects.empty(); });
  return shares;
}

/// In which order they are judged, numbers of shares: those of manifests first, which may go then.
inline std::vector<std::size_t> manifests_first(const std::vector<Share>& shares) {
  std::vector<std::size_t> out;
  for (const bool manifests : {true, false}) {
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (shares[i].of_manifests() == manifests) out.push_back(i);
    }
  }
  return out;
}

}  // namespace muster
