#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "input/kind.h"

namespace muster {

struct SchedulerBook;

/// All input kinds: those with a reader of their own, and those that files describe.
class KindTable {
 public:
  static const KindTable& shipped();
  /// Descriptions and schedulers, whose PodGroups are kinds, must stay where they are.
  KindTable(const std::vector<const KindFile*>& described, const SchedulerBook& schedulers);

  /// Sorted by id.
  std::span<const Kind> all() const { return all_; }
  const Kind* find(std::string_view id) const;
  /// The manifest kind of an apiVersion and kind, if muster knows it. Where kinds share them, as those that look into
  /// ConfigMaps do, the one that recognises the artifact; without an artifact none of those.
  const Kind* find_manifest(std::string_view api_version, std::string_view object_kind,
                            const Artifact* artifact = nullptr) const;

 private:
  std::vector<Kind> all_;
};

/// Of the shipped table.
std::span<const Kind> all_kinds();
const Kind* find_kind(std::string_view id);

}  // namespace muster
