#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Makes informations of errors and warnings, and nothing of informations unless the file is a PATH, in folders that
/// keep what nobody runs any more, `.archive`, `archived`, `_old`, or somebody else's: Slurm's sources; and in those of
/// earlier releases beside a newer one's, `install/v0.5.0`. Those above a PATH do not count: who names one wants to
/// know. Nor is it said there what another file should have.
/// Takes out `field-missing` where a comment beside the place says who sets the field, or Flux does.
void soften_put_aside(std::vector<Finding>& findings, const Inputs& inputs);

}  // namespace muster
