#pragma once

#include <vector>

#include "finding/finding.h"
#include "pipeline/discover.h"

namespace muster {

/// Scripts of an input that no shell can read: `script-block-unclosed`, an `if` without `fi` or a `done` without loop;
/// `script-quote-unclosed`. Of files that begin with `#!` and a shell, and are no templates.
void find_script_syntax(const Inputs& inputs, std::vector<Finding>& findings);

}  // namespace muster
