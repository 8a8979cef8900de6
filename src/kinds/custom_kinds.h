#pragma once

#include <vector>

#include "input/artifact.h"

namespace muster {

/// Makes what is said of the fields of custom objects findings of their files. A CustomResourceDefinition anywhere in
/// the input says what its kind has; of the others the shipped table does.
void settle_custom_kinds(std::vector<ParsedFile>& parsed);

}  // namespace muster
