#pragma once

#include <string_view>

#include "source/span.h"
#include "syntax/document.h"

namespace muster {

/// Reads a document that is written as kubectl and Helm write: ASCII, block mappings and sequences, texts on one line
/// plain or in quotes, block texts, and flow collections of these. The tree is the one that libyaml's events make, at a
/// tenth of the cost. False where there is anything else, good or bad (anchors, tags, texts over several lines, tabs,
/// odd indentation, mistakes): whoever asks reads all of it with libyaml then.
bool read_usual_yaml(std::string_view text, Span where, Document& out);

}  // namespace muster
