#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "facts/manifest_facts.h"
#include "lint/lint.h"
#include "model/manifest.h"

namespace muster {

/// The rules of one collection, and its objects or, where they are many, a stretch of them.
struct Share {
  const Collection* collection = nullptr;
  std::vector<const Rule*> rules;
  std::vector<const void*> objects;
  std::size_t stretches = 1;  ///< of that collection

  /// Which of manifest_defs() its objects are of; nothing for those that are no manifests.
  std::optional<std::size_t> def_of_manifests() const { return manifest_def_of(*collection); }
  bool of_manifests() const { return def_of_manifests().has_value(); }
};

/// In the order of the first rule of each; those without objects are left out. What has many objects is several, the
/// same however many threads there are.
inline std::vector<Share> shares_of(const LintInput& input) {
  std::vector<Share> shares;
  std::map<const Collection*, std::size_t> share_of;
  for (const Rule& rule : input.book.rules()) {
    if (rule.collection == nullptr || !rule.enabled) continue;
    const auto [at, added] = share_of.emplace(rule.collection, shares.size());
    if (added) shares.push_back({rule.collection, {}, {}});
    shares[at->second].rules.push_back(&rule);
  }
  std::vector<std::vector<const void*>> manifests = manifests_by_def(input.model);
  for (Share& share : shares) {
    if (const std::optional<std::size_t> def = share.def_of_manifests())
      share.objects = std::move(manifests[*def]);
    else
      share.collection->each(input.model, [&](const void* object) { share.objects.push_back(object); });
  }
  constexpr std::size_t kMost = 4096;  // objects; whole blocks of them
  std::vector<Share> out;
  for (Share& share : shares) {
    for (std::size_t begin = 0; share.objects.size() > kMost && begin < share.objects.size(); begin += kMost) {
      const auto first = share.objects.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto size = static_cast<std::ptrdiff_t>(std::min(kMost, share.objects.size() - begin));
      out.push_back({share.collection, share.rules, {first, first + size}, (share.objects.size() + kMost - 1) / kMost});
    }
    if (!share.objects.empty() && share.objects.size() <= kMost) out.push_back(std::move(share));
  }
  return out;
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
