#pragma once

#include "input/artifact.h"
#include "source/source_map.h"

namespace muster {

/// Reports what stands wrong in the text of a file whatever else the file is: layouts of MIG in YAML, charts that a
/// script installs, taints beside tolerations, settings of containerd, modes of slurm.conf.
void check_text(const SourceFile& source, ParsedFile& out);

}  // namespace muster
