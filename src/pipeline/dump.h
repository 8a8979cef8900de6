#pragma once

#include <string>
#include <vector>

#include "facts/object_type.h"
#include "input/artifact.h"
#include "model/model.h"
#include "pipeline/rendered.h"
#include "source/source_map.h"

namespace muster {

/// What was recognised where, one artifact a line. The format of golden tests.
std::string dump_artifacts(const std::vector<ParsedFile>& parsed, const SourceMap& sources);

/// The model: each gang, queue, PodGroup, site, script, workload and fleet with its fields, their states and places.
std::string dump_model(const Model& model, const SourceMap& sources);

/// World files that say the same as these worlds, several documents of one file.
std::string dump_worlds(const std::vector<World>& worlds);

/// What kustomizations build, an object a document, and which of them are not built.
std::string dump_rendered(const Rendered& rendered, const SourceMap& sources);

/// Every field of every object as rules see it.
std::string dump_facts(const Model& model, const Targets& targets, const SlurmKeyTable* slurm_keys);

}  // namespace muster
