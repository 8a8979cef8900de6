#pragma once

#include <vector>

#include "finding/finding.h"

namespace muster {

/// A finding that is shown, and those that have the same cause: one rule in the same words, or once more in a file or
/// on an object where it was shown often enough.
struct FoldedFinding {
  const Finding* first = nullptr;
  std::vector<const Finding*> more;
};

/// Each finding is in one of them, in order.
std::vector<FoldedFinding> fold_findings(const std::vector<Finding>& findings);

}  // namespace muster
