#pragma once

#include "cli/arguments.h"
#include "cli/run.h"

namespace muster {

/// `muster prove --observed FILE...`: what is stuck already.
int run_observe(const Arguments& arguments, Console& console);

}  // namespace muster
