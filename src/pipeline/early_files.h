#pragma once

#include <optional>
#include <vector>

#include "pipeline/check.h"
#include "pipeline/coverage.h"
#include "pipeline/normalisation.h"
#include "pipeline/suppress.h"

namespace muster {

/// Whether something of the files is asked for behind the report. A baseline names objects by what stands in them.
bool keeps_files(const Options& options, const Config& config);

/// What becomes of files whose trees need not stay: of those of which no other file has a say, as soon as they are
/// parsed; of the rest, once all are. The trees of a large input would take several times the room of its texts.
class EarlyFiles {
 public:
  EarlyFiles(const Inputs& inputs, const LinkOptions& options);

  /// Of a file that was parsed just now. Any thread may, each for another file.
  void take(ParsedFile& file);
  bool took(FileId file) const { return normalised[static_cast<std::size_t>(file)].has_value(); }
  /// What of the others is asked for behind the model, before their trees go.
  void note_rest(const std::vector<ParsedFile>& parsed, unsigned threads);

  Normalisation normalisation;
  std::vector<std::optional<NormalisedFile>> normalised;  ///< by file
  std::vector<std::vector<Stranger>> strangers;           ///< by file
  std::vector<std::vector<Allowance>> allowances;         ///< by file

 private:
  void note(const ParsedFile& file);

  const Inputs& inputs_;
  bool possible_ = true;  ///< no file of the input says what others are
};

/// Lets the trees of a file go where nobody else looks at them: others may refer to an object, and a site is made of
/// all its files.
void drop_trees(ParsedFile& file);

/// Lets the manifests go: about as much as all the rest of a model. Nothing may look at them, or at values of theirs.
void drop_manifests(Model& model, std::vector<ParsedFile>& parsed);

}  // namespace muster
