#pragma once

#include "facts/slurm_keys.h"
#include "rulebook/book_reader.h"

namespace muster {

/// Reads `slurm_keys` of a reference file: scope -> key -> row. Adds to what is there; a row of the same key replaces.
void load_slurm_keys(const Node& root, SlurmKeyTable& out, BookReader& reader);

}  // namespace muster
