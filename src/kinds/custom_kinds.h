#pragma once

#include <vector>

#include "input/artifact.h"
#include "kubernetes/defined_kinds.h"

namespace muster {

/// Makes what is said of the fields of custom objects findings of their files. A CustomResourceDefinition anywhere in
/// the input says what its kind has; of the others the shipped table does.
class CustomKinds {
 public:
  /// Takes the definitions of all files, which must stay where they are.
  explicit CustomKinds(const std::vector<ParsedFile>& all);
  void settle(ParsedFile& file);

 private:
  DefinedKinds defined_;
};

}  // namespace muster
