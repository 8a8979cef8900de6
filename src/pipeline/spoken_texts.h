#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "pipeline/discover.h"

namespace muster {

/// The texts of an input for those who ask whether somebody speaks of a name: without what is said to muster, the
/// comments and annotations that allow something and muster.yaml, which name what a finding is about.
class SpokenTexts {
 public:
  explicit SpokenTexts(const Inputs& inputs);
  /// Places in it are those of the file.
  std::string_view text(std::size_t i) const;

 private:
  const Inputs& inputs_;
  std::map<std::size_t, std::string> cut_;
};

}  // namespace muster
