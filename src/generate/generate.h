#pragma once

#include <string>
#include <vector>

#include "decide/decision.h"
#include "generate/template_def.h"
#include "model/model.h"
#include "source/source_map.h"

namespace muster {

struct GeneratedFile {
  std::string path;
  std::string text;
};

struct Generated {
  std::vector<GeneratedFile> files;
  std::vector<std::string> notes;  ///< what was left out and why
};

/// Fills a template from the fleet and the workloads of a model. Refuses with every requirement that does not hold, and
/// with the name and place of every fact that is missing. What it returns was read back and compared with the values put
/// in: a value cannot change the shape of a file.
Result<Generated> generate(const TemplateDef& def, const Model& model, const std::vector<Decision>& decisions, const SourceMap& sources);

}  // namespace muster
