#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// What shell scripts of an input say and do not mean, whoever runs them: `script-status-never-seen`, a test of `$?`
/// behind a command that ends the script when it fails; `script-test-of-name`, `[[ is_there ]]` of a function;
/// `script-test-without-quotes`, `[ -n $NAME ]`; `script-array-from-one`, a loop over an array that begins at 1;
/// `script-arrow-redirects`, `echo a -> b`. Of files that begin with `#!` and a shell and are no templates; the first
/// of them also of pipelines. Linear in the texts.
void find_shell_slips(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
