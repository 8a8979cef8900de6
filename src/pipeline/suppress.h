#pragma once

#include <string>
#include <vector>

#include "base/date.h"
#include "finding/finding.h"
#include "kinds/artifact.h"
#include "pipeline/config.h"
#include "pipeline/discover.h"
#include "rulebook/rule_book.h"

namespace muster {

/// Takes out of `findings` what is allowed: by `# muster: allow RULE [until=DATE] -- reason` on the line or the line
/// above, by the annotation muster.dev/allow of the object, or by muster.yaml. A suppression without a reason, of a rule
/// that does not exist or cannot be suppressed, that has expired or matches nothing is itself a finding.
std::vector<SuppressedFinding> suppress(std::vector<Finding>& findings, const std::vector<ParsedFile>& parsed, const Inputs& inputs,
                                        const Config& config, const RuleBook& book, Date today);

}  // namespace muster
