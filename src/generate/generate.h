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

/// What templates are filled from.
struct GenerateInput {
  const Model& model;
  const std::vector<Decision>& decisions;  ///< by index into Model::workloads
  const Targets& targets;                  ///< releases that the output is for
  const SourceMap& sources;
};

/// Fills a template from the fleet and the workloads of a model. Refuses with every requirement that does not hold, and
/// with the name and place of every fact that is missing. What it returns was read back and compared with the values
/// put in: a value cannot change the shape of a file.
Result<Generated> generate(const TemplateDef& def, const GenerateInput& input);

}  // namespace muster
