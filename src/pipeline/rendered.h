#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "finding/finding.h"
#include "input/artifact.h"
#include "kinds/custom_kinds.h"
#include "kinds/registry.h"
#include "lint/lint.h"
#include "pipeline/discover.h"

namespace muster {

/// What a kustomization builds, or Helm makes of a chart: its objects by the files that they begin in. Their values may
/// stand in any file.
struct RenderedBundle {
  FileId made_by = FileId::None;  ///< the kustomization, or Chart.yaml
  bool chart = false;
  bool whole = true;  ///< false: others use it that are not built, and would add to it
  std::size_t objects = 0;
  std::size_t elsewhere = 0;         ///< and those of packed charts, which are not judged
  std::vector<std::string> missing;  ///< files that generators read and that are not in the input
  std::deque<ParsedFile> files;

  /// Artifacts that no file of the input has by itself: those of a chart.
  std::size_t made_artifacts() const;
};

struct NotRendered {
  FileId made_by = FileId::None;
  std::string why;
  bool chart = false;
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

/// Adds the objects to their bundle, each where its file's others are.
void add_objects(std::deque<Document>& objects, const Inputs& inputs, const KindTable& kinds, RenderedBundle& bundle);

/// Takes files whose objects are judged in a bundle out of what is judged by itself.
void put_aside(ParsedFile& part, std::string_view why);

/// Reports what was found in the objects of a bundle. Where none has a namespace whoever applies them says it; to those
/// of files that are `in_part` somebody adds.
void report_bundle(RenderedBundle& bundle, CustomKinds& custom, const std::function<bool(FileId)>& in_part,
                   std::vector<Finding>& findings);

/// What several bundles share is wrong once.
void drop_said_twice(const Rendered& rendered, LintResult& linted);

}  // namespace muster
