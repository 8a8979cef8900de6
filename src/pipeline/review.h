#pragma once

#include <memory>

#include "pipeline/check.h"
#include "report/review.h"
#include "worlds/worlds.h"

namespace muster {

/// A review with everything that it points into.
struct ReviewRun {
  Workspace workspace;
  Report report;
  FoundWorlds worlds;
  std::vector<WorldProof> proofs;
  std::vector<UnprovedGang> left_out;
  Review review;
};

/// Checks, decides and proves the input, and sums it up.
Result<std::unique_ptr<ReviewRun>> review_input(const Options& options, const FileSystem& disk);

}  // namespace muster
