#pragma once

#include <optional>

#include "cli/run.h"
#include "pipeline/fix.h"

namespace muster {

/// Writes the changed files, or with --diff prints what would be written; then says on standard error what became of
/// the fixes.
std::optional<Error> apply_fixes(const FixRun& run, const Arguments& arguments, Console& console);

}  // namespace muster
