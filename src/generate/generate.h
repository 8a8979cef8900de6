#pragma once

#include <string>
#include <vector>

#include "admission/admission_policy.h"
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
  const FleetDecision* fleet = nullptr;  ///< over all workloads together; nothing: how planes share the fleet is open
  const AdmissionPolicies* policies = nullptr;  ///< for templates that need the rules
};

/// Fills a template from the fleet and the workloads of a model. Refuses with every requirement that does not hold, and
/// with the name and place of every fact that is missing; what a selection (`let`) leaves out for want of a fact is
/// named in the notes instead. What it returns was read back and compared with the values put in: a value cannot change
/// the shape of a file.
Result<Generated> generate(const TemplateDef& def, const GenerateInput& input);

/// The same with the files of the templates that it needs beside its own (`with`) and that are called for. One of them
/// that refuses makes it refuse.
Result<Generated> generate_whole(const std::vector<TemplateDef>& templates, const TemplateDef& def,
                                 const GenerateInput& input);

/// What the decisions call for, of all templates: those whose `when` holds. One without files, as `all`, adds its
/// notes. A template that refuses stands under `refused` with its reasons, and the others are written all the same.
struct GeneratedAll {
  Generated generated;
  std::vector<std::string> templates;  ///< that were written
  std::vector<std::string> refused;
};
GeneratedAll generate_all(const std::vector<TemplateDef>& templates, const GenerateInput& input);

}  // namespace muster
