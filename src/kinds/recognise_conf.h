#pragma once

#include "input/artifact.h"
#include "kinds/registry.h"
#include "source/source_map.h"

namespace muster {

/// The first kind of a format whose own eyes know the artifact; nullptr: none does.
const Kind* kind_recognised_by(const KindTable& kinds, Format format, const Artifact& artifact);

/// A text of `Key=Value` lines: what of Slurm's it is, or would be by its role, or would be once it is rendered.
void recognise_conf(const SourceFile& source, const KindTable& kinds, ParsedFile& out);

/// Slurm files that a script, a ConfigMap, cloud-init or a playbook writes: they become artifacts of the file.
void recognise_confs_within(const SourceFile& source, const KindTable& kinds, ParsedFile& out);

}  // namespace muster
