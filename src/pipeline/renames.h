#pragma once

#include "pipeline/discover.h"
#include "pipeline/finding_keys.h"

namespace muster {

/// One of two inputs that are compared, and how its files are called in keys.
struct NamedInputs {
  const Inputs& inputs;
  PlaceName name;
};

/// How files of an earlier input are called in a later one. Those that only the earlier one has are the ones of the
/// later with the same text, or that share at least half of their lines; a folder that is gone is the one that its
/// files went to. In about linear time.
PlaceName names_in_later(const NamedInputs& earlier, const NamedInputs& later);

}  // namespace muster
