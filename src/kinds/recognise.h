#pragma once

#include "input/artifact.h"
#include "kinds/registry.h"
#include "source/source_map.h"

namespace muster {

/// Sum of what speaks for and against.
int weight_of(const std::vector<Evidence>& evidence);

/// Parses a file and looks at what it holds. Only what cannot hold anything of ours is not parsed, so that a folder of
/// unrelated YAML costs next to nothing. Broken documents of a kind we know are findings; the others in the same file
/// are still read. Artifacts point into `out` and `kinds`, which must stay where they are. Never throws.
void parse_file(FileId file, const SourceMap& sources, ParsedFile& out, const KindTable& kinds = KindTable::shipped());

/// Takes a document that was made out of others for what it is: an object. It must be the last one of `out`.
void recognise_made(const SourceMap& sources, ParsedFile& out, const KindTable& kinds);

}  // namespace muster
