#pragma once

#include <cstdint>
#include <optional>
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

/// A text that allows something, in a comment or an annotation, before anybody knows whether there is such a rule.
struct Allowance {
  std::string text;            ///< behind `muster: allow`
  Span where;                  ///< of the comment or annotation
  std::uint32_t line = 0;      ///< that a comment speaks of
  std::optional<Span> object;  ///< that an annotation speaks of ...
  std::string object_id;       ///< ... and how reports call it
};

/// Those of a file, while its tree is there: its comments, then its objects.
std::vector<Allowance> allowances_in(const ParsedFile& file, const SourceMap& sources);

struct SuppressInput {
  const std::vector<ParsedFile>& parsed;
  const std::deque<RenderedBundle>& bundles;
  const Inputs& inputs;
  const Config& config;  ///< its places are in the sources of `inputs`
  const RuleBook& book;
  Date today;
  bool whole_repository;                                            ///< everything muster.yaml speaks of was read
  const std::vector<std::vector<Allowance>>* allowances = nullptr;  ///< by file, where the trees are gone
};

/// Takes out of the findings what is allowed: by `# muster: allow RULE [until=DATE] -- reason` on the line or the line
/// above, by the annotation muster.dev/allow of the object, or by muster.yaml. A suppression without a reason, of a
/// rule that does not exist or cannot be suppressed, that has expired or matches nothing is itself a finding. What is
/// not decided may yet be what a suppression is for: then it is not called unused.
std::vector<SuppressedFinding> suppress(LintResult& linted, const SuppressInput& input);

}  // namespace muster
