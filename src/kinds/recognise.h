#pragma once

#include "input/artifact.h"
#include "source/source_map.h"

namespace muster {

/// Sum of what speaks for and against.
int weight_of(const std::vector<Evidence>& evidence);

/// Parses a file and looks at what it holds. Only what cannot hold anything of ours is not parsed, so that a folder of
/// unrelated YAML costs next to nothing. Broken documents of a kind we know are findings; the others in the same file
/// are still read. Artifacts point into `out`, which must stay where it is. Never throws.
void parse_file(FileId file, const SourceMap& sources, ParsedFile& out);

}  // namespace muster
