#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "input/artifact.h"
#include "kubernetes/defined_kinds.h"

namespace muster {

/// Makes what is said of the fields of custom objects findings of their files. A CustomResourceDefinition anywhere in
/// the input says what its kind has, unless objects of the input show its folder to be old; of the others the shipped
/// table does.
class CustomKinds {
 public:
  /// Takes the definitions of all files, which must stay where they are.
  CustomKinds(const std::vector<ParsedFile>& all, const std::function<std::string_view(FileId)>& path_of);
  void settle(ParsedFile& file);

 private:
  DefinedKinds defined_;
};

}  // namespace muster
