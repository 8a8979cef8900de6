#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "finding/finding.h"
#include "input/artifact.h"
#include "kinds/registry.h"
#include "lint/lint.h"
#include "pipeline/discover.h"

namespace muster {

/// What a kustomization builds: its objects by the files that they begin in. Their values may stand in any file.
struct RenderedBundle {
  FileId kustomization = FileId::None;
  bool whole = true;  ///< false: others use it that are not built, and would add to it
  std::size_t objects = 0;
  std::vector<std::string> missing;  ///< files that generators read and that are not in the input
  std::deque<ParsedFile> files;
};

struct NotRendered {
  FileId kustomization = FileId::None;
  std::string why;
};

struct Rendered {
  std::deque<RenderedBundle> bundles;
  std::vector<NotRendered> not_rendered;
  std::map<FileId, std::size_t> uses;  ///< how many bundles a file is part of
};

/// Builds the kustomizations of the input and takes what they are made of out of what is judged: those files say
/// `rendered`, and what was found along the fields of their objects is taken out of `findings`. A file that cannot be
/// built into anything is judged as it is.
Rendered render_all(std::vector<ParsedFile>& parsed, const Inputs& inputs, std::vector<Finding>& findings,
                    const KindTable& kinds);

/// What several bundles share is wrong once.
void drop_said_twice(const Rendered& rendered, LintResult& linted);

}  // namespace muster
