#pragma once

#include <map>
#include <string>
#include <vector>

#include "input/artifact.h"
#include "model/model.h"
#include "pipeline/discover.h"
#include "pipeline/rendered.h"
#include "report/report.h"

namespace muster {

/// An object of a kind that muster does not know.
struct Stranger {
  std::string api;
  std::string kind;
  bool with_gpus = false;
  bool fields_checked = false;

  bool is_unknown() const { return with_gpus || !fields_checked; }
};

/// Of a file, while its tree is there: the objects that became no artifact. What muster did not read is looked at as
/// text; parsed are only documents that speak of accelerators, to see which objects ask for them.
std::vector<Stranger> strangers_in(const ParsedFile& parsed, const SourceFile& source);

/// What became of every file and every object of a run. `quoted`: how many excerpts were read in each file that has
/// some.
Coverage take_coverage(const std::vector<ParsedFile>& parsed, const std::vector<std::vector<Stranger>>& strangers,
                       const Rendered& rendered, const Inputs& inputs, const Model& model,
                       const std::map<FileId, std::size_t>& quoted);

/// The order of kinds in a report: those with most GPUs first.
void sort_kinds(std::vector<UnknownKind>& kinds);

}  // namespace muster
