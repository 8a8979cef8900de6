#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster {

struct SiteNodes;

/// What --constraint asks for: a&b or a|b. Source: slurm.schedmd.com/sbatch.html#OPT_constraint.
struct AskedFeatures {
  std::vector<std::string> names;
  bool any = false;  ///< one of them is enough
};
/// Nothing for what else --constraint may say: counts, brackets, patterns, both signs.
std::optional<AskedFeatures> read_features(std::string_view text);
bool has_features(const SiteNodes& nodes, const AskedFeatures& wanted);

}  // namespace muster
