#pragma once

#include <vector>

#include "kustomize/render.h"
#include "pipeline/discover.h"

namespace muster {

/// What one can hold against the objects of a file.
enum class Wholeness : unsigned char {
  Whole,  ///< everything
  Draft,  ///< a folder or file called `template`: others copy it and add what lacks
  Part,   ///< patches, also those applied to what is there: others make them whole
  Scene,  ///< what a test reads or expects, patches that no kustomization names: nothing of their shape is certain
};

/// By FileId. A kustomization says so of the files that it names; of the others a folder or file name does, such as
/// `patches` or `testdata`, or a test of Chainsaw, KUTTL or Kyverno in their folder or above.
std::vector<Wholeness> find_object_parts(const Inputs& inputs, const Renderings& renderings);

}  // namespace muster
