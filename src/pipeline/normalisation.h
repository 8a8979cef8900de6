#pragma once

#include <optional>
#include <vector>

#include "base/boxed.h"
#include "finding/finding.h"
#include "input/artifact.h"
#include "input/kind.h"
#include "input/object_index.h"
#include "input/shell_scripts.h"
#include "input/submit_lines.h"
#include "model/model.h"
#include "pipeline/discover.h"

namespace muster {

/// What the artifacts of a file became where a file of rules/kinds describes the kind of each: gangs, and what their
/// pods say of operators. They know of others no more than their names.
struct NormalisedFile {
  bool all = false;  ///< described are all of them
  Boxed<Gang> gangs;
  std::vector<OperatorSetting> settings;
  std::vector<Finding> findings;
};

/// Objects that others name. Only those: an input may have many of the rest.
void add_referred(const ParsedFile& file, const FileContext& context, ObjectIndex& out);

/// Whether it is judged by itself, and not in what a kustomization builds.
bool is_normalised(const ParsedFile& file, const Artifact& artifact);

/// What all files of an input are normalised with.
class Normalisation {
 public:
  Normalisation(const Inputs& inputs, const LinkOptions& options);
  /// The files, which must stay where they are: what may refer to another is normalised after this.
  void refer_to(const std::vector<ParsedFile>& parsed);

  /// What files that are not `described` are normalised with. For one thread.
  NormaliseContext context(const ParsedFile& file, Model& model, std::vector<Finding>& findings);
  NormalisedFile described(const ParsedFile& file) const { return described(file, objects_); }
  /// Before refer_to; nothing where it has to look for an object that it names.
  std::optional<NormalisedFile> alone(const ParsedFile& file) const;

 private:
  NormalisedFile described(const ParsedFile& file, const ObjectIndex& objects) const;
  NormaliseContext without_calls(FileId file, Model& model, std::vector<Finding>& findings) const;
  void read_calls();

  const Inputs& inputs_;
  const LinkOptions& options_;
  ObjectIndex objects_;
  bool calls_read_ = false;  ///< the texts of all files, for the first batch script among them
  ShellScripts scripts_;
  SubmitLines submits_;
};

}  // namespace muster
