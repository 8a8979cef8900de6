#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/kind.h"

namespace muster {

struct SchedulerBook;

/// All input kinds: those with a reader of their own, and those that files describe.
class KindTable {
 public:
  static const KindTable& shipped();
  /// Descriptions, schedulers, whose PodGroups are kinds, and operators, whose Configurations are, must stay where they
  /// are.
  KindTable(const std::vector<const DescribedKind*>& described, const SchedulerBook& schedulers);

  /// Sorted by id.
  std::span<const Kind> all() const { return all_; }
  const Kind* find(std::string_view id) const;
  /// The manifest kind of an apiVersion and kind, if muster knows it. Where kinds share them, as those that look into
  /// ConfigMaps do, the one that recognises the artifact; without an artifact none of those.
  const Kind* find_manifest(std::string_view api_version, std::string_view object_kind,
                            const Artifact* artifact = nullptr) const;
  /// The API versions in which it knows the kind of an object's group; empty where the object's is one of them.
  std::vector<std::string> versions_of(std::string_view api_version, std::string_view object_kind) const;
  /// Whether an artifact of that kind's format, or API and kind, is of it.
  bool is(const Kind& kind, const Artifact& artifact) const;
  const SchedulerBook& schedulers() const { return *schedulers_; }

 private:
  std::vector<Kind> all_;
  const SchedulerBook* schedulers_;
};

/// Of the shipped table.
std::span<const Kind> all_kinds();
const Kind* find_kind(std::string_view id);

}  // namespace muster
