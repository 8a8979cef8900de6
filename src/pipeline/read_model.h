#pragma once

#include <deque>
#include <string>
#include <vector>

#include "finding/finding.h"
#include "input/artifact.h"
#include "kinds/registry.h"
#include "model/model.h"
#include "pipeline/coverage.h"
#include "pipeline/discover.h"
#include "pipeline/rendered.h"

namespace muster {

class EarlyFiles;
class KeptInput;

/// Parses all files on `threads` threads; the result is by FileId and does not depend on their number.
std::vector<ParsedFile> parse_all(const Inputs& inputs, unsigned threads, std::vector<Finding>& findings,
                                  const KindTable& kinds = KindTable::shipped(), EarlyFiles* early = nullptr);

/// The second half of that: what files say of each other, once each is parsed for itself.
void settle_parsed(std::vector<ParsedFile>& parsed, const Inputs& inputs, std::vector<Finding>& findings);

/// Slurm's versions as dumps of scontrol in the input state them.
std::vector<Located<std::string>> dumped_slurm_versions(const std::vector<ParsedFile>& parsed);
/// What the playbooks and Dockerfiles of an input agree on; absent where they differ, or nothing of Slurm's is there.
/// Sites whose files state another release get it.
Located<std::string> installed_slurm_release(const Inputs& inputs, Model& model);
/// The release of Kubernetes that all installers of control planes in the input agree on, to the minor release.
Located<std::string> installed_kubernetes_release(const Inputs& inputs, const Model& model);

/// Who has of files what they became, each by itself.
struct ReadAhead {
  EarlyFiles* early = nullptr;  ///< before the others were parsed
  KeptInput* kept = nullptr;    ///< in an earlier check

  /// As strangers_in.
  std::vector<Stranger> strangers(const ParsedFile& file, const SourceFile& source) const;
};

/// Turns artifacts into the model and joins what refers to each other. From here on nobody looks at YAML.
/// `bundles`: what kustomizations build, instead of the files that it is made of. Takes the containers and manifests
/// out of the parsed files. With `ahead.early` the trees of manifests go as well: nothing may ask for values of their
/// artifacts afterwards.
Model normalise_all(std::vector<ParsedFile>& parsed, const Inputs& inputs, const LinkOptions& options,
                    std::vector<Finding>& findings, const std::deque<RenderedBundle>& bundles = {},
                    unsigned threads = 1, const ReadAhead& ahead = {});

}  // namespace muster
