#pragma once

#include <map>
#include <vector>

#include "input/artifact.h"
#include "model/model.h"
#include "pipeline/discover.h"
#include "pipeline/rendered.h"
#include "report/report.h"

namespace muster {

/// What became of every file and every object of a run. What muster did not read is looked at as text; parsed are only
/// documents that speak of accelerators, to see which objects ask for them.
/// `quoted`: how many excerpts were read in each file that has some.
Coverage take_coverage(const std::vector<ParsedFile>& parsed, const Rendered& rendered, const Inputs& inputs,
                       const Model& model, const std::map<FileId, std::size_t>& quoted, unsigned threads);

/// The order of kinds in a report: those with most GPUs first.
void sort_kinds(std::vector<UnknownKind>& kinds);

}  // namespace muster
