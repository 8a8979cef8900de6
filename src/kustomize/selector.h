#pragma once

#include "kustomize/resource.h"

namespace muster::kustomize {

/// The places of the objects that a `target` selects: patterns that stand for a whole text, and selectors of labels
/// and annotations. False where one cannot be read.
bool select(const std::vector<Resource>& objects, const Tree& target, Work& work, std::vector<std::size_t>& out);

/// `a=b,c!=d,e in (f,g),h,!i` against labels or annotations. False where it cannot be read.
bool matches_pairs(const Tree* pairs, std::string_view selector, Work& work, bool& out);

}  // namespace muster::kustomize
