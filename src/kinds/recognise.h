#pragma once

#include "input/artifact.h"
#include "source/source_map.h"

namespace muster {

/// Parses a file as far as muster may know what is in it. What is none of ours is looked at only as text, so that a
/// folder of unrelated YAML costs next to nothing. Broken documents of a kind we know are findings; the others in the
/// same file are still read. Artifacts point into `out`, which must stay where it is. Never throws.
void parse_file(FileId file, const SourceMap& sources, ParsedFile& out);

}  // namespace muster
