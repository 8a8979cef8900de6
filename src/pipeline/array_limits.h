#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "model/model.h"

namespace muster {

/// `sbatch-array-above-limit`: arrays with an index that MaxArraySize of no site of the input allows.
class ArrayLimits {
 public:
  explicit ArrayLimits(const Model& model);

  /// Of `--array`: `1-100%5`, `0-30:2,40`.
  void check(std::string_view array, Span where, std::vector<Finding>& findings) const;

 private:
  std::optional<std::int64_t> size_;  ///< the largest of all sites; nothing where some site does not say
  std::string said_;                  ///< in words
  std::optional<Span> where_;         ///< where it is set
};

/// Those of the directives of batch scripts.
void check_job_arrays(const Model& model, std::vector<Finding>& findings);

}  // namespace muster
