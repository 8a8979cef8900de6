#pragma once

#include <string>
#include <vector>

#include "base/date.h"
#include "finding/finding.h"
#include "input/artifact.h"
#include "lint/lint.h"
#include "pipeline/config.h"
#include "pipeline/discover.h"
#include "pipeline/rendered.h"
#include "rulebook/rule_book.h"

namespace muster {

struct SuppressInput {
  const std::vector<ParsedFile>& parsed;
  const std::deque<RenderedBundle>& bundles;
  const Inputs& inputs;
  const Config& config;  ///< its places are in the sources of `inputs`
  const RuleBook& book;
  Date today;
  bool whole_repository;  ///< everything muster.yaml speaks of was read
};

/// Takes out of the findings what is allowed: by `# muster: allow RULE [until=DATE] -- reason` on the line or the line
/// above, by the annotation muster.dev/allow of the object, or by muster.yaml. A suppression without a reason, of a
/// rule that does not exist or cannot be suppressed, that has expired or matches nothing is itself a finding. What is
/// not decided may yet be what a suppression is for: then it is not called unused.
std::vector<SuppressedFinding> suppress(LintResult& linted, const SuppressInput& input);

}  // namespace muster
