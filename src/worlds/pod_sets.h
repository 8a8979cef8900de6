#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/model.h"

namespace muster {

/// What is placed at a time of a gang with pod sets: the gang itself, or one instance of a set that comes apart.
struct GangPart {
  std::optional<std::size_t> apart;  ///< in Gang::pod_sets
};

/// Whether who places the pods reads pod sets and topologies at all: the default scheduler does not.
bool sets_count(const Gang& gang);

/// Whether a world can say what the scheduler guarantees of these sets; else `needs` says what would decide it.
bool sets_are_plain(const Gang& gang, std::string& needs);

/// Instances of sets that come apart, after the gang itself: how many of each. Call only where sets_are_plain().
std::int64_t apart_instances(const PodSet& set);

/// Pods of the role in that part, and the least of them that are placed together.
struct PartOfRole {
  std::int64_t pods = 0;
  std::int64_t least = 0;   ///< 0: nobody says
  std::int64_t copies = 1;  ///< instances of its sets that these pods are of
};
PartOfRole part_of_role(const Gang& gang, const Role& role, const GangPart& part);

/// Adds the role: once, or for each instance of its sets where these have to stand in domains of their own. `levels`:
/// of each set; empty: wherever it likes.
void add_copies(const Gang& gang, const Role& role, const GangPart& part, const std::vector<std::string>& levels,
                WorldRole made, WorldGang& out);

}  // namespace muster
